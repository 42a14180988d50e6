"""A process that appends to and reads from a log at random and writes down what happened.

Run as a script: `history_worker.py SPEC NAME SEED OPERATIONS STREAM…`.
"""

from __future__ import annotations

import random
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from history import APPENDED, READ, REFUSED, UNKNOWN, Operation

from segue.errors import Conflict, Unavailable
from segue.model.frame import Draft
from segue.stores.contract import Log
from segue.stores.registry import open_log

PATIENCE = 200


def say(operation: Operation) -> None:
    sys.stdout.write(operation.line() + "\n")
    sys.stdout.flush()


def read(log: Log, name: str, stream: str) -> None:
    started = time.monotonic()
    try:
        tokens = tuple(frame.data["token"] for frame in log.read(stream))
    except Unavailable:
        return
    say(Operation(name, stream, READ, tokens, started, time.monotonic()))


def append(log: Log, name: str, stream: str, tokens: tuple[str, ...], expecting: bool, keyed: bool) -> None:
    try:
        head = log.head(stream) if expecting else None
    except Unavailable:
        return
    expect = (head.seq if head else -1) if expecting else None
    begun = Operation(name, stream, UNKNOWN, tokens, time.monotonic(), expected=expect)
    say(begun)
    drafts = [Draft("note", {"token": token}) for token in tokens]
    for _ in range(PATIENCE if keyed else 1):
        try:
            frames = log.append(stream, drafts, expect=expect, key=tokens[0] if keyed else None)
        except Conflict:
            say(begun._replace(outcome=REFUSED, ended=time.monotonic()))
            return
        except Unavailable:
            continue
        say(begun._replace(outcome=APPENDED, ended=time.monotonic(), first=frames[0].seq))
        return
    say(begun._replace(ended=time.monotonic()))


def main(spec: str, name: str, seed: str, operations: str, *streams: str) -> None:
    chance = random.Random(int(seed))
    log = open_log(spec, "")
    for n in range(int(operations)):
        stream = chance.choice(streams)
        if chance.random() < 0.2:
            read(log, name, stream)
        else:
            tokens = tuple(f"{name}.{n}.{i}" for i in range(chance.choice((1, 1, 3))))
            append(log, name, stream, tokens, chance.random() < 0.6, chance.random() < 0.5)
    log.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
