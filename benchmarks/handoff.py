"""The whole command, process start included, beside a bare start of the same Python in one run.

Run `python benchmarks/handoff.py [--session FILE] [--rounds N]`. A Claude Code session (one of the corpus beside the
repository, else one made up here) is repeated with fresh ids to 16 and to 200 MB and handed off. Targets hold where a
bare start takes 15 ms, so they are multiples of it.
"""

from __future__ import annotations

import glob
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from typing import NamedTuple

from measure import Line, bounded, options, report

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CORPUS = os.path.join(os.path.dirname(ROOT), "shared", "corpus", "claude-code", "*.jsonl")
START_MS = 15
SHORT = 5
"""How often in a round what is short is measured, both sides of the comparison alike."""
SMALL, LARGE = "small", "large"
TARGETS_MS = {SMALL: 500, LARGE: 3000}
"""For sessions of 16 and 200 MB."""
ID = re.compile(
    rb'("(?:uuid|parentUuid|logicalParentUuid|leafUuid|id|tool_use_id|messageId)":\s*"[\w-]{8,}?)[\w-]{4}"'
)
UUID = re.compile(rb'"uuid":\s*"([^"]+)"')


class Ran(NamedTuple):
    seconds: float
    cpu: float
    peak_mb: float


def ran(command: list[str], cache: str) -> Ran:
    start = time.perf_counter()
    process = subprocess.Popen(
        command, env={**os.environ, "XDG_CACHE_HOME": cache}, cwd=cache, stderr=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    if status:
        sys.exit(f"{' '.join(command)} failed.")
    return Ran(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def bare(cache: str) -> Ran:
    return ran([sys.executable, "-c", "pass"], cache)


def handed_off(session: str, cache: str) -> Ran:
    out = os.path.join(cache, "packet.md")
    return ran([sys.executable, "-m", "segue", "handoff", "go on", "--from", session, "--out", out], cache)


def repeated(lines: list[bytes], path: str, size: int) -> None:
    """Writes a session again and again, each copy hanging on the last entry of the one before."""
    last = b""
    with open(path, "wb") as file:
        for copy in range(size):
            for number, line in enumerate(lines):
                line = ID.sub(rb'\g<1>%04x"' % copy, line)
                if last and number < 40 and b'"parentUuid":null' in line:
                    line, last = line.replace(b'"parentUuid":null', b'"parentUuid":"%s"' % last, 1), b""
                file.write(line)
                if file.tell() >= size:
                    return
            last = UUID.findall(ID.sub(rb'\g<1>%04x"' % copy, b"".join(lines[-20:])))[-1]


def made_up() -> list[bytes]:
    """A session of 400 turns: a prompt, a command that fails or not, an edit, a report."""
    lines: list[bytes] = []

    def add(role: str, content: object) -> None:
        number = len(lines)
        message = {"role": role, "content": content}
        if role == "assistant":
            message |= {"id": f"msg-{number:08d}-0000", "model": "model"}
        row = {
            "parentUuid": f"uuid-{number - 1:08d}-0000" if number else None,
            "isSidechain": False,
            "cwd": "/home/me/app",
            "sessionId": "5e551011-0000-4000-8000-000000000000",
            "type": role,
            "message": message,
            "uuid": f"uuid-{number:08d}-0000",
            "timestamp": f"2026-01-01T{number // 3600 % 24:02d}:{number // 60 % 60:02d}:{number % 60:02d}.000Z",
        }
        lines.append(json.dumps(row, separators=(",", ":")).encode() + b"\n")

    def use(name: str, given: dict[str, str], result: str, failed: bool = False) -> None:
        id = f"call-{len(lines):08d}-0000"
        add("assistant", [{"type": "tool_use", "id": id, "name": name, "input": given}])
        add("user", [{"type": "tool_result", "tool_use_id": id, "content": result, "is_error": failed}])

    for turn in range(400):
        path = f"/home/me/app/src/part_{turn % 40}.py"
        add("user", f"Please mend part {turn} of src/part_{turn % 40}.py; never change its interface.")
        use("Read", {"file_path": path}, f"def part_{turn}(value):\n    return value\n" * 60)
        use("Edit", {"file_path": path, "old_string": "return value", "new_string": f"return {turn}"}, "ok")
        failing = turn % 5 == 0
        printed = (
            f"FAILED tests/test_part.py::test_{turn} - AssertionError\n" * 8 if failing else "1 passed\n"
        )
        use("Bash", {"command": f"pytest tests/test_part_{turn % 40}.py"}, printed, failing)
        add(
            "assistant",
            [{"type": "text", "text": f"I decided to return {turn} because part {turn} is constant."}],
        )
    return lines


def source(given: str) -> list[bytes]:
    """The lines of the session to repeat: the one given, the largest of the corpus, or one made up."""
    path = given or max(glob.glob(CORPUS), key=os.path.getsize, default="")
    if not path:
        return made_up()
    with open(path, "rb") as file:
        return [line for line in file if line.strip()]


def main() -> int:
    given = options(__doc__, session=("", ""), rounds=(5, 1), small=(16.0, 0.1), large=(200.0, 0.2))
    lines = made_up() if given.smallest else source(given.session)
    found: dict[str, list[Ran]] = {name: [] for name in ("bare", *TARGETS_MS)}
    with tempfile.TemporaryDirectory() as folder:
        small, large = (os.path.join(folder, f"{name}.jsonl") for name in (SMALL, LARGE))
        repeated(lines, small, int(given.small * 1_000_000))
        repeated(lines, large, int(given.large * 1_000_000))
        for number in range(given.rounds):
            cache = os.path.join(folder, f"cache-{number}")
            os.mkdir(cache)
            for _ in range(given.times(SHORT)):
                found["bare"].append(bare(cache))
                found[SMALL].append(handed_off(small, cache))
            found[LARGE].append(handed_off(large, cache))
    best = {name: min(run.seconds for run in runs) * 1000 for name, runs in found.items()}
    cpu = {name: min(run.cpu for run in runs) * 1000 for name, runs in found.items()}
    start = best.pop("bare")
    report_lines = [Line("a bare start of Python", start, "ms")]
    for name, took in best.items():
        most = TARGETS_MS[name] / START_MS
        report_lines += [
            Line(f"{name}, whole command", took, "ms", start, f"<= {most:.0f} x", took <= most * start),
            Line(f"{name}, processor time", cpu[name], "ms", cpu["bare"]),
        ]
    report_lines.append(bounded("large, peak memory", max(run.peak_mb for run in found[LARGE]), "MB", 120))
    facts = {"rounds": given.rounds, "small_mb": given.small, "large_mb": given.large}
    return 0 if report("handoff", report_lines, judged=not given.smallest, **facts) else 1


if __name__ == "__main__":
    sys.exit(main())
