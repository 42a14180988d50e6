"""Every benchmark still runs, and the ruler of packets knows nothing of the program it measures."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parent.parent / "benchmarks"
RULER = BENCHMARKS / "quality"


def named() -> list[str]:
    """Those that `python benchmarks` runs, as it says itself."""
    asked = [sys.executable, str(BENCHMARKS), "no-such-benchmark"]
    told = subprocess.run(asked, capture_output=True, text=True)
    assert told.returncode == 2
    return re.findall(r"[\w-]+", told.stderr.rpartition("Known:")[2])


def smallest(name: str, folder: Path, *options: str) -> str:
    place = BENCHMARKS / name if (BENCHMARKS / name).is_dir() else BENCHMARKS / f"{name}.py"
    ran = subprocess.run(
        [sys.executable, str(place), "--smallest", *options],
        cwd=folder,
        env={**os.environ, "HOME": str(folder), "XDG_CACHE_HOME": str(folder)},
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


@pytest.mark.parametrize("name", named())
def test_a_benchmark_runs_at_its_smallest_size_and_judges_nothing(name: str, tmp_path: Path) -> None:
    told = smallest(name, tmp_path)
    assert told.startswith(f"{name} (")
    assert "MISSED" not in told


@pytest.mark.parametrize("words", [["handoff", "ARGS=--smallest"], ["ARGS=handoff --smallest"]])
def test_make_takes_the_names_of_benchmarks_as_words_or_as_arguments(words: list[str]) -> None:
    told = subprocess.run(
        ["make", "-n", "bench", *words], cwd=BENCHMARKS.parent, capture_output=True, text=True, check=True
    )
    assert re.search(r"python benchmarks +handoff --smallest$", told.stdout, re.MULTILINE)


def test_a_handoff_measured_without_its_peer_says_so(tmp_path: Path) -> None:
    assert "claude-handoff 0.20.0 is not beside it: " in smallest("handoff", tmp_path)


def test_the_ruler_finds_what_a_packet_keeps_and_what_the_control_keeps(tmp_path: Path) -> None:
    told = smallest("quality", tmp_path)
    counts = re.findall(r"(\w+): (\d+) of (\d+), control (\d+)", told)
    assert {"changed", "failing", "said"} <= {measure for measure, *_ in counts}
    assert all(int(wanted) > 0 for _, _, wanted, _ in counts)
    assert sum(int(found) for _, found, _, _ in counts) > 0


SESSION = [
    {"type": "user", "cwd": "/p", "message": {"content": "Please never touch the public interface of uploads"}},
    {"type": "assistant", "message": {"content": [{"type": "tool_use", "id": "1", "name": "Edit", "input": {"file_path": "/p/src/up/retry.py"}}]}},
    {"type": "assistant", "message": {"content": [{"type": "tool_use", "id": "2", "name": "Bash", "input": {"command": "cd /p && pytest tests/test_up.py -q"}}]}},
    {"type": "user", "message": {"content": [{"type": "tool_result", "tool_use_id": "2", "content": "1 failed", "is_error": True}]}},
    {"type": "assistant", "message": {"content": [{"type": "text", "text": "The retry budget is exhausted before the second attempt."}]}},
    {"type": "user", "message": {"content": "go on"}},
    {"type": "assistant", "message": {"content": [{"type": "tool_use", "id": "3", "name": "Read", "input": {"file_path": "/p/src/up/retry.py"}}]}},
    {"type": "assistant", "message": {"content": [{"type": "tool_use", "id": "4", "name": "Bash", "input": {"command": "pytest tests/test_up.py"}}]}},
]  # fmt: skip
PACKET = """The person: never touch the public interface of uploads, please.
src/up/
- retry.py: changed
Failing: `pytest tests/test_up.py -q`
> The retry budget is exhausted before the second attempt."""


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        (PACKET, set()),
        (PACKET.replace("retry.py", "other.py"), {"files", "changed"}),
        (PACKET.replace("pytest", "ran"), {"commands", "failing"}),
        (PACKET.replace("interface", "x").replace("uploads", "y").replace("public", "z"), {"said"}),
        (PACKET.partition(">")[0], {"reported"}),
        ("", {"files", "commands", "changed", "failing", "said", "reported"}),
    ],
)
def test_the_ruler_counts_what_stands_in_a_text_and_misses_what_does_not(
    tmp_path: Path, text: str, missing: set[str]
) -> None:
    (tmp_path / "session.jsonl").write_text("".join(json.dumps(row) + "\n" for row in SESSION))
    (tmp_path / "packet.md").write_text(text)
    told = subprocess.run(
        [sys.executable, "-c", MEASURED, str(RULER)], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert json.loads(told.stdout) == {
        measure: [int(measure not in missing), 1]
        for measure in ("files", "commands", "changed", "failing", "said", "reported")
    }


MEASURED = """
import json, sys
sys.path.insert(0, sys.argv[1])
from score import score
from transcript import read
from truth import truth
steps = read("claude-code", "session.jsonl")
wanted = truth([step for step in steps if step.line < 6], [step for step in steps if step.line >= 6])
print(json.dumps(score(open("packet.md").read(), wanted)))
"""


@pytest.mark.parametrize("file", sorted(RULER.glob("*.py")), ids=lambda file: file.name)
def test_the_ruler_shares_no_code_with_the_program(file: Path) -> None:
    beside = {path.stem for path in RULER.glob("*.py")} | {"measure"}
    imported: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            imported |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add((node.module or "").partition(".")[0])
    assert imported <= beside | set(sys.stdlib_module_names)


def test_what_the_ruler_leans_on_knows_nothing_of_the_program_either() -> None:
    assert "segue" not in {
        name.partition(".")[0]
        for node in ast.walk(ast.parse((BENCHMARKS / "measure.py").read_text()))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in (
            [node.module or ""] if isinstance(node, ast.ImportFrom) else [a.name for a in node.names]
        )
    }
