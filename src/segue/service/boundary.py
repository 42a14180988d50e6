"""What happens at a boundary: archive, refresh, replay once, warn once, and record all of it.

A replay is decided by the log alone: the frame is appended under a key made of host, session and hash,
and only the process whose frame it is speaks. Frame first, then speech: a process that dies in between
leaves a replay nobody heard, which `segue doctor` reports and nobody repeats silently.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from segue.boundary import policy, replay
from segue.errors import NotFound, Refused
from segue.model import moment as m
from segue.model.frame import (
    ACKNOWLEDGED,
    REPLAYED,
    REQUIRED,
    TAIL_REFRESHED,
    TRANSCRIPT_ARCHIVED,
    WARNED,
    Draft,
)
from segue.model.ids import new_id
from segue.model.moment import Moment, Reply
from segue.model.thread import Provenance
from segue.service import archive as archives
from segue.service import clearance as clearances
from segue.service import crossing, documents
from segue.stores.contract import NEW
from segue.stores.marks import Marks
from segue.threads import links

if TYPE_CHECKING:
    from segue.service.workspace import Workspace


def on_moment(workspace: Workspace, moment: Moment, occupancy: tuple[int, int] = (0, 0)) -> tuple[Reply, str]:
    """What to tell the host, and the id of the replay if the reply is one."""
    marks = Marks(workspace.folder, moment.host, moment.session_id)
    if moment.kind == m.BEFORE:
        marks.approach(moment.transcript_path, crossing.size_of(moment.transcript_path))
        prepare(workspace, moment)
        return m.NOTHING, ""
    if moment.kind == m.AFTER:
        marks.cross()
        _archive(workspace, moment)
        return _replayed(workspace, moment, m.COMPACT, marks) if moment.host == "pi" else (m.NOTHING, "")
    if moment.kind in (m.STOP, m.END):
        _archive(workspace, moment)
        return m.NOTHING, ""
    if moment.kind == m.START:
        marks.begin()
        reply, spoken = _replayed(workspace, moment, moment.source, marks)
        return Reply("\n\n".join(filter(None, [reply.inject, *_active_changes(workspace, moment)]))), spoken
    if crossing.crossed(marks, moment):
        if moment.host in crossing.LATE:
            prepare(workspace, moment)
        return _replayed(workspace, moment, m.COMPACT, marks)
    if not marks.sealed:
        marks.begin()
        reply, spoken = _replayed(workspace, moment, m.STARTUP, marks)
        if reply.inject:
            return reply, spoken
    return _warned(workspace, moment, occupancy, marks), ""


def prepare(workspace: Workspace, moment: Moment) -> dict[str, Any]:
    """Before a compaction that may come: archive the transcript and refresh the document's tail. Raises
    Refused, with both untouched, for a transcript that is not the host's."""
    archived = _archive(workspace, moment)
    if os.path.isfile(moment.transcript_path) and documents.current(workspace) and not _readable(moment):
        raise archives.no_session(moment.host, moment.transcript_path)
    refreshed = refresh(workspace, moment)
    return {"archived": archived is not None, "sha256": refreshed.sha256 if refreshed else None}


def refresh(workspace: Workspace, moment: Moment) -> documents.Document | None:
    """Replaces the tail of the current document, or derives a mechanical one where there is none, or where the
    approved one is about another session. Returns the document; None when there is neither one nor a session to derive it from."""
    from segue.handoff.tail import recent_tail, replace_tail
    from segue.redaction.redact import Redactor, redact_entry
    from segue.service import renderings, sessions

    before = documents.current(workspace)
    if not os.path.isfile(moment.transcript_path) or (before is not None and not _readable(moment)):
        return before
    source = sessions.Source(moment.host, moment.transcript_path)
    config = workspace.config
    redactor = Redactor()
    tail = recent_tail(
        (redact_entry(entry, redactor) for entry in source.entries()),
        config["boundary.tail_messages"],
        config["boundary.tail_chars"],
    )
    if moment.text and redactor.redact(moment.text)[:80] not in tail:
        said = " ".join(redactor.redact(moment.text).split())[: config["boundary.tail_chars"]]
        tail = f"{tail.rstrip()}\n- agent (from the hook): {said}\n"
    beside = before is not None and before.about.rich and _about_another(before, moment)
    if before is not None and before.about.rich and not beside:
        text, about = replace_tail(before.text, tail), before.about
    else:
        text = replace_tail(renderings.mechanical(source), tail)
        about = documents.About(host=moment.host, session_id=moment.session_id)
    same = (
        not beside
        and before is not None
        and text == before.text
        and about.session_id == before.about.session_id
    )
    write = documents.write_beside if beside else documents.write
    document = before if before is not None and same else write(workspace, text, about)
    payload = {"sha256": document.sha256, "bytes": len(text.encode())}
    _append(workspace, moment, TAIL_REFRESHED, payload, f"tail:{moment.session_id}:{document.sha256}")
    return document


