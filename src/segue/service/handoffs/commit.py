"""A draft is reviewed, and what was approved goes into the log: the same rules for every surface.

A person reviews in an editor or on a screen, a caller elsewhere sends the text back: to `review` both are a call that
takes a text and gives it back as it was left.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from segue.errors import BadInput
from segue.model.packet import OF_FACTS
from segue.model.value import NamedTuple
from segue.service.handoffs.draft import Draft, Proposal, revised
from segue.service.refusals import refusal

if TYPE_CHECKING:
    from segue.model import frame
    from segue.model.answers import HandedOff
    from segue.model.thread import Provenance
    from segue.service.sessions import lookup
    from segue.service.workspace import Workspace

MOST_FILES = 24
"""Referenced files of which a commit keeps a snapshot."""
_MARKS = 24
"""Tokens by which the marks of a review may pass the budget: that somebody edited, and what was redacted of it."""

Look = Callable[[str], tuple[str, bool]]
"""Gives a text back as it was left, and whether it was approved."""
Keep = Callable[[str], AbstractContextManager[object]]
"""Keeps a text that somebody wrote from being lost when it is refused."""


class Reviewed(NamedTuple):
    made: Draft
    """What the log gets."""
    text: str
    """What is delivered: the packet, or the form that was asked for."""
    delivered: bool
    """Whether the text is another than the log's packet: a form of its own that somebody changed."""
    approved: bool
    notes: tuple[str, ...] = ()


def review(
    workspace: Workspace, proposal: Proposal, form: str, look: Look | None, keep: Keep = nullcontext
) -> Reviewed:
    """The draft in the form that was asked for, as it was left by whoever looked at it; without a `look` as it is. Raises
    BadInput for a packet that was emptied, or made longer than its budget; `keep` has it then. What the linter says of a
    packet and did not say before is among the notes."""
    made = proposal.made
    if form in OF_FACTS:
        return _review_form(workspace, proposal, form, look)
    if look is None:
        return Reviewed(made, made.text, False, True)
    text, approved = look(made.text)
    if not text.strip():
        raise BadInput("An empty packet hands nothing over.", "Leave `text` out to commit the draft.")
    left = revised(made, text)
    if left is made:
        return Reviewed(made, made.text, False, approved)
    from segue.service.handoffs.reviews import worsened  # 11 ms

    if left.tokens > max(made.budget, made.tokens) + _MARKS:
        with keep(left.text):
            raise refusal("over-budget", tokens=left.tokens, budget=left.budget)
    notes = [f"{found['severity']}: {found['where']}: {found['message']}" for found in worsened(made, left)]
    return Reviewed(left, left.text, False, approved, tuple(notes))


def _review_form(workspace: Workspace, proposal: Proposal, form: str, look: Look | None) -> Reviewed:
    """Forms that are made from the facts alone are delivered as they were left; the log gets the packet."""
    from segue.service.handoffs import renderings

    made, source = proposal.made, proposal.source
    drafted = renderings.rendered_as(form, made, source, workspace, {})
    text, approved = look(drafted) if look else (drafted, True)
    if look and approved:
        text = renderings.as_reviewed(form, made, text)
    return Reviewed(made, text, text != drafted, approved)


def commit(
    workspace: Workspace, source: lookup.Source, made: Draft, by: Provenance, **recorded: Any
) -> HandedOff:
    """Stores a reviewed packet: blobs first, then the child thread at the cut of the imported session.

    The session is imported as far as the draft read it, where the `source` holds what was read. What is stored is
    redacted in any case, with all secrets known that the session showed.
    """
    from segue.model.bundle import FACTS_KEY
    from segue.service.imports import intake  # 3 ms, for those who only look at a draft
    from segue.service.threads import streams

    imported = intake.import_session(workspace, source, by, known=made.redactor)
    made, beside = _with_answers(workspace, made, by)
    facts_id, _ = workspace.artifacts.put(facts_bytes(made))
    return streams.handoff(
        workspace,
        imported["thread_id"],
        title=made.facts.goal[:80] or None,
        summary_markdown=made.text,
        goal=made.facts.goal or None,
        refs={"files": references(workspace, made)},
        from_seq=imported["head_seq"],
        by=by,
        agent=source.agent,
        session_id=imported["session_id"],
        bundle_extra={FACTS_KEY: facts_id},
        beside=beside,
        **recorded,
    )


def _with_answers(workspace: Workspace, made: Draft, by: Provenance) -> tuple[Draft, list[frame.Draft]]:
    """The draft whose facts name the model's answers, which are kept, and the frame that tells of them."""
    done = made.facts.composed
    if done is None or not made.answers:
        return made, []
    from segue.model import frame

    answers = tuple(workspace.artifacts.put(answer.encode())[0] for answer in made.answers)
    told = {
        "artifact_id": answers[0],
        "model": done.model,
        "passes": done.calls,
        "shown": done.shown,
        "corrected": done.corrected,
        "dropped": done.dropped,
        "destination": done.sent_to,
        "leave": done.leave,
    }
    composed = replace(done, answers=answers)
    return replace(made, facts=replace(made.facts, composed=composed)), [
        frame.Draft(frame.COMPOSED, by.stamp(told))
    ]


def facts_bytes(made: Draft) -> bytes:
    """The facts as a commit stores them."""
    return msgspec.json.encode(made.facts, order="sorted")


def references(workspace: Workspace, made: Draft) -> list[dict[str, Any]]:
    """The files of the project that a commit keeps a snapshot of."""
    from segue.handoff.bundle import file_refs
    from segue.service.project_files import holds

    return [ref for ref in file_refs(made.facts) if holds(workspace.root, ref["path"])][:MOST_FILES]
