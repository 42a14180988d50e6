"""Rich handoffs: written by an agent or a person, checked, approved, and only then current.

With approval `ask` a draft waits until a person approves it; with `auto` it counts at once, unless an agent wrote what its session does not show. The body
must have the required sections and pass the lint; secrets are taken out before anything is stored.
"""

from __future__ import annotations

import os
import re
from functools import partial
from typing import TYPE_CHECKING, Any

from segue.errors import BadInput, Conflict, NotFound
from segue.handoff.tail import missing_headings, replace_tail, split
from segue.model import wire
from segue.model.frame import APPROVED, DRAFTED, REJECTED, Draft
from segue.model.ids import now_ms
from segue.model.thread import AGENT, LIBRARY, Provenance
from segue.redaction.redact import Redactor
from segue.service import withheld
from segue.service.actors import require_approver
from segue.service.boundary import approvals, clearance, documents
from segue.service.boundary.log import bound_thread
from segue.service.boundary.place import territory
from segue.service.handoffs.reviews import lint_text
from segue.service.threads import streams
from segue.service.workspace import write_private
from segue.stores import private_files

if TYPE_CHECKING:
    from segue.model.handoff_answers import (
        DraftApproved,
        DraftRejected,
        DraftState,
        DraftTaken,
        GroundFinding,
        WaitingDraft,
    )
    from segue.service.workspace import Workspace

Result = dict[str, Any]
AUTO = "auto"
SENSITIVITIES = ("private", "team", "public")
_WHOLE = re.compile("[0-9a-f]{64}")


def write(
    workspace: Workspace,
    text: str,
    host: str = "",
    session_id: str = "",
    sensitivity: str = "private",
    by: Provenance = LIBRARY,
    directory: str = "",
) -> DraftTaken:
    """Takes a draft, about the work in a directory of the workspace. The answer says whether it passed, whether it
    waits for approval, and which waiting one it replaces."""
    if sensitivity not in SENSITIVITIES:
        raise BadInput(f"{sensitivity!r} is no sensitivity.", f"One of {', '.join(SENSITIVITIES)}.")
    clean = Redactor().redact(wire.scrub(text))
    missing = missing_headings(clean)
    if missing:
        raise BadInput(
            f"The handoff lacks {', '.join(f'`## {name}`' for name in missing)}.",
            "Every section has something to say, if only that nothing was seen.",
        )
    report = lint_text(clean, kind="document")
    if not report["pass"]:
        return {"written": False, "lint": report}
    findings = _ungrounded(workspace, clean, host, session_id) if session_id and by.kind == AGENT else None
    wrong = any(row["severity"] == "error" for row in findings or ())
    artifact_id = withheld.store(workspace, clean, sensitivity)
    approval = str(workspace.config["boundary.approval"])
    place = territory(workspace.root, directory) or ""
    about: Result = {"host": host, "session_id": session_id, "sensitivity": sensitivity, "place": place}
    about |= {"ungrounded": True} if wrong else {}
    before = _found(workspace)
    replaces = before["artifact_id"] if before else None
    drafted = {"artifact_id": artifact_id, "approval": approval, "sensitivity": sensitivity}
    drafted |= {"replaces": replaces} if replaces else {}
    frame = workspace.log.append(
        _thread(workspace, host, session_id, by), [Draft(DRAFTED, by.stamp(drafted))]
    )[0]
    told = {"artifact_id": artifact_id, "thread_id": frame.stream_id, "written_ms": now_ms()}
    _save(workspace, {**told, **about})
    answer: DraftTaken = {"written": True, "artifact_id": artifact_id, "approval": "pending", "lint": report}
    if replaces:
        answer["replaces"] = replaces
    if findings is not None:
        answer["findings"] = findings
    if approval == AUTO and not wrong:
        return {**answer, **approve(workspace, by)}
    return answer


def _ungrounded(workspace: Workspace, text: str, host: str, session_id: str) -> list[GroundFinding]:
    from segue.service.handoffs.grounding import of_draft  # reads sessions: nothing else here does

    return of_draft(workspace, text, host, session_id)


def approve_reviewed(
    workspace: Workspace, expect: str, by: Provenance = LIBRARY, clear: list[str] | None = None
) -> DraftApproved:
    """Approves the waiting draft that somebody reviewed: `expect` is its whole id. Raises Conflict when
    another draft waits by now. `clear` names channels that may carry it although they are cleared for less."""
    if not _WHOLE.fullmatch(expect):
        raise BadInput(
            f"{expect[:80]!r} does not name a draft.", "Give the whole id of the one you reviewed."
        )
    return approve(workspace, by, clear, expect)


def approve(
    workspace: Workspace,
    by: Provenance = LIBRARY,
    clear: list[str] | None = None,
    expect: str = "",
) -> DraftApproved:
    """Makes the waiting draft the current handoff, with the tail of its session where one was made since it was
    written; where it was reviewed, only the one that was. An agent may not, unless the settings approve by themselves and
    its session shows what the draft says."""
    waiting = _found(workspace)
    if workspace.config["boundary.approval"] != AUTO or (waiting and waiting.get("ungrounded")):
        require_approver(by, "Approving a draft")
    if clear:
        require_approver(by, "Clearing a channel")
    cleared = clearance.channels(workspace, clear or [])
    waiting = waiting or _require_waiting(workspace)
    if expect not in ("", waiting["artifact_id"]):
        raise replaced(waiting["artifact_id"], expect)
    text = workspace.artifacts.get(waiting["artifact_id"]).decode()
    about = documents.About(True, waiting["sensitivity"], waiting["host"], waiting["session_id"])
    before = documents.current(workspace)
    if before is not None and _continues_draft(before, waiting):
        text = replace_tail(text, split(before.text)[1])
        about = about._replace(tail_of=before.about.tail_of, tail_ms=before.about.tail_ms)
    about = about._replace(cleared=tuple(cleared), place=str(waiting.get("place", "")))
    document = documents.write(workspace, text, about, partial(_approved, workspace, waiting, by))
    os.unlink(_place(workspace))
    answer: DraftApproved = {
        "approval": "approved",
        "artifact_id": waiting["artifact_id"],
        "sha256": document.sha256,
    }
    if cleared:
        answer["cleared"] = cleared
    return answer


