"""What happens at a boundary: archive, refresh, replay once, warn once, and record all of it.

Frame first, then speech: a process that dies in between leaves a replay nobody heard, which `segue doctor`
reports and nobody repeats silently. A session counts as begun only after its handoff was decided, so what a
locked log held up at the start is said at the next prompt. So is everything to hosts that announce no start.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from segue.agents.registry import host_of
from segue.errors import SegueError, Unavailable
from segue.model import moment as m
from segue.model.frame import ACKNOWLEDGED, REPLAYED
from segue.model.moment import Moment, Reply
from segue.model.thread import LIBRARY, Provenance
from segue.service.boundary import approvals, documents, spool
from segue.service.boundary import clearance as clearances
from segue.service.boundary.compaction_seen import compaction_seen
from segue.service.boundary.log import record
from segue.service.boundary.refresh import keep, prepare
from segue.service.boundary.replay import replayed
from segue.service.boundary.transcript import size_of
from segue.service.boundary.warning import warned
from segue.service.refusals import refusal
from segue.stores.marks import Marks

if TYPE_CHECKING:
    from segue.model.handoff_answers import Acknowledged
    from segue.service.workspace import Workspace


def on_moment(workspace: Workspace, moment: Moment, occupancy: tuple[int, int] = (0, 0)) -> tuple[Reply, str]:
    """What to tell the host, and the id of the replay if the reply is one."""
    known = host_of(moment.host)
    marks = Marks(workspace.establish().folder, moment.host, moment.session_id)
    if moment.kind == m.BEFORE:
        marks.approach(moment.transcript_path, size_of(moment.transcript_path))
        _ready(workspace, moment)
        return m.NOTHING, ""
    if moment.kind == m.AFTER:
        marks.cross()
        keep(workspace, moment)
        return (
            replayed(workspace, moment, m.COMPACT, marks)
            if known.injects_after_compaction
            else (m.NOTHING, "")
        )
    if moment.kind in (m.STOP, m.END):
        keep(workspace, moment)
        return m.NOTHING, ""
    if moment.kind == m.START and known.forgets_start and moment.source != m.CLEAR:
        marks.reopen()
        return m.NOTHING, ""
    if moment.kind == m.START:
        reply, spoken = replayed(workspace, moment, moment.source, marks)
        marks.begin()
        return _with_changes(workspace, moment, reply), spoken
    if compaction_seen(marks, moment):
        if known.late_transcript:
            _ready(workspace, moment)
        return replayed(workspace, moment, m.COMPACT, marks)
    if not marks.sealed:
        reply, spoken = replayed(workspace, moment, m.STARTUP, marks)
        marks.begin()
        reply = _with_changes(workspace, moment, reply)
        if reply.inject:
            return reply, spoken
    return warned(workspace, moment, occupancy, marks), ""


def acknowledge(
    workspace: Workspace, host: str, session_id: str, evidence: str, by: Provenance = LIBRARY
) -> Acknowledged:
    """Records, once per handoff, that the receiving session has read it. Raises NotFound for a session that
    was given none."""
    created = workspace.log.keyed(f"import:{host}:{session_id}") if workspace.exists else None
    given = list(workspace.log.read(created[0].stream_id, types=(REPLAYED,))) if created else []
    if not given:
        raise refusal("nothing-to-acknowledge", session_id=session_id, host=host)
    sha256 = str(given[-1].data["sha256"])
    payload = {"host": host, "session_id": session_id, "sha256": sha256, "evidence": evidence}
    key = f"ack:{host}:{session_id}:{sha256}"
    frame = record(workspace, (host, session_id), ACKNOWLEDGED, payload, key, by)
    return {"thread_id": frame.stream_id, "seq": frame.seq, "sha256": sha256}


def replay_into(workspace: Workspace, host: str, session_id: str, channel: str = "") -> str:
    """The handoff for a session, once: what `segue replay` prints, or what a channel is given for it. Empty when it
    was replayed before, or there is none. Raises Refused when its clearance forbids it."""
    moment = Moment(host, "replay", m.START, session_id, workspace.root, source=m.RESUME)
    marks = Marks(workspace.folder, host, session_id)
    document = approvals.current(workspace)
    decision = clearances.decide(workspace, document.about if document else documents.About(), host)
    if document is not None and not decision.allows:
        clearances.note(workspace, document, decision, (host, session_id))
        raise clearances.refused(decision)
    source = m.COMPACT if compaction_seen(marks, moment) else m.RESUME
    reply, spoken = replayed(workspace, moment, source, marks, True, channel)
    if spoken:
        mark_spoken(workspace, spoken)
    return reply.inject


def mark_spoken(workspace: Workspace, replay_id: str) -> None:
    from segue.stores.marks import touch

    touch(os.path.join(workspace.folder, "boundary", f"spoken-{replay_id}"))


def _ready(workspace: Workspace, moment: Moment) -> None:
    prepare(workspace, moment)
    Marks(workspace.folder, moment.host, moment.session_id).ready()


_OWED = {m.BEFORE: _ready, m.AFTER: keep, m.STOP: keep, m.END: keep}
"""What is still worth doing for a moment that has passed. Nobody listens any more, so nothing is replayed."""


def drain(workspace: Workspace) -> list[SegueError]:
    """Takes up what hooks had to leave behind while the log was locked; returns what went wrong on the way. A log that is
    still locked raises Unavailable, and the rest goes on waiting."""
    faults: list[SegueError] = []
    for path in spool.waiting(workspace.folder):
        try:
            _take_up(workspace, path)
        except Unavailable:
            raise
        except SegueError as fault:
            faults.append(fault)
        except FileNotFoundError:  # another hook took it up meanwhile
            continue
        with suppress(FileNotFoundError):
            os.unlink(path)
    return faults


def _take_up(workspace: Workspace, path: str) -> None:
    moment, held = spool.read_moment(workspace.folder, path)
    if "maintained" in held:
        from segue.service.boundary import maintenance

        maintenance.record(workspace, moment, held["maintained"])
    elif moment.kind in _OWED:
        _OWED[moment.kind](workspace, moment)
    elif moment.source == m.CLEAR:
        Marks(workspace.folder, moment.host, moment.session_id).begin()


def _with_changes(workspace: Workspace, moment: Moment, reply: Reply) -> Reply:
    """What is said when a session begins, and two lines on changes at work where the project keeps records of them."""
    if moment.source == m.CLEAR or not os.path.isdir(os.path.join(workspace.root, "docs", "TC")):
        return reply
    from segue.service.changes.report import session_start_report

    told = "\n".join(session_start_report(workspace.root))
    return Reply("\n\n".join(filter(None, [reply.inject, told])), reply.notify)
