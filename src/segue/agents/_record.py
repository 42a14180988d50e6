"""One record of somebody else's session: where it stands, and values whose shape nobody promises.

The accessors take anything and give back their own type, empty where the value is something else.
So a reader is written as if its format were always kept, and does not fail when it is not.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

import msgspec
from msgspec.structs import replace

from segue.model.entry import TEXT_LIMIT, Entry, Kind, Usage, clip
from segue.model.patterns import compiled
from segue.model.value import NamedTuple

_REPLIES = ("agent", "thought", "tool_call", "summary")
_LAST_SECOND = 100_000_000_000
"""Epoch numbers below are seconds (until the year 5138), above milliseconds (since 1973)."""


class At(NamedTuple):
    """The place of a record, and the time it carries; entries made of it inherit both."""

    file: str
    line: int
    offset: int = 0
    native_id: str = ""
    time_ms: int | None = None

    def entry(self, kind: Kind, text: str = "", **fields: Any) -> Entry:
        """An entry at this place, its text within the limit."""
        if len(text) > TEXT_LIMIT:
            text, fields["size"] = clip(text)
        file, line, offset, native_id, time_ms = self
        return Entry(
            kind=kind,
            file=file,
            line=line,
            offset=offset,
            native_id=native_id,
            time_ms=time_ms,
            text=text,
            **fields,
        )

    def other(self, name: str, text: str = "", **fields: Any) -> Entry:
        """What is carried without being understood; `name` is what its own program calls it."""
        data = {"type": name, **fields.pop("data", {})}
        return self.entry("other", text, **{"by": "harness", "data": data, **fields})

    def meta(self, **facts: Any) -> Entry:
        """What is known of the session; an empty fact is left out."""
        known = without_empty(facts)
        return self.entry("meta", by="harness", cwd=known.get("cwd", ""), data=known)

    def compaction(self, summary: str | None, **data: Any) -> Iterator[Entry]:
        """The boundary of a compaction and, where there is one, the summary of what came before it."""
        yield self.entry("compaction", by="harness", data=data)
        if summary is not None:
            yield self.entry("summary", summary, by="harness", via="summary")


def record(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def decoded(text: bytes | str) -> Any:
    """What a text holds as JSON; None where it is none."""
    try:
        return msgspec.json.decode(text)
    except (ValueError, RecursionError):
        return None


def json_record(text: bytes | str) -> dict[str, Any]:
    """The JSON object that a text is; nothing for anything else."""
    return record(decoded(text))


def items(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def records(value: Any) -> list[dict[str, Any]]:
    return [item for item in items(value) if isinstance(item, dict)]


def word(value: Any) -> str:
    """A string as it is; numbers too, since some programs number what others name."""
    if isinstance(value, str):
        return value
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else ""


def whole(value: Any) -> int:
    if isinstance(value, float) and math.isfinite(value):
        return int(value)
    return int(value) if isinstance(value, int) else 0


def code(value: Any) -> int | None:
    """An exit code, where there is one."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def exit_status(text: str, pattern: re.Pattern[str]) -> int | None:
    """The exit code that a pattern finds in a text."""
    found = pattern.search(text)
    return int(found[1]) if found else None


def failed(exit_code: int | None) -> bool | None:
    """Whether a command failed, where its exit code tells."""
    return None if exit_code is None else exit_code != 0


def flag(value: Any) -> bool | None:
    return value if isinstance(value, bool) else None


def without_empty(facts: Mapping[str, Any]) -> dict[str, Any]:
    """The facts that say something."""
    return {name: fact for name, fact in facts.items() if fact}


def usage(counts: Mapping[str, Any], *names: str) -> Usage:
    """What a reply cost: the numbers of these names, in the order of `Usage`."""
    return Usage(*(whole(counts.get(name)) for name in names))


def with_usage(entries: Iterable[Entry], usage: Usage | None, model: str = "") -> Iterator[Entry]:
    """The entries of a reply; the first that the agent made carries what the reply cost, if anything."""
    left = None if usage == Usage() else usage
    for entry in entries:
        if left and entry.kind in _REPLIES:
            entry, left = replace(entry, usage=left, model=model), None
        yield entry


def words(value: Any) -> str:
    """The text of a message's content: a string, a part, or a list of either."""
    if isinstance(value, list):
        return "\n".join(filter(None, map(words, value)))
    if isinstance(value, dict):
        return word(value.get("text")) or words(value.get("content"))
    return word(value)


def blocks(content: Any) -> list[dict[str, Any]]:
    """A message's content as blocks; a plain text is one."""
    return [{"type": "text", "text": content}] if isinstance(content, str) else records(content)


def millis(value: Any) -> int | None:
    """An instant in milliseconds: of epoch seconds, epoch milliseconds or an ISO text. A text that
    names no zone is taken as UTC, so that the same file gives the same entries everywhere."""
    if isinstance(value, str):
        try:
            instant = datetime.fromisoformat(value.strip())
            return int((instant if instant.tzinfo else instant.replace(tzinfo=UTC)).timestamp() * 1000)
        except (ValueError, OverflowError):
            return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if not math.isfinite(value) or value <= 0 or value > _LAST_SECOND * 1000:
        return None
    return int(value * 1000 if value < _LAST_SECOND else value)


def inherited(told: Iterable[Entry], session: str) -> Iterator[Entry]:
    """Entries marked as another session's. What that session says of itself is not said of this one."""
    for entry in told:
        if entry.kind != "meta" or entry.usage is not None:
            yield replace(entry, data={**entry.data, "inherited": session})


def copied(told: Iterable[Entry], session: str, last: int) -> Iterator[Entry]:
    """The entries of a file that begins with lines of another session; the last of them stands at byte `last`."""
    for entry in told:
        if entry.offset > last:
            yield entry
        else:
            yield from inherited((entry,), session)


_OF_ITSELF = compiled(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{12,}|\d{8}_\d{6}")
"""What a program puts into the name of a file so that no other has the same: an id, or a time to the second."""


def stem(path: str) -> str:
    """A file's name without its last extension."""
    return os.path.splitext(os.path.basename(path))[0]


def by_name(name: str) -> dict[str, str]:
    """The id that a name lends to a session without one; says so where others may bear the same name."""
    return {"id": name} if _OF_ITSELF.search(name) else {"id": name, "named_by": "file"}


def by_file(path: str) -> dict[str, str]:
    """The id that a file's name lends to its session."""
    return by_name(stem(path))


def first_id(entries: Iterator[Entry]) -> tuple[str, ...]:
    """The id that a reading begins with; nothing is read beyond it."""
    for entry in entries:
        return (entry.data["id"],)
    return ()