def _about_another(document: documents.Document, moment: Moment) -> bool:
    return document.about.session_id not in ("", moment.session_id)


def _readable(moment: Moment) -> bool:
    return archives.holds_session(moment.host, moment.transcript_path)


def acknowledge(workspace: Workspace, host: str, session_id: str, evidence: str) -> dict[str, Any]:
    """Records, once per handoff, that the receiving session has read it. Raises NotFound for a session that
    was given none."""
    created = workspace.log.keyed(f"import:{host}:{session_id}") if workspace.exists else None
    given = list(workspace.log.read(created[0].stream_id, types=(REPLAYED,))) if created else []
    if not given:
        raise NotFound(
            f"Session {session_id!r} of {host} was given no handoff, so there is nothing to acknowledge.",
            "Name the session and its agent as they were given to `segue replay` or the hook.",
        )
    sha256 = str(given[-1].data["sha256"])
    moment = Moment(host, "ack", m.PROMPT, session_id, workspace.root)
    payload = {"host": host, "session_id": session_id, "sha256": sha256, "evidence": evidence}
    frame = _append(workspace, moment, ACKNOWLEDGED, payload, f"ack:{host}:{session_id}:{sha256}")
    return {"thread_id": frame.stream_id, "seq": frame.seq, "sha256": sha256}


def replay_into(workspace: Workspace, host: str, session_id: str) -> str:
    """The handoff for a session, once: what `segue replay` prints. Empty when it was replayed before,
    or there is none. Raises Refused when its clearance forbids it."""
    moment = Moment(host, "replay", m.START, session_id, workspace.root, source=m.RESUME)
    marks = Marks(workspace.folder, host, session_id)
    document = documents.current(workspace)
    decision = clearances.decide(workspace, document.about if document else documents.About(), host)
    if document is not None and not decision.allows:
        raise Refused(
            f"The handoff is {decision.sensitivity}, and {host} may carry what is {decision.clearance}.",
            f"`segue draft approve --clear {host}` authorizes a draft for it, on record.",
        )
    source = m.COMPACT if crossing.crossed(marks, moment) else m.RESUME
    reply, spoken = _replayed(workspace, moment, source, marks, asked=True)
    if spoken:
        heard(workspace, spoken)
    return reply.inject


def heard(workspace: Workspace, replay_id: str) -> None:
    from segue.stores.marks import touch

    touch(os.path.join(workspace.folder, "boundary", f"spoken-{replay_id}"))


def drain(workspace: Workspace) -> int:
    """Takes up what hooks had to leave behind while the log was locked; returns how many moments."""
    place = os.path.join(workspace.folder, "spool")
    names = sorted(os.listdir(place)) if os.path.isdir(place) else []
    for name in names:
        path = os.path.join(place, name)
        try:
            with open(path, encoding="utf-8") as file:
                moment = Moment(**json.load(file))
        except (OSError, ValueError, TypeError):
            continue
        if moment.kind in (m.BEFORE, m.AFTER, m.STOP, m.END):
            on_moment(workspace, moment)
        os.unlink(path)
    return len(names)


def bound_thread(workspace: Workspace, host: str, session_id: str, by: Provenance) -> str:
    """The thread of an agent's session; importing the session later fills the same one."""
    log = workspace.establish().log
    key = f"import:{host}:{session_id}"
    frames = log.keyed(key)
    if frames is None:
        told = {"agent": host, "session_id": session_id, "path": ""}
        draft = links.created(workspace.root, f"{host} {session_id}", by, source=told)
        frames = log.append(new_id(), [draft], expect=NEW, key=key)
    return frames[0].stream_id


def _replayed(
    workspace: Workspace, moment: Moment, source: str, marks: Marks, asked: bool = False
) -> tuple[Reply, str]:
    """`asked` is true when a person asked for it, who may have a mechanical document at any time."""
    document = _meant_for(workspace, moment, source)
    about = document.about if document else documents.About()
    decision = clearances.decide(workspace, about, moment.host)
    no = replay.refused(
        source,
        _same_place(workspace, moment, about),
        decision.clearance,
        decision.sensitivity,
        about.rich,
        asked or bool(workspace.config["boundary.emergency_auto_handoff"]),
        decision.authorized,
    )
    if document is None or no is not None:
        if source == m.COMPACT:
            marks.settle()
        return m.NOTHING, ""
    by = Provenance("hook", moment.host)
    replay_id = new_id()
    payload = {
        "host": moment.host,
        "session_id": moment.session_id,
        "sha256": document.sha256,
        "source": source,
        "durable": False,
        "replay_id": replay_id,
        "sensitivity": decision.sensitivity,
        "clearance": decision.clearance,
        "authorized": decision.authorized or None,
    }
    thread_id = bound_thread(workspace, moment.host, moment.session_id, by)
    key = f"replay:{moment.host}:{moment.session_id}:{document.sha256}"
    frame = workspace.log.append(thread_id, [Draft(REPLAYED, by.stamp(payload))], key=key)[0]
    marks.settle()
    if frame.data["replay_id"] != replay_id:
        return m.NOTHING, ""
    from segue.redaction.redact import Redactor

    clean = Redactor().redact(document.text)
    text = replay.framed(clean, source, document.sha256, document.path, moment.host)
    if source == m.COMPACT:
        from segue.service.maintenance import start

        start(workspace, moment)
    return Reply(text), replay_id


