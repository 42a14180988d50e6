"""Generic sessions: a documented file format that any program can write to feed segue.

**Where**: anywhere; without being named, files in `~/.local/share/segue/sessions/` are found
(`$XDG_DATA_HOME` moves the folder, `$SEGUE_SESSIONS` names another).

**Version**: 1. The format is described in `docs/reference/generic-sessions.md`.

**Quirks**

- A header line begins a session; a file may hold several, the last one is read unless another is named.
- Every further line is one entry with the fields of segue's own vocabulary. Only `kind` is needed.
- Lines of the form `{"role": …, "content": …}`, as many programs log them, are understood as well.
- A field of the wrong type is ignored, an unknown kind is carried as `other`, a header of a newer
  version is reported and its lines are read as far as they are understood.
"""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterable, Iterator
from typing import Any, get_args

from msgspec.structs import replace

from segue.agents import _jsonl
from segue.agents._record import (
    At,
    by_name,
    code,
    flag,
    items,
    millis,
    record,
    records,
    stem,
    usage,
    whole,
    word,
    words,
)
from segue.agents._toolcall import excerpt, todo_state
from segue.agents.contract import Home
from segue.errors import NotFound
from segue.model.entry import META_KEYS, Action, Edit, Entry, Kind, Speaker, Todo, ToolKind, Usage

AGENT = "generic"

VERSION = 1
HEADER = "segue_session"

_HEADER = re.compile(rb'^\s*\{\s*"segue_session"\s*:\s*\d')
_KINDS = frozenset(get_args(Kind))
_SPEAKERS = frozenset(get_args(Speaker))
_TOOL_KINDS = frozenset(get_args(ToolKind))
_ACTIONS = frozenset(get_args(Action))
_SAID_BY = {
    "user": ("person", "prompt"),
    "answer": ("person", "answer"),
    "rejection": ("person", "rejection"),
    "interruption": ("person", ""),
    "meta": ("harness", ""),
    "compaction": ("harness", ""),
    "summary": ("harness", "summary"),
    "unreadable": ("harness", ""),
    "other": ("harness", ""),
    "model_change": ("harness", ""),
    "subagent_end": ("subagent", ""),
}
"""Who speaks, and on which channel, where a line does not say; otherwise the agent."""
_ROLES: dict[str, Kind] = {"user": "user", "assistant": "agent", "tool": "tool_result", "system": "other"}
_NOWHERE = (0, 0)
"""Where the session of a file without a header begins."""
_WORDS = ("call_id", "tool", "command", "model", "agent_id", "cwd", "reason")


def places(home: Home, cwd: str | None) -> Iterable[str]:
    data = home.env.get("XDG_DATA_HOME") or os.path.join(home.home, ".local", "share")
    folder = home.env.get("SEGUE_SESSIONS") or os.path.join(data, "segue", "sessions")
    return [os.path.join(glob.escape(folder), "**", "*.jsonl")]


def sniff(path: str, head: bytes) -> int:
    return 100 if _HEADER.match(head) else 0


def sessions(path: str) -> Iterable[str]:
    return [name for name, _ in _session_starts(path)]


def read(path: str, session: str | None = None, branch: str | None = None) -> Iterator[Entry]:
    begun = _session_starts(path)
    chosen = [one for one in begun if session in (None, one[0])]
    if not chosen:
        raise NotFound(f"There is no session {session!r} in {path}.", "`segue sessions list` shows them.")
    name, first = chosen[-1]
    told = False
    background: set[str] = set()
    for at, value in _lines_of(path, first):
        header = value if isinstance(value, dict) and HEADER in value else {}
        if not told:
            yield _meta(at, name, header)
            told = True
        if isinstance(value, Entry):
            yield value
        elif header:
            yield from _newer(at, header)
        else:
            yield _background_result(_entry(at, value), value, background)
    if not told:
        yield _meta(At(path, 1), name, {})


def _lines_of(path: str, first: tuple[int, int]) -> Iterator[tuple[At, dict[str, Any] | Entry]]:
    """The lines of one session, from its header up to the next one."""
    inside = first == _NOWHERE
    for line, offset, value in _jsonl.records(path):
        begins = isinstance(value, dict) and HEADER in value
        if begins and inside:
            return
        inside = inside or (line, offset) == first
        if inside:
            yield At(path, line, offset), value