def replaced(waiting: str, expect: str) -> Conflict:
    """Another draft waits than the one that was reviewed."""
    return Conflict(
        f"The draft that waits is {waiting[:16]}, not {expect[:16]}, which was reviewed.",
        "`segue draft show` shows it; approve it by its id when you have read it.",
    )


def _approved(workspace: Workspace, waiting: Result, by: Provenance, document: documents.Document) -> None:
    approvals.record(workspace, waiting["thread_id"], waiting["artifact_id"], document, by)


def _continues_draft(before: documents.Document, waiting: Result) -> bool:
    """True for a document whose tail tells what the draft's session did after the draft was written."""
    told, session = before.about, (waiting["host"], waiting["session_id"])
    return all(session) and told.tail_of == session and told.tail_ms >= waiting.get("written_ms", 0)


def reject(workspace: Workspace, reason: str | None = None, by: Provenance = LIBRARY) -> DraftRejected:
    """Sets the waiting draft aside; it stays in the log."""
    waiting = _require_waiting(workspace)
    payload = by.stamp({"artifact_id": waiting["artifact_id"], "reason": reason})
    workspace.log.append(waiting["thread_id"], [Draft(REJECTED, payload)])
    os.unlink(_place(workspace))
    return {"approval": "rejected", "artifact_id": waiting["artifact_id"]}


def show(workspace: Workspace, channel: str | None = None) -> DraftState:
    """The waiting draft, if any, and the state of the current handoff. Through a channel, the draft's text only where
    its sensitivity allows that."""
    answer: DraftState = {"current": approvals.status(workspace)}
    waiting = pending(workspace)
    if waiting is None:
        return answer
    answer["pending"] = _for_channel(workspace, waiting, channel) if channel else waiting
    return answer


def _for_channel(workspace: Workspace, waiting: WaitingDraft, channel: str) -> WaitingDraft:
    about = documents.About(True, waiting["sensitivity"], waiting["host"], waiting["session_id"])
    draft = documents.Document(waiting["text"], waiting["sha256"], about, waiting["path"])
    decision = clearance.decide(workspace, about, channel)
    clearance.note(workspace, draft, decision, by=Provenance("surface", channel))
    if decision.allows:
        return waiting
    told = waiting.copy()
    del told["text"]
    return told


def pending(workspace: Workspace) -> WaitingDraft | None:
    """The draft that waits for approval: its text, where it waits, its size, hash and age; None when none does."""
    from segue.extract.tokens import count

    waiting = _found(workspace)
    if waiting is None:
        return None
    text = workspace.artifacts.get(waiting["artifact_id"]).decode()
    written = waiting.pop("written_ms", None)
    waiting.pop("ungrounded", None)
    told: WaitingDraft = {
        **waiting,  # type: ignore[typeddict-item]
        "path": _place(workspace),
        "bytes": len(text.encode()),
        "sha256": waiting["artifact_id"],
        "tokens": count(text),
        "age_ms": max(0, now_ms() - written) if isinstance(written, int) else None,
        "text": text,
    }
    return told


def _thread(workspace: Workspace, host: str, session_id: str, by: Provenance) -> str:
    if host and session_id:
        return bound_thread(workspace, host, session_id, by)
    return str(streams.ensure(workspace, by)["thread_id"])


def _place(workspace: Workspace) -> str:
    return os.path.join(workspace.folder, "transcripts", ".draft.json")


def _save(workspace: Workspace, waiting: Result) -> None:
    private_files.make_folder(os.path.dirname(_place(workspace)))
    write_private(_place(workspace), wire.canonical(waiting))


def _require_waiting(workspace: Workspace) -> Result:
    waiting = _found(workspace)
    if waiting is None:
        raise NotFound("No draft waits for approval.", "`segue draft write FILE` takes one.")
    return waiting


_KEPT = ("artifact_id", "thread_id", "host", "session_id", "sensitivity")


def _found(workspace: Workspace) -> Result | None:
    """What is remembered of the waiting draft, as sensitive as the log says; none where the note was damaged, or where
    the log does not know such a draft or knows what became of it."""
    try:
        waiting = wire.decode(private_files.read(_place(workspace)))
    except (OSError, BadInput):
        return None
    if not (isinstance(waiting, dict) and all(isinstance(waiting.get(name), str) for name in _KEPT)):
        return None
    rows = workspace.log.read(waiting["thread_id"], types=(DRAFTED, APPROVED, REJECTED), reverse=True)
    last = next((row for row in rows if row.data.get("artifact_id") == waiting["artifact_id"]), None)
    if last is None or last.type != DRAFTED:
        return None
    return {**waiting, "sensitivity": last.data.get("sensitivity", "private")}
