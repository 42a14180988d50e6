"""Compaction checkpoints: summaries that stand for everything up to a message.

Cut points fall on every n-th message, so that anybody who counts finds the same ones. A summary is
cumulative and chained to the one before it; it is made from the frames alone, without a model, and
a written one may be given instead. It covers its own thread and nothing inherited. Compile takes of
each thread the checkpoint that reaches furthest and, where they help, others at half the distance.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from segue.errors import BadInput, SegueError
from segue.model import wire
from segue.model.bundle import SUMMARY_SCHEMA
from segue.model.frame import CHECKPOINT, MESSAGE, Frame
from segue.model.value import NamedTuple
from segue.threads import digest
from segue.threads.history import Blobs, History
from segue.threads.lineage import Segment

CUMULATIVE = "cumulative_v1"
MANUAL_RULE = "manual_v1"
MAX_SUMMARIES = 3
"""Of one thread."""
_SCAN = 32
"""How many of a thread's newest checkpoints compile looks at."""


class CutPoint(NamedTuple):
    """The n-th message as a place to cut."""

    ordinal: int
    seq: int
    message_id: str


class Checkpoint(NamedTuple):
    """A readable summary of one thread."""

    thread_id: str
    checkpoint_id: str
    artifact_id: str
    to_seq: int
    kind: str
    text: str

    def item(self) -> dict[str, Any]:
        note = f"summary up to seq {self.to_seq}"
        about = {"type": "summary_ref", "artifact_id": self.artifact_id, "note": note}
        return {**about, "content": self.text, "thread_id": self.thread_id}

    def reference(self) -> dict[str, Any]:
        return {
            "thread_id": self.thread_id,
            "checkpoint_id": self.checkpoint_id,
            "summary_kind": self.kind,
            "summary_artifact_id": self.artifact_id,
            "to_seq": self.to_seq,
        }


class Base(NamedTuple):
    """What a further summary builds on: a stored one, its digest, and how far it reaches."""

    artifact_id: str | None
    digest: digest.Digest
    to_seq: int


def stride_rule(stride: int) -> str:
    return f"stride_messages_v1/{stride}"


def cut_points(
    history: History, thread_id: str, stride: int, after: CutPoint | None = None
) -> Iterator[CutPoint]:
    """Every `stride`-th message, counted from the thread's first or from a known cut point on."""
    if stride < 1:
        raise BadInput("The stride counts messages, so it is 1 or more.", "200 is the default.")
    ordinal = after.ordinal if after else 0
    for frame in history.read(thread_id, after.seq + 1 if after else 0, types=(MESSAGE,)):
        ordinal += 1
        if ordinal % stride == 0:
            yield CutPoint(ordinal, frame.seq, frame.id)


def readable(
    history: History, blobs: Blobs, segment: Segment, resets: list[dict[str, Any]]
) -> Iterator[Checkpoint]:
    """The checkpoints of a segment that can be read, furthest first; what cannot is said in `resets`."""
    frames = history.read(segment.thread_id, 0, segment.last, types=(CHECKPOINT,), reverse=True, limit=_SCAN)
    for data in _furthest_first(frames):
        point = _read(blobs, data, resets)
        if point is not None:
            yield point


def halving(further: Iterator[Checkpoint], first: Checkpoint) -> Iterator[Checkpoint]:
    """Of those that reach less far than `first`: repeatedly the furthest that reaches at most half as far."""
    taken, reach = 1, first.to_seq
    for point in further:
        if taken == MAX_SUMMARIES:
            return
        if point.to_seq <= reach // 2:
            taken, reach = taken + 1, point.to_seq
            yield point


def base_before(history: History, blobs: Blobs, thread_id: str, to_seq: int) -> Base:
    """The summary that reaches furthest before `to_seq` and can be built on; the empty one if there is none."""
    for data in _furthest_first(history.read(thread_id, types=(CHECKPOINT,))):
        if data["to_seq"] >= to_seq:
            continue
        try:
            summary = read_summary(blobs.get(data["summary_artifact_id"]))
        except SegueError:
            continue
        if digest.is_digest(made := summary.get("digest")):
            return Base(data["summary_artifact_id"], made, data["to_seq"])
    return Base(None, digest.empty(), -1)


def _furthest_first(frames: Iterator[Frame]) -> list[dict[str, Any]]:
    """Of those that reach equally far, the newest first."""
    return sorted((frame.data for frame in frames), key=lambda data: (-data["to_seq"], -data["seq"]))


def _read(blobs: Blobs, data: dict[str, Any], resets: list[dict[str, Any]]) -> Checkpoint | None:
    try:
        if data["summary_kind"] != CUMULATIVE:
            raise BadInput("unsupported_summary_kind", "A newer version may know it.")
        summary = read_summary(blobs.get(data["summary_artifact_id"]))
    except SegueError as fault:
        told = {"input": "compaction_checkpoint", "action": "ignored", "reason": fault.message}
        resets.append({**told, "ref": data["checkpoint_id"]})
        return None
    names = ("stream_id", "checkpoint_id", "summary_artifact_id", "to_seq", "summary_kind")
    return Checkpoint._make([*(data[name] for name in names), summary["summary_markdown"]])


def read_summary(data: bytes) -> dict[str, Any]:
    """The summary in these bytes. Raises BadInput when it is none."""
    value = wire.decode(data)
    if not isinstance(value, dict) or value.get("schema") != SUMMARY_SCHEMA:
        raise BadInput(
            f"The artifact is not a {SUMMARY_SCHEMA} document.", "Give the id of a checkpoint's summary."
        )
    if not isinstance(value.get("summary_markdown"), str) or not isinstance(value.get("coverage"), dict):
        raise BadInput("The summary has no text or does not say what it covers.", "Make the checkpoint anew.")
    return value


def summary_document(
    thread_id: str,
    to: CutPoint,
    markdown: str,
    provenance: dict[str, Any],
    base_artifact_id: str | None = None,
    made: digest.Digest | None = None,
) -> dict[str, Any]:
    """A `rip.compaction_summary.v1` document."""
    document: dict[str, Any] = {
        "schema": SUMMARY_SCHEMA,
        "kind": CUMULATIVE,
        "coverage": {"thread_id": thread_id, "from_seq": 0, "to_seq": to.seq, "to_message_id": to.message_id},
        "provenance": provenance,
        "summary_markdown": markdown,
    }
    if base_artifact_id is not None:
        document["basis"] = {"base_summary_artifact_id": base_artifact_id}
    if made is not None:
        document["digest"] = made
    return document
