"""Redaction of what a session is made of: entries and nested values.

Every text-bearing field of an entry is redacted. The contents of a file that holds secrets by
profession are not quoted at all: its secrets are learnt, so that they vanish from the rest of the
session too, and a marker that names file and size takes the place of the contents. Entries come in
session order: the call says which file its result will show.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from segue.model.entry import Edit, Entry, Todo
from segue.model.patterns import compiled
from segue.redaction import files, output_sources
from segue.redaction.redactor import BARE, Receipt, Redactor

__all__ = ["Receipt", "Redactor", "edits_sensitive_file", "hear_entry", "redact_entry", "redact_json"]

FILE_KIND = "sensitive-file"

_MARK = f"[redacted:{FILE_KIND}]"
_OF_TOOLS = frozenset(("tool_call", "tool_result"))
_FILE_TOOLS = ("read", "write", "edit", "search")
_TELLING_NAME = compiled(r"(?i)pass|pwd|pw$|secret|token|key|auth|seed|cookie|credential|sig")
_NOT_IN_A_LINE = compiled(r"[\"\n]")
_LONGEST_SETTING = 4096
_LONGEST_LABEL = 80
_KEYS_OF_VALUES = ("value", "Value")
_KEYS_OF_NAMES = ("name", "Name", "key", "Key")
_DEEPEST = 100
_TOO_DEEP = "[redacted:too-deep]"
"""What stands for values nested deeper than any honest record; following them would exhaust the stack."""

T = TypeVar("T")


def hear_entry(entry: Entry, redactor: Redactor) -> None:
    """Learns what an entry tells, without changing it: for whoever will redact what came before it too."""
    if entry.kind == "tool_call":
        _watch(entry, redactor)
    if entry.text:
        redactor.learn_from(entry.text, entry.kind not in _OF_TOOLS)
        if entry.kind == "tool_result" and files.may_quote(entry.text):
            redactor.learn_quoted(entry.text)
    if entry.command:
        redactor.learn_from(entry.command)
    for edit in entry.edits:
        redactor.learn_from(edit.new)
        redactor.learn_from(edit.old)
        if files.is_sensitive(edit.path):
            redactor.learn(edit.new, edit.path)
            redactor.learn(edit.old, edit.path)


def taught_by(entries: Iterable[Entry]) -> Redactor:
    """One that knows what a whole session tells, before any of it is redacted; it has removed nothing yet."""
    redactor = Redactor()
    for entry in entries:
        _learn(entry, redactor)
    return redactor.twin()


def _learn(entry: Entry, redactor: Redactor) -> str:
    """Learns what an entry tells; the sensitive file, if any, whose contents it holds."""
    hear_entry(entry, redactor)
    path = _file_inside(entry, redactor)
    if path:
        for quoted in (entry.text, *_strings(entry.data)):
            if output_sources.keeps_secrets(path):
                redactor.learn_given_out(quoted)
            else:
                redactor.learn(quoted, path)
                redactor.learn_lines(quoted)
    return path


def redact_entry(entry: Entry, redactor: Redactor) -> Entry:
    """The entry without its secrets, and without those told before it; the same object if there are none."""
    path = _learn(entry, redactor)
    hidden = path if entry.kind == "tool_result" else ""
    changed = {
        "text": _withheld(entry.text, path, redactor, entry.size) if hidden else redactor.redact(entry.text),
        "command": entry.command and redactor.redact(entry.command),
        "reason": entry.reason and redactor.redact(entry.reason),
        "cwd": entry.cwd and redactor.redact(entry.cwd),
        "model": entry.model and redactor.redact(entry.model),
        "paths": entry.paths and _redact_paths(entry.paths, redactor),
        "edits": _reuse_if_same(entry.edits, tuple(_redact_edit(edit, redactor) for edit in entry.edits)),
        "todos": _reuse_if_same(entry.todos, tuple(_redact_todo(todo, redactor) for todo in entry.todos)),
        "data": redact_json(_withheld_json(entry.data, path, redactor) if path else entry.data, redactor),
    }
    changed = {name: value for name, value in changed.items() if value is not getattr(entry, name)}
    return replace(entry, **changed) if changed else entry


def _redact_paths(paths: tuple[str, ...], redactor: Redactor) -> tuple[str, ...]:
    """The paths without secrets in their names; the same object if there are none."""
    joined = "\n".join(paths)
    cleaned = redactor.redact(joined)
    return paths if cleaned is joined else tuple(map(redactor.redact, paths))


def redact_json(
    value: Any, redactor: Redactor, name: str = "", keep: Callable[[str], bool] = lambda name: False
) -> Any:
    """A nested value without its secrets; the same object if there are none.

    `name` is the key the value stands under: `{"password": "…"}` is an assignment, though neither of
    its two strings is a secret alone. What stands under a name to `keep` stays as it is.
    """

    def change(text: str, name: str) -> str:
        return text if name and keep(name) else _redact_setting(text, name, redactor)

    return _changed(value, change, name)


def _changed(value: Any, change: Callable[[str, str], str], name: str = "", depth: int = 0) -> Any:
    """A nested value with `change(text, key)` of every string in it; the same object if none changed."""
    if isinstance(value, str):
        return change(value, name)
    if isinstance(value, dict | list | tuple) and depth == _DEEPEST:
        return _TOO_DEEP
    if isinstance(value, dict):
        pairs = [
            (_changed(key, change), _changed(item, change, _name_of(str(key), value), depth + 1))
            for key, item in value.items()
        ]
        same = all(k is key and v is item for (k, v), (key, item) in zip(pairs, value.items(), strict=True))
        return value if same else dict(pairs)
    if isinstance(value, list | tuple):
        made_of = getattr(value, "_make", type(value))
        return _reuse_if_same(value, made_of([_changed(item, change, name, depth + 1) for item in value]))
    if isinstance(value, Struct):
        fields = {field: getattr(value, field) for field in value.__struct_fields__}
        made = _changed(fields, change, name, depth)
        return value if made is fields else replace(value, **made)
    return value


def _name_of(key: str, record: dict[Any, Any]) -> str:
    """The name a value stands under: that of its key, or the one that the record gives in a field of its own."""
    if key not in _KEYS_OF_VALUES:
        return key
    return next((name for field in _KEYS_OF_NAMES if isinstance(name := record.get(field), str)), key)


def _redact_setting(text: str, name: str, redactor: Redactor) -> str:
    """A string, judged as the line `"name": "text"` would be if its name is telling."""
    before = f'"{name}": "'
    if not _TELLING_NAME.search(name) or len(text) > _LONGEST_SETTING or _NOT_IN_A_LINE.search(name + text):
        return redactor.redact(text)
    line = redactor.redact(f'{before}{text}"')
    return text if line == f'{before}{text}"' or not line.startswith(before) else line[len(before) : -1]


def _redact_edit(edit: Edit, redactor: Redactor) -> Edit:
    if files.is_sensitive(edit.path):
        new, old = (_withheld(text, edit.path, redactor) for text in (edit.new, edit.old))
    else:
        new, old = redactor.redact(edit.new), redactor.redact(edit.old)
    path = redactor.redact(edit.path)
    if new is edit.new and old is edit.old and path is edit.path:
        return edit
    return replace(edit, path=path, new=new, old=old)


def _redact_todo(todo: Todo, redactor: Redactor) -> Todo:
    text = redactor.redact(todo.text)
    return todo if text is todo.text else replace(todo, text=text)


def _file_inside(entry: Entry, redactor: Redactor) -> str:
    """The sensitive file whose contents an entry may hold; empty for nearly all entries."""
    if entry.kind == "tool_call":
        return _touched(entry)
    if entry.kind != "tool_result":
        return ""
    source, among_others = redactor.withheld.get(entry.call_id), entry.call_id in redactor.overheard
    if among_others or (source and source != BARE and entry.is_error):
        redactor.learn_lines(entry.text)
    if source in ("", BARE) or (source and entry.is_error and output_sources.keeps_secrets(source)):
        redactor.learn_settings(entry.text, bare=source == BARE)
        source = ""
    if entry.is_error and "\n" not in entry.text.strip():
        return ""
    if among_others or edits_sensitive_file(entry):
        redactor.learn(entry.text)
    if source == "":
        return ""
    if source and output_sources.answers_nothing(source, entry.text):
        return ""
    return source or (_sensitive_path(entry) if entry.tool_kind == "read" else "")


def _watch(call: Entry, redactor: Redactor) -> None:
    """Notes what the result of a call will show, and learns what its command tells of a sensitive file."""
    if redactor.withheld or redactor.overheard:
        redactor.withheld.pop(call.call_id, None)
        redactor.overheard.discard(call.call_id)
    touched = _touched(call)
    if touched:
        redactor.withheld[call.call_id] = touched
    elif call.command:
        view = output_sources.view_of(call.command)
        if view is output_sources.NOTHING:
            return
        named = files.named(call.command)
        if named:
            redactor.learn(call.command, named)
        if view.alone:
            redactor.withheld[call.call_id] = view.source
        elif view.source:
            redactor.overheard.add(call.call_id)
        elif view.bare:
            redactor.withheld[call.call_id] = BARE
        elif view.settings:
            redactor.withheld[call.call_id] = ""
    elif call.tool_kind == "read" and any(map(files.is_settings, call.paths)):
        redactor.withheld[call.call_id] = ""


def _touched(call: Entry) -> str:
    return _sensitive_path(call) if call.tool_kind in _FILE_TOOLS else ""


def _sensitive_path(entry: Entry) -> str:
    return next(filter(files.is_sensitive, (*entry.paths, *(edit.path for edit in entry.edits))), "")


def edits_sensitive_file(entry: Entry) -> bool:
    """True for a call or a result that holds what was written into a sensitive file, or what stood there."""
    return bool(entry.edits) and any(files.is_sensitive(edit.path) for edit in entry.edits)


def _withheld(text: str, path: str, redactor: Redactor, size: int = 0) -> str:
    if not text or text.startswith(_MARK):
        return text
    redactor.count(FILE_KIND)
    return f"{_MARK} {path} ({size or len(text)} characters)"


def _withheld_json(value: Any, path: str, redactor: Redactor) -> Any:
    """Strings that could hold a file's contents withheld; labels and numbers as they were."""

    def change(text: str, name: str) -> str:
        return _withheld(text, path, redactor) if len(text) > _LONGEST_LABEL or "\n" in text else text

    return _changed(value, change)


def _strings(value: Any) -> list[str]:
    texts: list[str] = []

    def note(text: str, name: str) -> str:
        texts.append(text)
        return text

    _changed(value, note)
    return texts


def _reuse_if_same(given: T, made: T) -> T:
    """The given sequence if the made one holds the very same items."""
    same = all(a is b for a, b in zip(given, made, strict=True))  # type: ignore[call-overload]
    return given if same else made


def without_sensitive_files(entries: Iterable[Entry], redactor: Redactor) -> Iterator[Entry]:
    """The entries, those that show a sensitive file without its contents, its secrets learnt, and so those that any
    other text tells. All other text is redacted later, once every secret is known, and only where it is kept."""
    for entry in entries:
        hear_entry(entry, redactor)
        if edits_sensitive_file(entry):
            entry = redact_entry(entry, redactor)
        elif entry.kind == "tool_call":
            if any(map(files.is_sensitive, entry.paths)) or (entry.command and files.named(entry.command)):
                entry = redact_entry(entry, redactor)
        elif entry.kind == "tool_result" and (
            entry.call_id in redactor.withheld or entry.call_id in redactor.overheard
        ):
            entry = redact_entry(entry, redactor)
        yield entry