def _session_starts(path: str) -> list[tuple[str, tuple[int, int]]]:
    """The sessions of a file and where each begins."""
    found: list[tuple[str, tuple[int, int]]] = []
    for line, offset, value in _jsonl.records(path):
        if isinstance(value, dict) and HEADER in value:
            found.append((word(value.get("id")) or f"{stem(path)}-{line}", (line, offset)))
    return found or [(stem(path), _NOWHERE)]


def _meta(at: At, name: str, header: dict[str, Any]) -> Entry:
    data: dict[str, Any] = {key: header[key] for key in META_KEYS if header.get(key) not in (None, "")}
    data |= {"id": name} if word(header.get("id")) else by_name(name)
    if word(header.get("agent")):
        data["recorded_from"] = word(header["agent"])
    if word(header.get("path")):
        data["recorded_at"] = word(header["path"])
    at = at._replace(time_ms=_time(header))
    return at.entry("meta", by="harness", cwd=word(header.get("cwd")), data=data)


def _newer(at: At, header: dict[str, Any]) -> Iterator[Entry]:
    version = whole(header[HEADER])
    if version > VERSION:
        reason = f"format version {version}; this segue knows {VERSION} and reads what it understands"
        yield at.entry("unreadable", by="harness", reason=reason)


def _entry(at: At, line: dict[str, Any]) -> Entry:
    named = word(line.get("kind")) or _ROLES.get(word(line.get("role")), "")
    kind: Any = named if named in _KINDS else "other"
    by, via = _SAID_BY.get(kind, ("agent", ""))
    data = record(line.get("data"))
    if kind == "other":
        name = word(line.get("kind")) or word(line.get("role")) or next(iter(line), "line")
        data = {"type": name, **data}
    fields: dict[str, Any] = {name: word(line[name]) for name in _WORDS if word(line.get(name))}
    at = at._replace(native_id=word(line.get("native_id")), time_ms=_time(line))
    return at.entry(
        kind,
        words(line.get("text", line.get("content"))),
        by=_one_of(_SPEAKERS, line.get("by"), by),
        via=word(line.get("via")) or via,
        tool_kind=_one_of(_TOOL_KINDS, line.get("tool_kind"), "other"),
        paths=tuple(filter(None, map(word, items(line.get("paths"))))),
        edits=tuple(map(_edit, records(line.get("edits")))),
        todos=tuple(
            Todo(word(one.get("text")), todo_state(one.get("state"))) for one in records(line.get("todos"))
        ),
        exit_code=code(line.get("exit_code")),
        is_error=_failed(line),
        background=line.get("background") is True,
        usage=_usage(record(line.get("usage"))),
        data=data,
        **fields,
    )


def _background_result(entry: Entry, line: dict[str, Any], background: set[str]) -> Entry:
    """The entry; the first result of a call that was said to go on is told as such, unless it says otherwise itself."""
    if entry.kind == "tool_call" and entry.background and entry.call_id:
        background.add(entry.call_id)
    elif entry.kind == "tool_result" and entry.call_id in background:
        background.remove(entry.call_id)
        return replace(entry, background=line.get("background") is not False)
    return entry


def _one_of(known: frozenset[str], value: Any, default: str) -> Any:
    return value if word(value) in known else default


def _failed(line: dict[str, Any]) -> bool | None:
    told, exit_code = flag(line.get("is_error")), code(line.get("exit_code"))
    return exit_code != 0 if told is None and exit_code is not None else told


def _edit(value: dict[str, Any]) -> Edit:
    return Edit(
        path=word(value.get("path")),
        action=_one_of(_ACTIONS, value.get("action"), "modified"),
        new=excerpt(word(value.get("new"))),
        old=excerpt(word(value.get("old"))),
    )


def _usage(value: dict[str, Any]) -> Usage | None:
    spent = usage(value, "input", "output", "cache_read", "cache_write", "window")
    return spent if spent != Usage() else None


def _time(line: dict[str, Any]) -> int | None:
    return millis(line.get("time_ms")) or millis(line.get("time"))
