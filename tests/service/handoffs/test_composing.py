"""A model's prose is used when it keeps to the evidence, and set aside with a reason when it does not."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from segue.errors import BadInput, Unavailable
from segue.extract.tokens import count
from segue.service.handoffs.composing import composed

PACKET = """This handoff was drawn from pi session 1 (2 turns, ended between turns).
**Goal**: "ship it"
**Next**: Finish the test [#22]
A navigation aid: the transcript and the repository win.

## Context
**Asked for, in order** (verbatim; the later wins)
- "Never retry on 4xx." [#1]
**Reported by the agent** (unverified)
- tests pass [#19]

## Operational Context
**Git**
- done: commit 4be81c2 [#21]

## Files
- uploader.py (modified): retry

## Task
**Then**
1. Document the delays [#22]

## Notes
Nothing seen.

<modified-files>
uploader.py
</modified-files>

End of handoff: all that was picked fits 900 tokens.
"""


def rewriting(tmp_path: Path, old: str, new: str) -> str:
    """A model that answers with the packet, one thing replaced."""
    program = tmp_path / "model.py"
    program.write_text(
        "import sys\ntext = sys.stdin.read().split('--- packet ---\\n')[1]\n"
        f"sys.stdout.write(text.replace({old!r}, {new!r}))\n"
    )
    return f"command:{sys.executable} {program}"


def test_better_prose_with_the_same_evidence_is_taken(tmp_path: Path) -> None:
    name = rewriting(
        tmp_path, "1. Document the delays [#22]", "1. Write down in README.md how long it waits [#22]"
    )
    text, refused = composed(PACKET, name, 900, count)
    assert (refused, "how long it waits" in text) == ("", True)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("## Notes", "## Remarks", "sections"),
        ("navigation aid", "order", "preamble"),
        ("Finish the test", "Delete the test", "preamble"),
        ("Never retry on 4xx.", "Retry on everything.", "words"),
        ("delays [#22]", "delays [#99]", "points to #99"),
        ("tests pass", "412 tests pass", "speaks of 412"),
        ("<modified-files>\nuploader.py", "<modified-files>\nother.py", "files"),
        ("Nothing seen.", "word " * 2000, "tokens"),
    ],
)
def test_what_the_evidence_does_not_hold_is_set_aside(
    tmp_path: Path, old: str, new: str, reason: str
) -> None:
    text, refused = composed(PACKET, rewriting(tmp_path, old, new), 900, count)
    assert text == PACKET
    assert reason in refused


def test_a_model_that_fails_or_does_not_exist_is_said(tmp_path: Path) -> None:
    for name in ("command:false", "command:/absent/program"):
        with pytest.raises(Unavailable):
            composed(PACKET, name, 900, count)
    for name in ("gpt-9", "command:", "command:'"):
        with pytest.raises(BadInput):
            composed(PACKET, name, 900, count)
