"""A session's entries as the frames of a thread: messages, runs and side effects.

Every frame names the record it came from, so that records which were completed, repeated or moved in
the file meanwhile are told once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from segue.model import wire
from segue.model.frame import MESSAGE, RUN_ENDED, RUN_SPAWNED, SIDE_EFFECTS, Draft
from segue.model.ids import new_id
from segue.model.thread import Provenance

if TYPE_CHECKING:
    from segue.model.entry import Entry
    from segue.service.imports.places import Place

_EXCERPT = 400
_SPOKEN = ("user", "answer", "rejection")
_STARTS_LATE = "[The recorded session begins here, in the middle of the work.]"


class Story:
    """Turns entries into frames: a person's message starts a run, tools leave side effects, the next
    message ends it."""

    def __init__(self, session_id: str, agent_id: str, by: Provenance, place: Place) -> None:
        self._session_id = session_id
        self._agent_id = agent_id
        self._by = by
        self._told = place.told
        self._linked = place.linked
        self._run = place.run
        self._message_id = place.message_id
        self.present: dict[str, str] = {}
        """The records met so far, in order, with what a person says in those that nobody told before."""
        self._calls: dict[str, Entry] = {}
        self.unreadable = 0
        """Entries that stand for what could not be read."""
        self._seen: dict[str, int] = {}
        self._stopped = False

    def drafts_for(self, entry: Entry) -> list[Draft]:
        """The frames for one entry; none for what was told before, here or in the thread that this one
        branches from, and for sub-agents' side conversations."""
        if entry.agent_id != self._agent_id or (self._linked and "inherited" in entry.data):
            return []
        if entry.kind == "tool_call" and entry.call_id:
            self._calls[entry.call_id] = entry
        self.unreadable += entry.kind == "unreadable"
        if entry.kind == "interruption":
            self._stopped = True
        if not self._worth_telling(entry):
            return []
        record = self._record(entry)
        if record in self._told:
            self.present[record] = ""
            if entry.kind in _SPOKEN:
                self._stopped = False
            return []
        self.present[record] = entry.text if entry.kind in _SPOKEN else ""
        if entry.kind == "tool_result":
            return self._effect(entry, record)
        if entry.kind in ("agent", "plan"):
            return self._message(entry, record, "assistant", spawn=self._run is None)
        if entry.kind == "summary":
            return self._message(entry, record, "system", spawn=False)
        return [*self._end(entry), *self._message(entry, record, "user", spawn=True)]

    def _worth_telling(self, entry: Entry) -> bool:
        """Words and results. In a sub-agent's own file its prompts are another agent's, and count."""
        if entry.kind == "tool_result":
            return True
        if not entry.text.strip():
            return False
        if entry.kind in _SPOKEN:
            return entry.by == "person" or (bool(self._agent_id) and entry.by != "harness")
        if entry.kind == "plan":  # as it was approved; before, it is a proposal like many
            return entry.data.get("outcome") == "approved"
        return entry.kind in ("agent", "summary")

    def _record(self, entry: Entry) -> str:
        """What names this entry whatever happens to the file: the program's own id and, where there is none,
        the place and the words; counted, since one record may hold several."""
        name = entry.call_id if entry.kind == "tool_result" else entry.native_id
        if not name:
            name = f"{entry.line}:{wire.content_id(entry.text.encode(errors='replace'))[:16]}"
        name = f"{entry.kind}:{name}"
        self._seen[name] = number = self._seen.get(name, 0) + 1
        return name if number == 1 else f"{name}:{number}"

    def _message(self, entry: Entry, record: str, role: str, spawn: bool) -> list[Draft]:
        message_id = new_id()
        run = f"{self._session_id}#{entry.line}" if spawn else self._run
        payload = {
            "role": role,
            "content": entry.text,
            "run_session_id": run,
            "native_id": entry.native_id or None,
            "recorded_at_ms": entry.time_ms,
            "source": {"line": entry.line, "record": record},
        }
        drafts = [Draft(MESSAGE, self._by.stamp(payload), message_id)]
        if spawn:
            self._run, self._message_id, self._stopped = run, message_id, False
            spawned = {"run_session_id": run, "message_id": message_id, "source": {"line": entry.line}}
            drafts.append(Draft(RUN_SPAWNED, self._by.stamp(spawned)))
        return drafts

    def _end(self, entry: Entry) -> list[Draft]:
        if self._run is None:
            return []
        ended = {
            "run_session_id": self._run,
            "message_id": self._message_id,
            "reason": "interrupted" if self._stopped else "completed",
            "source": {"line": entry.line - 1},
        }
        self._run = None
        return [Draft(RUN_ENDED, self._by.stamp(ended))]

    def _effect(self, entry: Entry, record: str) -> list[Draft]:
        call = self._calls.pop(entry.call_id, None)
        before: list[Draft] = []
        if self._run is None:
            from msgspec.structs import replace

            late = replace(entry, text=_STARTS_LATE, native_id="")
            before = self._message(late, f"late:{record}", "system", spawn=True)
        paths = (
            entry.paths
            or (call.paths if call else ())
            or tuple(edit.path for edit in (call.edits if call else ()))
        )
        shell = (call or entry).tool_kind == "shell"
        payload = {
            "run_session_id": self._run,
            "tool_id": entry.call_id or f"#{entry.line}",
            "tool_name": (call.tool if call else "") or entry.tool or "unknown",
            "command": (call.command if call else entry.command)[:2000] or None,
            "exit_code": entry.exit_code,
            "is_error": entry.is_error,
            "excerpt": entry.text[-_EXCERPT:] if entry.is_error or shell else None,
            "recorded_at_ms": entry.time_ms,
            "source": {"line": entry.line, "record": record},
        }
        stamped = self._by.stamp(payload)
        stamped["affected_paths"] = None if shell and not paths else sorted(set(paths))
        return [*before, Draft(SIDE_EFFECTS, stamped)]
