"""goose: its session database and the JSONL files it wrote before.

**Where**: `~/.local/share/goose/sessions/sessions.db` since 1.10, with all sessions of the person;
before that a file `<id>.jsonl` per session in the same folder. `$XDG_DATA_HOME` or
`$GOOSE_PATH_ROOT` moves them.

**Versions seen**: the database of schema 5 (1.1x, December 2025) without messages; everything about
messages is written after goose's own sources.

**Quirks**

- A record is a message; its place is its number within the session.
- A result counts as failed when goose says so: `status` is `error` or the tool set `isError`. A
  shell command that merely ended with another code than 0 was not flagged by older versions.
- Results often hold the same text for the person and for the model; the model's is read.
- A compaction hides the older messages from the model and adds two that only the model sees: a
  summary and a sentence that tells it to go on. Messages only the model sees are goose's own words.
- Unless asked for one, the newest session a person started is read, not one of a sub-agent or a
  schedule.
"""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterable, Iterator
from typing import Any

import apsw

from segue.agents import _document, _jsonl, _sqlite
from segue.agents._record import At, millis, record, word
from segue.agents._session_name import by_file, stem
from segue.agents.contract import Home
from segue.agents.goose.messages import Conversation
from segue.errors import NotFound
from segue.model.entry import Entry

AGENT = "goose"

_TABLES = re.compile(rb"CREATE TABLE (?:IF NOT EXISTS )?[`\"\[]?messages\b[^;\0]{0,600}?content_json", re.I)
_NAMES = b"""
    content_json created_timestamp metadata_json session_type working_dir accumulated_total_tokens recipe_json
"""
_COLUMNS = _NAMES.split()
_ENOUGH = 3
"""Columns by which a database is goose's though a version named others differently."""
_FIRST_LINE = re.compile(rb'^\s*\{[^\n]*"working_dir"\s*:[^\n]*\}\s*(?:\n|$)')
_MESSAGE = re.compile(rb'"type"\s*:\s*"tool(?:Request|Response)"')
_FACTS = ("working_dir", "description", "name", "created_at", "model_config_json")


def places(home: Home, cwd: str | None) -> Iterable[str]:
    root = home.env.get("GOOSE_PATH_ROOT")
    data = home.env.get("XDG_DATA_HOME") or os.path.join(home.home, ".local", "share")
    folder = glob.escape(os.path.join(root, "data") if root else os.path.join(data, "goose"))
    return [os.path.join(folder, "sessions", "sessions.db"), os.path.join(folder, "sessions", "*.jsonl")]


def sniff(path: str, head: bytes) -> int:
    if head.startswith(_sqlite.MAGIC):
        if _TABLES.search(head) and b"working_dir" in head:
            return 95
        return 85 if sum(name in head for name in _COLUMNS) >= _ENOUGH else 0
    if _FIRST_LINE.match(head) and (b'"message_count"' in head or b'"content"' in head):
        return 90
    return 85 if _MESSAGE.search(head) and head.lstrip()[:1] == b"{" and b'"role"' in head else 0


def sessions(path: str) -> Iterable[str]:
    if not _is_database(path):
        return [stem(path)]
    try:
        with _sqlite.opened(path) as connection:
            return [name for name, _ in _listed(connection)]
    except _sqlite.FAULTS:
        return []


def read(path: str, session: str | None = None, branch: str | None = None) -> Iterator[Entry]:
    if _is_database(path):
        return _sqlite.reported(path, _from_database(path, session))
    return _from_lines(path)


def _from_database(path: str, session: str | None) -> Iterator[Entry]:
    with _sqlite.opened(path) as connection:
        known = _listed(connection)
        started = [name for name, kind in known if kind == "user"] or [name for name, _ in known]
        chosen = session or (started[-1] if started else "")
        if session and session not in dict(known):
            raise NotFound(
                f"There is no goose session {session!r} in {path}.", "`segue sessions list` shows them."
            )
        facts = _facts(connection, chosen)
        yield _meta(At(path, 1, time_ms=millis(facts.pop("created_at", None))), {"id": chosen}, facts)
        names = _sqlite.columns(connection, "messages")
        native = "message_id" if "message_id" in names else "id"
        about = "CAST(metadata_json AS BLOB)" if "metadata_json" in names else "NULL"
        conversation = Conversation()
        sql = (
            f"SELECT {native}, role, CAST(content_json AS BLOB), created_timestamp, {about}"
            " FROM messages WHERE session_id = ? ORDER BY id"
        )
        for number, row in enumerate(connection.execute(sql, (chosen,)), 1):
            at = At(path, number, native_id=word(row[0]), time_ms=millis(row[3]))
            content = _document.parse(path, row[2] or b"")
            if content.flaw:
                yield at.entry("unreadable", by="harness", reason=content.flaw.reason)
            metadata = record(_document.parse(path, row[4] or b"{}").value)
            yield from conversation.message(at, word(row[1]), content.value, metadata)
        yield from conversation.close()


def _from_lines(path: str) -> Iterator[Entry]:
    conversation = Conversation()
    begun = False
    for line, offset, value in _jsonl.records(path):
        is_message = isinstance(value, dict) and "role" in value
        if not begun:
            facts = {} if is_message or isinstance(value, Entry) else value
            yield _meta(At(path, 1), by_file(path), facts)
            begun = True
            if facts:
                continue
        if isinstance(value, Entry):
            yield value
        elif is_message:
            at = At(path, line, offset, word(value.get("id")), millis(value.get("created")))
            metadata = record(value.get("metadata"))
            yield from conversation.message(at, word(value.get("role")), value.get("content"), metadata)
        else:
            yield At(path, line, offset).other(next(iter(value), "line"))
    if not begun:
        yield _meta(At(path, 1), by_file(path), {})
    yield from conversation.close()


def _listed(connection: apsw.Connection) -> list[tuple[str, str]]:
    """Every session and its type, the one touched last at the end."""
    names = _sqlite.columns(connection, "sessions")
    kind = "session_type" if "session_type" in names else "'user'"
    rows = connection.execute(f"SELECT id, {kind} FROM sessions ORDER BY updated_at, id")
    return [(word(row[0]), word(row[1])) for row in rows]


def _facts(connection: apsw.Connection, session: str) -> dict[str, Any]:
    known = [name for name in _sqlite.columns(connection, "sessions") if name in _FACTS]
    row = _sqlite.row_of(connection, f"SELECT {', '.join(known)} FROM sessions WHERE id = ?", (session,))
    return dict(zip(known, row, strict=True)) if row else {}


def _meta(at: At, named: dict[str, str], facts: dict[str, Any]) -> Entry:
    config = _document.object_in(word(facts.get("model_config_json")))
    title, model = word(facts.get("description")) or word(facts.get("name")), word(config.get("model_name"))
    return at.meta(**named, cwd=word(facts.get("working_dir")), title=title, model=model)


def _is_database(path: str) -> bool:
    return _jsonl.head(path, 16) == _sqlite.MAGIC
