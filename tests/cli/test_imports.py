"""What a command imports: modules are a third of the processor time of a short one, and are counted here, not timed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SESSION = Path(__file__).parent.parent / "fixtures" / "agents" / "claude-code" / "session" / "input.jsonl"
MOST_OF_OURS = 166
"""Modules of ours for a handoff of a Claude Code session that is only printed. Fewer is better; one more needs a reason."""
NOT_FOR_A_DRAFT = """
apsw asyncio dataclasses email glob hashlib http json logging pathlib socket sqlite3 ssl subprocess tempfile threading
urllib zstandard segue.agents._recovery segue.agents.inside segue.extract.condensed segue.handoff.brief
segue.handoff.document segue.handoff.lint segue.handoff.parse segue.handoff.verify segue.llm segue.model.bundle
segue.model.frame segue.redaction.learning segue.sdk segue.service.actors segue.service.handoffs.renderings
segue.service.imports segue.service.models segue.service.operations segue.service.project_files segue.service.threads
segue.stores.catalog segue.stores.marks segue.threads
"""


def imported(place: Path | str, *command: str) -> set[str]:
    code = (
        "import sys; before = set(sys.modules); sys.argv = ['segue', *sys.argv[1:]]; from segue.__main__ import main;"
        "code = main(); print(); print(*sorted(set(sys.modules) - before)); sys.exit(code)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code, *command], capture_output=True, text=True, check=True, cwd=place
    )
    return set(ran.stdout.splitlines()[-1].split())


def test_a_list_of_threads_needs_none_of_these() -> None:
    """`segue thread list` starts within four bare interpreters because of it."""
    heavy = "msgspec dataclasses pathlib logging asyncio subprocess inspect zstandard ahocorasick_rs"
    assert imported("/", "thread", "list") & set(heavy.split()) == set()


def test_a_draft_is_seldom_searched_for_cycles(tmp_path: Path) -> None:
    """The objects of its imports alone would be looked at some forty times."""
    code = (
        "import gc, sys; import segue.__main__ as door; sys.argv = ['segue', *sys.argv[1:]];"
        "door._leave = lambda code: print(gc.get_stats()[0]['collections']); door.command()"
    )
    command = ("handoff", "go on", "--from", str(SESSION), "--no-repo", "--dry-run")
    ran = subprocess.run(
        [sys.executable, "-c", code, *command], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert int(ran.stdout.split()[-1]) < 10


@pytest.fixture
def draft(tmp_path: Path) -> set[str]:
    """Of a session that shows no secrets, in a directory without a workspace."""
    command = ("handoff", "go on", "--from", str(SESSION), "--no-repo", "--dry-run")
    imported(tmp_path, *command)  # writes the patterns that it compiles into the cache
    return imported(tmp_path, *command)


def test_a_draft_that_is_only_printed_needs_none_of_these(draft: set[str]) -> None:
    assert draft & set(NOT_FOR_A_DRAFT.split()) == set()


def test_a_draft_that_is_only_printed_needs_so_many_modules_of_ours(draft: set[str]) -> None:
    ours = {name for name in draft if name.partition(".")[0] == "segue"}
    assert len(ours) <= MOST_OF_OURS
