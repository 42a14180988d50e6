"""Moves a workspace to other stores: artifacts first, then frames, then keys, then the settings.

A copy keeps ids, sequence and hashes, so a stream is the same in both logs when their heads have the same hash. It
goes on where the target stands: an interrupted copy is continued by copying again, and a finished one writes
nothing more. Settings change last, after everything was read back and the new stores have proved to take something, so
a workspace always has one whole log.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import islice
from typing import Any

from segue.errors import BadInput, Conflict, SegueError
from segue.model import tombstone
from segue.model.frame import FORGOTTEN, Frame
from segue.service.refusals import refusal
from segue.service.workspace import Workspace
from segue.stores.contract import NEW, Artifacts, Head, Log, Request

Result = dict[str, Any]
Progress = Callable[[int, int, str], None]

BATCH_FRAMES = 1000
BATCH_BYTES = 8 * 1024 * 1024
_BATCH_KEYS = 500
_CHUNK = 4 * 1024 * 1024
_ROUNDS = 20


def copy(
    workspace: Workspace,
    to: str | None = None,
    artifacts: str | None = None,
    source: str | None = None,
    switch: bool = False,
    progress: Progress = lambda done, total, what: None,
) -> Result:
    """Copies the log to the store `to` and the artifacts to the store `artifacts`, and compares what arrived;
    with `switch`, the workspace then uses them. `source` names a log to copy from, instead of the workspace's own.
    Raises Conflict when a stream is another one there."""
    from segue.stores.registry import is_forgetful, open_artifacts, open_log

    here = workspace.settings
    if to is None and artifacts is None:
        raise BadInput("Nothing is to be copied.", "Name a log with --to, or a store with --artifacts.")
    if to == (source or here["store"]) or artifacts == here["artifacts"]:
        raise BadInput("This is the store that would be copied from.", "Name another one.")
    if any(is_forgetful(spec) for spec in (to, artifacts, source) if spec is not None):
        raise refusal("store-in-memory")
    chosen = {name: spec for name, spec in (("store", to), ("artifacts", artifacts)) if spec is not None}
    done: Result = {}
    mine = workspace.artifacts
    box = open_artifacts(artifacts, os.path.join(workspace.folder, "artifacts")) if artifacts else None
    if box is not None:
        done |= _copy_artifacts(mine, box, progress)
        if switch and not done["artifacts_copied"]:
            box.put(b"")  # what cannot be written to is noticed here, not by whoever comes next
    if to is not None:
        patience = workspace.config["store.lock_wait_s"]
        with (
            closing(open_log(source or here["store"], workspace.folder, patience)) as old,
            closing(open_log(to, workspace.folder, patience)) as new,
        ):
            if "://" not in to:
                workspace.establish()
            done |= _copy_log(old, new, progress)
            if switch:
                _require_writable(new)
                _require_sound(new)
                workspace.establish().use(**chosen)
                # Whoever wrote to the old log until just now is not left behind.
                done["frames"] += _copy_log(old, new, progress)["frames"]
    elif switch:
        workspace.establish().use(**chosen)
    if switch and box is not None:
        # Nor is what was put meanwhile.
        done["artifacts_copied"] += _copy_artifacts(mine, box, progress)["artifacts_copied"]
    return {**done, "switched": switch}


def _copy_artifacts(old: Artifacts, new: Artifacts, progress: Progress) -> Result:
    every = list(old.ids())
    copied = size = 0
    for at, (artifact_id, length) in enumerate(every):
        progress(at, len(every), artifact_id)
        if new.size(artifact_id) is None:
            arrived, _ = new.put(_chunks(old, artifact_id, length))
            if arrived != artifact_id:
                raise refusal("artifact-damaged", artifact_id=artifact_id)
            copied += 1
            size += length
        new.get(artifact_id)  # a whole read is a checked one
    return {"artifacts": len(every), "artifacts_copied": copied, "artifact_bytes": size}


def _chunks(old: Artifacts, artifact_id: str, length: int) -> Iterator[bytes]:
    for offset in range(0, length, _CHUNK):
        yield old.get(artifact_id, offset, _CHUNK)


def _copy_log(old: Log, new: Log, progress: Progress) -> Result:
    """Copies until nothing more comes, so that writers need not be stopped before the last moment."""
    _require_same_keys(old, new)
    copied, since = 0, 0
    streams: set[str] = set()
    for _ in range(_ROUNDS):
        heads = old.heads(since)
        for at, head in enumerate(heads):
            progress(at, len(heads), head.stream_id)
            copied += _copy_stream(old, new, head)
        if not heads or not {head.stream_id for head in heads} - streams:
            break
        streams |= {head.stream_id for head in heads}
        since = heads[-1].touched
    more, keys = _copy_keys(old, new)
    return {"streams": len(streams), "frames": copied + more, "keys": keys}


def _copy_keys(old: Log, new: Log) -> tuple[int, int]:
    """Adds the keys, and frames that were written with some of them meanwhile; returns how many of both."""
    frames = keys = 0
    there = iter(old.keys())
    while batch := list(islice(there, _BATCH_KEYS)):
        for stream_id in {key.stream_id for key in batch}:
            head = old.head(stream_id)
            frames += _copy_stream(old, new, head) if head else 0
        new.adopt_keys(batch)
        keys += len(batch)
    return frames, keys


def _require_same_keys(old: Log, new: Log) -> None:
    """Raises Conflict, before anything is written, when a key stands for one thing here and another there."""
    ours, theirs = old.keys(), new.keys()
    used = next(theirs, None)
    for key in ours:
        while used is not None and used.key < key.key:
            used = next(theirs, None)
        if used is not None and used.key == key.key and used != key:
            raise refusal("keys-diverged", key=key.key)


def _copy_stream(old: Log, new: Log, head: Head) -> int:
    """Adds what is missing of a stream; returns how many frames. Raises Conflict where the two differ."""
    there = new.head(head.stream_id)
    reached = there.seq if there else NEW
    shared = min(reached, head.seq)
    if shared != NEW and _hash(old, head.stream_id, shared) != _hash(new, head.stream_id, shared):
        raise _diverged(head.stream_id)
    forgotten = [
        one for frame in old.read(head.stream_id, types=(FORGOTTEN,)) for one in tombstone.records(frame)
    ]
    for batch in _batches(old.read(head.stream_id, reached + 1, head.seq)):
        new.adopt(batch, forgotten)
    if _hash(new, head.stream_id, head.seq) != head.hash:
        raise _diverged(head.stream_id)
    return max(head.seq - reached, 0)


def _hash(log: Log, stream_id: str, seq: int) -> bytes | None:
    frame = next(log.read(stream_id, seq, seq), None)
    return frame.hash if frame else None


def _batches(frames: Iterator[Frame]) -> Iterator[list[Frame]]:
    batch: list[Frame] = []
    room = BATCH_BYTES
    for frame in frames:
        batch.append(frame)
        room -= len(frame.body)
        if room <= 0 or len(batch) == BATCH_FRAMES:
            yield batch
            batch, room = [], BATCH_BYTES
    if batch:
        yield batch


def _require_writable(log: Log) -> None:
    """Tries an append that no stream can take, so that a log which lacks the right to write, or may only be read,
    says so now, and any other holds nothing more than before."""
    from segue.model.frame import MESSAGE, Draft
    from segue.model.ids import new_id

    said = {"role": "system", "content": "", "actor_id": "segue", "origin": "store copy"}
    (refusal,) = log.append_all([Request(new_id(), [Draft(MESSAGE, said)], expect=0)])
    if isinstance(refusal, SegueError) and not isinstance(refusal, Conflict):
        raise refusal


def _require_sound(log: Log) -> None:
    for finding in log.verify():
        raise refusal("copy-unsound", where=finding.where, message=finding.message, hint=finding.hint)


def _diverged(stream_id: str) -> SegueError:
    return refusal("streams-diverged", stream_id=stream_id)
