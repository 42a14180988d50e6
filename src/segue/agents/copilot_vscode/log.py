"""A session kept as a log: a snapshot, then changes to it.

`{"kind": 0, "v": …}` is the whole session; `1` sets what stands at the path `k`, `3` deletes it; `2` appends
the items `v` to the list at `k`, which is first cut to `i` items where that is given. The log is written anew
as one snapshot now and then, so a line of it names nothing for long; requests are counted instead.
"""

from __future__ import annotations

from typing import Any

import msgspec

from segue.agents import _document, _jsonl
from segue.agents._record import items
from segue.model.entry import Entry
from segue.model.value import NamedTuple

_SNAPSHOT, _SET, _APPEND, _DELETE = range(4)
MISFIT = "a change to what is not there"


class Replayed(NamedTuple):
    """The session that a log ends with, and the entries that report what of the log is not in it."""

    session: Any
    flaws: list[Entry]


def replay(path: str) -> Replayed:
    """The session of a log. Raises NotFound or BadInput for a path that is no file.

    The file is held whole, as a document is: its snapshot may be longer than any line is read elsewhere."""
    with _jsonl.open_source(path) as source:
        if source.size > _document.LIMIT:
            reason = f"a log of {source.size >> 20} MiB, larger than {_document.LIMIT >> 20} MiB"
            return Replayed(None, [_jsonl.unreadable(path, 1, 0, reason, source.size)])
        try:
            raw = source.read(0, source.size)
        except OSError as fault:
            return Replayed(None, [_jsonl.broken_off(path, 1, 0, fault)])
    if not raw.strip():
        return Replayed(None, [_jsonl.unreadable(path, 1, 0, _jsonl.EMPTY)])
    state: dict[str, Any] = {}
    flaws: list[Entry] = []
    offset, lines = 0, raw.split(b"\n")
    for number, line in enumerate(lines, start=1):
        for value in _values(path, number, offset, line, number == len(lines)):
            if isinstance(value, Entry):
                flaws.append(value)
            elif not _applied(state, value):
                flaws.append(_jsonl.unreadable(path, number, offset, MISFIT, len(line)))
        offset += len(line) + 1
    return Replayed(state.get("session"), flaws)


def _values(path: str, number: int, offset: int, line: bytes, last: bool) -> list[dict[str, Any] | Entry]:
    """What a line holds; of a snapshot that breaks off, all before the break."""
    if not line.strip():
        return []
    try:
        value = _jsonl.any_json(line)
        if isinstance(value, dict):
            return [value]
    except (ValueError, RecursionError):
        pass
    found = [value for _, value in _jsonl.recover(path, number, offset, line, _jsonl.any_json, last)]
    if any(isinstance(value, dict) for value in found) or number > 1:
        return found
    document = _document.parse(path, line)
    if not isinstance(document.value, dict) or document.flaw is None:
        return found
    return [document.value, msgspec.structs.replace(document.flaw, offset=offset + document.flaw.offset)]


def _applied(state: dict[str, Any], change: dict[str, Any]) -> bool:
    """Makes a change; False where it fits nothing."""
    kind = change.get("kind")
    if kind == _SNAPSHOT:
        if isinstance(change.get("v"), dict):
            state["session"] = change["v"]
        return isinstance(change.get("v"), dict)
    keys = items(change.get("k"))
    if not keys or kind not in (_SET, _APPEND, _DELETE):
        return False
    holder: Any = state.get("session")
    for key in keys[:-1]:
        holder = _at(holder, key)
    key = keys[-1]
    if kind == _APPEND:
        return _append(holder, key, change)
    if isinstance(holder, dict) and isinstance(key, str):
        if kind == _DELETE:
            holder.pop(key, None)
        else:
            holder[key] = change.get("v")
        return True
    if isinstance(holder, list) and _is_index(key) and key < len(holder):
        holder[key] = change.get("v") if kind == _SET else None
        return True
    return False


def _append(holder: Any, key: Any, change: dict[str, Any]) -> bool:
    grown = _at(holder, key)
    if grown is None and isinstance(holder, dict) and isinstance(key, str):
        grown = holder[key] = []
    if not isinstance(grown, list):
        return False
    if _is_index(cut := change.get("i")):
        del grown[cut:]
    grown += items(change.get("v"))
    return True


def _at(holder: Any, key: Any) -> Any:
    if isinstance(holder, dict) and isinstance(key, str):
        return holder.get(key)
    return holder[key] if isinstance(holder, list) and _is_index(key) and key < len(holder) else None


def _is_index(key: Any) -> bool:
    return isinstance(key, int) and not isinstance(key, bool) and key >= 0
