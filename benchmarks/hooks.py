"""What a hook costs the agent that calls it, beside a bare interpreter of the same environment.

An idle hook has no workspace to look after, or looked a moment ago; a sampling hook reads the end of a
transcript and finds nothing to do; the hook before a compaction reads a transcript of 20 MB, keeps it and renews the
document. Run `python benchmarks/hooks.py [--rounds N]`.
"""

from __future__ import annotations

import compileall
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable

from measure import Line, bounded, options, rates, report

import segue
from handoff import MOST_MB, Ran, bare, best, ran, repeated, source
from segue import samples
from segue.service.workspace import Workspace
from segue.stores.marks import Marks

SESSION = "5e60e000-0000-4000-8000-00000000d3a0"
SCRIPT = [os.path.join(os.path.dirname(sys.executable), "segue")]
CODE = [sys.executable, "-c", "from segue.__main__ import main; main()"]
BARE = "bare interpreter"
PROMPT, TOOL = ["hook", "claude-code", "UserPromptSubmit"], ["hook", "claude-code", "PostToolUse"]
BEFORE = ["hook", "claude-code", "PreCompact"]
IDLE, SAMPLING = 1.6, 3.0
BEFORE_MS = 500


def started(command: list[str], place: str, payload: bytes) -> Callable[[], int]:
    def start() -> int:
        subprocess.run(command, input=payload, cwd=place, capture_output=True, check=True)
        return 1

    return start


def before_compaction(megabytes: float, rounds: int, smallest: bool) -> list[Line]:
    """The hook before the first compaction of a session, in a new project each time. Its processor time is judged; what
    the disk takes to keep a copy comes on top of that."""
    starts: list[Ran] = []
    found: list[Ran] = []
    with tempfile.TemporaryDirectory() as folder:
        transcript = os.path.join(folder, f"{SESSION}.jsonl")
        repeated(source("", smallest), transcript, int(megabytes * 1_000_000))
        for number in range(rounds):
            project = os.path.join(folder, f"project-{number}")
            os.mkdir(project)
            Workspace(project).establish()
            told = {"session_id": SESSION, "transcript_path": transcript, "cwd": project, "trigger": "auto"}
            starts.append(bare(project))
            found.append(ran([*SCRIPT, *BEFORE], project, json.dumps(told).encode()))
            if not os.listdir(os.path.join(project, ".segue", "transcripts")):
                sys.exit("The hook before the compaction kept nothing.")
    start, took = best(starts), best(found)
    what = f"before a compaction, {megabytes:g} MB"
    return [
        Line(what, took.cpu * 1000, "µs", start.cpu * 1000, f"<= {BEFORE_MS} ms", took.cpu <= BEFORE_MS),
        Line(f"{what}, waited for", took.waited * 1000, "µs", start.waited * 1000),
        bounded(f"{what}, peak memory", max(run.peak_mb for run in found), "MB", MOST_MB),
    ]


def main() -> int:
    given = options(__doc__, rounds=(60, 1), transcript=(20.0, 0.1))
    compileall.compile_dir(os.path.dirname(segue.__file__), quiet=2)  # as an installer leaves it
    with tempfile.TemporaryDirectory() as bare, tempfile.TemporaryDirectory() as project:
        samples.unpack(project)
        marks = Marks(Workspace(project).establish().folder, "claude-code", SESSION)
        marks.begin()
        told = {"session_id": SESSION, "transcript_path": f"{project}/session.jsonl", "cwd": project}
        payload = json.dumps(told).encode()
        targets = {
            "idle, no workspace": (IDLE, started([*SCRIPT, *PROMPT], bare, payload)),
            "idle, looked a moment ago": (IDLE, started([*SCRIPT, *TOOL], project, payload)),
            "sampling": (SAMPLING, started([*SCRIPT, *PROMPT], project, payload)),
            "sampling, without the script": (SAMPLING, started([*CODE, *PROMPT], project, payload)),
        }
        contenders = {BARE: started([sys.executable, "-c", "pass"], bare, payload)}
        contenders |= {what: start for what, (_, start) in targets.items()}
        found = {
            what: 1_000_000 / rate for what, rate in rates(contenders, given.rounds, marks.looked).items()
        }
    lines = [
        Line(what, found[what], "µs", found[BARE], f"<= {most:g} x bare", found[what] <= most * found[BARE])
        for what, (most, _) in targets.items()
    ]
    lines += before_compaction(given.transcript, given.times(8), given.smallest)
    return 0 if report("hooks", lines, judged=not given.smallest, rounds=given.rounds) else 1


if __name__ == "__main__":
    sys.exit(main())
