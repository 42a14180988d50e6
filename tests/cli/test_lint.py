"""`segue lint`: what it prints and how it ends."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from segue import samples

GOOD = """\
## Context
- Wrote the backoff policy in `retry.py` and its first eleven tests.

## Operational Context
- none seen

## Files
- none seen

## Task
Cover the retry policy with tests.
1. Add a test for giving up after four attempts

## Notes
- none seen
"""


def test_a_good_handoff_passes_with_exit_0(segue: Any, tmp_path: Path) -> None:
    (tmp_path / "h.md").write_text(GOOD)
    assert segue("lint", str(tmp_path / "h.md")) == (0, "PASS  score 100 of 100\n", "")


def test_a_bad_one_fails_with_exit_1_and_says_what_would_be_better(segue: Any, tmp_path: Path) -> None:
    (tmp_path / "h.md").write_text(GOOD.replace("Add a test for giving up after four attempts", "continue"))
    ran = segue("lint", str(tmp_path / "h.md"))
    assert ran.code == 1
    assert ran.out == (
        "error    vague-step  Task, line 12: 'continue' cannot be acted on or checked off.\n"
        '         hint: Say what will be there afterwards: "Add an integration test for an invalid token (401)".\n'
        "FAIL  score 75 of 100\n"
    )


def test_json_is_the_report(segue: Any, tmp_path: Path) -> None:
    (tmp_path / "h.json").write_text('{"progress_summary": ""}')
    ran = segue("lint", str(tmp_path / "h.json"), "--json")
    assert ran.code == 1
    assert set(ran.json) == {"pass", "score", "findings"}
    assert ran.json["findings"][0]["rule"] == "empty"


def test_bad_input_ends_with_exit_2_or_1_and_a_sentence(segue: Any, tmp_path: Path) -> None:
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "h.md").write_text(GOOD)
    assert segue("lint", str(tmp_path / "binary")).code == 2
    assert segue("lint", str(tmp_path / "none")).code == 1
    assert segue("lint", str(tmp_path)).code == 2
    assert segue("lint", str(tmp_path / "h.md"), "--budget", "0").code == 2
    assert segue("lint", str(tmp_path / "h.md"), "--kind", "poem").code == 2
    assert segue("lint").code == 2


@pytest.mark.parametrize("form", ["bundle", "json"])
def test_a_bundle_and_facts_are_judged_by_their_packet(segue: Any, tmp_path: Path, form: str) -> None:
    session = samples.unpack(str(tmp_path))
    for written in ("packet", form):
        segue("handoff", "go", "--from", session, "--format", written, "--out", written)
    assert segue("lint", form).out == segue("lint", "packet").out


def test_the_answer_of_a_handoff_is_judged_by_its_packet(segue: Any, tmp_path: Path) -> None:
    (tmp_path / "h.json").write_text(json.dumps({"packet": GOOD, "tokens": 12}))
    assert segue("lint", "h.json") == (0, "PASS  score 100 of 100\n", "")


def test_a_file_that_is_no_handoff_is_told_as_what_it_is(segue: Any, tmp_path: Path) -> None:
    samples.unpack(str(tmp_path))
    (tmp_path / "package.json").write_text('{"name": "app", "version": "1"}')
    session, package = segue("lint", "session.jsonl"), segue("lint", "package.json")
    assert (session.code, session.err) == (
        2,
        "segue: This is no handoff: it is a session of claude-code.\nhint: `segue handoff --from FILE` makes one of it.\n",
    )
    assert (package.code, "it is JSON with name, version." in package.err) == (2, True)
