"""A workspace whose artifacts lie in an object store, from the command line: everything works as with files,
and without the store there is a sentence and no half of anything."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from segue import samples
from segue.model.wire import content_id
from segue.service.workspace import Workspace
from segue.stores.registry import open_artifacts

Segue = Callable[..., Any]


def settle(root: Path, artifacts: str) -> None:
    """Makes a workspace with its artifacts at an address."""
    Workspace(str(root)).establish(artifacts=artifacts)


@pytest.fixture
def team(segue: Segue, tmp_path: Path, s3_address: str) -> Segue:
    settle(tmp_path, s3_address)
    return segue


def test_artifacts_are_put_got_listed_and_verified(team: Segue, tmp_path: Path, s3_address: str) -> None:
    artifact_id = content_id(b"the bytes\n")
    assert team("artifact", "put", "-", "--json", stdin=b"the bytes\n").json == {
        "artifact_id": artifact_id,
        "bytes": 10,
        "redacted": True,
    }
    assert team("artifact", "get", artifact_id[:8]).out == "the bytes\n"
    assert team("artifact", "get", artifact_id, "--offset", "4", "--max-bytes", "5").out == "bytes"
    assert team("artifact", "list", "--json").json["artifacts"] == [{"artifact_id": artifact_id, "bytes": 10}]
    assert team("artifact", "verify").code == 0
    assert list(open_artifacts(s3_address, "").ids()) == [(artifact_id, 10)]
    assert not (tmp_path / ".segue" / "artifacts").exists()


def test_a_handoff_is_committed_compiled_and_verified(team: Segue, tmp_path: Path, s3_address: str) -> None:
    session = samples.unpack(str(tmp_path))
    made = team("handoff", samples.GOAL, "--from", session, "--yes", "--json").json
    bundle = json.loads(team("artifact", "get", made["summary_artifact_id"]).out)
    assert bundle["summary_markdown"] == made["packet"]
    compiled = team("thread", "compile", made["thread_id"], "--json").json
    stored = open_artifacts(s3_address, "").get(compiled["bundle_artifact_id"])
    assert json.loads(stored) == compiled["bundle"]
    assert team("verify").code == team("doctor", "--fix").code == team("status").code == 0
    assert not (tmp_path / ".segue" / "artifacts").exists()


def test_without_the_object_store_a_handoff_is_not_committed(
    segue: Segue, tmp_path: Path, s3_address: str
) -> None:
    settle(tmp_path, "s3://team?endpoint=http://127.0.0.1:1")
    session = samples.unpack(str(tmp_path))
    ran = segue("handoff", samples.GOAL, "--from", session, "--yes")
    assert ran.code == 5
    assert "The bucket team at http://127.0.0.1:1 cannot be reached." in ran.err
    assert "hint: " in ran.err
    children = [row for row in segue("thread", "list", "--json").json["threads"] if "parent" in row]
    assert children == []


@pytest.mark.parametrize(
    ("artifacts", "code", "sentence"),
    [
        ("s3://key:hunter2@team", 2, "holds credentials"),
        ("s3://team?endpoint=http://example.com", 2, "without TLS"),
        ("s3://team", 5, "There are no credentials"),
    ],
)
def test_a_wrong_address_in_the_settings_is_a_sentence(
    segue: Segue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, artifacts: str, code: int, sentence: str
) -> None:
    monkeypatch.delenv("AWS_ACCESS_KEY_ID", raising=False)
    settle(tmp_path, artifacts)
    for command in (["artifact", "list"], ["artifact", "put", "-"], ["status"]):
        ran = segue(*command, stdin=b"x")
        assert ran.code == code
        assert sentence in ran.err
        assert "hunter2" not in ran.out + ran.err


def test_a_forgotten_artifact_is_gone_from_the_bucket(team: Segue, s3_address: str) -> None:
    artifact_id = team("artifact", "put", "-", "--json", stdin=b"the bytes to be forgotten\n").json[
        "artifact_id"
    ]
    done = team("forget", "--artifact", artifact_id, "--yes", "--json").json
    assert [row["artifact_id"] for row in done["artifacts"]] == [artifact_id]
    assert "versions" in " ".join(done["remains"])
    assert list(open_artifacts(s3_address, "").ids()) == []
    refused = team("artifact", "get", artifact_id, "--json")
    assert (refused.code, refused.json["error"]["code"]) == (1, "forgotten")
    assert team("verify").code == 0
