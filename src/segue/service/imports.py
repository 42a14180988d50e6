"""Bringing a session into the log: its own thread, message by message, as far as it has got.

Importing again adds only what is new: the thread of a session is found by an idempotency key, and every
frame names the record it came from, so that records which were completed, repeated or moved in the file
meanwhile are told once. The program's own message ids are kept, so that a branch or a handoff can be cut
at them. Everything is redacted before it is stored.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from segue.model import wire
from segue.model.frame import MESSAGE, RUN_ENDED, RUN_SPAWNED, SIDE_EFFECTS, Draft, Frame
from segue.model.ids import new_id
from segue.model.thread import LIBRARY, Provenance
from segue.redaction.redact import Redactor, redact_entry
from segue.service.sessions import Progress, Source, silent
from segue.stores.contract import NEW
from segue.threads import links

if TYPE_CHECKING:
    from segue.model.entry import Entry
    from segue.service.workspace import Workspace

Result = dict[str, Any]

_BATCH = 2000
_EXCERPT = 400
_SPOKEN = ("user", "answer", "rejection")
_STARTS_LATE = "[The recorded session begins here, in the middle of the work.]"


def import_session(
    workspace: Workspace, source: Source, by: Provenance = LIBRARY, progress: Progress = silent
) -> Result:
    """The session's thread, brought up to date; says how many frames were added."""
    entries = source.entries()
    session_id, title, early = _identity(source, entries)
    log = workspace.establish().log
    key = f"import:{source.agent}:{session_id}"
    known = log.keyed(key)
    if known is None:
        told = {"agent": source.agent, "session_id": session_id, "path": source.path}
        known = log.append(
            new_id(), [links.created(workspace.root, title, by, source=told)], expect=NEW, key=key
        )
    thread_id = known[0].stream_id
    story = _Story(session_id, early[0].agent_id if early else "", by, _tail(workspace, thread_id))
    head = log.head(thread_id)
    seq, added, drafts, redactor = head.seq if head else 0, 0, list[Draft](), Redactor()
    size = os.path.getsize(source.path) if os.path.isfile(source.path) else 0
    for entry in _chained(early, entries):
        if len(drafts) >= _BATCH:
            seq = log.append(thread_id, drafts, expect=seq)[-1].seq
            added, drafts = added + len(drafts), []
        progress(entry.offset, size, source.path)
        drafts += story.tell(redact_entry(entry, redactor))
    if drafts:
        seq = log.append(thread_id, drafts, expect=seq)[-1].seq
    return {
        "thread_id": thread_id,
        "agent": source.agent,
        "session_id": session_id,
        "added": added + len(drafts),
        "head_seq": seq,
        "redactions": redactor.receipt().total,
    }


def _identity(source: Source, entries: Iterator[Entry]) -> tuple[str, str | None, list[Entry]]:
    """The session's id and title, and the entries read to learn them."""
    early: list[Entry] = []
    session_id, title = source.session or "", None
    for entry in entries:
        early.append(entry)
        if entry.kind != "meta":
            break
        session_id = str(entry.data.get("id") or session_id)
        title = entry.data.get("title") or title
    name = session_id or source.path
    return name, Redactor().redact(title) if title else f"{source.agent} {name}", early


def _chained(first: list[Entry], rest: Iterator[Entry]) -> Iterator[Entry]:
    yield from first
    yield from rest


class _Tail(NamedTuple):
    """Where an earlier import stopped: the records it told, and the run still open, if any."""

    told: set[str]
    run: str | None = None
    message_id: str | None = None


def _tail(workspace: Workspace, thread_id: str) -> _Tail:
    told = {
        str(frame.data.get("source", {}).get("record"))
        for frame in workspace.log.read(thread_id, types=(MESSAGE, SIDE_EFFECTS))
    }
    runs = workspace.log.read(thread_id, types=(RUN_SPAWNED, RUN_ENDED), reverse=True, limit=1)
    last: Frame | None = next(runs, None)
    if last is None or last.type == RUN_ENDED:
        return _Tail(told)
    return _Tail(told, last.data["run_session_id"], last.data["message_id"])


class _Story:
    """Turns entries into frames: a person's message starts a run, tools leave side effects, the next
    message ends it."""

    def __init__(self, session_id: str, agent_id: str, by: Provenance, tail: _Tail) -> None:
        self._session_id = session_id
        self._agent_id = agent_id
        self._by = by
        self._told = tail.told
        self._run = tail.run
        self._message_id = tail.message_id
        self._calls: dict[str, Entry] = {}
        self._seen: dict[str, int] = {}
        self._stopped = False

    def tell(self, entry: Entry) -> list[Draft]:
        """The frames for one entry; none for what was told before, and for sub-agents' side conversations."""
        if entry.agent_id != self._agent_id:
            return []
        if entry.kind == "tool_call" and entry.call_id:
            self._calls[entry.call_id] = entry
        if entry.kind == "interruption":
            self._stopped = True
        if not self._worth_telling(entry):
            return []
        record = self._record(entry)
        if record in self._told:
            return []
        self._told.add(record)
        if entry.kind == "tool_result":
            return self._effect(entry, record)
        if entry.kind == "agent":
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
            "source": {"line": entry.line, "record": record},
        }
        stamped = self._by.stamp(payload)
        stamped["affected_paths"] = None if shell and not paths else sorted(set(paths))
        return [*before, Draft(SIDE_EFFECTS, stamped)]
