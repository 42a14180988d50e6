"""What is left of a frame when its content is forgotten.

The tombstone has the frame's identity, its place and what ties it to others; every word of its payload is gone. A
field stays if it is a number or a flag, or if its name is known to hold an id or a fixed word. What a reader relies on is
there, empty or with a sentence in its place, so that a tombstone reads like any other frame.

A `content_forgotten` frame of the same stream names each tombstone by its number, its chain hash, which stays, and the
hash of the bytes that are left. That is what tells a tombstone from damage.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from segue.model.frame import ENVELOPE, FORGOTTEN, LOST, RULES, Draft, Frame, Payload
from segue.model.value import NamedTuple
from segue.model.wire import canonical, content_id

GONE = "[This was forgotten for good.]"
MARK = "forgotten"
"""The field that says of a frame that it is a tombstone."""
MOST = 500
"""Tombstones that one frame names."""

_WORDLESS = """
actor_id origin workspace source role native_id run_session_id message_id tool_id tool_name parent_thread_id
parent_message_id from_thread_id from_message_id to_thread_id to_message_id summary_artifact_id bundle_artifact_id
artifact_id checkpoint_id cut_rule_id summary_kind compiler_id compiler_strategy limits compaction_checkpoint
compaction_checkpoints job_id job_kind status action pruned_ids sha256 path approval sensitivity replaces host
session_id channel clearance cleared replay_id agent operation request code archive backfill consolidation model
"""
_KEPT = frozenset((*ENVELOPE, *_WORDLESS.split()))
_LASTING = (FORGOTTEN, LOST)
"""What tells of a removal or a loss is not removed itself."""


class Record(NamedTuple):
    """A tombstone as the log names it."""

    stream_id: str
    seq: int
    hash: str
    sha256: str
    """Of the bytes that are left."""


def is_forgotten(frame: Frame) -> bool:
    return b'"forgotten":true' in frame.body and frame.data.get(MARK) is True


def tombstone(frame: Frame) -> Frame | None:
    """The frame without its content; None where there is none to forget."""
    data = frame.data
    gone = [name for name, value in data.items() if _goes(name, value)]
    if frame.type in _LASTING or not gone or data.get(MARK) is True:
        return None
    rule = RULES.get(frame.type)
    relied_on = (*rule.required, *rule.any_of) if rule else ()
    left = {name: value for name, value in data.items() if name not in gone}
    left |= {name: _emptied(data[name]) for name in gone if name in relied_on}
    return frame._replace(body=canonical({**left, MARK: True}))


def words(frame: Frame) -> Iterable[str]:
    """Every text that a tombstone of the frame would be without."""
    for name, value in frame.data.items():
        if _goes(name, value):
            yield from texts(value)


def texts(value: Any) -> Iterable[str]:
    """Every text in a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from texts(inner)


def record(frame: Frame) -> Record:
    return Record(frame.stream_id, frame.seq, frame.hash.hex(), content_id(frame.body))


def forgotten_draft(tombstones: Iterable[Frame], reason: str, stamp: Payload) -> Draft:
    """The frame that names tombstones of its stream; `stamp` says who forgot them."""
    rows = [record(one)._asdict() for one in tombstones]
    return Draft(FORGOTTEN, {**stamp, "forgotten": rows, "reason": reason})


def records(frame: Frame) -> Iterable[Record]:
    """What a `content_forgotten` frame names of its own stream; what it should not hold is passed over."""
    rows = frame.data.get("forgotten")
    for row in rows if isinstance(rows, list) else ():
        if isinstance(row, dict) and {name: type(value) for name, value in row.items()} == _RECORD:
            found = Record(**row)
            if found.stream_id == frame.stream_id:
                yield found


_RECORD = {"stream_id": str, "seq": int, "hash": str, "sha256": str}


def _goes(name: str, value: Any) -> bool:
    return name not in _KEPT and _speaks(value)


def _speaks(value: Any) -> bool:
    """Whether there may be words in a value: the names in an object are words, too."""
    if isinstance(value, list):
        return any(map(_speaks, value))
    return isinstance(value, str | dict) and bool(value)


def _emptied(value: Any) -> Any:
    return GONE if isinstance(value, str) else type(value)() if isinstance(value, list | dict) else None
