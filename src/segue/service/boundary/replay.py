"""Giving a session its handoff, at most once per host, session and hash.

A replay is decided by the log alone: the frame is appended under a key made of host, session and hash, and
only the process whose frame it is speaks. Frame first, then speech. Whether or not anything is said after a
compaction, maintenance runs once for it.
"""

from __future__ import annotations

from collections.abc import Sequence

from segue.agents.registry import host_of
from segue.boundary import replay
from segue.model import moment as m
from segue.model.frame import REPLAYED
from segue.model.ids import new_id
from segue.model.moment import Moment, Reply
from segue.service.boundary import approvals, documents
from segue.service.boundary import clearance as clearances
from segue.service.boundary.log import record
from segue.service.boundary.place import same_place
from segue.service.boundary.refresh import about_another, refresh, try_to_prepare
from segue.service.workspace import Workspace
from segue.stores.marks import Marks
from segue.stores.traces import append_trace


def replayed(
    workspace: Workspace, moment: Moment, source: str, marks: Marks, asked: bool = False, channel: str = ""
) -> tuple[Reply, str]:
    """What to say, and the id of the replay; nothing when a rule forbids it or it was said before. `asked` is true
    when a person asked for it; `channel` is what it goes through on its way to the host, if anything."""
    if source == m.COMPACT and not asked and not marks.prepared:
        _catch_up(workspace, moment, marks)
    document = _meant_for(workspace, moment, source)
    if document is None:
        return _silent(workspace, moment, source, marks)
    decision = clearances.decide(workspace, document.about, moment.host)
    no = refusal(workspace, moment, source, document, asked)
    if no is not None:
        if no.rule == replay.CLEARANCE:
            clearances.note(workspace, document, decision, (moment.host, moment.session_id))
        return _silent(workspace, moment, source, marks)
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
    key = f"replay:{moment.host}:{moment.session_id}:{document.sha256}"
    frame = record(workspace, (moment.host, moment.session_id), REPLAYED, payload, key)
    _mark_settled(workspace, moment, source, marks)
    if frame.data["replay_id"] != replay_id:
        return m.NOTHING, ""
    from segue.redaction.redact import Redactor

    ways = [decision, *([clearances.decide(workspace, document.about, channel)] if channel else [])]
    clean = Redactor().redact(clearances.carried(document.text, ways))
    ack = "" if channel else _acknowledgement(moment.host, moment.session_id)
    return Reply(
        replay.framed(clean, source, document.sha256, document.path, host_of(moment.host).cap, ack)
    ), replay_id


def fetched(text: str, agent: str, session_id: str, flags: Sequence[str]) -> str:
    """A handoff that a server gave to a command of this machine, as one of this machine is told. `flags` name the
    server, where the environment does not."""
    return replay.asked_for(text, host_of(agent).cap, _acknowledgement(agent, session_id, flags))


def _acknowledgement(agent: str, session_id: str, flags: Sequence[str] = ()) -> str:
    """The command by which a session says that it has read its handoff."""
    import shlex

    from segue.service.install.integrations import program

    return shlex.join([*program(), "ack", "--agent", agent, "--session", session_id, *flags])


def refusal(
    workspace: Workspace, moment: Moment, source: str, document: documents.Document, asked: bool = False
) -> replay.Refusal | None:
    """The rule that keeps this document from this session, if one does. A person who asks may have a mechanical
    document at any time and in any part of the workspace."""
    decision = clearances.decide(workspace, document.about, moment.host)
    return replay.refused(
        source,
        asked or same_place(workspace, moment, document.about),
        decision.clearance,
        decision.sensitivity,
        document.about.rich,
        asked or bool(workspace.config["boundary.emergency_auto_handoff"]),
        decision.authorized,
    )


def _silent(workspace: Workspace, moment: Moment, source: str, marks: Marks) -> tuple[Reply, str]:
    if source == m.COMPACT:
        _mark_settled(workspace, moment, source, marks)
    return m.NOTHING, ""


def _mark_settled(workspace: Workspace, moment: Moment, source: str, marks: Marks) -> None:
    marks.mark_settled()
    if source == m.COMPACT and workspace.config["boundary.maintenance"] and marks.maintain():
        from segue.service.boundary.maintenance import start

        start(workspace, moment)


def _catch_up(workspace: Workspace, moment: Moment, marks: Marks) -> None:
    """After a compaction that nobody prepared for: what should have been done before it is done now, and a trace says
    so."""
    told = "a compaction came, and no hook before it was seen to finish; the handoff was brought up to date after it"
    append_trace(workspace.folder, moment.host, moment.event, f"Unprepared: {told}")
    try_to_prepare(workspace, moment)
    marks.ready()


def _meant_for(workspace: Workspace, moment: Moment, source: str) -> documents.Document | None:
    """The current handoff as the log knows it. After this session's compaction, one about another session is no
    handoff, and what nobody approved or derived is none either: then one is derived; None where that cannot be."""
    document = documents.current(workspace)
    if document is None:
        return None
    given = approvals.vouched(workspace, document)
    if source != m.COMPACT or (given is not None and not about_another(given, moment)):
        return given
    derived = refresh(workspace, moment)
    return approvals.vouched(workspace, derived) if derived and not about_another(derived, moment) else None
