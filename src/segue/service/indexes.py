"""The index of a session, made by reading it, or by going on where the last handoff had read to.

What is kept is the index in the making at a place shortly before the end of the file, with what the
reader has to remember there. It holds no secret: where a text of it is not what redaction leaves of it,
or a secret was learnt from a file, nothing is kept and the session is read from the start the next
time too. Whether an index was kept changes no answer.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple, cast

import msgspec

import segue
from segue.agents.contract import Changed, Mark, Pause, Resumable
from segue.agents.prefix import fingerprint
from segue.agents.registry import reader
from segue.errors import SegueError
from segue.extract.index import Indexer
from segue.model.entry import Entry
from segue.model.memory import Forgotten, Memory
from segue.model.turn import Index
from segue.redaction.files import is_sensitive, named
from segue.redaction.redact import Redactor, redact_entry
from segue.redaction.rules import RULES_VERSION

WORTH = 24 * 1024 * 1024
"""Bytes from which on reading a session, or what is new of it, takes a third of a second, ten times as long as
keeping an index."""
TAIL = 64 * 1024
"""Bytes before the end that are read again: the last lines may still be written."""
_AT_ONCE = 256 * 1024


class Source(NamedTuple):
    """A session to hand off: whose it is, where it lies, and its entries, read once."""

    agent: str
    path: str
    entries: Iterable[Entry]


class Shelf(NamedTuple):
    """The folder in which indexes are kept, of how long sessions, and how much of their ends is read again."""

    folder: str
    worth: int = WORTH
    tail: int = TAIL


class Kept(msgspec.Struct, frozen=True):
    """An index in the making: the mark it stands at, what the file before it looks like, which calls show
    sensitive files, and what the indexer remembers."""

    mark: Mark
    fingerprint: str
    withheld: dict[str, str]
    overheard: list[str]
    index: Memory


def shelf() -> Shelf:
    """The person's own, beside the cache of their sessions."""
    from segue.service.session_rows import cache_folder

    return Shelf(os.path.join(cache_folder(), "indexes"))


def index_of(
    source: Source, redactor: Redactor, carried: Sequence[str] = (), on: Shelf | None = None
) -> Index:
    """The index of a session; `carried` are packets of handoffs before it, oldest first. With a shelf, it
    goes on from the index kept there, as far as that still fits, and keeps the new one."""
    found = _resumable(source, on) if on is not None and not carried else None
    if on is None or found is None:
        indexer = Indexer()
        for packet in carried:
            indexer.carry(packet)
        indexer.see(without_sensitive_files(source.entries, redactor))
        return indexer.close(source.agent, source.path, redactor.redact)
    from segue.stores.indexes import Indexes  # 4 ms

    kept_ones = Indexes(on.folder)
    key = f"{source.agent}:{os.path.realpath(source.path)}:{RULES_VERSION}:{_written_by()}"
    kept = _still_fitting(kept_ones.get(key), source.path)
    try:
        index, new = _read_on(source, redactor, found, kept, on)
    except (Changed, Forgotten):
        index, new = _read_on(source, redactor, found, None, on)
    if new is not None and _holds_no_secret(new, redactor):
        kept_ones.put(key, msgspec.json.encode(new))
    return index


def _resumable(source: Source, on: Shelf) -> Resumable | None:
    module: Any = reader(source.agent)
    try:
        worth_it = os.path.getsize(source.path) >= on.worth
    except OSError:
        return None
    return cast(Resumable, module) if worth_it and hasattr(module, "read_on") else None


def _written_by() -> str:
    """What the code that reads and indexes looks like: other code would have remembered other things."""
    import hashlib  # 9 ms

    root = os.path.dirname(segue.__file__)
    digest = hashlib.sha256()
    for room in ("agents", "extract", "model", "redaction"):
        for folder, inner, names in os.walk(os.path.join(root, room)):
            inner.sort()
            for name in sorted(name for name in names if name.endswith(".py")):
                status = os.stat(os.path.join(folder, name))
                digest.update(f"{folder}/{name}:{status.st_size}:{status.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def _still_fitting(data: bytes | None, path: str) -> Kept | None:
    if data is None:
        return None
    try:
        kept = msgspec.json.decode(data, type=Kept)
        return kept if fingerprint(path, kept.mark.offset) == kept.fingerprint else None
    except (msgspec.MsgspecError, SegueError, OSError):
        return None


def _read_on(
    source: Source, redactor: Redactor, found: Resumable, kept: Kept | None, on: Shelf
) -> tuple[Index, Kept | None]:
    """The index of the whole session, of which only what follows `kept` is read, and what is worth keeping
    of it now."""
    indexer = Indexer()
    if kept is not None:
        indexer.recall(kept.index)
        redactor.withheld.update(kept.withheld)
        redactor.overheard.update(kept.overheard)
    known = kept.mark.offset + on.worth if kept is not None else 0
    news: list[Kept] = []

    def put_away(mark: Mark) -> None:
        if mark.offset > known and not redactor.learned and not redactor.receipt().total:
            seen = fingerprint(source.path, mark.offset)
            calls = dict(redactor.withheld), sorted(redactor.overheard)
            news.append(Kept(mark, seen, *calls, indexer.memory()))

    pause = Pause(max(0, os.path.getsize(source.path) - on.tail), put_away)
    entries = found.read_on(source.path, kept.mark if kept is not None else None, pause)
    indexer.see(without_sensitive_files(entries, redactor))
    return indexer.close(source.agent, source.path, redactor.redact), news[0] if news else None


def _holds_no_secret(new: Kept, redactor: Redactor) -> bool:
    """True for an index that holds nothing a rule, or this session, knows as a secret."""
    clean = Redactor(redactor.learned).redact
    return all(clean(texts) is texts for texts in _joined(_texts(msgspec.to_builtins(new))))


def _joined(texts: Iterable[str]) -> Iterator[str]:
    """The texts, as many at a time as are quickly redacted together."""
    some: list[str] = []
    size = 0
    for text in texts:
        some.append(text)
        size += len(text)
        if size > _AT_ONCE:
            yield "\n\n".join(some)
            some, size = [], 0
    yield "\n\n".join(some)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from value
        for item in value.values():
            yield from _texts(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _texts(item)


def without_sensitive_files(entries: Iterable[Entry], redactor: Redactor) -> Iterator[Entry]:
    """The entries, those that show a sensitive file without its contents, its secrets learnt. All other
    text is redacted later, once every secret is known, and only where it is kept."""
    for entry in entries:
        if entry.kind == "tool_call":
            if any(map(is_sensitive, entry.paths)) or (entry.command and named(entry.command)):
                entry = redact_entry(entry, redactor)
        elif entry.kind == "tool_result" and (
            entry.call_id in redactor.withheld or entry.call_id in redactor.overheard
        ):
            entry = redact_entry(entry, redactor)
        yield entry
