"""A mutation log played back: every message once, in its place, as it was last written.

Two passes keep memory small. The first notes for each id where it was last written and which
ids were taken back; the second walks the file again and gives each message at its first place.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from segue.agents import _jsonl
from segue.agents._record import At, millis, record, records, word, words
from segue.model.entry import Entry

SUMMARY_MARK = "<state_snapshot>"
"""What Gemini CLI's compression prompt makes every summary hold."""


def replay(path: str, branch: str | None) -> Iterator[tuple[At, Any]]:
    """(place, message), (place, `$set` record) and (place, entry) in order."""
    last, gone = _survey(path, branch)
    seen: set[str] = set()
    known = _Known()
    with _jsonl.open_source(path) as source:
        for line, offset, value in _jsonl.records(path):
            at = At(path, line, offset)
            if isinstance(value, Entry) or "id" not in value:
                yield from _change(at, value, seen, known, gone)
                continue
            name = word(value["id"])
            if name in seen or name in gone:
                continue
            seen.add(name)
            if last.get(name, (line, offset)) != (line, offset):
                line, offset = last[name]
                value = _record_at(source, line, offset) or value
            known.add(value)
            yield _message_at(path, line, offset, value), value


def _survey(path: str, branch: str | None) -> tuple[dict[str, tuple[int, int]], set[str]]:
    """Where each id was last written, and the ids that are not on the branch wanted."""
    last: dict[str, tuple[int, int]] = {}
    alive: list[str] = []
    number: dict[str, int] = {}
    gone: set[str] = set()
    for line, offset, value in _jsonl.records(path):
        if isinstance(value, Entry):
            continue
        if "id" in value:
            name = word(value["id"])
            last[name] = (line, offset)
            gone.discard(name)
            if name not in number:
                number[name] = len(alive)
                alive.append(name)
        elif "$rewindTo" in value and branch != "all":
            # An unknown target takes everything back, as Gemini CLI does itself.
            kept = number.get(word(value["$rewindTo"]), 0)
            back = alive[kept:]
            if branch in back:
                return last, gone
            gone.update(back)
            del alive[kept:]
            for name in back:
                del number[name]
    return last, gone


class _Known:
    """What the conversation holds already, however it was named."""

    def __init__(self) -> None:
        self.prints: set[int] = set()

    def add(self, message: dict[str, Any]) -> None:
        self.prints.update(_prints(message))

    def has(self, message: dict[str, Any]) -> bool:
        prints = _prints(message)
        return bool(prints) and prints <= self.prints


def _prints(message: dict[str, Any]) -> set[int]:
    """What makes two messages the same: who speaks and what text, calls and results they hold."""
    kind = word(message.get("type"))
    parts = records(message.get("content"))
    calls = [word(call.get("id")) for call in records(message.get("toolCalls"))]
    calls += [word(record(part.get("functionCall")).get("id")) for part in parts]
    results = [word(record(part.get("functionResponse")).get("id")) for part in parts]
    results += calls if message.get("toolCalls") else []
    text = words(message.get("content")).strip()
    prints = {hash(("call", name)) for name in calls if name} | {
        hash(("result", name)) for name in results if name
    }
    return prints | {hash((kind, text))} if text else prints


def _change(at: At, value: Any, seen: set[str], known: _Known, gone: set[str]) -> Iterator[tuple[At, Any]]:
    if isinstance(value, Entry):
        yield at, value
        return
    update = record(value.get("$set"))
    if update or "sessionId" in value:
        rest = {key: item for key, item in (update or value).items() if key != "messages"}
        yield at._replace(time_ms=millis(rest.get("startTime"))), {"$set": rest}
        yield from _rewritten(at, update, seen, known, gone)
    elif "$rewindTo" in value:
        yield at, at.other("rewind", by="person", data={"to": word(value["$rewindTo"])})
    else:
        yield at, at.other(next(iter(value), "record"))


def _rewritten(
    at: At, update: dict[str, Any], seen: set[str], known: _Known, gone: set[str]
) -> Iterator[tuple[At, Any]]:
    for message in records(update.get("messages")):
        name = word(message.get("id"))
        if name in seen or name in gone:
            continue
        seen.add(name)
        if not known.has(message):
            known.add(message)
            yield _message_at(at.file, at.line, at.offset, message), {**message, "rewritten": True}


def _message_at(path: str, line: int, offset: int, message: dict[str, Any]) -> At:
    return At(path, line, offset, word(message.get("id")), millis(message.get("timestamp")))


def _record_at(source: _jsonl.Source, line: int, offset: int) -> dict[str, Any] | None:
    raw, step = b"", 65_536
    while b"\n" not in raw and len(raw) <= _jsonl.MAX_LINE and (more := source.read(offset + len(raw), step)):
        raw += more
        step *= 2
    for _, value in _jsonl.recover(source.path, line, offset, raw.split(b"\n", 1)[0], _jsonl.any_json, True):
        if isinstance(value, dict):
            return value
    return None
