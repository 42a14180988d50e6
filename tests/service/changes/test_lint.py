"""One judgement for a handoff block: alone, in its record's file, and in the tree of changes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from segue.errors import Refused
from segue.model.change_update import FileEdit, Update
from segue.service.changes import reading, records, sessions, upkeep
from segue.service.handoffs import reviews
from segue.service.workspace import Workspace

GOOD: dict[str, Any] = {
    "progress_summary": "Implemented JWT signing with HS256, wired the auth middleware into the main router, "
    "and added two passing unit tests for the happy path.",
    "next_steps": [
        "Add integration test for invalid token (401)",
        "Update README with the new POST /login endpoint",
        "Run `pytest tests/auth/` and capture output as evidence T2",
    ],
    "blockers": [],
    "key_context": [
        "The `legacy_auth` module is being phased out — do NOT extend it. New code goes in `src/auth/`.",
        "We use HS256 (not RS256) because the secret rotation tooling does not support asymmetric keys yet.",
        "There is a hidden import cycle if you import `User` from `models.user` instead of `models`. "
        "Always use `from models import User`.",
    ],
    "files_in_progress": [],
    "decisions_made": [
        {
            "decision": "Use HS256 instead of RS256 for JWT signing",
            "rationale": "Secret rotation tooling does not support asymmetric keys; we accept the tradeoff because "
            "token lifetime is 15 minutes",
            "timestamp": "2026-04-05T14:32:00+00:00",
        }
    ],
}
BLOCKERS = [
    "Test fixtures for the user model do not exist; need to create `tests/fixtures/user.py`",
    "Waiting for product to confirm whether refresh tokens are in scope (asked in #product channel)",
]
BAD: list[tuple[dict[str, Any], str, str]] = [
    ({"progress_summary": "Working on auth."}, "vague-progress", "error"),
    ({"progress_summary": "Wrote a bunch of code."}, "vague-progress", "error"),
    ({"progress_summary": "Added A. Moved B. Fixed C. Ran D."}, "long-summary", "warning"),
    ({"progress_summary": "The router and its middleware."}, "not-past", "note"),
    ({"progress_summary": ""}, "no-progress", "warning"),
    ({"next_steps": []}, "no-next-step", "error"),
    ({"next_steps": ["continue"]}, "vague-step", "error"),
    ({"next_steps": ["Finish the feature"]}, "vague-step", "error"),
    ({"next_steps": ["Make it better"]}, "vague-step", "error"),
    ({"next_steps": ["The README should be updated with POST /login"]}, "not-imperative", "warning"),
    ({"next_steps": ["Write the parser, add tests, update the docs and deploy it"]}, "large-step", "warning"),
    ({"next_steps": ["Add a test for 401", "add  a test for 401"]}, "repeated", "warning"),
    ({"blockers": ["It's hard."]}, "no-blocker", "error"),
    ({"blockers": ["I'm tired."]}, "no-blocker", "error"),
    ({"key_context": ["Be careful."]}, "empty-advice", "warning"),
    ({"key_context": ["There might be bugs."]}, "empty-advice", "warning"),
    ({"key_context": ["We decided to drop the cookie store."]}, "buried-decision", "warning"),
    ({"key_context": ["We are blocked on the staging credentials."]}, "buried-blocker", "warning"),
    ({"key_context": ["src/auth/token.py is half-way done."]}, "unlisted-file", "error"),
    ({"decisions_made": [{**GOOD["decisions_made"][0], "rationale": "TBD"}]}, "unexplained-decision", "warning"),
]  # fmt: skip
EMPTY = {name: type(value)() for name, value in GOOD.items()}


@pytest.fixture
def tc_id(workspace: Workspace) -> str:
    upkeep.init(workspace, "desk", "maker")
    made = records.new(workspace, "Sign tokens", "feature", "Sign tokens with HS256", "Sessions leak")
    name: str = made["tc_id"]
    records.update(workspace, name, Update(status="in_progress", files=[FileEdit(path="src/auth/jwt.py")]))
    return name


def three_ways(workspace: Workspace, tc_id: str, block: dict[str, Any]) -> list[list[tuple[str, str, str]]]:
    """(rule, severity, where) by `lint` on the block, by `lint` on the record's file, by `change lint`."""
    sessions.apply_handoff(workspace, tc_id, block)
    record = Path(workspace.root) / "docs" / "TC" / "records" / tc_id / "tc_record.json"
    reports = [
        reviews.lint_text(json.dumps(block)),
        reviews.lint_text(record.read_bytes()),
        upkeep.lint_changes(workspace, [tc_id]),
    ]
    assert len({report["pass"] for report in reports}) == 1
    return [
        [
            (finding["rule"], finding["severity"], finding["where"].removeprefix(f"{tc_id}: "))
            for finding in report["findings"]
            if finding["rule"] != "blockers-ignored"
        ]
        for report in reports
    ]


