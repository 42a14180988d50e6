"""Sub-agents: each starts once and ends once, however many records say so."""

from __future__ import annotations

import msgspec

from segue.agents._writer import Desk
from segue.agents.codex.wire import Rare


class _Notification(msgspec.Struct, gc=False):
    agent_id: str = ""
    agent_path: str = ""
    status: msgspec.Raw = msgspec.Raw(b"")


class _Spawned(msgspec.Struct, gc=False):
    agent_id: str = ""


_notification = msgspec.json.Decoder(_Notification).decode
_spawned = msgspec.json.Decoder(_Spawned).decode


class Crew:
    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._ended: dict[str, bool] = {}

    def spawned(self, payload: Rare) -> None:
        self._start(payload.new_thread_id or "", payload.prompt or "", payload.call_id or "")

    def answered(self, output: str, prompt: str, call_id: str) -> None:
        """What `spawn_agent` returned, where no event told of the start."""
        try:
            self._start(_spawned(output).agent_id, prompt, call_id)
        except (ValueError, RecursionError):
            return

    def waited(self, payload: Rare) -> None:
        for agent, status in (payload.statuses or {}).items():
            self._end(agent, status)

    def closed(self, payload: Rare) -> None:
        self._end(payload.receiver_thread_id or "", payload.status)

    def notified(self, note: str) -> None:
        try:
            told = _notification(note)
        except (ValueError, RecursionError):
            return
        self._end(told.agent_id or told.agent_path, told.status)

    def _start(self, agent: str, prompt: str, call_id: str) -> None:
        if agent and agent not in self._ended:
            self._ended[agent] = False
            self._desk.add("subagent_start", prompt, agent_id=agent, call_id=call_id)

    def _end(self, agent: str, status: msgspec.Raw) -> None:
        ended = _outcome(status)
        if ended and agent and not self._ended.get(agent, False):
            self._ended[agent] = True
            is_error, text = ended
            self._desk.add("subagent_end", text, by="subagent", agent_id=agent, is_error=is_error)


def _outcome(raw: msgspec.Raw) -> tuple[bool | None, str] | None:
    """Whether a finished sub-agent failed, and what it said last; None while it runs."""
    try:
        status = msgspec.json.decode(raw)
    except (ValueError, RecursionError):
        return None
    if isinstance(status, dict):
        for name in ("completed", "errored"):
            if name in status:
                return name == "errored", str(status[name] or "")
    return (None, "") if status == "shutdown" else None
