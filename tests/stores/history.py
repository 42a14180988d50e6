"""A history of what several processes did to a log, and what no history of a sound log contains.

Each process records its operations as lines: one when it begins an append, one when it knows the outcome. Clocks are
monotonic and shared by all processes of a machine. `violations` needs linear time and knows nothing of stores or
servers, so whatever can append and read can be judged by it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

APPENDED, REFUSED, UNKNOWN, READ = "appended", "refused", "unknown", "read"


class Operation(NamedTuple):
    """`tokens` are what an append sent or a read saw from the first frame on; each is sent only once. `first` is the
    sequence number an append was given; `ended` is missing for an operation whose process died."""

    process: str
    stream: str
    outcome: str
    tokens: tuple[str, ...]
    started: float
    ended: float | None = None
    first: int | None = None
    expected: int | None = None

    def line(self) -> str:
        return json.dumps(self)


def recorded(lines: Iterable[str]) -> list[Operation]:
    """The operations of one process. A begun append without an end has an unknown outcome."""
    begun: dict[tuple[str, ...], Operation] = {}
    ended: list[Operation] = []
    for line in lines:
        process, stream, outcome, tokens, *rest = json.loads(line)
        operation = Operation(process, stream, outcome, tuple(tokens), *rest)
        if operation.ended is None:
            begun[operation.tokens] = operation
        else:
            begun.pop(operation.tokens, None)
            ended.append(operation)
    return [*ended, *begun.values()]


def violations(history: Sequence[Operation], final: Mapping[str, Sequence[str]]) -> list[str]:
    """What is wrong, in sentences. `final` has the tokens of each stream in sequence order."""
    wrong: list[str] = []
    for stream, tokens in final.items():
        mine = [operation for operation in history if operation.stream == stream]
        appended = [operation for operation in mine if operation.outcome == APPENDED]
        wrong += _kept(stream, appended, tokens)
        wrong += _only_sent(stream, mine, tokens)
        wrong += _one_winner(stream, appended)
        wrong += _in_real_time(stream, appended)
        wrong += _read_whole(stream, mine, tokens)
    lost = {operation.stream for operation in history if operation.outcome == APPENDED} - set(final)
    return wrong + [f"{stream}: the whole stream is lost" for stream in sorted(lost)]


def _kept(stream: str, appended: Iterable[Operation], tokens: Sequence[str]) -> list[str]:
    """What was acknowledged is where it was said to be."""
    return [
        f"{stream}: {operation.tokens} was acknowledged at {operation.first} and is not there"
        for operation in appended
        if operation.first is None
        or tuple(tokens[operation.first : operation.first + len(operation.tokens)]) != operation.tokens
    ]


def _only_sent(stream: str, mine: Iterable[Operation], tokens: Sequence[str]) -> list[str]:
    """Nothing is there twice, nothing that was refused, nothing that nobody sent, no part of a commit."""
    counts = Counter(tokens)
    wrong = [f"{stream}: {token} is there {count} times" for token, count in counts.items() if count > 1]
    expected: set[str] = set()
    for operation in mine:
        if operation.outcome == REFUSED:
            wrong += [
                f"{stream}: {token} was refused and is there" for token in operation.tokens if counts[token]
            ]
        elif operation.outcome in (APPENDED, UNKNOWN):
            expected.update(operation.tokens)
            there = sum(counts[token] > 0 for token in operation.tokens)
            if 0 < there < len(operation.tokens):
                wrong.append(f"{stream}: only {there} of {operation.tokens} are there")
    return wrong + [
        f"{stream}: nobody sent {token}" for token in counts if token not in expected | _refused(mine)
    ]


def _refused(mine: Iterable[Operation]) -> set[str]:
    return {token for operation in mine if operation.outcome == REFUSED for token in operation.tokens}


def _one_winner(stream: str, appended: Iterable[Operation]) -> list[str]:
    """Of those who expected the same head one won, and it got the place right after it."""
    expecting = [operation for operation in appended if operation.expected is not None]
    winners = Counter(operation.expected for operation in expecting)
    wrong = [f"{stream}: {count} writers won head {head}" for head, count in winners.items() if count > 1]
    return wrong + [
        f"{stream}: who expected {operation.expected} was given {operation.first}"
        for operation in expecting
        if operation.expected is not None and operation.first != operation.expected + 1
    ]


def _in_real_time(stream: str, appended: Sequence[Operation]) -> list[str]:
    """What ended before something began stands before it."""
    wrong: list[str] = []
    by_end = sorted(appended, key=lambda operation: operation.ended or 0.0)
    highest, at = -1, 0
    for operation in sorted(appended, key=lambda operation: operation.started):
        while at < len(by_end) and (by_end[at].ended or 0.0) < operation.started:
            highest = max(highest, by_end[at].first or 0)
            at += 1
        if (operation.first or 0) < highest:
            wrong.append(f"{stream}: {operation.tokens} began after {highest} ended and stands before it")
    return wrong


def _read_whole(stream: str, mine: Sequence[Operation], tokens: Sequence[str]) -> list[str]:
    """A read sees the stream from its first frame on without gaps, and all that was acknowledged before it began,
    by an append or by another read."""
    wrong: list[str] = []
    known = sorted(
        (operation.ended or 0.0, (operation.first or 0) + len(operation.tokens))
        for operation in mine
        if operation.outcome in (APPENDED, READ)
    )
    least, at = 0, 0
    for operation in sorted(mine, key=lambda operation: operation.started):
        while at < len(known) and known[at][0] < operation.started:
            least = max(least, known[at][1])
            at += 1
        if operation.outcome != READ:
            continue
        if tuple(tokens[: len(operation.tokens)]) != operation.tokens:
            wrong.append(f"{stream}: a read saw {operation.tokens[-3:]} where something else stands")
        if len(operation.tokens) < least:
            wrong.append(f"{stream}: a read saw {len(operation.tokens)} frames after {least} were known")
    return wrong
