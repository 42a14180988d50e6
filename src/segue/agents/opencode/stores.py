"""The three places where OpenCode keeps the same objects, behind one face.

A store lists its sessions, knows a session's `info`, and gives its messages with their parts in
order, each with the file it was found in. Nothing of a session but one message is held in memory.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol

import apsw
import msgspec

from segue.agents import _document, _jsonl, _sqlite
from segue.agents._record import by_file, items, record, records, stem, whole, word, words
from segue.errors import NotFound
from segue.model.entry import Entry
from segue.model.value import NamedTuple

_COLUMNS = {name: name for name in ("directory", "title", "version", "model", "revert")}
_COLUMNS |= {"parent_id": "parentID", "time_created": "created"}
"""Columns, and what the older objects call them."""


Value = dict[str, Any]
RowMessage = tuple[Value, list[Value]]
"""The `info` of a message and its parts."""
_ABORTED = "aborted"


class Stored(NamedTuple):
    """An object and the file it came from; an `unreadable` entry where it could not be read, or, as its `flaw`,
    for what of it could not."""

    file: str
    value: dict[str, Any] | Entry
    flaw: Entry | None = None


class Listed(NamedTuple):
    id: str
    updated: int
    parent: str


Messages = Iterator[tuple[Stored, Iterator[Stored]]]


class Store(Protocol):
    def listed(self) -> list[Listed]:
        """All sessions, the one touched last at the end."""

    def info(self, session: str) -> Stored: ...

    def messages(self, session: str) -> Messages: ...


@contextmanager
def opened(path: str) -> Iterator[Store]:
    """The store at a path: a database, a storage folder, a session file in one, or an export."""
    if os.path.isdir(path):
        yield Storage(path)
    elif _jsonl.head(path, 16) == _sqlite.MAGIC:
        with _sqlite.opened(path) as connection:
            yield Database(path, connection)
    else:
        document = _document.load(path)
        value = record(document.value)
        root = os.path.dirname(os.path.dirname(os.path.dirname(path)))
        if "messages" not in value and is_storage(root):
            yield Storage(root, only=word(value.get("id")))
        else:
            yield Export(path, value, document.flaw)


def newest(sessions: list[Listed]) -> str:
    """The session touched last that is nobody's child here; empty where there is none at all."""
    ids = {session.id for session in sessions}
    mains = [session for session in sessions if session.parent not in ids]
    return (mains or sessions)[-1].id if sessions else ""


def is_storage(path: str) -> bool:
    return all(os.path.isdir(os.path.join(path, part)) for part in ("session", "message", "part"))


