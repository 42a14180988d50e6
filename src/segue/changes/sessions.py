"""Sessions of a change: the one at work, and those before it with what they left behind."""

from __future__ import annotations

import msgspec

from segue.changes import revisions
from segue.changes.document import Document
from segue.changes.draft import Draft, shown
from segue.changes.record import parse_moment
from segue.model.change import HandoffBlock, Session, Status

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
    changes = _changes_since(draft.document, session["started"])
    told = (summary or "").strip() or draft.block["progress_summary"].strip()
    past.append(
        {
            **{name: session[name] for name in _CARRIED if name in session},
            "ended": session.get("last_active") or draft.at,
            "summary": told or (changes[-1] if changes else "The session left no summary."),
            "changes_made": changes,
        }
    )
    draft.done.append(f"session {shown(session['session_id'])} archived")


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
        draft.done.append(f"told by {who} session {shown(session.session_id)}")


def taken_up(status: Status) -> Status:
    """The status of a change once a session has taken it up."""
    return "in_progress" if status in _STARTS else status


def merged(before: HandoffBlock, fresh: HandoffBlock) -> HandoffBlock:
    """A proposal that loses nothing a person wrote: what the session showed first, then what was there.

    The summary is replaced, since it tells of the latest session; everything else is kept beside it.
    """
    paths = {file.path for file in fresh.files_in_progress}
    known = {_folded(decision.decision) for decision in before.decisions_made}
    return HandoffBlock(
        progress_summary=fresh.progress_summary or before.progress_summary,
        next_steps=_joined(fresh.next_steps, before.next_steps),
        blockers=_joined(before.blockers, fresh.blockers),
        key_context=_joined(before.key_context, fresh.key_context),
        files_in_progress=[
            *(file for file in before.files_in_progress if file.path not in paths),
            *fresh.files_in_progress,
        ],
        decisions_made=[
            *before.decisions_made,
            *(decision for decision in fresh.decisions_made if _folded(decision.decision) not in known),
        ],
    )


def _changes_since(document: Document, started: str) -> list[str]:
    since = parse_moment(started)
    return [
        revision["summary"]
        for revision in document[revisions.HISTORY]
        if since is None or ((at := parse_moment(revision["timestamp"])) and at >= since)
    ]


def _joined(first: list[str], second: list[str]) -> list[str]:
    seen: dict[str, str] = {}
    for text in (*first, *second):
        seen.setdefault(_folded(text), text)
    return list(seen.values())


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()
