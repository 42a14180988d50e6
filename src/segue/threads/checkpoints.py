"""Compaction checkpoints: summaries that stand for everything up to a message.

Cut points fall on every n-th message, so that anybody who counts finds the same ones. A summary is
cumulative and chained to the one before it; it is made from the frames alone, without a model, and
a written one may be given instead. Compile takes the newest checkpoint before its cut and, where
they help, older ones at half the distance.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, Protocol

from segue.errors import BadInput, SegueError
from segue.model import wire
from segue.model.bundle import SUMMARY_SCHEMA
from segue.model.frame import CHECKPOINT, MESSAGE
from segue.threads.history import History
from segue.threads.lineage import Segment

CUMULATIVE = "cumulative_v1"
MANUAL_RULE = "manual_v1"
DEFAULT_STRIDE = 200
MAX_SUMMARIES = 3
_SCAN = 32
"""How many of a thread's newest checkpoints are looked at."""


class Blobs(Protocol):
    def get(self, artifact_id: str, offset: int = 0, max_bytes: int | None = None) -> bytes: ...


class CutPoint(NamedTuple):
    """The n-th message as a place to cut."""

    ordinal: int
    seq: int
    message_id: str


class Checkpoint(NamedTuple):
    checkpoint_id: str
    artifact_id: str
    to_seq: int
    kind: str
    text: str

    @property
    def note(self) -> str:
        return f"summary up to seq {self.to_seq}"

    def reference(self) -> dict[str, Any]:
        return {
            "checkpoint_id": self.checkpoint_id,
            "summary_kind": self.kind,
            "summary_artifact_id": self.artifact_id,
            "to_seq": self.to_seq,
        }


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


def select(
    history: History, blobs: Blobs, segments: Iterable[Segment], resets: list[dict[str, Any]]
) -> tuple[list[Checkpoint], tuple[str, int] | None]:
    """The checkpoints to use, newest first, and the (thread, seq) they reach up to.

    The newest readable one of the nearest segment that has any; then, repeatedly, the newest that
    reaches at most half as far. What cannot be used is left out and said in `resets`.
    """
    for segment in segments:
        found: list[Checkpoint] = []
        for frame in history.read(
            segment.thread_id, 0, segment.last, types=(CHECKPOINT,), reverse=True, limit=_SCAN
        ):
            data = frame.data
            if len(found) == MAX_SUMMARIES or (found and data["to_seq"] > found[-1].to_seq // 2):
                continue
            point = _readable(blobs, data, resets)
            if point is not None:
                found.append(point)
        if found:
            return found, (segment.thread_id, found[0].to_seq)
    return [], None


def _readable(blobs: Blobs, data: dict[str, Any], resets: list[dict[str, Any]]) -> Checkpoint | None:
    try:
        if data["summary_kind"] != CUMULATIVE:
            raise BadInput("unsupported_summary_kind", "A newer version may know it.")
        summary = read_summary(blobs.get(data["summary_artifact_id"]))
    except SegueError as fault:
        resets.append(
            {
                "input": "compaction_checkpoint",
                "action": "ignored",
                "reason": fault.message,
                "ref": data["checkpoint_id"],
            }
        )
        return None
    return Checkpoint(
        data["checkpoint_id"],
        data["summary_artifact_id"],
        data["to_seq"],
        data["summary_kind"],
        summary["summary_markdown"],
    )


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
    first_seq: int,
    to: CutPoint,
    markdown: str,
    provenance: dict[str, Any],
    base_artifact_id: str | None = None,
    digest: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """A `rip.compaction_summary.v1` document."""
    document: dict[str, Any] = {
        "schema": SUMMARY_SCHEMA,
        "kind": CUMULATIVE,
        "coverage": {
            "thread_id": thread_id,
            "from_seq": first_seq,
            "to_seq": to.seq,
            "to_message_id": to.message_id,
        },
        "provenance": provenance,
        "summary_markdown": markdown,
    }
    if base_artifact_id is not None:
        document["basis"] = {"base_summary_artifact_id": base_artifact_id}
    if digest is not None:
        document["digest"] = digest
    return document