class Database:
    """A database of either generation. While OpenCode moves from one to the other a session may have rows
    in both tables; the newer one is asked only for what came after the last message of the older."""

    def __init__(self, path: str, connection: apsw.Connection) -> None:
        self.path = path
        self.connection = connection
        tables = ("session", "message", "part", "session_v2", "session_message")
        self._columns = {table: _sqlite.columns(connection, table) for table in tables}
        self._table = "session" if self._columns["session"] else "session_v2"

    def listed(self) -> list[Listed]:
        found = self.connection.execute(
            f"SELECT id, time_updated, parent_id FROM {self._table} ORDER BY time_updated, id"
        )
        return [Listed(word(row[0]), whole(row[1]), word(row[2])) for row in found]

    def info(self, session: str) -> Stored:
        known = [name for name in self._columns[self._table] if name in _COLUMNS]
        sql = f"SELECT {', '.join(known)} FROM {self._table} WHERE id = ?"
        row = _sqlite.row_of(self.connection, sql, (session,))
        if not row:
            raise _missing(session, self.path)
        info: dict[str, Any] = {_COLUMNS[name]: value for name, value in zip(known, row, strict=True)}
        for name in ("model", "revert"):
            info[name] = _document.parse(self.path, word(info.get(name)).encode()).value
        return Stored(self.path, {"id": session, "time": {"created": info.pop("created", None)}, **info})

    def messages(self, session: str) -> Messages:
        last = -1
        if not self._columns["message"] and (self._columns["part"] or not self._columns["session_message"]):
            raise apsw.SQLError("no such table: message")  # else it would pass for a session without any
        if self._columns["message"]:
            sql = "SELECT id, CAST(data AS BLOB), time_created FROM message WHERE session_id = ? ORDER BY time_created, id"
            for name, data, created in self.connection.execute(sql, (session,)):
                last = max(last, whole(created))
                yield self._stored(name, data), self._parts(name)
        if self._columns["session_message"]:
            yield from self._rows(session, last)

    def _rows(self, session: str, after: int) -> Messages:
        order = "seq" if "seq" in self._columns["session_message"] else "time_created, id"
        sql = (
            "SELECT id, type, CAST(data AS BLOB), time_created FROM session_message"
            f" WHERE session_id = ? AND time_created > ? ORDER BY {order}"
        )
        for name, type, data, created in self.connection.execute(sql, (session, after)):
            stored = self._stored(name, data)
            if isinstance(stored.value, Entry):
                yield stored, iter(())
                continue
            if stored.flaw:
                yield Stored(self.path, stored.flaw), iter(())
            value = {"time": {"created": created}, **stored.value}
            for info, parts in _row_messages(word(type), value):
                yield Stored(self.path, info), (Stored(self.path, {"id": name, **part}) for part in parts)

    def _parts(self, message: str) -> Iterator[Stored]:
        sql = "SELECT id, CAST(data AS BLOB) FROM part WHERE message_id = ? ORDER BY id"
        for name, data in self.connection.execute(sql, (message,)):
            yield self._stored(name, data)

    def _stored(self, name: Any, data: Any) -> Stored:
        return _stored(self.path, word(name), _document.parse(self.path, data or b""))


class Storage:
    def __init__(self, root: str, only: str = "") -> None:
        self.root = root
        self.only = only

    def listed(self) -> list[Listed]:
        infos = (record(stored.value) for stored in self._infos())
        found = [
            Listed(
                word(one.get("id")), whole(record(one.get("time")).get("updated")), word(one.get("parentID"))
            )
            for one in infos
        ]
        return sorted((one for one in found if one.id), key=lambda one: (one.updated, one.id))

    def info(self, session: str) -> Stored:
        for stored in self._infos():
            if record(stored.value).get("id") == session:
                return stored
        raise _missing(session, self.root)

    def messages(self, session: str) -> Messages:
        for message in self._objects("message", session):
            yield message, self._objects("part", word(record(message.value).get("id")))

    def _infos(self) -> Iterator[Stored]:
        for folder, _, names in sorted(os.walk(os.path.join(self.root, "session"))):
            for name in sorted(names):
                stored = _file(os.path.join(folder, name))
                if not self.only or record(stored.value).get("id") == self.only:
                    yield stored

    def _objects(self, kind: str, owner: str) -> Iterator[Stored]:
        # Names sort by time: OpenCode's ids ascend. A name that is a path would leave the folder.
        folder = os.path.join(self.root, kind, os.path.basename(owner))
        if owner and os.path.isdir(folder):
            for name in sorted(os.listdir(folder)):
                if name.endswith(".json"):
                    yield _file(os.path.join(folder, name))


class Export:
    def __init__(self, path: str, document: dict[str, Any], flaw: Entry | None) -> None:
        self.path = path
        self.document = document
        self.flaw = flaw

    def listed(self) -> list[Listed]:
        return [Listed(word(record(self.document.get("info")).get("id")) or stem(self.path), 0, "")]

    def info(self, session: str) -> Stored:
        if session != self.listed()[0].id:
            raise _missing(session, self.path)
        told = record(self.document.get("info"))
        return Stored(self.path, {**told, **({} if word(told.get("id")) else by_file(self.path))})

    def messages(self, session: str) -> Messages:
        for message in items(self.document.get("messages")):
            parts = items(record(message).get("parts"))
            info = record(record(message).get("info"))
            yield Stored(self.path, info), (Stored(self.path, record(part)) for part in parts)
        if self.flaw:
            yield Stored(self.path, self.flaw), iter(())


