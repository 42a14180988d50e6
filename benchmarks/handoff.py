"""The whole command, process start included, beside the fastest peer and a bare start of the same Python, in one run.

Run `python benchmarks/handoff.py [--session FILE] [--rounds N]`. A Claude Code session (one of the corpus beside the
repository, else one made up here) is repeated with fresh ids to 4, 16 and 200 MB and handed off with 4,000 tokens, by
segue and by the peer, which is installed from PyPI into an environment of its own among the results. Each is one
process that waits for nothing, so processor time is compared, which others on the machine disturb less. Targets in
milliseconds hold where a bare start takes 15 ms, so they are multiples of it.
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

from measure import RESULTS, Line, bounded, options, report

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CORPUS = os.path.join(os.path.dirname(ROOT), "shared", "corpus", "claude-code", "*.jsonl")
START_MS = 15
PEER, PEER_VERSION = "claude-handoff", "0.20.0"
MOST_OF_PEER = 1.5
TARGETS_MS = {"small": 0, "middle": 500, "large": 3000}
"""For sessions of 4, 16 and 200 MB; for the first the peer alone is the measure."""
SHORT = 5
"""How often in a round what is short is measured, both sides of the comparison alike."""
MOST_MB = 120
ID = re.compile(
    rb'("(?:uuid|parentUuid|logicalParentUuid|leafUuid|id|tool_use_id|messageId)":\s*"[\w-]{8,}?)[\w-]{4}"'
)
UUID = re.compile(rb'"uuid":\s*"([^"]+)"')


class Ran(NamedTuple):
    seconds: float
    cpu: float
    peak_mb: float


class Best(NamedTuple):
    """The shortest time waited and the least processor time of several runs, in milliseconds."""

    waited: float
    cpu: float


def ran(command: list[str], place: str, given: bytes = b"") -> Ran:
    """Runs a command in a folder, which is its cache, too; what it prints is not looked at."""
    start = time.perf_counter()
    process = subprocess.Popen(
        command,
        env={**os.environ, "XDG_CACHE_HOME": place},
        cwd=place,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    assert process.stdin is not None
    with process.stdin as pipe:
        pipe.write(given)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    if status:
        sys.exit(f"{' '.join(command)} failed.")
    return Ran(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def bare(place: str) -> Ran:
    return ran([sys.executable, "-c", "pass"], place)


def ours(session: str) -> list[str]:
    script = os.path.join(os.path.dirname(sys.executable), "segue")
    command = [script, "handoff", "go on", "--from", session]
    return [*command, "--budget", "4000", "--dry-run"]


def peer(environment: dict[str, str]) -> str:
    """The peer's program, installed at its first use; nothing where no registry has it."""
    folder = os.path.join(RESULTS, f"{PEER}-{PEER_VERSION}")
    program = os.path.join(folder, "bin", PEER)
    pip = [os.path.join(folder, "bin", "python"), "-m", "pip", "--retries", "1", "--timeout", "15"]
    install = [*pip, "install", f"{PEER}=={PEER_VERSION}"]
    for command in ([sys.executable, "-m", "venv", folder], install):
        if not os.path.exists(program):
            subprocess.run(command, env=environment, capture_output=True, check=False)
    return program if os.path.exists(program) else ""


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


def source(given: str, smallest: bool) -> list[bytes]:
    """The lines of the session to repeat: the one given, the largest of the corpus, or one made up."""
    path = given or max(glob.glob(CORPUS), key=os.path.getsize, default="")
    if smallest or not path:
        return made_up()
    with open(path, "rb") as file:
        return [line for line in file if line.strip()]


def main() -> int:
    environment = dict(os.environ)
    sizes = {"small": (4.0, 0.1), "middle": (16.0, 0.15), "large": (200.0, 0.2)}
    given = options(__doc__, session=("", ""), rounds=(5, 1), **sizes)
    lines = source(given.session, given.smallest)
    program = "" if given.smallest else peer(environment)
    with tempfile.TemporaryDirectory() as folder:
        commands: dict[tuple[str, str], list[str]] = {}
        for name in sizes:
            session = os.path.join(folder, f"{name}.jsonl")
            repeated(lines, session, int(getattr(given, name) * 1_000_000))
            commands[name, "ours"] = ours(session)
            if program:
                commands[name, "peer"] = [program, "--fit", "4k", "-o", "-", session]
        starts: list[Ran] = []
        found: dict[tuple[str, str], list[Ran]] = {key: [] for key in commands}
        for number in range(given.rounds):
            place = os.path.join(folder, f"round-{number}")
            os.mkdir(place)
            for time_of_short in range(given.times(SHORT)):
                starts.append(bare(place))
                for (name, who), command in commands.items():
                    if name != "large" or time_of_short == 0:
                        found[name, who].append(ran(command, place))
    start = best(starts)
    lines_told = [Line("a bare start of Python", start.waited, "ms")]
    for name, most in TARGETS_MS.items():
        took, what, times = best(found[name, "ours"]), f"{getattr(given, name):g} MB", most / START_MS
        target, holds = (f"<= {times:.0f} x bare", took.cpu <= times * start.cpu) if times else ("", None)
        lines_told.append(Line(what, took.cpu, "ms", start.cpu, target, holds))
        if program:
            theirs = best(found[name, "peer"])
            target, holds = f"<= {MOST_OF_PEER} x peer", took.cpu <= MOST_OF_PEER * theirs.cpu
            lines_told += [
                Line(f"{what}, beside the peer", took.cpu, "ms", theirs.cpu, target, holds),
                Line(f"{what}, waited for", took.waited, "ms", theirs.waited),
            ]
    memory = max(run.peak_mb for run in found["large", "ours"])
    lines_told.append(bounded(f"{given.large:g} MB, peak memory", memory, "MB", MOST_MB))
    note = f"The peer is {PEER} {PEER_VERSION} with --fit 4k."
    if not program:
        note = f"{PEER} {PEER_VERSION} is not beside it: " + (
            "the smallest run leaves it out." if given.smallest else "no registry that pip asks has it."
        )
    facts = {"rounds": given.rounds, "budget": 4000}
    return 0 if report("handoff", lines_told, note, not given.smallest, **facts) else 1


def best(runs: list[Ran]) -> Best:
    return Best(min(run.seconds for run in runs) * 1000, min(run.cpu for run in runs) * 1000)


if __name__ == "__main__":
    sys.exit(main())
