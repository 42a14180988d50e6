"""Reading very large Claude Code sessions beside decoding them, in one run.

There are two yardsticks, and both decode each line by itself with `msgspec` and do nothing with it. One
decodes to an envelope with all the fields that the reader uses, the message with its blocks among them; it
has the target. The other leaves the message undecoded; it has none, since no session can be read from that.
Reading finds the active branch, decodes, pairs calls with results, tells people from programs, makes
entries and folds them into the counts of the session. In the second file a person goes back after every
third turn, by up to eight. CPU time counts.
Run `python benchmarks/readers.py [--megabytes N]`.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
from measure import Line, bounded, compared, options, rates, report

from segue.agents.claude_code.wire import Whole
from segue.agents.registry import reader

ROUNDS = 9
SLOWEST = 1.6
"""How many times the yardstick's CPU time reading may take."""
REWOUND = 1 / 3
"""How often a turn begins by going back."""
REWIND = 8
"""How many turns it goes back at most."""
CYCLE = 400
"""Turns of which the session is made; further turns repeat them under other ids."""
WORDS = (
    "basket",
    "total",
    "rounds",
    "half",
    "up",
    "when",
    "a",
    "price",
    "has",
    "three",
    "digits",
    "and",
    "tests",
    "agree",
)
READ_AND_WEIGH = """
import sys
sys.path.insert(0, sys.argv[2])
import readers
readers.fold(sys.argv[1])
print(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM:")))
"""


class Bare(msgspec.Struct):
    """An envelope that leaves the message for later."""

    type: str = ""
    uuid: str | None = None
    parentUuid: str | None = None
    timestamp: str | None = None
    sessionId: str | None = None
    cwd: str | None = None
    message: msgspec.Raw = msgspec.Raw()


class Session:
    """Writes lines as Claude Code does, with made-up words."""

    def __init__(self, rewinds: bool) -> None:
        self._chance = random.Random(7)
        self._count = 0
        self._rewinds = rewinds
        self._ends: list[str] = []
        self.last: str | None = None

    def turn(self) -> Iterator[dict[str, Any]]:
        """A prompt, some dozen calls with their results, and the lines a program writes in between."""
        if self._rewinds and len(self._ends) > REWIND and self._chance.random() < REWOUND:
            self.last = self._ends[-self._chance.randint(2, REWIND)]
        yield {"type": "last-prompt", "lastPrompt": self._words(8), "leafUuid": self.last, "sessionId": "s"}
        yield self._line(
            "user", {"message": {"role": "user", "content": self._words(30)}}, promptSource="typed"
        )
        yield {"type": "permission-mode", "permissionMode": "acceptEdits", "sessionId": "s"}
        yield {
            "type": "file-history-snapshot",
            "messageId": self.last,
            "snapshot": {"trackedFileBackups": {}},
        }
        for _ in range(self._chance.randint(6, 20)):
            yield from self._call()
        yield self._reply(f"msg_{self._count}", {"type": "text", "text": self._words(120)})
        yield self._line("system", {"subtype": "turn_duration", "durationMs": 9, "isMeta": False})
        yield {"type": "ai-title", "aiTitle": "Round the basket total", "sessionId": "s"}
        self._ends.append(self.last or "")

    def _call(self) -> Iterator[dict[str, Any]]:
        reply, call = f"msg_{self._count}", f"toolu_{self._count}"
        path = f"/home/dev/shop/{self._chance.choice(WORDS)}.py"
        if self._chance.random() < 0.5:
            yield self._reply(reply, {"type": "thinking", "thinking": "", "signature": "c2ln" * 250})
        if self._chance.random() < 0.3:
            yield self._reply(reply, {"type": "text", "text": self._words(40)})
        tool, given, shown, kept = self._chance.choice((self._bash, self._bash, self._edit, self._read))(path)
        yield self._reply(reply, {"type": "tool_use", "id": call, "name": tool, "input": given})
        result = {"tool_use_id": call, "type": "tool_result", "content": shown}
        yield self._line("user", {"message": {"role": "user", "content": [result]}}, toolUseResult=kept)

    def _bash(self, path: str) -> tuple[str, dict[str, Any], str, dict[str, Any]]:
        shown = self._words(self._chance.choice((20, 60, 200, 900)))
        kept = {"stdout": shown, "stderr": "", "interrupted": False, "isImage": False}
        return "Bash", {"command": f"pytest -q {path}", "description": self._words(5)}, shown, kept

    def _edit(self, path: str) -> tuple[str, dict[str, Any], str, dict[str, Any]]:
        given = {
            "file_path": path,
            "old_string": self._words(40),
            "new_string": self._words(60),
            "replace_all": False,
        }
        kept = {
            "filePath": path,
            "oldString": given["old_string"],
            "newString": given["new_string"],
            "originalFile": self._words(1500),
            "structuredPatch": [{"oldStart": 1, "oldLines": 8, "lines": self._words(100).split("\n")}],
            "userModified": False,
            "replaceAll": False,
        }
        return "Edit", given, f"The file {path} has been updated.", kept

    def _read(self, path: str) -> tuple[str, dict[str, Any], str, dict[str, Any]]:
        shown = self._words(self._chance.choice((100, 300, 900)))
        return (
            "Read",
            {"file_path": path},
            shown,
            {"type": "text", "file": {"filePath": path, "content": shown}},
        )

    def _reply(self, id: str, block: dict[str, Any]) -> dict[str, Any]:
        usage = {
            "input_tokens": 3,
            "cache_creation_input_tokens": 900,
            "cache_read_input_tokens": 90_000,
            "cache_creation": {"ephemeral_5m_input_tokens": 900, "ephemeral_1h_input_tokens": 0},
            "output_tokens": self._chance.randint(1, 900),
            "service_tier": "standard",
        }
        message = {"model": "a-model", "id": id, "type": "message", "role": "assistant", "content": [block]}
        return self._line(
            "assistant", {"message": {**message, "stop_reason": None, "usage": usage}, "requestId": "r"}
        )

    def _line(self, type: str, body: dict[str, Any], **more: Any) -> dict[str, Any]:
        self._count += 1
        uuid = f"{self._count:08x}-0000-4000-8000-000000000000"
        head: dict[str, Any] = {"parentUuid": self.last, "isSidechain": False}
        middle = {**body, "type": type} if type == "assistant" else {"type": type, **body}
        tail = {
            "uuid": uuid,
            "timestamp": f"2026-01-02T03:{self._count // 60 % 60:02}:{self._count % 60:02}.123Z",
        }
        place = {
            "userType": "external",
            "cwd": "/home/dev/shop",
            "sessionId": "s",
            "version": "2.1.143",
            "gitBranch": "main",
        }
        self.last = uuid
        return {**head, **middle, **tail, **more, **place}

    def _words(self, count: int) -> str:
        words = self._chance.choices(WORDS, k=count)
        return "\n".join(" ".join(words[start : start + 12]) for start in range(0, count, 12))


