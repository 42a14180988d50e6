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
from segue.model.frame import MESSAGE, Frame
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
    said = _said(history, segments, chosen, purse, around.bought)
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
            "cause": _cause(chosen, resets),
            "base": "handoff" if base else "history",
            "segments": len(segments),
            "messages": len(said),
        },
    }
    if chosen:
        decision["compaction_checkpoints"] = [point.reference() for point in chosen]
        decision["compaction_checkpoint"] = chosen[0].reference()
    return Compiled(bundle, budget - purse.left, decision)


def _cause(chosen: Sequence[Checkpoint], resets: Resets) -> str:
    if chosen:
        return "compaction_checkpoint"
    unused = any(reset["input"] == "compaction_checkpoint" for reset in resets)
    return "no_usable_compaction_checkpoint" if unused else "no_compaction_checkpoint"


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
    """One summary for each segment that has any, nearest first: the furthest-reaching one that fits; then,
    for detail, ones that reach less far."""
    chosen: list[Checkpoint] = []
    further: list[Checkpoint] = []
    for segment in segments:
        found = iter(checkpoints.readable(history, blobs, segment, resets) if segment.marked else ())
        there, first = False, None
        for point in found:
            there = True
            if share.buy(point.item()):
                first = point
                break
            resets.append(_too_large(point))
        if first is not None:
            chosen.append(first)
            further += checkpoints.halving(found, first)
        elif there:
            break
    for point in further:
        if not share.buy(point.item()):
            break
        chosen.append(point)
    return chosen


def _too_large(point: Checkpoint) -> dict[str, Any]:
    return {
        "input": "compaction_checkpoint",
        "action": "left_out",
        "reason": "The summary does not fit the budget.",
        "ref": point.checkpoint_id,
    }


def _said(
    history: History,
    segments: Sequence[Segment],
    chosen: Sequence[Checkpoint],
    purse: Purse,
    bought: set[str],
) -> list[Item]:
    """The newest messages: first those no summary stands for, then, for what tokens are left, the newest of
    those that one does, so that a run never begins without the words it answers."""
    covered = dict[str, int]()
    for point in chosen:
        covered[point.thread_id] = max(point.to_seq, covered.get(point.thread_id, -1))
    open_ended = [segment._replace(first=covered.get(segment.thread_id, -1) + 1) for segment in segments]
    said = messages.newest(history, open_ended, purse, bought)
    if not covered or _is_cut_short(history, open_ended, said):
        return said
    summed_up = [
        segment._replace(last=min(segment.last, covered[segment.thread_id]))
        for segment in segments
        if segment.thread_id in covered
    ]
    return [*messages.newest(history, summed_up, purse, bought, part=not said), *said]


def _is_cut_short(history: History, segments: Sequence[Segment], said: Sequence[Item]) -> bool:
    """Whether there was more to say than there were tokens for."""
    oldest = next(
        (
            frame
            for segment in reversed(segments)
            for frame in history.read(
                segment.thread_id, segment.first, segment.last, types=(MESSAGE,), limit=1
            )
        ),
        None,
    )
    return oldest is not None and not any(item["thread_event_id"] == oldest.id for item in said)


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
