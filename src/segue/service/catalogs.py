"""Keeping the catalog level with the log: read only what is new, start over when the log is another, or when
something that the catalog may have read was forgotten since.
"""

from __future__ import annotations

import os
from functools import partial

from segue.errors import BadInput
from segue.model.frame import CONTINUITY, FORGOTTEN, MESSAGE, RUN_ENDED, RUN_SPAWNED, Frame
from segue.model.value import NamedTuple
from segue.stores.catalog import Catalog
from segue.stores.contract import Head, Log
from segue.threads.state import ThreadState, advance, texts

NAME = "cache.db"
_BATCH = 1000
_SHORTEST = 4
"""Characters of the shortest beginning of a native id that names a message."""
_CANDIDATES = 5


def open_catalog(folder: str | None) -> Catalog:
    """The catalog of a workspace folder; in memory where there is no folder yet."""
    return Catalog(os.path.join(folder, NAME) if folder else ":memory:")


def remembers_a_log(folder: str) -> bool:
    """Whether the catalog of a workspace folder was made from a log that had something in it."""
    if not os.path.exists(os.path.join(folder, NAME)):
        return False
    catalog = open_catalog(folder)
    position = catalog.position()
    catalog.close()
    return position is not None


def catch_up(log: Log, catalog: Catalog) -> None:
    """Folds every frame the catalog has not seen into it, in one transaction."""
    if not is_level(log, catalog):
        catalog.keep_level(partial(_bring_level, log, catalog))


def is_level(log: Log, catalog: Catalog) -> bool:
    """True when the log has nothing that this catalog has not seen, as one short query tells."""
    return catalog.level is not None and not log.heads(catalog.level.touched)


class _Forgotten(Exception):
    """A frame says that content is gone which this catalog may have in it."""


def _bring_level(log: Log, catalog: Catalog) -> None:
    try:
        _fold_new(log, catalog)
    except _Forgotten:
        catalog.wipe()
        _fold_new(log, catalog)


def _fold_new(log: Log, catalog: Catalog) -> None:
    position = catalog.position()
    if position is not None and not _same_log(log, position):
        position = None
    elif position is not None and not log.heads(position.touched):
        catalog.level = position
        return
    with catalog.transaction():
        current = catalog.position()
        if position is None:
            catalog.clear()
        elif current is not None:
            position = current
        heads = log.heads(position.touched if position else 0)
        for head in heads:
            if head.stream_kind == CONTINUITY:
                _fold(log, catalog, head)
        if heads:
            catalog.advance(heads[-1])
    catalog.level = heads[-1] if heads else position


def rebuild(folder: str, log: Log) -> int:
    """Empties the catalog and makes it again; returns how many threads it holds. The file stays the one that others
    have open."""
    catalog = open_catalog(folder)
    catalog.wipe()
    catch_up(log, catalog)
    count = len(catalog.states())
    catalog.close()
    return count


class Folded(NamedTuple):
    """What a catalog should know of a thread."""

    state: ThreadState
    texts: int
    natives: int


def folded(log: Log, thread_id: str, last: int | None = None) -> Folded:
    """A thread up to a sequence number, straight from its frames, without any cache."""
    state, said, names = ThreadState(thread_id), 0, set[str]()
    for frame in log.read(thread_id, 0, last):
        state = advance(state, frame)
        said += sum(1 for _ in texts(frame))
        if native := _native(frame):
            names.add(native)
    return Folded(state, said, len(names))


def message_named(catalog: Catalog, thread_id: str, name: str) -> str:
    """The message that its own program named so, or as the only one with such a beginning."""
    exact = catalog.named(thread_id, name)
    if exact is not None or len(name) < _SHORTEST:
        return exact or name
    found = catalog.names(thread_id, name, _CANDIDATES + 1)
    if len({message for _, message in found}) > 1:
        more = " and more" if len(found) > _CANDIDATES else ""
        raise BadInput(
            f"{name!r} begins several native ids of thread {thread_id}.",
            "Give more of the one you mean: " + ", ".join(id for id, _ in found[:_CANDIDATES]) + f"{more}.",
        )
    return found[0][1] if found else name


def _native(frame: Frame) -> str | None:
    """The id that its own program gave a message."""
    native = frame.data.get("native_id") if frame.type == MESSAGE else None
    return native if isinstance(native, str) and native else None


def _same_log(log: Log, position: Head) -> bool:
    """False for a log that counts its commits otherwise, too: a copy of the same frames in another store."""
    frame = next(log.read(position.stream_id, position.seq, position.seq), None)
    head = log.head(position.stream_id)
    return bool(frame and head and frame.hash == position.hash and head.touched >= position.touched)


def _fold(log: Log, catalog: Catalog, head: Head) -> None:
    known = catalog.state(head.stream_id)
    state = ThreadState(**{**known, "tags": tuple(known["tags"])}) if known else ThreadState(head.stream_id)
    found: list[tuple[int, str]] = []
    names: list[tuple[str, str]] = []
    runs: list[tuple[str, int]] = []
    for frame in log.read(head.stream_id, state.seq + 1, head.seq):
        if frame.type == FORGOTTEN and known:
            raise _Forgotten
        state = advance(state, frame)
        found += texts(frame)
        if native := _native(frame):
            names.append((native, frame.id))
        elif frame.type in (RUN_SPAWNED, RUN_ENDED):
            runs.append((str(frame.data.get("message_id")), frame.seq))
        if len(found) >= _BATCH:
            catalog.index(head.stream_id, found)
            found = []
    catalog.index(head.stream_id, found)
    catalog.name(head.stream_id, names)
    catalog.follow_runs(runs)
    catalog.put(state._asdict())