def test_work_without_a_file_is_reminded_of_it(workspace: Workspace, tc_id: str) -> None:
    sessions.apply_handoff(workspace, tc_id, GOOD)
    records.update(workspace, tc_id, Update(remove_files=["src/auth/jwt.py"]))
    found = upkeep.lint_changes(workspace, [tc_id])
    assert ([finding["rule"] for finding in found["findings"]], found["pass"]) == (["files-missing"], True)


@pytest.mark.parametrize("blockers", [[], BLOCKERS], ids=["free", "blocked"])
def test_a_block_of_good_examples_has_no_finding_anywhere(
    workspace: Workspace, tc_id: str, blockers: list[str]
) -> None:
    assert three_ways(workspace, tc_id, {**GOOD, "blockers": blockers}) == [[], [], []]


@pytest.mark.parametrize(("part", "rule", "severity"), BAD, ids=lambda value: str(value)[:60])
def test_a_bad_example_is_the_same_finding_everywhere(
    workspace: Workspace, tc_id: str, part: dict[str, Any], rule: str, severity: str
) -> None:
    alone, in_file, in_tree = three_ways(workspace, tc_id, {**GOOD, **part})
    assert [found[:2] for found in alone] == [(rule, severity)]
    assert alone == in_file == in_tree


def test_an_empty_block_is_an_error_while_there_is_work(workspace: Workspace, tc_id: str) -> None:
    alone, in_file, in_tree = three_ways(workspace, tc_id, EMPTY)
    assert ("empty", "error", "the whole") in alone
    assert alone == in_file == in_tree


@pytest.mark.parametrize(
    ("status", "finds"),
    [("planned", False), ("in_progress", True), ("blocked", True), ("paused", True), ("implemented", False)],
)
def test_the_block_of_a_change_nobody_works_on_may_be_empty(
    workspace: Workspace, tc_id: str, status: str, finds: bool
) -> None:
    document = reading.show(workspace, tc_id)
    document["session_context"]["handoff"] = EMPTY
    document["status"] = status
    found = [finding["rule"] for finding in reviews.lint_text(json.dumps(document))["findings"]]
    assert ("empty" in found) == finds


def test_strict_refuses_what_lint_finds_and_names_the_place(workspace: Workspace, tc_id: str) -> None:
    wanted = msgspec.convert({"progress": "Added `sign()`.", "add_next": ["continue"]}, Update)
    with pytest.raises(Refused, match="next_steps, item 1: 'continue' cannot be acted on") as refusal:
        records.update(workspace, tc_id, wanted, strict=True)
    assert (refusal.value.code, refusal.value.hint[:6]) == ("lint", "Say wh")
    better = msgspec.convert({"progress": "Added `sign()`.", "add_next": ["Add a test for 401"]}, Update)
    assert records.update(workspace, tc_id, better, strict=True)["updated"]


def test_strict_tells_of_everything_and_of_what_is_new_first(workspace: Workspace, tc_id: str) -> None:
    records.update(workspace, tc_id, Update(progress="Added `sign()`.", add_next=["continue"]))
    with pytest.raises(Refused) as refusal:
        records.update(
            workspace, tc_id, Update(progress="I will write it", add_context=["asdf"]), strict=True
        )
    places = [line.partition(":")[0] for line in refusal.value.message.splitlines()]
    assert places == ["progress_summary", "key_context, item 1", "key_context, item 1", "next_steps, item 1"]
    assert refusal.value.message.splitlines()[-1].endswith("(as before)")
    assert "Past tense" in refusal.value.hint


@pytest.mark.parametrize("words", ["I will write it", "stuff", "asdf", "do the thing", "Will do later"])
@pytest.mark.parametrize("field", ["progress", "add_next", "add_context", "add_blockers"])
def test_strict_takes_no_words_that_say_nothing(
    workspace: Workspace, tc_id: str, words: str, field: str
) -> None:
    good = {"progress": "Added `sign()`.", "add_next": ["Add a test for 401"]}
    wanted = {**good, field: words if field == "progress" else [words]}
    with pytest.raises(Refused):
        records.update(workspace, tc_id, msgspec.convert(wanted, Update), strict=True)


def test_evidence_longer_than_any_handoff_does_not_keep_the_block_from_being_judged(
    workspace: Workspace, tc_id: str
) -> None:
    sessions.apply_handoff(workspace, tc_id, {**GOOD, "next_steps": ["continue"]})
    records.update(workspace, tc_id, Update(notes=["long " * 300_000]))
    found = upkeep.lint_changes(workspace, [tc_id])["findings"]
    assert [finding["rule"] for finding in found] == ["vague-step"]


def test_the_worst_record_decides(workspace: Workspace, tc_id: str) -> None:
    three_ways(workspace, tc_id, GOOD)
    other = records.new(workspace, "Rotate keys", "feature", "Rotate the keys weekly", "They leak")["tc_id"]
    records.update(workspace, other, Update(status="in_progress", files=[FileEdit(path="src/auth/keys.py")]))
    three_ways(workspace, other, {**GOOD, "next_steps": ["continue"]})
    report = upkeep.lint_changes(workspace)
    assert (report["pass"], report["score"]) == (False, 75)
    assert upkeep.lint_changes(workspace, [tc_id])["score"] == 100