def _file(path: str) -> Stored:
    return _stored(path, "", _document.load(path))


def _stored(path: str, name: str, document: _document.Document) -> Stored:
    flaw = document.flaw and msgspec.structs.replace(document.flaw, native_id=name)
    if flaw and not document.complete:
        return Stored(path, flaw)
    return Stored(path, {"id": name, **record(document.value)} if name else record(document.value), flaw)


def _missing(session: str, path: str) -> NotFound:
    return NotFound(
        f"There is no OpenCode session {session!r} in {path}.",
        "List them: segue sessions list --agent opencode",
    )


def _row_messages(type: str, data: Value) -> list[RowMessage]:
    """The messages that a row of `session_message`, OpenCode's newer table, stands for: one, or for a compaction the
    request and the summary. Everything it tells has a counterpart in the older objects, so it is put into their shape
    and told like them."""
    told = _ROW_TYPES.get(type)
    if told is None:
        return _by_user(data, {"type": type, "text": data.get("text")})
    return told(data)


def _by_user(data: Value, *parts: Value) -> list[RowMessage]:
    return [({**data, "role": "user"}, list(parts))]


def _user_row(data: Value) -> list[RowMessage]:
    files = [
        {"type": "file", "filename": file.get("name") or file.get("uri"), "mime": file.get("mime")}
        for file in records(data.get("files"))
    ]
    return _by_user(data, {"type": "text", "text": data.get("text")}, *files)


def _injected_row(data: Value) -> list[RowMessage]:
    return _by_user(data, {"type": "text", "text": data.get("text"), "synthetic": True})


def _shell_row(data: Value) -> list[RowMessage]:
    state = {"input": {"command": data.get("command")}, "output": data.get("output"), "metadata": data}
    return _by_user(data, {"type": "shell", "state": state})


def _assistant_row(data: Value) -> list[RowMessage]:
    info = {**data, "role": "assistant", "modelID": record(data.get("model")).get("id")}
    error = record(data.get("error"))
    if error:
        name = "MessageAbortedError" if error.get("type") == _ABORTED else word(error.get("type"))
        info["error"] = {"name": name, "data": {"message": error.get("message")}}
    parts = [
        _tool_part(part) if part.get("type") == "tool" else part for part in records(data.get("content"))
    ]
    changed = items(record(data.get("snapshot")).get("files"))
    return [(info, [*parts, {"type": "patch", "files": changed}] if changed else parts)]


def _tool_part(part: Value) -> Value:
    state, time = record(part.get("state")), record(part.get("time"))
    told = {
        "status": state.get("status"),
        "input": state.get("input"),
        "output": words(state.get("content")),
        "error": words(state.get("content")) or word(record(state.get("error")).get("message")),
        "metadata": record(state.get("structured")),
        "time": {"start": time.get("created"), "end": time.get("completed")},
    }
    id = part.get("id")
    return {"type": "tool", "id": id, "tool": part.get("name"), "callID": id, "state": told}


def _compaction_row(data: Value) -> list[RowMessage]:
    asked = ({**data, "role": "user"}, [{"type": "compaction", "auto": data.get("reason") == "auto"}])
    answer = {"role": "assistant", "id": data.get("id"), "time": data.get("time"), "summary": True}
    return [asked, (answer, [{"type": "text", "text": data.get("summary")}])]


_ROW_TYPES: dict[str, Callable[[Value], list[RowMessage]]] = {
    "user": _user_row,
    "synthetic": _injected_row,
    "system": _injected_row,
    "shell": _shell_row,
    "assistant": _assistant_row,
    "compaction": _compaction_row,
    "model-switched": _assistant_row,
}
