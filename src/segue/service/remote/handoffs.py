"""Handoffs for callers elsewhere: propose, commit, judge, check, and pass on what is cleared.

The rows of a server and of MCP, where review is a second call: `propose` writes nothing, `commit` takes the text as the
caller approved it. What happens to it, `service/handoffs/` decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from segue.model.packet import Format, Preset
from segue.model.thread import AGENT, LIBRARY, Provenance
from segue.service.boundary import approvals, clearance, moments
from segue.service.handoffs import briefs, draft, grounding, renderings, reviews
from segue.service.handoffs import commit as committing
from segue.service.remote import sessions
from segue.service.sessions import lookup

if TYPE_CHECKING:
    from segue.model import handoff_answers
    from segue.service.workspace import Workspace

LOCAL = "generic"
"""The channel of whoever stands at this machine."""


def propose(
    workspace: Workspace,
    goal: str = "",
    session: str | None = None,
    agent: str | None = None,
    budget: int | None = None,
    preset: Preset = "",
    format: Format = "packet",
    repo: bool | None = None,
    include_files: Sequence[str] = (),
) -> handoff_answers.Proposal:
    """Drafts the handoff of a session of this project, by default the newest, for a goal; writes nothing."""
    wanted = draft.Wanted(goal, budget, preset, repo, include_files)
    proposal = draft.propose(workspace, sessions.named(workspace, session, agent), wanted)
    answer: handoff_answers.Proposal = renderings.answer(proposal.made, proposal)  # type: ignore[assignment]
    if format != "packet":
        answer["rendered"] = renderings.rendered_as(format, proposal.made, proposal.source, workspace, {})
    return answer


def commit(
    workspace: Workspace,
    goal: str = "",
    session: str | None = None,
    agent: str | None = None,
    budget: int | None = None,
    preset: Preset = "",
    repo: bool | None = None,
    include_files: Sequence[str] = (),
    text: str | None = None,
    by: Provenance = LIBRARY,
) -> handoff_answers.Committed:
    """Stores the handoff of a session: its thread, the bundle, and the child thread that starts from it.
    `text` is the packet as reviewed, or as an agent wrote it, within its budget; without it the draft stands as it is. What
    an agent writes has to be shown by its session."""
    wanted = draft.Wanted(goal, budget, preset, repo, include_files)
    return commit_text(workspace, sessions.named(workspace, session, agent), wanted, text, by)


def commit_text(
    workspace: Workspace, source: lookup.Source, wanted: draft.Wanted, text: str | None, by: Provenance
) -> handoff_answers.Committed:
    """The same for a session that was found already."""
    proposal = draft.propose(workspace, source, wanted)
    if text is not None and by.kind == AGENT:
        proposal = proposal._replace(notes=(*proposal.notes, *grounding.require(text, source)))
    left = committing.review(workspace, proposal, "packet", None if text is None else lambda _: (text, True))
    committed = committing.commit(workspace, proposal.source, left.made, by)
    answer: handoff_answers.Committed = {**renderings.answer(left.made, proposal, left.notes), **committed}  # type: ignore[typeddict-item]
    return answer


def brief(
    workspace: Workspace,
    goal: str = "",
    session: str | None = None,
    agent: str | None = None,
    budget: int | None = None,
    since_compaction: bool = False,
) -> handoff_answers.BriefMade:
    """Tells a session of this project, by default the newest, for a model's eyes: in order, with a pointer on every row,
    without secrets. With `since_compaction` only what its agent has lost from its own context."""
    source = sessions.named(workspace, session, agent)
    return briefs.brief(workspace, source, goal, budget, since_compaction)


def lint(
    workspace: Workspace, text: str, kind: reviews.Kind = "auto", budget: int | None = None
) -> handoff_answers.Judgement:
    """Judges a handoff: findings, a score, and whether it passes."""
    return reviews.lint_text(text, kind, budget)


def verify(
    workspace: Workspace,
    text: str | None = None,
    artifact_id: str | None = None,
    transcript: str | None = None,
    channel: str | None = None,
) -> handoff_answers.HandoffVerdict:
    """What of a handoff still holds, what drifted, what cannot be known; by default of the newest one. Through a
    channel, findings quote the current document only as far as that may carry it."""
    if channel and text is None and artifact_id is None and reviews.document_is_newest(workspace):
        text = clearance.release(workspace, channel)
    return reviews.verify_handoff(workspace, text, artifact_id, transcript=transcript)


def ground(
    workspace: Workspace,
    text: str,
    session: str | None = None,
    repair: bool = False,
    transcript: str | None = None,
) -> handoff_answers.Grounded:
    """Judges a text statement by statement against a session of this project, by default the one that it names, else the
    newest: what stands where it points, what elsewhere, what nowhere, what is contradicted, and what it lost. With
    `repair` the answer holds the text with its pointers corrected and the lost put back."""
    if transcript:
        return grounding.grounded(text, lookup.find(transcript, directory=workspace.root), repair)
    name = session or grounding.named_in(workspace, text)
    return grounding.grounded(text, sessions.named(workspace, name), repair)


def current(workspace: Workspace, channel: str | None = None) -> handoff_answers.CurrentHandoff:
    """The current handoff, if its sensitivity allows the channel to carry it."""
    return {"text": clearance.release(workspace, channel or LOCAL)}


def replay(
    workspace: Workspace, host: str = "generic", session_id: str = "by-hand", channel: str | None = None
) -> handoff_answers.Replayed:
    """The current handoff for a session, once; through a channel only what that may carry, whatever the
    host says it is."""
    if channel and approvals.current(workspace) is not None:
        clearance.release(workspace, channel)
    text = moments.replay_into(workspace, host, session_id, channel or "")
    return {"replayed": True, "text": text} if text else {"replayed": False}