def write(path: str, size: int, rewinds: bool = False, turns: int = CYCLE) -> None:
    """A session of about `size` bytes: some hundred turns, again and again under new ids."""
    session = Session(rewinds)
    lines = [json.dumps(line, separators=(",", ":")) for _ in range(turns) for line in session.turn()]
    cycle = "\n".join(lines) + "\n"
    parent = "null"
    with open(path, "w", encoding="utf-8") as file:
        written = number = 0
        while written < size:
            again = cycle.replace("-0000-4000-", f"-{number:04x}-4000-").replace("msg_", f"msg_{number}_")
            again = again.replace("toolu_", f"toolu_{number}_").replace(
                '"parentUuid":null', f'"parentUuid":{parent}', 1
            )
            written += file.write(again)
            parent = f'"{session.last}"'.replace("-0000-4000-", f"-{number:04x}-4000-")
            number += 1


def fold(path: str) -> dict[str, int]:
    """The counts of a session, from its entries."""
    counts = dict.fromkeys(("user", "agent", "tool_call", "errors", "compaction", "unreadable", "output"), 0)
    for entry in reader("claude-code").read(path):
        kind = entry.kind
        if kind in counts:
            counts[kind] += 1
        elif kind == "tool_result" and entry.is_error:
            counts["errors"] += 1
        if entry.usage is not None:
            counts["output"] += entry.usage.output
    return counts


def decoding(path: str, envelope: type[msgspec.Struct]) -> Callable[[], int]:
    decode = msgspec.json.Decoder(envelope).decode

    def run() -> int:
        with open(path, "rb") as file:
            for line in file:
                decode(line)
        return os.path.getsize(path)

    return run


def reading(path: str) -> Callable[[], int]:
    def run() -> int:
        fold(path)
        return os.path.getsize(path)

    return run


def main() -> int:
    given = options(__doc__, megabytes=(200, 1))
    size, rounds = given.megabytes * 1_000_000, given.times(ROUNDS)
    lines: list[Line] = []
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "session.jsonl")
        for name, rewinds in (("a session", False), ("a session full of rewinds", True)):
            write(path, size, rewinds, 20 if given.smallest else CYCLE)
            contenders = {"ours": reading(path), "raw": decoding(path, Whole), "bare": decoding(path, Bare)}
            measured = rates(contenders, rounds, clock=time.process_time)
            found = {contender: rate / 1e6 for contender, rate in measured.items()}
            lines += [
                compared(f"{name}, beside all fields decoded", found, "MB/s CPU", 1 / SLOWEST),
                Line(f"{name}, beside the message undecoded", found["ours"], "MB/s CPU", found["bare"]),
            ]
        weigh = [sys.executable, "-c", READ_AND_WEIGH, path, os.path.dirname(os.path.abspath(__file__))]
        peak = int(subprocess.run(weigh, capture_output=True, text=True, check=True).stdout) / 1024
    lines.append(bounded("peak memory of reading", peak, "MB", 200))
    return (
        0
        if report("readers", lines, judged=not given.smallest, megabytes=given.megabytes, rounds=rounds)
        else 1
    )


if __name__ == "__main__":
    sys.exit(main())
