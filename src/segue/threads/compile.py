"""Compiling context: what a run on this thread should start with.

A branch continues its parent's history; a handoff starts from its bundle and never sees the
parent's history. Reading goes backwards from the cut and stops when the budget is spent, so the
cost depends on the budget and not on the length of the history. The same frames and the same
parameters give the same bytes: there is no clock, no randomness and no state but the log in here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from segue.model.bundle import CONTEXT_SCHEMA, Bundle
from segue.model.frame import Frame
from segue.threads import checkpoints, messages
from segue.threads.checkpoints import Checkpoint
from segue.threads.history import Blobs, History, last_message
from segue.threads.lineage import Segment, inherited
from segue.threads.purse import Count, Item, Purse
from segue.threads.surroundings import Resets, Surroundings

COMPILER = "segue.context_compiler.v1"
STRATEGIES = (
    "recent_messages_v1",
    "summaries_recent_messages_v1",
    "hierarchical_summaries_recent_messages_v1",
)
"""By the number of summaries: none, one, more."""

REFS_SHARE = 4
"""References may take a quarter of the budget; summaries of the past, two quarters."""


class Compiled(NamedTuple):
    """The outcome: the bundle, its size in tokens, and the decision that led to it, ready to be recorded."""

    bundle: Bundle
    tokens: int
    decision: dict[str, Any]


def compile_context(
    history: History,
    blobs: Blobs,
    count: Count,
    thread_id: str,
    seq: int,
    budget: int,
    provenance: dict[str, Any],
) -> Compiled:
    """The context bundle of a thread at a cut, within a budget of tokens."""
    purse, resets = Purse(budget, count), Resets()
    segments, base = inherited(history, thread_id, seq)
    last_said = _last_said(history, segments)
    past = purse.share(budget - _reserved(purse, last_said, budget))
    around = Surroundings(history, blobs, resets)
    items = around.handoff(*base, past, past.share(budget // REFS_SHARE)) if base else []
    items += around.references(segments, past.share(budget // REFS_SHARE))
    chosen = _summaries(history, blobs, past.share(budget * 2 // REFS_SHARE), segments, resets)
    said = messages.newest(history, _uncovered(segments, chosen), purse, around.bought)
    strategy = STRATEGIES[min(len(chosen), 2)]
    source: dict[str, Any] = {"thread_id": thread_id, "from_seq": seq}
    if last_said is not None and last_said.stream_id == thread_id:
        source["from_message_id"] = last_said.id
    bundle = {
        "schema": CONTEXT_SCHEMA,
        "compiler": {"id": COMPILER, "strategy": strategy},
        "source": source,
        "provenance": provenance,
        "items": _each_message_once([*items, *_in_order(segments, chosen, said)]),
    }
    decision: dict[str, Any] = {
        "compiler_id": COMPILER,
        "compiler_strategy": strategy,
        "limits": {"budget_tokens": budget, "max_summaries_per_thread": checkpoints.MAX_SUMMARIES},
        "resets": resets,
        "reason": {
            "cause": "compaction_checkpoint" if chosen else "no_compaction_checkpoint",
            "base": "handoff" if base else "history",
            "segments": len(segments),
            "messages": len(said),
        },
    }
    if chosen:
        decision["compaction_checkpoints"] = [point.reference() for point in chosen]
        decision["compaction_checkpoint"] = chosen[0].reference()
    return Compiled(bundle, budget - purse.left, decision)


def _last_said(history: History, segments: Sequence[Segment]) -> Frame | None:
    """The newest message, inherited or not."""
    found = (last_message(history, segment.thread_id, segment.last) for segment in segments)
    return next(filter(None, found), None)


def _reserved(purse: Purse, last_said: Frame | None, budget: int) -> int:
    """What nothing older may spend, so that the newest message is not the one that stays out."""
    return 0 if last_said is None else min(messages.price(purse, last_said.data), budget // 2)


def _summaries(
    history: History, blobs: Blobs, share: Purse, segments: Sequence[Segment], resets: Resets
) -> list[Checkpoint]:
    """One summary for each segment that has any, nearest first, as far as they fit; then, for detail, the
    ones that reach less far."""
    chosen: list[Checkpoint] = []
    further: list[Checkpoint] = []
    for segment in segments:
        found = checkpoints.select(history, blobs, segment, resets) if segment.marked else []
        if not found:
            continue
        if not share.buy(found[0].item()):
            reason = "The summary does not fit the budget."
            resets.append(
                {
                    "input": "compaction_checkpoint",
                    "action": "left_out",
                    "reason": reason,
                    "ref": found[0].checkpoint_id,
                }
            )
            break
        chosen.append(found[0])
        further += found[1:]
    for point in further:
        if not share.buy(point.item()):
            break
        chosen.append(point)
    return chosen


def _uncovered(segments: Sequence[Segment], chosen: Sequence[Checkpoint]) -> list[Segment]:
    """The segments without what the summaries stand for. A summary covers its own thread only."""
    covered = dict[str, int]()
    for point in chosen:
        covered[point.thread_id] = max(point.to_seq, covered.get(point.thread_id, -1))
    return [segment._replace(first=covered.get(segment.thread_id, -1) + 1) for segment in segments]


def _in_order(segments: Sequence[Segment], chosen: Sequence[Checkpoint], said: Sequence[Item]) -> list[Item]:
    """Oldest thread first, in each its summaries and then its messages."""
    by_thread: dict[str, list[Item]] = {segment.thread_id: [] for segment in reversed(segments)}
    for point in sorted(chosen, key=lambda point: point.to_seq):
        by_thread[point.thread_id].append(point.item())
    for item in said:
        by_thread[item["thread_id"]].append(item)
    return [item for items in by_thread.values() for item in items]


def _each_message_once(items: list[Item]) -> list[Item]:
    """A message that was referred to and then reached by history stands where history has it."""
    last = {item["thread_event_id"]: place for place, item in enumerate(items) if item["type"] == "message"}
    return [
        item for place, item in enumerate(items) if last.get(item.get("thread_event_id", ""), place) == place
    ]
