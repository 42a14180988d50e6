"""Redaction of generated session text beside the automaton alone and beside plain `re.sub`.

The automaton is the floor: what the search for anchors costs if nothing were ever decided. The plain way
tries every pattern at every place. Processor time, because nothing here waits.
Run `python benchmarks/redaction.py [--megabytes N]`.
"""

from __future__ import annotations

import json
import random
import re
import sys
import time
from collections.abc import Callable

from measure import Line, options, rates, report

from segue.redaction import scan
from segue.redaction.redact import Redactor
from segue.redaction.rules import RULES, RULES_VERSION

TARGET = 80.0
MESSAGE = 4_000
PLAIN_BYTES = 40_000
ROUNDS = 7
LEARNT = 50
SECRET_EVERY = 12
"""One message in so many holds a secret, which is more than sessions have."""

_WORDS = """the a retry test fails when server closes connection early before client reads response so we keep one
bucket per host and reset it on every redirect flow is unchanged rotation runs nightly fix cache invalidation migration
adds column index schema request handler returns error timeout after three attempts then falls back to older path
because nobody wrote down why this was needed first let me look at where it comes from now all of them agree again
token password"""
_NAMES = "user request cache session handler result config client index buffer value parse encode path state"
WORDS, NAMES = _WORDS.split(), _NAMES.split()


class Writer:
    """Text as sessions hold it, the same for the same seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def digits(self, alphabet: str, length: int) -> str:
        return "".join(self.random.choices(alphabet, k=length))

    def name(self) -> str:
        return "_".join(self.random.choices(NAMES, k=2))

    def prose(self) -> str:
        return " ".join(self.random.choices(WORDS, k=24)).capitalize() + ".\n"

    def code(self) -> str:
        one, two = self.name(), self.name()
        return (
            f"    def {one}(self, {two}: str, limit: int | None = None) -> dict[str, int]:\n"
            f"        if {two} not in self._{one}:\n            raise KeyError({two})\n"
            f"        return {{key: len(value) for key, value in self.{one}.items()}}\n"
        )

    def log(self) -> str:
        commit = self.digits("0123456789abcdef", 40)
        return (
            f"2026-01-15T09:41:{self.random.randint(10, 59)}.123Z INFO  [{self.name()}] GET https://api.test/v1/"
            f"{self.name()}?page={self.random.randint(1, 99)} 200 in 12ms\ncommit {commit}\n"
            f"tests/{self.name()}/test_{self.name()}.py::test_{self.name()} PASSED  [ 12%]\n"
        )

    def record(self) -> str:
        identity = self.digits("0123456789abcdef", 32)
        return json.dumps({"id": identity, "size": 1234, "path": f"src/{self.name()}.py", "ok": True}) + "\n"

    def secret(self) -> str:
        value = self.digits("abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789", 40)
        return self.random.choice((f"API_TOKEN={value}\n", f"Authorization: Bearer {value}\n"))

    def message(self) -> str:
        kinds: tuple[Callable[[], str], ...] = (self.prose, self.code, self.log, self.record)
        parts = [self.secret()] if self.random.randrange(SECRET_EVERY) == 0 else []
        while sum(map(len, parts)) < MESSAGE:
            parts.append(self.random.choice(kinds)())
        return "".join(parts)


def plainly(data: bytes, patterns: list[re.Pattern[bytes]]) -> bytes:
    for pattern in patterns:
        data = pattern.sub(b"[redacted]", data)
    return data


def main() -> int:
    given = options(__doc__, megabytes=(8, 1))
    writer = Writer(1)
    texts = [writer.message() for _ in range(given.megabytes * 1_000_000 // MESSAGE)]
    data = [text.encode() for text in texts]
    size = sum(map(len, data))
    lines_of_text = [line for text in texts[: len(texts) // 8] for line in text.splitlines(keepends=True)]
    short = sum(map(len, lines_of_text))
    plain_data = data[: max(1, PLAIN_BYTES // MESSAGE)]
    patterns = [re.compile(rule.pattern.encode()) for rule in RULES]
    redactor = Redactor()
    learnt = Redactor(writer.digits("abcdefghijklmnop0123456789", 24) for _ in range(LEARNT))

    found = rates(
        {
            "automaton": lambda: sum(len(item) for item in data if scan.hits(item) is not None),
            "ours": lambda: sum(len(text) for text in texts if redactor.redact(text)),
            "learnt": lambda: sum(len(text) for text in texts if learnt.redact(text)),
            "lines": lambda: short if [redactor.redact(line) for line in lines_of_text] else 0,
            "plain": lambda: sum(len(item) for item in plain_data if plainly(item, patterns)),
        },
        given.times(ROUNDS),
        clock=time.process_time,
    )
    speed = {name: rate / 1e6 for name, rate in found.items()}
    ours, floor = speed["ours"], speed["automaton"]
    lines = [
        Line("session text", ours, "MB/s", floor, f">= {TARGET:g} MB/s", ours >= TARGET),
        Line(f"with {LEARNT} known values", speed["learnt"], "MB/s", floor),
        Line("line by line", speed["lines"], "MB/s", floor),
        Line("plain re.sub, every rule", speed["plain"] * 1000, "kB/s", floor * 1000),
    ]
    counter = Redactor()
    for text in texts:
        counter.redact(text)
    facts = {
        "megabytes": size // 1_000_000,
        "anchors_per_megabyte": sum(len(scan.hits(item)) for item in data) * 1_000_000 // size,
        "removed": counter.receipt().total,
        "rules": len(RULES),
        "version": RULES_VERSION,
    }
    return 0 if report("redaction", lines, judged=not given.smallest, **facts) else 1


if __name__ == "__main__":
    sys.exit(main())
