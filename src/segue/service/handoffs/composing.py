"""A model's judgement on a session, kept only as far as the session shows it.

The model reads the brief and states; grounding judges each statement by the lines it names; what was refused the model
may mend once; the rest is dropped. Whatever the model does, the mechanical packet stands below it: its statements come
beside the person's words, the files and the commands, which code prints. The same answers give the same bytes.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from segue.errors import SegueError
from segue.extract import tokens
from segue.extract.condensed import Condenser
from segue.handoff import brief, compose, ground
from segue.llm import prompts
from segue.llm.contract import Answer
from segue.llm.registry import model
from segue.model.brief import SMALLEST, BriefRow
from segue.model.facts import FORGOTTEN, Composition, Facts, Statement
from segue.model.value import NamedTuple
from segue.model.visible import visible
from segue.redaction.redact import redact_entry
from segue.service import models
from segue.service.handoffs import draft
from segue.service.handoffs.draft import Draft, Proposal, Wanted, rendered_with
from segue.service.handoffs.grounding import whole
from segue.service.sessions.own_traces import without

if TYPE_CHECKING:
    from segue.service.sessions.lookup import Source
    from segue.service.workspace import Workspace

Ask = Callable[[str], Answer]
"""The model: what it answers to a prompt. Raises SegueError where it does not, and KeyboardInterrupt where a person has
waited long enough."""
TOO_LARGE = "too_large"
"""How a provider says that a prompt does not fit its window."""
_NO_STATEMENT = "its answer holds no statement in the form that was asked for"
_WRONG = ("not_seen", "contradicted")


def propose(
    workspace: Workspace,
    source: Source,
    wanted: Wanted,
    name: str,
    confirm: Callable[[str], bool] | None = None,
    by_flag: bool = False,
) -> Proposal:
    """Drafts the handoff of a session and has the model of that name judge it. `confirm` asks a person whether the session
    may leave this machine, where nobody has said so yet; `by_flag` says that a person named the model in this very
    command. Raises as `draft.propose` does, and Refused without leave; whatever a model does is told in a note."""
    leave = models.require_leave(workspace, name, confirm=confirm, by_flag=by_flag)
    condenser = Condenser()
    proposal = draft.propose(workspace, source, wanted, condenser)
    made = proposal.made
    twin = made.redactor.twin()
    rows = condenser.close(twin.redact)
    entries = (redact_entry(entry, twin) for entry in without(proposal.source.entries()))
    session = ground.Session.of(entries, whole(proposal.source, twin))
    calls = _Calls(_asking(workspace, name), made)
    done = composed(made, rows, session, name, calls, workspace.config["model_window"])
    made = done.made
    if made.facts.composed:
        sent = replace(made.facts.composed, sent_to=leave["destination"], leave=leave["leave"])
        made = replace(made, facts=replace(made.facts, composed=sent))
    return proposal._replace(made=made, notes=(*proposal.notes, *filter(None, [done.note])))


def _asking(workspace: Workspace, name: str) -> Ask:
    """The model of that name, within what the settings let one handoff spend."""
    asked, spent = model(name), models.ceiling(workspace)

    def ask(prompt: str) -> Answer:
        nonlocal spent
        spent.after(prompt)
        answer = asked.write(prompt, schema=compose.SCHEMA)
        spent = spent.after(prompt, answer)
        return answer

    return ask


class Composed(NamedTuple):
    made: Draft
    note: str = ""
    """What whoever asked should know: why there is nothing of the model in it, or not all."""


class _Calls:
    """The calls of one composition: what they cost, their answers without secrets and hidden characters, and why there
    was no further one."""

    def __init__(self, ask: Ask, made: Draft) -> None:
        self._ask, self._redact = ask, made.redactor.redact
        self.answers: list[Answer] = []
        self.fault = self.code = ""

    def __call__(self, prompt: str) -> compose.Answer | None:
        """What was answered; None where that was nothing that can be read."""
        try:
            answer = self._ask(prompt)
        except SegueError as fault:
            self.fault, self.code = fault.message.rstrip("."), fault.code
            return None
        except KeyboardInterrupt:
            self.fault = "the model was stopped"
            return None
        clean = self._redact(visible(answer.text))
        self.answers.append(answer._replace(text=clean))
        return compose.read(clean)

    def total(self, field: str) -> float:
        return sum(getattr(answer, field) or 0 for answer in self.answers)


def composed(
    made: Draft, rows: Sequence[BriefRow], session: ground.Session, name: str, calls: _Calls, window: int
) -> Composed:
    """The draft with the statements of the model of that name, from one brief of the session or, where it fits no window,
    several. Where the model fails, is stopped or states nothing that holds, the draft as it was."""
    kept: list[_Kept] = []
    replaced: list[compose.Replaced] = []
    dropped = 0
    for judged in _windows(made, rows, session, calls, window):
        kept += judged.kept
        dropped += judged.dropped
        replaced += judged.replaced
    if not kept:
        unusable = "none of its statements is shown by the session" if dropped else _NO_STATEMENT
        return Composed(made, f"{_label(name)}: {calls.fault or unusable}. The mechanical packet stands.")
    receipt = Composition(
        model=next((answer.model for answer in calls.answers if answer.model), _label(name)),
        calls=len(calls.answers),
        input_tokens=int(calls.total("input_tokens")),
        output_tokens=int(calls.total("output_tokens")),
        cost_usd=round(calls.total("cost_usd"), 4),
        shown=len(kept),
        corrected=sum(one.corrected for one in kept),
        dropped=dropped,
    )
    facts = _with(made.facts, [one.statement for one in kept], replaced, receipt)
    note = (
        f"{_label(name)}: {calls.fault}; what it had stated by then is in the packet." if calls.fault else ""
    )
    answers = tuple(answer.text for answer in calls.answers)
    return Composed(rendered_with(facts, made.budget, made.index, made.redactor, answers), note)


def _windows(
    made: Draft, rows: Sequence[BriefRow], session: ground.Session, calls: _Calls, window: int
) -> Iterator[_Judged]:
    """What the model states of each part of the session; the parts are smaller where it says that they do not fit."""
    parts = brief.windows(rows, made.facts, made.facts.goal, window, tokens.count)
    while parts:
        judged = _stated(calls, parts[0].text, made, session)
        if calls.code == TOO_LARGE and not calls.answers and window > SMALLEST * 4:
            calls.fault = calls.code = ""
            window //= 2
            parts = brief.windows(rows, made.facts, made.facts.goal, window, tokens.count)
            continue
        yield judged
        parts = [] if calls.fault else parts[1:]


class _Kept(NamedTuple):
    statement: Statement
    corrected: bool


class _Judged(NamedTuple):
    kept: list[_Kept]
    dropped: int
    replaced: tuple[compose.Replaced, ...]


def _stated(calls: _Calls, text: str, made: Draft, session: ground.Session) -> _Judged:
    """What the model states of one brief: asked, judged, asked once more about what was refused."""
    facts = made.facts
    answer = calls(compose.request(_template("compose"), text, facts.goal, facts.statements))
    if answer is None:
        return _Judged([], 0, ())
    judged = [_judged(said, made, session) for said in answer.statements]
    kept = [one for one in judged if isinstance(one, _Kept)]
    refused = [one for one in judged if isinstance(one, compose.Refused)]
    if not refused:
        return _Judged(kept, 0, answer.replaced)
    again = calls(compose.repair(_template("repair"), text, refused))
    stated = {said.text for said in answer.statements}
    new = [said for said in again.statements if said.text not in stated] if again else []
    judged = [_judged(said, made, session) for said in new[: len(refused)]]
    mended = [one for one in judged if isinstance(one, _Kept)]
    return _Judged(kept + mended, len(refused) - len(mended), answer.replaced)


def _judged(said: compose.Said, made: Draft, session: ground.Session) -> _Kept | compose.Refused:
    """A statement as the session shows it, or why it does not."""
    if why := compose.refusal(said):
        return compose.Refused(said, why)
    judgement = ground.judge(ground.Statement(said.text, said.lines, said.quotes), session, made.facts)
    lines = judgement.lines or said.lines
    printed = ground.judge(
        ground.Statement(said.text, lines), session, made.facts
    )  # without what only proves it
    for found in (judgement, printed):
        if found.verdict in _WRONG:
            return compose.Refused(said, found.message)
    seen = any(one.by in ("person", "result") for one in session.at(*lines))
    return _Kept(compose.statement(said, lines, seen), set(lines) != set(said.lines))


def _with(
    facts: Facts, stated: list[Statement], replaced: Sequence[compose.Replaced], receipt: Composition
) -> Facts:
    stated_once = compose.merged(stated)
    return replace(
        facts,
        statements=(*stated_once, *compose.still_holding(facts.statements, replaced, stated_once)),
        next_steps=compose.next_steps(stated_once, facts.next_steps),
        composed=receipt,
        dropped=tuple(drop for drop in facts.dropped if drop.why == FORGOTTEN),
    )


def _label(name: str) -> str:
    """A model by its name; a person's own command without the folders it names."""
    kind, _, rest = name.partition(":")
    return f"{kind}:{os.path.basename(rest.split()[0])}" if kind == "command" and rest.split() else name


def _template(name: str) -> str:
    with open(os.path.join(os.path.dirname(prompts.__file__ or ""), f"{name}.md"), encoding="utf-8") as file:
        return file.read()
