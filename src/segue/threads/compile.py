"""Compiling context: what a run on this thread should start with.

A branch continues its parent's history; a handoff starts from its bundle and never sees the
parent's history. Reading goes backwards from the cut and stops when the budget is spent, so the
cost depends on the budget and not on the length of the history. The same frames and the same
parameters give the same bytes: there is no clock, no randomness and no state but the log in here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, Protocol

from segue.errors import SegueError
from segue.model import wire
from segue.model.bundle import CONTEXT_SCHEMA, SOURCE_CUT, Bundle, read_handoff_bundle
from segue.model.frame import MESSAGE, REFERENCED
from segue.threads import checkpoints
from segue.threads.history import History, last_message
from segue.threads.lineage import Segment, inherited
from segue.threads.links import Link

COMPILER = "segue.context_compiler.v1"
RECENT = "recent_messages_v1"
SUMMARY = "summaries_recent_messages_v1"
HIERARCHY = "hierarchical_summaries_recent_messages_v1"

DEFAULT_BUDGET = 32_000
ITEM_TOKENS = 4
"""What an item costs beside its text: role, separators, reference."""
REFS_SHARE = 4
"""References may take a quarter of the budget; summaries of the past, two quarters."""
MESSAGES_PER_REFERENCE = 8
_CHARS_NO_TOKEN_EXCEEDS = 128

Item = dict[str, Any]
Count = Callable[[str], int]


class Blobs(Protocol):
    def get(self, artifact_id: str, offset: int = 0, max_bytes: int | None = None) -> bytes: ...


class Compiled(NamedTuple):
    """The outcome: the bundle, its size in tokens, and the decision that led to it, ready to be recorded."""

    bundle: Bundle
    tokens: int
    decision: dict[str, Any]


class _Purse:
    """Tokens left to spend."""

    def __init__(self, tokens: int, count: Count) -> None:
        self.left = tokens
        self._count = count

    def price(self, text: str) -> int:
        """The cost of a text; without counting when it cannot fit anyway."""
        if len(text) > (self.left + 1) * _CHARS_NO_TOKEN_EXCEEDS:
            return self.left + 1 + ITEM_TOKENS
        return self._count(text) + ITEM_TOKENS

    def buy(self, text: str, limit: int | None = None) -> bool:
        price = self.price(text)
        if price > (self.left if limit is None else min(limit, self.left)):
            return False
        self.left -= price
        return True


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
    purse = _Purse(budget, count)
    segments, base = inherited(history, thread_id, seq)
    items: list[Item] = []
    resets: list[dict[str, Any]] = []
    if base is not None:
        items += _base_context(history, blobs, purse, base[1], budget, resets)
    items += _references(history, blobs, purse, segments[0], budget)
    chosen, floor = checkpoints.select(history, blobs, segments, resets)
    summaries = _summaries(purse, chosen, budget)
    messages = _recent(history, purse, segments, floor if summaries else None)
    strategy = (RECENT, SUMMARY)[min(len(summaries), 1)] if len(summaries) < 2 else HIERARCHY
    anchor = last_message(history, thread_id, seq)
    source: dict[str, Any] = {"thread_id": thread_id, "from_seq": seq}
    if anchor is not None:
        source["from_message_id"] = anchor.id
    bundle = {
        "schema": CONTEXT_SCHEMA,
        "compiler": {"id": COMPILER, "strategy": strategy},
        "source": source,
        "provenance": provenance,
        "items": [*items, *summaries, *messages],
    }
    decision: dict[str, Any] = {
        "compiler_id": COMPILER,
        "compiler_strategy": strategy,
        "limits": {"budget_tokens": budget, "max_summaries": checkpoints.MAX_SUMMARIES},
        "resets": resets,
        "reason": {
            "cause": "compaction_checkpoint" if summaries else "no_compaction_checkpoint",
            "base": "handoff" if base else "history",
            "segments": len(segments),
            "messages": len(messages),
        },
    }
    if summaries:
        decision["compaction_checkpoints"] = [point.reference() for point in chosen[: len(summaries)]]
        decision["compaction_checkpoint"] = chosen[0].reference()
    return Compiled(bundle, budget - purse.left, decision)


def _base_context(
    history: History, blobs: Blobs, purse: _Purse, link: Link, budget: int, resets: list[dict[str, Any]]
) -> list[Item]:
    """The handoff's bundle: its summary, then its references as far as their share goes."""
    if link.bundle_id is None:
        summary = link.summary or ""
        return [_with_text({"type": "handoff_bundle_ref"}, summary, purse)]
    item: Item = {"type": "handoff_bundle_ref", "artifact_id": link.bundle_id}
    try:
        bundle = read_handoff_bundle(blobs.get(link.bundle_id))
    except SegueError as fault:
        resets.append(
            {"input": "handoff_bundle", "action": "ignored", "reason": fault.message, "ref": link.bundle_id}
        )
        return [item]
    items = [_with_text(item, bundle["summary_markdown"], purse)]
    refs, share = bundle["refs"], _Share(purse, budget // REFS_SHARE)
    for ref in refs["artifacts"]:
        items.append(_artifact(blobs, share, ref))
    for ref in refs["files"]:
        items.append(_file(blobs, share, ref))
    for ref in refs["threads"]:
        if ref.get("note") != SOURCE_CUT:
            items += _thread(history, share, ref["thread_id"], ref["seq"])
    return items


def _references(history: History, blobs: Blobs, purse: _Purse, segment: Segment, budget: int) -> list[Item]:
    """What the thread itself refers to, newest reference first, within the share of references."""
    share, items = _Share(purse, budget // REFS_SHARE), list[Item]()
    for frame in history.read(
        segment.thread_id, 0, segment.last, types=(REFERENCED,), reverse=True, limit=16
    ):
        if share.left <= 0:
            break
        data = frame.data
        items += _thread(history, share, data["to_thread_id"], data["to_seq"])
    return items


class _Share:
    """A part of the purse, set aside for one purpose."""

    def __init__(self, purse: _Purse, limit: int) -> None:
        self._purse = purse
        self.left = limit

    def buy(self, text: str) -> bool:
        before = self._purse.left
        bought = self._purse.buy(text, self.left)
        self.left -= before - self._purse.left
        return bought


def _with_text(item: Item, text: str, purse: _Purse | _Share) -> Item:
    """The item with its text when that fits; the bare reference when not."""
    return {**item, "content": text} if purse.buy(text) else item


def _artifact(blobs: Blobs, share: _Share, ref: dict[str, Any]) -> Item:
    item = {"type": "artifact_ref", **_noted(ref, "artifact_id")}
    text = _text_of(blobs, ref["artifact_id"])
    return item if text is None else _with_text(item, text, share)


def _file(blobs: Blobs, share: _Share, ref: dict[str, Any]) -> Item:
    """A file by the snapshot taken when the bundle was made: the disk may have moved on, the log has not."""
    item = {"type": "file_ref", **_noted(ref, "path")}
    text = _text_of(blobs, ref["snapshot_artifact_id"]) if ref.get("snapshot_artifact_id") else None
    return item if text is None else _with_text(item, text, share)


def _noted(ref: dict[str, Any], name: str) -> Item:
    return {key: ref[key] for key in (name, "note") if ref.get(key) is not None}


def _text_of(blobs: Blobs, artifact_id: str) -> str | None:
    """An artifact as text; None when it is missing, damaged or not text."""
    try:
        return blobs.get(artifact_id).decode()
    except (SegueError, UnicodeDecodeError):
        return None


def _thread(history: History, share: _Share, thread_id: str, seq: int) -> list[Item]:
    """The last messages of another thread up to a cut, oldest first."""
    taken: list[Item] = []
    for frame in history.read(
        thread_id, 0, seq, types=(MESSAGE,), reverse=True, limit=MESSAGES_PER_REFERENCE
    ):
        data = frame.data
        if not share.buy(data["content"]):
            break
        taken.append(_message(data))
    return taken[::-1]


def _summaries(purse: _Purse, chosen: list[checkpoints.Checkpoint], budget: int) -> list[Item]:
    """Summaries of what lies before the messages, oldest first; the newest is bought first."""
    share, taken = _Share(purse, budget * 2 // REFS_SHARE), list[Item]()
    for point in chosen:
        if not share.buy(point.text):
            break
        taken.append(
            {
                "type": "summary_ref",
                "artifact_id": point.artifact_id,
                "note": point.note,
                "content": point.text,
            }
        )
    return taken[::-1]


def _recent(
    history: History, purse: _Purse, segments: Iterable[Segment], floor: tuple[str, int] | None
) -> list[Item]:
    """Messages, oldest first, as many of the newest as fit. There are no holes: the first that does not
    fit ends it, except the very newest, which is then cut to what is left."""
    taken: list[Item] = []
    for segment in segments:
        stops_here = floor is not None and floor[0] == segment.thread_id
        first = floor[1] + 1 if floor is not None and stops_here else 0
        for frame in history.read(segment.thread_id, first, segment.last, types=(MESSAGE,), reverse=True):
            data = frame.data
            if not purse.buy(data["content"]):
                if not taken and (shortened := _shortened(data, purse)):
                    taken.append(shortened)
                return taken[::-1]
            taken.append(_message(data))
        if stops_here:
            break
    return taken[::-1]


def _message(data: dict[str, Any]) -> Item:
    return {
        "type": "message",
        "role": data["role"],
        "content": data["content"],
        "thread_id": data["stream_id"],
        "thread_seq": data["seq"],
        "thread_event_id": data["id"],
    }


def _shortened(data: dict[str, Any], purse: _Purse) -> Item | None:
    """The end of a message that is too long, as much as fits: halving until it does."""
    text, keep = data["content"], purse.left * 4
    while keep >= 64:
        part = f"[… {len(text) - keep} characters left out …]\n{text[-keep:]}"
        if purse.buy(part):
            return {**_message(data), "content": part, "truncated": True}
        keep //= 2
    return None


def canonical_bundle(bundle: Bundle) -> bytes:
    return wire.canonical(bundle)
