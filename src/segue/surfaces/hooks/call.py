"""One hook call that may have something to do: read it, look, and go to the service only when it must act.

Sampling opens no store: it reads the end of the transcript and a small state file. What cannot be
recorded because the log is locked is spooled to disk and taken up by the next call.
"""

from __future__ import annotations

import json
import os
import sys

from segue.agents import inside
from segue.agents.live_transcript import occupancy
from segue.agents.registry import host_of
from segue.boundary import policy
from segue.errors import Unavailable
from segue.model import moment as m
from segue.model.moment import NOTHING, Moment, Reply
from segue.service.boundary.compaction_seen import compaction_seen
from segue.service.boundary.transcript import objection
from segue.stores import marks, private_files
from segue.surfaces.hooks import dialects
from segue.surfaces.hooks.entry import trace

PATIENCE_S = 1.5
"""An agent waits for its hook: a locked log is not waited for longer than this, but spooled."""


def answer(folder: str, host: str, event: str, data: bytes) -> None:
    """Reads the payload, acts, and writes the reply. What is not understood leaves a trace; a payload without a
    session is nothing to act on, and a transcript of another session is not looked at."""
    payload = json.loads(data) if data.strip() else {}
    strange = dialects.unfamiliar(host, event, payload)
    if strange:
        trace(folder, host, event, dialects.Unfamiliar(strange))
    moment = dialects.read_call(host, event, payload) if isinstance(payload, dict) else None
    if moment is None:
        return
    state = marks.Marks(folder, moment.host, moment.session_id)
    _remember_process(state, moment)
    if why := objection(folder, moment):
        if state.first("strange"):
            told = f"{moment.transcript_path} {why}; it is not looked at"
            trace(folder, host, event, dialects.Unfamiliar(told))
        moment = moment._replace(transcript_path="")
    if moment.kind in (m.PROMPT, m.TOOL) and not _must_act(folder, state, moment):
        return
    reply, spoken = _acted(folder, moment)
    said = dialects.write_reply(host, event, reply)
    if said is not None:
        sys.stdout.write(json.dumps(said, ensure_ascii=False))
        sys.stdout.flush()
    if spoken:
        marks.touch(os.path.join(folder, "boundary", f"spoken-{spoken}"))


def _remember_process(state: marks.Marks, moment: Moment) -> None:
    """Lets programs that the same agent starts know which session they run in, where it does not tell them."""
    if moment.kind == m.END:
        state.over()
    elif host_of(moment.host).program:
        state.runs_in(next((number for _, number in inside.above([moment.host])), 0))


def _must_act(folder: str, state: marks.Marks, moment: Moment) -> bool:
    """True when a boundary was crossed and not yet spoken of, or a threshold is passed for the first time."""
    state.looked()
    if compaction_seen(state, moment):
        return True
    state.go_on()
    if not state.sealed and moment.kind == m.PROMPT:
        return True
    tokens, window = occupancy(moment)
    thresholds = policy.ahead_of(_thresholds(folder), host_of(moment.host).compacts_above)
    verdict = policy.judge(tokens, window, state.fired, thresholds)
    if verdict.action == policy.REARM:
        state.fire(0)
    return verdict.action in (policy.WARN, policy.REQUIRE)


def _thresholds(folder: str) -> policy.Thresholds:
    """The thresholds as the workspace sets them; broken settings leave the defaults."""
    usual = policy.Thresholds()
    try:
        given = json.loads(private_files.read(os.path.join(folder, "config.json")))["boundary"]
        told = [given.get(name) for name in policy.SETTINGS]
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return usual
    return policy.Thresholds(
        *(new if isinstance(new, int) else old for new, old in zip(told, usual, strict=True))
    )


def _acted(folder: str, moment: Moment) -> tuple[Reply, str]:
    from segue.service import workspace
    from segue.service.boundary import moments, spool  # 60 ms: only when there is something to do

    opened = workspace.Workspace(os.path.dirname(folder), PATIENCE_S, for_agent=True)
    try:
        for fault in moments.drain(opened):
            trace(folder, moment.host, "spool", fault)
        return moments.on_moment(opened, moment, occupancy(moment))
    except Unavailable as fault:
        spool.put(folder, moment)
        trace(folder, moment.host, moment.event, fault)
        return NOTHING, ""
    finally:
        opened.close()
