"""`segue trust`: shows what would be accepted, asks, lists, and takes back."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Segue = Callable[..., Any]


def shipped(root: Path) -> None:
    (root / ".segue").mkdir()
    settings = {"format": 1, "store": "postgresql://app@db.example/app?workspace=x", "artifacts": "files"}
    (root / ".segue" / "workspace.json").write_text(json.dumps(settings))
    (root / ".segue" / "config.json").write_text('{"handoff": {"budget": 900}}')


def test_every_command_that_needs_the_workspace_says_how_to_accept_it(segue: Segue, tmp_path: Path) -> None:
    shipped(tmp_path)
    for command in (["status"], ["doctor"], ["thread", "list"], ["verify"], ["artifact", "list"], ["replay"]):
        ran = segue(*command)
        assert ran.code == 4 and "hint: `segue trust`" in ran.err and ran.out == ""
        assert segue(*command, "--json").json["error"]["code"] == "not_accepted"


def test_what_is_accepted_is_shown_first_and_nobody_there_means_no(segue: Segue, tmp_path: Path) -> None:
    shipped(tmp_path)
    ran = segue("trust")
    assert ran.code == 4 and "--yes" in ran.err
    assert (
        "postgresql://app@db.example/app?workspace=x" in ran.err and '{"handoff": {"budget": 900}}' in ran.err
    )
    assert not (tmp_path / ".segue" / "id").exists()
    told = segue("trust", "--yes", "--json").json
    assert told == {
        "workspace": str(tmp_path),
        "accepted": True,
        "store": "postgresql://app@db.example/app?workspace=x",
        "artifacts": "files",
        "settings": {"handoff": {"budget": 900}},
        "loosening": [],
    }
    assert "accepted already" in segue("trust").out


def test_settings_that_will_not_count_are_named_before_a_workspace_is_accepted(
    segue: Segue, tmp_path: Path
) -> None:
    shipped(tmp_path)
    given = {"boundary": {"approval": "auto", "maintenance": False}, "clearance": {"codex": "team"}}
    (tmp_path / ".segue" / "config.json").write_text(json.dumps(given))
    assert "not counted  boundary.approval: only your own settings may loosen this\n" in segue("trust").err
    assert segue("trust", "--yes", "--json").json["loosening"] == ["boundary.approval"]


def test_only_a_log_in_the_folder_is_said_to_be_empty(segue: Segue, tmp_path: Path) -> None:
    shipped(tmp_path)
    assert "(empty)" not in segue("trust").err
    (tmp_path / ".segue" / "workspace.json").unlink()
    assert "sqlite (empty)" in segue("trust").err


def test_an_agent_does_not_accept_a_workspace(
    segue: Segue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped(tmp_path)
    monkeypatch.setenv("CLAUDECODE", "1")
    ran = segue("trust", "--yes")
    assert (
        ran.code == 4
        and "Accepting a workspace is for a person to do, and this comes from claude-code" in ran.err
    )
    assert not (tmp_path / ".segue" / "id").exists()


def test_accepted_workspaces_are_listed_and_taken_back_wherever_they_are(
    segue: Segue, tmp_path: Path
) -> None:
    assert "no workspace yet" in segue("trust", "--list").out
    segue("thread", "ensure")
    assert segue("trust", "--list", "--json").json == {
        "workspaces": [{"workspace": str(tmp_path), "counts": True}]
    }
    (tmp_path / ".segue").rename(tmp_path / "moved")
    assert "(gone, or another one)" in segue("trust", "--list").out
    assert segue("trust", "--remove", str(tmp_path)).code == 0
    assert segue("trust", "--remove", str(tmp_path)).code == 1
    assert segue("trust", str(tmp_path), "--workspace", ".").code == 2
