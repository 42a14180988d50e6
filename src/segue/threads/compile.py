"""Compiling context: what a run on this thread should start with.

A branch continues its parent's history; a handoff starts from its bundle and never sees the
parent's history. Reading goes backwards from the cut and stops when the budget is spent, so the
cost depends on the budget and not on the length of the history. References and summaries are sure of
their shares; what the others then leave goes to whatever did not fit, and what still stays out is said.
The same frames and the same parameters give the same bytes: there is no clock, no randomness and no
state but the log in here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from segue.model.bundle import CONTEXT_SCHEMA, Bundle
from segue.model.frame import Frame
from segue.model.value import NamedTuple
from segue.threads import checkpoints, messages
from segue.threads.checkpoints import Checkpoint
from segue.threads.history import Blobs, History, last_message
from segue.threads.lineage import Segment, inherited
from segue.threads.links import Link
from segue.threads.surroundings import Resets, Surroundings
from segue.threads.token_budget import ITEM_TOKENS, Count, Item, TokenBudget

COMPILER = "segue.context_compiler.v1"
STRATEGIES = (
    "recent_messages_v1",
    "summaries_recent_messages_v1",
    "hierarchical_summaries_recent_messages_v1",
)
"""By the number of summaries: none, one, more."""

_FOR_THE_BUDGET = ("left_out", "shortened", "unresolved")


class Shares(NamedTuple):
    """Tokens for each of those that would crowd out the messages."""

    handoff: int
    """The references of a handoff."""
    references: int
    summaries: int


def shares(budget: int) -> Shares:
    """What each is sure of: a quarter, a quarter and half of the budget."""
    return Shares(budget // 4, budget // 4, budget // 2)


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
    segments, base = inherited(history, thread_id, seq)
    newest = (last_message(history, segment.thread_id, segment.last) for segment in segments)
    line = _Line(segments, base, next(filter(None, newest), None))
    found = _gather(history, blobs, TokenBudget(budget, count), line, shares(budget))
    if found.is_lacking and found.left > ITEM_TOKENS:
        found = _gather(history, blobs, TokenBudget(budget, count), line, found.spent, found.left)
    strategy = STRATEGIES[min(len(found.chosen), 2)]
    source: dict[str, Any] = {"thread_id": thread_id, "from_seq": seq}
    if line.last_said is not None and line.last_said.stream_id == thread_id:
        source["from_message_id"] = line.last_said.id
    bundle = {
        "schema": CONTEXT_SCHEMA,
        "compiler": {"id": COMPILER, "strategy": strategy},
        "source": source,
        "provenance": provenance,
        "items": _each_message_once([*found.around, *_in_order(segments, found.chosen, found.said)]),
    }
    decision: dict[str, Any] = {
        "compiler_id": COMPILER,
        "compiler_strategy": strategy,
        "limits": {"budget_tokens": budget, "max_summaries_per_thread": checkpoints.MAX_SUMMARIES},
        "resets": found.resets,
        "reason": {
            "cause": _cause(found.chosen, found.resets),
            "base": "handoff" if base else "history",
            "segments": len(segments),
            "messages": len(found.said),
        },
    }
    if found.chosen:
        decision["compaction_checkpoints"] = [point.reference() for point in found.chosen]
        decision["compaction_checkpoint"] = found.chosen[0].reference()
    return Compiled(bundle, budget - found.left, decision)


class _Line(NamedTuple):
    """What a thread continues: its segments, newest first, the handoff they rest on, the newest message."""

    segments: Sequence[Segment]
    base: tuple[str, Link] | None
    last_said: Frame | None


class _Found(NamedTuple):
    around: list[Item]
    chosen: list[Checkpoint]
    said: list[Item]
    resets: Resets
    spent: Shares
    left: int
    is_lacking: bool
    """Something other than older messages stayed out."""


def _gather(
    history: History, blobs: Blobs, purse: TokenBudget, line: _Line, sure: Shares, rest: int = 0
) -> _Found:
    """What fits into a purse when each is sure of its share. `rest` is what a first round left of it: then
    `sure` is what each spent in that one, so that the messages stay as they were."""
    resets, budget = Resets(), purse.left
    # What nothing older may spend, so that the newest message is not the one that stays out.
    reserved = min(messages.price(purse, line.last_said.data), budget // 2) if line.last_said else 0
    past = purse.share(budget - reserved)
    around = Surroundings(history, blobs, resets, deep=rest > 0)
    for_handoff = past.share(sure.handoff + rest)
    items = around.handoff(*line.base, past, for_handoff) if line.base else []
    rest -= max(0, for_handoff.spent - sure.handoff)
    for_references = past.share(sure.references + rest)
    items += around.references(line.segments, for_references)
    rest -= max(0, for_references.spent - sure.references)
    for_summaries = past.share(sure.summaries + rest)
    chosen = _summaries(history, blobs, for_summaries, line.segments, resets)
    is_lacking = any(reset["action"] in _FOR_THE_BUDGET for reset in resets)
    said = _newest_messages(history, line.segments, chosen, purse, around.bought, resets)
    spent = Shares(for_handoff.spent, for_references.spent, for_summaries.spent)
    return _Found(items, chosen, said, resets, spent, purse.left, is_lacking)


def _cause(chosen: Sequence[Checkpoint], resets: Resets) -> str:
    if chosen:
        return "compaction_checkpoint"
    unused = any(reset["input"] == "compaction_checkpoint" for reset in resets)
    return "no_usable_compaction_checkpoint" if unused else "no_compaction_checkpoint"


def _summaries(
    history: History, blobs: Blobs, share: TokenBudget, segments: Sequence[Segment], resets: Resets
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
            reason = "The summary does not fit the budget."
            told = {"input": "compaction_checkpoint", "action": "left_out", "reason": reason}
            resets.append({**told, "ref": point.checkpoint_id})
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


def _newest_messages(
    history: History,
    segments: Sequence[Segment],
    chosen: Sequence[Checkpoint],
    purse: TokenBudget,
    bought: set[str],
    resets: Resets,
) -> list[Item]:
    """The newest messages: first those no summary stands for, then, for what tokens are left, the newest of
    those that one does, so that a run never begins without the words it answers."""
    covered = dict[str, int]()
    for point in chosen:
        covered[point.thread_id] = max(point.to_seq, covered.get(point.thread_id, -1))
    open_ended = [segment._replace(first=covered.get(segment.thread_id, -1) + 1) for segment in segments]
    said = messages.newest(history, open_ended, purse, bought)
    if action := messages.shortfall(history, open_ended, said):
        reason = "The newest messages are taken, as far as the budget goes."
        resets.append({"input": "messages", "action": action, "reason": reason})
        return said
    summed_up = [
        segment._replace(last=min(segment.last, covered[segment.thread_id]))
        for segment in segments
        if segment.thread_id in covered
    ]
    return [*messages.newest(history, summed_up, purse, bought, part=not said), *said]


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