def _meant_for(workspace: Workspace, moment: Moment, source: str) -> documents.Document | None:
    """The current document. One about another session is no handoff after this session's compaction,
    so one is derived; None where that cannot be."""
    document = documents.current(workspace)
    if document is None or source != m.COMPACT or not _about_another(document, moment):
        return document
    document = refresh(workspace, moment)
    return document if document and not _about_another(document, moment) else None


def _same_place(workspace: Workspace, moment: Moment, about: documents.About) -> bool:
    here = os.path.realpath(moment.cwd) if moment.cwd else os.path.realpath(workspace.root)
    root = os.path.realpath(about.root or workspace.root)
    return root == os.path.realpath(workspace.root) and (here == root or here.startswith(root + os.sep))


def _warned(workspace: Workspace, moment: Moment, occupancy: tuple[int, int], marks: Marks) -> Reply:
    config = workspace.config
    thresholds = policy.Thresholds(
        config["boundary.checkpoint_warning_percent"],
        config["boundary.compact_target_percent"],
        config["boundary.rearm_percent"],
        config["boundary.keep_recent_tokens"],
    )
    tokens, window = occupancy
    verdict = policy.judge(tokens, window, marks.fired, thresholds)
    if verdict.action not in (policy.WARN, policy.REQUIRE):
        return m.NOTHING
    prepare(workspace, moment)
    kind, action = (
        (WARNED, "prepare_checkpoint_handoff")
        if verdict.action == policy.WARN
        else (REQUIRED, "request_compaction")
    )
    payload = {
        "tokens": tokens,
        "context_window_tokens": window,
        "utilization_percent": verdict.percent,
        "reserve_tokens": policy.reserve_tokens(window, thresholds.target_percent),
        "keep_recent_tokens": thresholds.keep_recent_tokens,
        "action": action,
    }
    _append(workspace, moment, kind, payload)
    marks.fire(verdict.fired)
    return Reply(_request(verdict.percent, tokens, window, config["boundary.approval"], workspace, moment))


def _request(
    percent: int, tokens: int, window: int, approval: str, workspace: Workspace, moment: Moment
) -> str:
    """What the agent is asked for when the context fills up, as a command that binds the draft to its session."""
    import shlex

    from segue.handoff.headings import DOCUMENT
    from segue.service.install import program

    segue = shlex.join(program())
    session = shlex.join(["--agent", moment.host, "--session", moment.session_id])

    gate = (
        f"The person approves it with `{segue} draft approve` before it counts; tell them so."
        if approval == "ask"
        else "It takes effect at once."
    )
    sections = ", ".join(f"`## {name}`" for name in DOCUMENT)
    return (
        f"The context is {percent} % full ({tokens:,} of {window:,} tokens) and may be compacted soon. At the next "
        f"good moment, write a handoff for whoever goes on: a Markdown text with the sections {sections}, concrete "
        "(paths, commands and their results, decisions and why, what failed, what is verified and what is not), and "
        f"store it with `{segue} draft write FILE {session}` (or `-` for standard input) in {workspace.root}. {gate}"
    )


def _archive(workspace: Workspace, moment: Moment) -> archives.Archived | None:
    archived = archives.archive(workspace, moment.host, moment.session_id, moment.transcript_path)
    if archived is not None:
        payload = {
            "path": os.path.relpath(archived.path, workspace.root),
            "sha256": archived.sha256,
            "bytes": archived.size,
            "entries": archived.lines,
        }
        _append(
            workspace, moment, TRANSCRIPT_ARCHIVED, payload, f"archive:{moment.session_id}:{archived.sha256}"
        )
    return archived


def _append(
    workspace: Workspace, moment: Moment, kind: str, payload: dict[str, Any], key: str | None = None
) -> Any:
    """Records a frame on the session's thread; with a key, once."""
    by = Provenance("hook", moment.host)
    thread_id = bound_thread(workspace, moment.host, moment.session_id, by)
    return workspace.log.append(thread_id, [Draft(kind, by.stamp(payload))], key=key)[0]


def _active_changes(workspace: Workspace, moment: Moment) -> list[str]:
    """Two lines on changes in progress, where the project keeps records of them."""
    if moment.source == m.CLEAR or not os.path.isdir(os.path.join(workspace.root, "docs", "TC")):
        return []
    from segue.service.change_report import session_start_report

    return ["\n".join(session_start_report(workspace.root))]
