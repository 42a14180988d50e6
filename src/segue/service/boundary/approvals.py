"""What the log says of the current handoff: who approved it, how sensitive it is, what may be said of it.

The file `.handoff.md` is what people read and edit; beside it `.handoff.json` says whose it is. Neither makes a handoff
approved: a rich body is the one that a frame of this log approved, as it was approved, and a mechanical document or a
recent tail is one that a hook put on record. An edit counts once it is approved in turn.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from segue.errors import NotFound
from segue.handoff.tail import replace_tail, split
from segue.model.frame import APPROVED, Draft, Frame
from segue.model.ids import now_ms
from segue.service.boundary import documents
from segue.service.threads.naming import DEFAULT_KEY

if TYPE_CHECKING:
    from segue.model.handoff_answers import HandoffState
    from segue.model.thread import Provenance
    from segue.service.boundary.documents import About, Document
    from segue.service.workspace import Workspace


def current(workspace: Workspace) -> Document | None:
    """The current handoff as it may be given to anybody; None where there is none that the log knows."""
    document = documents.current(workspace)
    return vouched(workspace, document) if document else None


def vouched(workspace: Workspace, document: Document) -> Document | None:
    """A document as the log knows it: the body as it was approved, with the tail of the file where a hook recorded
    that; a mechanical one as it was derived, which is private. None for what nobody approved or derived."""
    about, noted = document.about, _noted(workspace, document)
    frame = approval(workspace, about) if about.rich else None
    if frame is None:
        own = (about.host, about.session_id) == about.tail_of
        derived = own and noted is not None and not noted.data.get("rich")
        return document._replace(about=_stripped(about)) if derived else None
    told = frame.data
    about = about._replace(
        sensitivity=str(told.get("sensitivity", "private")),
        cleared=tuple(map(str, told.get("cleared") or ())),
    )
    approved = _approved_text(workspace, frame)
    if approved is None:
        return None
    whole = noted is not None or told.get("sha256") == document.sha256
    if whole and _body(document.text) == _body(approved):
        return document._replace(about=about)
    tail = split(document.text)[1] if whole else ""
    text = replace_tail(approved, tail) if tail.strip() else approved
    return documents.Document(text, hashlib.sha256(text.encode()).hexdigest(), about, document.path)


def record(
    workspace: Workspace, thread_id: str, artifact_id: str, document: Document, by: Provenance
) -> None:
    """Puts an approval on record: of the draft in an artifact, which this document was made from."""
    about = document.about
    payload = {
        "artifact_id": artifact_id,
        "sha256": document.sha256,
        "sensitivity": about.sensitivity,
        "cleared": list(about.cleared) or None,
    }
    workspace.log.append(thread_id, [Draft(APPROVED, by.stamp(payload))])


def approval(workspace: Workspace, about: About) -> Frame | None:
    """The newest approval on the thread of the session that a handoff is about, or on the default thread."""
    if not workspace.exists:
        return None
    bound = about.host and about.session_id
    made = workspace.log.keyed(f"import:{about.host}:{about.session_id}" if bound else DEFAULT_KEY)
    if made is None:
        return None
    return next(workspace.log.read(made[0].stream_id, types=(APPROVED,), reverse=True, limit=1), None)


def status(workspace: Workspace) -> HandoffState:
    """Path, size, hash, tokens and age of the current document, and what the log says of it."""
    from segue.extract.tokens import count

    document = documents.current(workspace)
    if document is None:
        return {"exists": False, "path": documents.path_of(workspace)}
    given = vouched(workspace, document)
    about = given.about if given else _stripped(document.about)
    return {
        "exists": True,
        "path": document.path,
        "bytes": len(document.text.encode()),
        "sha256": document.sha256,
        "tokens": count(document.text),
        "rich": about.rich,
        "recorded": given is not None,
        "edited": given is not None and _body(given.text) != _body(document.text),
        "sensitivity": about.sensitivity,
        "age_ms": max(0, now_ms() - about.written_ms) if about.written_ms else None,
    }


def _stripped(about: About) -> About:
    """What is known of a document without what only an approval gives."""
    return about._replace(rich=False, sensitivity="private", cleared=())


def _noted(workspace: Workspace, document: Document) -> Frame | None:
    """The frame by which a hook recorded this very text, with the tail of the session that it names."""
    if not workspace.exists or len(document.about.tail_of) != 2:
        return None
    frames = workspace.log.keyed(documents.tail_key(document.about.tail_of[1], document.sha256))
    return frames[0] if frames else None


def _approved_text(workspace: Workspace, frame: Frame) -> str | None:
    try:
        return workspace.artifacts.get(str(frame.data["artifact_id"])).decode()
    except (NotFound, UnicodeDecodeError):
        return None


def _body(text: str) -> str:
    """What is above the tail, which alone is approved."""
    return split(text)[0].strip()
