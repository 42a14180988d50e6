"""What `segue verify` tells a person."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from segue import samples

Segue = Callable[..., Any]


@pytest.fixture
def session(tmp_path: Path) -> str:
    return samples.unpack(str(tmp_path))


@pytest.mark.parametrize("form", ["packet", "document", "bundle", "json"])
def test_whatever_a_handoff_was_written_as_is_verified(
    segue: Segue, session: str, tmp_path: Path, form: str
) -> None:
    assert segue("handoff", "go", "--from", session, "--format", form, "--out", "h").code == 0
    (tmp_path / "h").write_bytes(b"\xef\xbb\xbf" + (tmp_path / "h").read_bytes())
    ran = segue("verify", "handoff", "h", "--transcript", session, "--all")
    assert (ran.code, "The transcript shows '`uploader.py`'" in ran.out.replace(" (modified)", "")) == (
        0,
        True,
    ), ran.out


def test_the_answer_of_a_commit_and_its_bundle_are_verified_like_the_commit(
    segue: Segue, session: str, tmp_path: Path
) -> None:
    (tmp_path / "answer").write_text(segue("handoff", "go", "--from", session, "--yes", "--json").out)
    (tmp_path / "bundle").write_text(segue("artifact", "get", bundle_of(tmp_path / "answer")).out)
    assert segue("verify", "handoff", "bundle").out == segue("verify", "handoff").out
    assert "uploader.py is there" in segue("verify", "handoff", "answer", "--all").out


def bundle_of(answer: Path) -> str:
    return str(json.loads(answer.read_text())["summary_artifact_id"])


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Go on, please.\n", "none of the sections"),
        ("", "none of the sections"),
        (
            '{"progress_summary": "Did it."}',
            "Only packets and documents, and what holds one, can be verified",
        ),
        ('{"name": "app", "version": "1"}', "it is JSON with name, version."),
        ('{"schema": "rip.context_bundle.v1"}', "it is JSON of the schema 'rip.context_bundle.v1'."),
        ("[1, 2]", "it is a JSON list."),
        ("{}", "it is an empty JSON object."),
        ('{"type": "user"}\n{"type": "user"}\n', "it is a session or another list of records."),
        ('{"progress_summary": ', "can be verified"),
    ],
)
def test_what_is_no_handoff_is_told_as_what_it_is(segue: Segue, tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "file").write_text(text)
    ran = segue("verify", "handoff", "file")
    assert (ran.code, ran.out, told in ran.err) == (2, "", True), ran.err


def test_a_handoff_with_nothing_to_check_is_called_so(segue: Segue, tmp_path: Path) -> None:
    (tmp_path / "note.md").write_text("## Context\nGo on, please.\n")
    ran = segue("verify", "handoff", "note.md")
    assert (ran.code, ran.out) == (
        0,
        "Nothing in this handoff can be checked: it names no file, commit, command or line that is known here.\n",
    )


def test_a_transcript_that_is_not_there_is_said_and_nothing_is_checked(segue: Segue, tmp_path: Path) -> None:
    (tmp_path / "note.md").write_text("## Context\nGo on, please.\n")
    ran = segue("verify", "handoff", "note.md", "--transcript", "gone.jsonl")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith("segue: There is no file gone.jsonl.")


def test_the_handoff_of_the_demo_holds_where_the_demo_left_it(
    segue: Segue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    monkeypatch.chdir(segue("demo", "--json").json["directory"])
    ran = segue("verify", "handoff", "--all")
    assert (ran.code, " 0 drifted" in ran.out, ".env is there" in ran.out) == (0, True, True), ran.out


def test_what_drifted_is_told_first_then_a_summary_and_what_holds_only_when_asked_for(
    segue: Segue, session: str, tmp_path: Path
) -> None:
    assert segue("handoff", "go", "--from", session, "--out", "h").code == 0
    text = (tmp_path / "h").read_text()
    assert "**Failing when last run**" in text
    (tmp_path / "h").write_text(text.replace(" exit 1", " exit 7", 1))
    ran = segue("verify", "handoff", "h", "--transcript", session)
    assert (ran.code, ran.out.startswith("drifted:\n- line ")) == (1, True), ran.out
    assert ran.out.count("has 1, not 7") == 1 and "still holds:" not in ran.out
    assert " drifted, " in ran.out.rstrip().rpartition("\n")[2]
    found = segue("verify", "handoff", "h", "--transcript", session, "--json").json["findings"]
    assert [found[0]["state"], found[-1]["state"]] == ["drifted", "holds"]
