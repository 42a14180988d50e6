"""A brief is made: a session is read once, as facts and as rows, and printed for a model within a budget.

Nothing is written and no model is called.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from segue.errors import BadInput
from segue.extract import tokens
from segue.extract.condensed import Condenser
from segue.handoff import brief as rendered
from segue.model.brief import DEFAULT, SMALLEST, BriefRow
from segue.model.facts import Facts
from segue.service.handoffs import draft
from segue.service.handoffs.draft import Draft, Wanted
from segue.service.refusals import refusal

if TYPE_CHECKING:
    from segue.model.handoff_answers import BriefMade
    from segue.service.sessions.lookup import Source
    from segue.service.workspace import Workspace


def read(workspace: Workspace, source: Source, wanted: Wanted) -> tuple[Draft, tuple[BriefRow, ...]]:
    """The draft of a session's handoff and its rows, from one reading. Raises as `draft.propose` does."""
    condenser = Condenser()
    made = draft.propose(workspace, source, wanted, condenser).made
    # A twin, because what is removed here is no part of the packet's receipt.
    return made, condenser.close(made.redactor.twin().redact)


def brief(
    workspace: Workspace,
    source: Source,
    goal: str = "",
    budget: int | None = None,
    since_compaction: bool = False,
    directory: str = "",
) -> BriefMade:
    """The session for a model's eyes, within `budget` tokens; with `since_compaction` only what its agent lost from its
    context. Raises NotFound for a session that holds nothing, or was never compacted."""
    budget = DEFAULT if budget is None else budget
    if budget < SMALLEST:
        raise BadInput(f"A brief of {budget} tokens holds no session.", f"Ask for at least {SMALLEST}.")
    made, rows = read(workspace, source, Wanted(goal, directory=directory, kept=False))
    facts = made.facts
    if since_compaction:
        rows = tuple(rendered.lost(rows))
        if not rows:
            raise refusal("never-compacted", agent=facts.source.agent, session_id=facts.source.session_id)
        # What stands at the end of the session, its agent still knows.
        facts = Facts(source=facts.source, goal=facts.goal, redactions=facts.redactions)
    told = msgspec.structs.asdict(rendered.render(rows, facts, facts.goal, budget, tokens.count))
    answer: BriefMade = {"brief": told.pop("text"), **told, "lines": list(told["lines"])}  # type: ignore[typeddict-item]
    return answer
