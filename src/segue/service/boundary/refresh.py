"""Before a compaction that may come: keep the transcript, and bring the document's tail up to date.

Pre-compaction hooks mean "may compact" and fire often, so doing it again writes nothing new. Only the tail
is replaced; a body somebody approved stays as it is.
"""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING, Any

from segue.errors import NotFound, Refused
from segue.model.frame import TAIL_REFRESHED, TRANSCRIPT_ARCHIVED
from segue.model.ids import now_ms
from segue.model.moment import Moment
from segue.service.boundary import approvals, documents
from segue.service.boundary import archive as archives
from segue.service.boundary.log import record
from segue.service.boundary.place import territory
from segue.stores.traces import append_trace

if TYPE_CHECKING:
    from segue.redaction.redactor import Redactor
    from segue.service.sessions.lookup import Source
    from segue.service.workspace import Workspace


def prepare(workspace: Workspace, moment: Moment) -> dict[str, Any]:
    """Archives the transcript and refreshes the tail. Raises Refused, with both untouched, for a transcript that
    is not the host's."""
    archived = keep(workspace, moment)
    holding = ""
    if os.path.isfile(moment.transcript_path):
        holding = archives.held(moment.host, moment.transcript_path)
        if holding == archives.NO_TRANSCRIPT or (holding != archives.SAID and documents.current(workspace)):
            raise archives.no_session(moment.host, moment.transcript_path)
    elif moment.transcript_path:
        told = f"NotFound: there is no transcript {moment.transcript_path}; nothing of this session was kept"
        append_trace(workspace.folder, moment.host, moment.event, told)
    refreshed = refresh(workspace, moment, holding)
    return {"archived": archived is not None, "sha256": refreshed.sha256 if refreshed else None}


def try_to_prepare(workspace: Workspace, moment: Moment) -> None:
    """`prepare`; a transcript that is not the host's leaves a trace."""
    try:
        prepare(workspace, moment)
    except Refused as fault:
        append_trace(workspace.folder, moment.host, moment.event, f"Refused: {fault}")


def keep(workspace: Workspace, moment: Moment) -> archives.Archived | None:
    """Archives the transcript, and records it when there is something new in it."""
    archived = archives.archive(workspace, moment.host, moment.session_id, moment.transcript_path)
    if archived is not None:
        payload = {
            "path": os.path.relpath(archived.path, workspace.root),
            "sha256": archived.sha256,
            "bytes": archived.size,
            "entries": archived.lines,
        }
        key = f"archive:{moment.session_id}:{archived.sha256}"
        record(workspace, (moment.host, moment.session_id), TRANSCRIPT_ARCHIVED, payload, key)
    return archived


def refresh(workspace: Workspace, moment: Moment, holding: str = "") -> documents.Document | None:
    """Replaces the tail of the current document, or derives a mechanical one where there is none, or where the
    approved one is about another session. Returns the document; None when there is neither one nor a session to
    derive it from. A session of which something was forgotten is none, and gives no tail. What somebody approves
    meanwhile is not written over: its tail is refreshed instead. `holding` is what the transcript holds, where that was
    asked before."""
    forgotten = archives.is_forgotten(workspace, moment.host, moment.session_id)
    if forgotten or not os.path.isfile(moment.transcript_path):
        return documents.current(workspace)
    if (holding or archives.held(moment.host, moment.transcript_path)) != archives.SAID:
        return documents.current(workspace)
    document = None
    while document is None:
        document = _brought_up_to_date(workspace, moment, documents.current(workspace))
    note(workspace, (moment.host, moment.session_id), document)
    return document


def note(workspace: Workspace, session: tuple[str, str], document: documents.Document) -> None:
    """Records, once, that a document got the tail of a session."""
    payload = {
        "sha256": document.sha256,
        "bytes": len(document.text.encode()),
        "rich": document.about.rich or None,
    }
    record(workspace, session, TAIL_REFRESHED, payload, documents.tail_key(session[1], document.sha256))


def _brought_up_to_date(
    workspace: Workspace, moment: Moment, before: documents.Document | None
) -> documents.Document | None:
    """The document with this session's tail; None when it is no longer the one that was read."""
    from segue.handoff.tail import replace_tail
    from segue.redaction.redact import taught_by
    from segue.service.handoffs import renderings

    source = _source(moment)
    rich = (
        before is not None and before.about.rich and approvals.approval(workspace, before.about) is not None
    )
    beside = before is not None and rich and about_another(before, moment)
    if before is not None and rich and not beside:
        body, about, redactor = before.text, before.about, taught_by(source.entries())
    else:
        body, source, redactor = renderings.mechanical(source, workspace.root)
        place = territory(workspace.root, moment.cwd) or ""
        about = documents.About(host=moment.host, session_id=moment.session_id, place=place)
    text = replace_tail(body, _tail(workspace, moment, source, redactor))
    about = about._replace(tail_of=(moment.host, moment.session_id), tail_ms=now_ms())
    if beside:
        return documents.write_beside(workspace, text, about)
    if before is not None and text == before.text and about.session_id == before.about.session_id:
        return before
    return documents.write_over(workspace, before, text, about)


def _source(moment: Moment) -> Source:
    """The session, on the branch that it is on; as its file tells where that does not hold the branch's end yet."""
    from segue.service.sessions import lookup

    whole = lookup.Source(moment.host, moment.transcript_path)
    if not moment.leaf:
        return whole
    branch = lookup.ending_at(whole, moment.leaf)
    try:
        next(branch.entries(), None)
    except NotFound:
        return whole
    return branch


def about_another(document: documents.Document, moment: Moment) -> bool:
    return document.about.session_id not in ("", moment.session_id)


def _tail(workspace: Workspace, moment: Moment, source: Source, redactor: Redactor) -> str:
    """The last messages of the transcript, and what the hook itself carries, since the file lags behind it."""
    from segue.handoff.quote import inline
    from segue.handoff.tail import recent_tail
    from segue.redaction.redact import redact_entry
    from segue.service.sessions.own_traces import without

    chars = workspace.config["boundary.tail_chars"]
    clean = partial(redact_entry, redactor=redactor)
    messages = workspace.config["boundary.tail_messages"]
    tail = redactor.redact(recent_tail(without(source.entries()), messages, chars, clean=clean))
    if moment.text and redactor.redact(moment.text)[:80] not in tail:
        said = inline(redactor.redact(moment.text))[:chars]
        tail = f"{tail.rstrip()}\n- agent (from the hook): {said}\n"
    return tail
