"""A context window for people who write agents: what to keep, what to let go, when to act.

Feed it messages and, if the provider tells, their tokens. Pruning takes whole turns from the oldest
on, never a pinned entry and never the recent floor. What is pruned or compacted away is returned, and stays
in the transcript.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal

from segue.boundary import policy
from segue.boundary.policy import Thresholds
from segue.errors import BadInput
from segue.model.value import NamedTuple

Policy = Literal["sliding_window", "auto_compact"]


class Message(NamedTuple):
    """One message. `pinned` ones, and those of role `system`, are never pruned."""

    id: str
    role: str
    text: str
    tokens: int | None = None
    pinned: bool = False


class Limits(NamedTuple):
    """The sliding window: prune at the ceiling, down to the floor, but keep the newest messages."""

    ceiling_percent: int = 92
    floor_percent: int = 70
    min_recent_messages: int = 24


class Plan(NamedTuple):
    """What to do now. `moment` is None, `auto_compact_warning`, `context_window_pruned`, or
    `auto_compact_required`: compaction is due, since nothing more may be pruned."""

    keep: tuple[Message, ...]
    pruned: tuple[Message, ...]
    tokens_before: int
    tokens_after: int
    percent: int
    moment: str | None


class Window:
    """One conversation's window. `count` estimates tokens where a message does not say."""

    def __init__(
        self,
        context_window_tokens: int,
        how: Policy = "auto_compact",
        limits: Limits = Limits(),  # noqa: B008
        thresholds: Thresholds = Thresholds(),  # noqa: B008
        count: Callable[[str], int] = lambda text: -(-len(text) // 4),
    ) -> None:
        if how not in ("sliding_window", "auto_compact"):
            raise BadInput(f"There is no window policy {how!r}.", "It is sliding_window or auto_compact.")
        if context_window_tokens <= 0:
            raise BadInput("A context window has at least one token.", "Give the size of the model's window.")
        if not 0 < limits.floor_percent < limits.ceiling_percent <= 100:
            raise BadInput(
                "The floor must lie below the ceiling, both between 1 and 100 percent.",
                "Set boundary.floor_percent and boundary.ceiling_percent.",
            )
        self.window = context_window_tokens
        self.how = how
        self.limits = limits
        self.thresholds = thresholds
        self._count = count
        self._messages: list[Message] = []
        self._transcript: list[Message] = []
        self._fired = 0

    @property
    def transcript(self) -> tuple[Message, ...]:
        """Every message that was fed, in order, whatever became of it in the window."""
        return tuple(self._transcript)

    def feed(self, messages: Iterable[Message], used_tokens: int | None = None) -> Plan:
        """Adds messages and says what to do. `used_tokens` is what the provider counted, if it did."""
        if used_tokens is not None and (not isinstance(used_tokens, int) or used_tokens < 0):
            raise BadInput(
                f"{used_tokens!r} tokens cannot have been used.", "Give a whole number from 0 on, or nothing."
            )
        new = list(messages)
        self._messages += new
        self._transcript += new
        before = used_tokens if used_tokens is not None else sum(map(self._tokens, self._messages))
        return self._slide(before) if self.how == "sliding_window" else self._watch(before)

    def _tokens(self, message: Message) -> int:
        return message.tokens if message.tokens is not None else self._count(message.text) + 4

    def _watch(self, before: int) -> Plan:
        verdict = policy.judge(before, self.window, self._fired, self.thresholds)
        self._fired = verdict.fired
        moment = {policy.WARN: "auto_compact_warning", policy.REQUIRE: "auto_compact_required"}.get(
            verdict.action
        )
        return Plan(tuple(self._messages), (), before, before, verdict.percent, moment)

    def _slide(self, before: int) -> Plan:
        percent = before * 100 // self.window
        if percent < self.limits.ceiling_percent:
            return Plan(tuple(self._messages), (), before, before, percent, None)
        floor = self.window * self.limits.floor_percent // 100
        pruned, left = list[Message](), before
        for turn in self._prunable():
            if left <= floor:
                break
            pruned += turn
            left -= sum(map(self._tokens, turn))
        gone = {id(message) for message in pruned}
        self._messages = [message for message in self._messages if id(message) not in gone]
        moment = "context_window_pruned" if pruned else "auto_compact_required"
        return Plan(tuple(self._messages), tuple(pruned), before, left, percent, moment)

    def compacted(self, keep: Iterable[Message]) -> tuple[Message, ...]:
        """The conversation was compacted outside: these messages, such as a summary and the newest ones, are what is
        left of it. Returns what went. Arms the warnings."""
        left = list(keep)
        kept = set(left)
        gone = tuple(message for message in self._messages if message not in kept)
        self._messages = left
        self._fired = 0
        return gone

    def _prunable(self) -> list[list[Message]]:
        """Whole turns outside the recent floor, oldest first, without what is pinned. A turn is a user's
        message and what follows it; a tool result never stays without the call before it."""
        turns: list[list[Message]] = []
        for message in self._messages:
            if message.role == "user" or not turns:
                turns.append([])
            turns[-1].append(message)
        kept, recent = 0, len(turns)
        while recent > 0 and kept < self.limits.min_recent_messages:
            recent -= 1
            kept += len(turns[recent])
        return [_unpinned(turn) for turn in turns[:recent]]


def _unpinned(turn: list[Message]) -> list[Message]:
    """What of a turn may go: neither what is pinned nor the call that a pinned result answers."""
    free = []
    for place, message in enumerate(turn):
        answered = next((m for m in turn[place + 1 :] if m.role != "tool"), None)
        results = turn[place + 1 : turn.index(answered, place + 1) if answered else None]
        called = message.role == "assistant" and any(m.pinned for m in results)
        if not (message.pinned or message.role == "system" or called):
            free.append(message)
    return free
