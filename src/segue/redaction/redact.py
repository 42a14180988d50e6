"""Redaction of what a session is made of: entries and nested values.

Every text-bearing field of an entry is redacted. The contents of a file that holds secrets by
profession are not quoted at all: its secrets are learnt, so that they vanish from the rest of the
session too, and a marker that names file and size takes the place of the contents. Entries come in
session order: the call says which file its result will show.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, TypeVar

from msgspec.structs import replace

from segue.model.entry import Edit, Entry, Todo
from segue.redaction import files
from segue.redaction.redactor import Receipt, Redactor

__all__ = ["Receipt", "Redactor", "redact_entry", "redact_json"]

FILE_KIND = "sensitive-file"

_MARK = f"[redacted:{FILE_KIND}]"
_FILE_TOOLS = ("read", "write", "edit", "search")
_TELLING_NAME = re.compile(r"(?i)pass|pwd|secret|token|key|auth|cookie|credential|sig")
_LONGEST_SETTING = 4096
_LONGEST_LABEL = 80

T = TypeVar("T")


def redact_entry(entry: Entry, redactor: Redactor) -> Entry:
    """The entry without its secrets; the same object if there are none."""
    path = _shown_file(entry, redactor)
    if path:
        for quoted in (entry.text, entry.command, *_strings(entry.data)):
            redactor.learn(quoted, path)
    if path and entry.kind == "tool_result":
        text = _withheld(entry.text, path, redactor, entry.size)
    else:
        text = redactor.redact(entry.text)
    changed = {
        "text": text,
        "command": entry.command and redactor.redact(entry.command),
        "reason": entry.reason and redactor.redact(entry.reason),
        "edits": _kept(entry.edits, tuple(_redact_edit(edit, redactor) for edit in entry.edits)),
        "todos": _kept(entry.todos, tuple(_redact_todo(todo, redactor) for todo in entry.todos)),
        "data": redact_json(_withheld_json(entry.data, path, redactor) if path else entry.data, redactor),
    }
    changed = {name: value for name, value in changed.items() if value is not getattr(entry, name)}
    return replace(entry, **changed) if changed else entry


def redact_json(value: Any, redactor: Redactor, name: str = "") -> Any:
    """A nested value without its secrets; the same object if there are none.

    `name` is the key the value stands under: `{"password": "…"}` is an assignment, though neither of
    its two strings is a secret alone.
    """
    if isinstance(value, str):
        return (
            _redact_setting(value, name, redactor) if _TELLING_NAME.search(name) else redactor.redact(value)
        )
    if isinstance(value, dict):
        pairs = [
            (_redact_key(key, redactor), redact_json(item, redactor, str(key))) for key, item in value.items()
        ]
        same = all(k is key and v is item for (k, v), (key, item) in zip(pairs, value.items(), strict=True))
        return value if same else dict(pairs)
    if isinstance(value, list | tuple):
        return _kept(value, type(value)([redact_json(item, redactor, name) for item in value]))
    return value


def _redact_setting(value: str, name: str, redactor: Redactor) -> str:
    """A string under a telling name, judged as the line `"name": "value"` would be."""
    before = f'"{name}": "'
    if len(value) > _LONGEST_SETTING or "\n" in value or '"' in value or '"' in name:
        return redactor.redact(value)
    line = redactor.redact(f'{before}{value}"')
    return value if line == f'{before}{value}"' or not line.startswith(before) else line[len(before) : -1]


def _redact_key(key: Any, redactor: Redactor) -> Any:
    return redactor.redact(key) if isinstance(key, str) else key


def _redact_edit(edit: Edit, redactor: Redactor) -> Edit:
    if files.is_sensitive(edit.path):
        redactor.learn(edit.new, edit.path)
        redactor.learn(edit.old, edit.path)
        new, old = (_withheld(text, edit.path, redactor) for text in (edit.new, edit.old))
    else:
        new, old = redactor.redact(edit.new), redactor.redact(edit.old)
    return edit if new is edit.new and old is edit.old else replace(edit, new=new, old=old)


def _redact_todo(todo: Todo, redactor: Redactor) -> Todo:
    text = redactor.redact(todo.text)
    return todo if text is todo.text else replace(todo, text=text)


def _shown_file(entry: Entry, redactor: Redactor) -> str:
    """The sensitive file whose contents an entry may hold; empty for nearly all entries."""
    touched = next(filter(files.is_sensitive, entry.paths), "") if entry.tool_kind in _FILE_TOOLS else ""
    if entry.kind == "tool_result":
        if entry.call_id in redactor.overheard:
            redactor.learn(entry.text)
        return redactor.withheld.get(entry.call_id, touched)
    if entry.kind != "tool_call":
        return ""
    if not touched and entry.command:
        touched = files.named(entry.command)
        shown, alone = files.shown(entry.command) if touched else ("", False)
        if shown and not alone:
            redactor.overheard.add(entry.call_id)
        if alone:
            redactor.withheld[entry.call_id] = shown
    elif touched:
        redactor.withheld[entry.call_id] = touched
    return touched


def _withheld(text: str, path: str, redactor: Redactor, size: int = 0) -> str:
    if not text or text.startswith(_MARK):
        return text
    redactor.count(FILE_KIND)
    return f"{_MARK} {path} ({size or len(text)} characters)"


def _withheld_json(value: Any, path: str, redactor: Redactor) -> Any:
    """Strings that could hold a file's contents withheld; labels and numbers as they were."""
    if isinstance(value, str):
        return _withheld(value, path, redactor) if len(value) > _LONGEST_LABEL or "\n" in value else value
    if isinstance(value, dict):
        return {key: _withheld_json(item, path, redactor) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_withheld_json(item, path, redactor) for item in value]
    return value


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _strings(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _strings(item)


def _kept(given: T, made: T) -> T:
    """The given sequence if the made one holds the very same items."""
    same = all(a is b for a, b in zip(given, made, strict=True))  # type: ignore[call-overload]
    return given if same else made
