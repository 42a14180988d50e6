"""What stands in a record that its reader does not know: looked up where somebody wants to see it.

A reader decodes only what it understands, so that it is fast; of an unknown record it tells the type and the
place. The fields are read from there, each whole or not at all, so that no secret is cut in two unseen.
"""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from segue.agents._jsonl import any_json, open_source
from segue.errors import SegueError
from segue.model.entry import Entry

_RECORD = 256 * 1024
_FIELD = 2048
_FIELDS = 40


def with_fields(entry: Entry) -> Entry:
    """An `other` entry of a line of JSON with the line's fields in `data["fields"]`; any other as it is."""
    if entry.kind != "other" or (entry.line > 1 and not entry.offset):
        return entry
    try:
        with open_source(entry.file) as source:
            raw = source.read(entry.offset, _RECORD).split(b"\n", 1)[0]
        value = any_json(raw)
    except (SegueError, OSError, ValueError, RecursionError):
        return entry
    if not isinstance(value, dict) or not any(name in value for name in ("type", "kind", "role")):
        return entry
    return replace(entry, data={**entry.data, "fields": _bounded(value)})


def _bounded(value: dict[str, object]) -> dict[str, object]:
    sized = [(name, item, len(msgspec.json.encode(item))) for name, item in value.items()][:_FIELDS]
    return {name: item if size <= _FIELD else f"[{size} bytes left out]" for name, item, size in sized}
