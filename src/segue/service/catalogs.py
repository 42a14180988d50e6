"""Keeping the catalog level with the log: read only what is new, start over when the log is another."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from segue.model.frame import CONTINUITY, MESSAGE, RUN_ENDED, RUN_SPAWNED
from segue.stores.catalog import Catalog
from segue.threads.state import ThreadState, advance, texts

if TYPE_CHECKING:
    from segue.stores.contract import Head, Log

NAME = "cache.db"
_BATCH = 1000


def open_catalog(folder: str | None) -> Catalog:
    """The catalog of a workspace folder; in memory where there is no folder yet."""
    return Catalog(os.path.join(folder, NAME) if folder else ":memory:")


def catch_up(log: Log, catalog: Catalog) -> None:
    """Folds every frame the catalog has not seen into it, in one transaction."""
    position = catalog.position()
    if position is not None and not _same_log(log, position):
        position = None
    elif position is not None and not log.heads(position.touched):
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


def rebuild(folder: str, log: Log) -> int:
    """Deletes the catalog and makes it again; returns how many threads it holds."""
    for suffix in ("", "-wal", "-shm"):
        path = os.path.join(folder, NAME + suffix)
        if os.path.exists(path):
            os.unlink(path)
    catalog = open_catalog(folder)
    catch_up(log, catalog)
    count = len(catalog.states())
    catalog.close()
    return count


def folded(log: Log, thread_id: str) -> ThreadState:
    """A thread's state straight from its frames, without any cache."""
    state = ThreadState(thread_id)
    for frame in log.read(thread_id):
        state = advance(state, frame)
    return state


def _same_log(log: Log, position: Head) -> bool:
    frame = next(log.read(position.stream_id, position.seq, position.seq), None)
    return frame is not None and frame.hash == position.hash


def _fold(log: Log, catalog: Catalog, head: Head) -> None:
    known = catalog.state(head.stream_id)
    state = ThreadState(**{**known, "tags": tuple(known["tags"])}) if known else ThreadState(head.stream_id)
    found: list[tuple[int, str]] = []
    names: list[tuple[str, str]] = []
    runs: list[tuple[str, int]] = []
    for frame in log.read(head.stream_id, state.seq + 1, head.seq):
        state = advance(state, frame)
        found += texts(frame)
        if frame.type == MESSAGE and (native := frame.data.get("native_id")):
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
