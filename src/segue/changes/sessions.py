"""Sessions of a change: the one at work, and those before it with what they left behind."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from segue.changes import revisions
from segue.changes.document import Document
from segue.changes.draft import Draft, folded, quoted
from segue.changes.lint import BLOCK, block_written
from segue.changes.record import parse_moment
from segue.model.change import HandoffBlock, Record, Session, Status

_CARRIED = ("session_id", "platform", "model", "started", "agent")
_STARTS: tuple[Status, ...] = ("planned", "paused")


def archive(draft: Draft, summary: str | None = None) -> None:
    """Moves a copy of the current session into the history, with its end, a summary and what it changed."""
    context = draft.document["session_context"]
    session: Document = context["current_session"]
    past: list[Document] = context.setdefault("session_history", [])
    if any(
        row["session_id"] == session["session_id"] and row["started"] == session["started"] for row in past
    ):
        return
    since = parse_moment(session["started"])
    changes = [
        revision["summary"]
        for revision in draft.document[revisions.HISTORY]
        if since is None or ((at := parse_moment(revision["timestamp"])) and at >= since)
    ]
    told = (summary or "").strip() or draft.block["progress_summary"].strip()
    past.append(
        {
            **{name: session[name] for name in _CARRIED if name in session},
            "ended": session.get("last_active") or draft.at,
            "summary": told or (changes[-1] if changes else "The session left no summary."),
            "changes_made": changes,
        }
    )
    draft.done.append(f"session {quoted(session['session_id'])} archived")


def begin(draft: Draft, session: Session) -> None:
    """Puts another session in the place of the current one; work that lay still is taken up."""
    draft.document["session_context"]["current_session"] = msgspec.to_builtins(session)
    who = session.agent if session.agent is not msgspec.UNSET else session.platform
    draft.done.insert(0, f"Session resumed by {who}/{session.model}")
    before = draft.document["status"]
    draft.document["status"] = taken_up(before)
    if draft.document["status"] != before:
        draft.done.append(f"status: {before} -> {draft.document['status']}")


def told_by(draft: Draft, session: Session) -> None:
    """Makes the session that a block was drawn from the current one, unless it is."""
    context = draft.document["session_context"]
    if context["current_session"]["session_id"] != session.session_id:
        archive(draft)
        context["current_session"] = msgspec.to_builtins(session)
        who = session.agent if session.agent is not msgspec.UNSET else session.platform
        draft.done.append(f"told by {who} session {quoted(session.session_id)}")


def taken_up(status: Status) -> Status:
    """The status of a change once a session has taken it up."""
    return "in_progress" if status in _STARTS else status


def merged(view: Record, fresh: HandoffBlock, ended_ms: int | None = None) -> HandoffBlock:
    """A proposal that loses nothing a person wrote: what the session showed first, then what was there.

    What was completed, resolved or taken away stays so. The summary is replaced, since it tells of the latest
    session; everything else is kept beside it. A session that had ended when the block was last written is not
    the latest: what the block says of progress and of files stands.
    """
    before = view.session_context.handoff
    settled = _settled(view)
    earlier = _ended_before(view, ended_ms)
    strong, weak = (before, fresh) if earlier else (fresh, before)
    paths = {file.path for file in strong.files_in_progress}
    known = {folded(decision.decision) for decision in before.decisions_made} | settled
    return HandoffBlock(
        progress_summary=strong.progress_summary or weak.progress_summary,
        next_steps=_joined(_open(fresh.next_steps, settled), before.next_steps),
        blockers=_joined(before.blockers, _open(fresh.blockers, settled)),
        key_context=_joined(before.key_context, _open(fresh.key_context, settled)),
        files_in_progress=[
            file
            for file in (
                *(file for file in weak.files_in_progress if file.path not in paths),
                *strong.files_in_progress,
            )
            if not (earlier and folded(file.path) in settled)
        ],
        decisions_made=[
            *before.decisions_made,
            *(decision for decision in fresh.decisions_made if folded(decision.decision) not in known),
        ],
    )


def _settled(view: Record) -> set[str]:
    """What was taken out of the block by a revision and not put back by a later one."""
    gone: set[str] = set()
    for revision in view.revision_history:
        for change in revision.field_changes:
            if change.field.startswith(BLOCK):
                gone |= set(_words(change.old_value))
                gone -= set(_words(change.new_value))
    return gone


def _words(value: Any) -> Iterator[str]:
    """What identifies the items of a list of the block, or one of them."""
    for item in value if isinstance(value, list) else [value]:
        named = item.get("path") or item.get("decision") if isinstance(item, dict) else item
        if isinstance(named, str):
            yield folded(named)


def _open(texts: list[str], settled: set[str]) -> list[str]:
    return [text for text in texts if folded(text) not in settled]


def _ended_before(view: Record, ended_ms: int | None) -> bool:
    """Whether a session had ended when somebody last wrote what is done."""
    written = parse_moment(block_written(view))
    told = view.session_context.handoff.progress_summary.strip()
    return bool(ended_ms and told and written and ended_ms < written.timestamp() * 1000)


def _joined(first: list[str], second: list[str]) -> list[str]:
    seen: dict[str, str] = {}
    for text in (*first, *second):
        seen.setdefault(folded(text), text)
    return list(seen.values())
