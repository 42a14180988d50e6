"""Sub-agents: each starts once and ends once, however many records say so."""

from __future__ import annotations

from typing import Any

from segue.agents._record import decoded, json_record, word
from segue.agents._writer import EntryWriter
from segue.agents.codex.wire import Rare


class Subagents:
    def __init__(self, writer: EntryWriter) -> None:
        self._writer = writer
        self._ended: dict[str, bool] = {}

    def spawned(self, payload: Rare) -> None:
        self._start(payload.new_thread_id or "", payload.prompt or "", payload.call_id or "")

    def answered(self, output: str, prompt: str, call_id: str) -> None:
        """What `spawn_agent` returned, where no event told of the start."""
        self._start(word(json_record(output).get("agent_id")), prompt, call_id)

    def waited(self, payload: Rare) -> None:
        for agent, status in (payload.statuses or {}).items():
            self._end(agent, decoded(status))

    def closed(self, payload: Rare) -> None:
        self._end(payload.receiver_thread_id or "", decoded(payload.status))

    def notified(self, note: str) -> None:
        told = json_record(note)
        self._end(word(told.get("agent_id")) or word(told.get("agent_path")), told.get("status"))

    def _start(self, agent: str, prompt: str, call_id: str) -> None:
        if agent and agent not in self._ended:
            self._ended[agent] = False
            self._writer.add("subagent_start", prompt, agent_id=agent, call_id=call_id)

    def _end(self, agent: str, status: Any) -> None:
        ended = _outcome(status)
        if ended and agent and not self._ended.get(agent, False):
            self._ended[agent] = True
            is_error, text = ended
            self._writer.add("subagent_end", text, by="subagent", agent_id=agent, is_error=is_error)


def _outcome(status: Any) -> tuple[bool | None, str] | None:
    """Whether a finished sub-agent failed, and what it said last; None while it runs."""
    if isinstance(status, dict):
        for name in ("completed", "errored"):
            if name in status:
                return name == "errored", str(status[name] or "")
    return (None, "") if status == "shutdown" else None
