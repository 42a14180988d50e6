"""A session that is being read: from its start, or from where the index of an earlier handoff was kept.

What is kept is the index in the making at a place shortly before the end of the file, with what the reader has to
remember there. This module stands apart from the one that makes indexes, so that reading can begin before that is
imported.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import Any, cast

import msgspec

import segue
from segue.agents.contract import Mark, Pause, Resumable
from segue.agents.registry import reader
from segue.errors import SegueError
from segue.model.entry import Entry
from segue.model.memory import Memory
from segue.model.value import NamedTuple
from segue.redaction.redactor import Known, Redactor
from segue.redaction.withholding import without_sensitive_files
from segue.service.handoffs import told_apart
from segue.service.handoffs.told_apart import Marked, Tell

WORTH = 24 * 1024 * 1024
"""Bytes from which on reading a session, or what is new of it, takes a third of a second, ten times as long as
keeping an index."""
TAIL = 64 * 1024
"""Bytes before the end that are read again: the last lines may still be written."""


class Source(NamedTuple):
    """A session to hand off: whose it is, where it lies, and its entries, read once."""

    agent: str
    path: str
    entries: Iterable[Entry]
    asking: bool = False
    """Whether it is this very session that asks for its handoff."""


class Shelf(NamedTuple):
    """The folder in which indexes are kept, of how long sessions, and how much of their ends is read again."""

    folder: str
    worth: int = WORTH
    tail: int = TAIL


class Kept(msgspec.Struct, frozen=True):
    """An index in the making: the mark it stands at, what the file before it looks like, what the redactor knows,
    and what the indexer and the one who leaves our own traces out remember."""

    mark: Mark
    fingerprint: str
    known: Known
    index: Memory
    traces: Memory


class Reading(NamedTuple):
    """A session whose entries are told, those after `kept` if there is such; on `shelf` the new index goes."""

    agent: str
    path: str
    tell: Tell
    shelf: Shelf | None = None
    kept: Kept | None = None
    apart: bool = False
    """Whether part of the work may be done by copies of this process."""
    asking: bool = False
    """Whether it is this very session that asks for its handoff."""

    def afresh(self) -> Reading:
        """The same session from its start; of one that nothing is kept of, that may be had once."""
        if self.shelf is None:
            return self
        return self._replace(tell=_telling(self.agent, self.path, None, self.shelf), kept=None)

    def keep(self, packed: bytes) -> None:
        """Keeps what was packed of a `Kept`."""
        if self.shelf is not None:
            from segue.stores.indexes import Indexes

            Indexes(self.shelf.folder).put(_key(self.agent, self.path), packed)


def shelf() -> Shelf:
    """The person's own, beside the cache of their sessions."""
    from segue.service.sessions.rows import cache_folder

    return Shelf(os.path.join(cache_folder(), "indexes"))


def begin(source: Source, on: Shelf | None = None, *, apart: bool = False) -> Reading:
    """A session about to be read, from the index kept on a shelf as far as that still fits. `apart` lets copies
    of this process work on a long one: for programs that do nothing else meanwhile."""
    size = _size(source.path)
    if on is not None and size >= on.worth and hasattr(reader(source.agent), "read_on"):
        kept = _get(on, source.agent, source.path)
        tell = _telling(source.agent, source.path, kept, on)
        reading = Reading(source.agent, source.path, tell, on, kept, asking=source.asking)
    else:
        tell = _without_secrets(lambda _: source.entries)
        reading = Reading(source.agent, source.path, tell, asking=source.asking)
    if not apart or size < told_apart.WORTH:
        return reading
    known = reading.kept.mark.offset if reading.kept is not None else 0
    tell = told_apart.begun(reading.tell) if size - known >= told_apart.WORTH else reading.tell
    return reading._replace(tell=tell, apart=True)


def _size(path: str) -> int:
    try:
        return os.path.getsize(path)
    except OSError:
        return 0


def _telling(agent: str, path: str, kept: Kept | None, on: Shelf) -> Tell:
    module: Any = reader(agent)
    found = cast(Resumable, module)
    since = kept.mark if kept is not None else None

    def read(marked: Marked) -> Iterable[Entry]:
        return found.read_on(path, since, Pause(max(0, _size(path) - on.tail), marked))

    return _without_secrets(read, kept)


def _without_secrets(read: Callable[[Marked], Iterable[Entry]], kept: Kept | None = None) -> Tell:
    def tell(redactor: Redactor, marked: Marked) -> Iterable[Entry]:
        if kept is not None:
            redactor.goes_on_from(kept.known)
        return without_sensitive_files(read(marked), redactor)

    return tell


def _get(on: Shelf, agent: str, path: str) -> Kept | None:
    """What is kept of a session, if its file still begins as it did then."""
    from segue.agents.prefix import fingerprint
    from segue.stores.indexes import Indexes  # 4 ms

    data = Indexes(on.folder).get(_key(agent, path))
    if data is None:
        return None
    try:
        kept = msgspec.json.decode(data, type=Kept)
        return kept if fingerprint(path, kept.mark.offset) == kept.fingerprint else None
    except (msgspec.MsgspecError, SegueError, OSError):
        return None


def _key(agent: str, path: str) -> str:
    from segue.redaction.rules import RULES_VERSION

    return f"{agent}:{os.path.realpath(path)}:{RULES_VERSION}:{_written_by()}"


def _written_by() -> str:
    """What the code that reads and indexes looks like: other code would have remembered other things."""
    import hashlib  # 9 ms

    root = os.path.dirname(segue.__file__)
    digest = hashlib.sha256()
    for room in ("agents", "extract", "model", "redaction", os.path.join("service", "sessions")):
        for folder, inner, names in os.walk(os.path.join(root, room)):
            inner.sort()
            for name in sorted(name for name in names if name.endswith(".py")):
                status = os.stat(os.path.join(folder, name))
                digest.update(f"{folder}/{name}:{status.st_size}:{status.st_mtime_ns}\n".encode())
    return digest.hexdigest()
