"""A hook in a workspace that this user did not accept, or that git tracks, reads, writes and says nothing."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from segue import samples
from segue.agents.registry import HOSTS, host_of
from segue.service.boundary import drafts, moments
from segue.service.workspace import Workspace
from segue.stores import accepted
from segue.stores.marks import Marks

from .test_hooks import RICH, SESSION, frames, hook, payload


@pytest.fixture
def project(tmp_path: Path) -> Path:
    place = tmp_path / "project"
    place.mkdir()
    samples.unpack(str(place))
    workspace = Workspace(str(place)).establish()
    drafts.write(workspace, RICH)
    drafts.approve(workspace)
    workspace.close()
    return place


def tree(place: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in place.rglob("*") if path.is_file()}


@pytest.mark.parametrize("why", ["not on the list", "tracked", "damaged list"])
def test_hooks_are_silent_where_a_workspace_does_not_count(
    project: Path, tmp_path: Path, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if why == "tracked":
        subprocess.run(["git", "init", "-q", str(project)], check=True)
        subprocess.run(["git", "-C", str(project), "add", "-f", ".segue/workspace.json"], check=True)
    elif why == "not on the list":
        accepted.remove(str(project))
    else:
        monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "xdg"))
        (tmp_path / "xdg" / "segue").mkdir(parents=True)
        (tmp_path / "xdg" / "segue" / "workspaces.json").write_text("{")
    before = tree(project)
    for host in HOSTS:
        for event in host_of(host).events:
            ran = hook(project, host, event, payload(project))
            assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")
    assert tree(project) == before


def test_a_hook_never_follows_what_lies_in_the_place_of_its_files(project: Path) -> None:
    folder, victim = project / ".segue", project.parent / "bashrc"
    victim.write_text("mine\n")
    (folder / "boundary").mkdir(exist_ok=True)
    for name in ("failures.log", f"strange-claude-code-{SESSION}", f"waiting-claude-code-{SESSION}"):
        (folder / "boundary" / name).unlink(missing_ok=True)
        (folder / "boundary" / name).symlink_to(victim)
    (folder / "config.json").symlink_to("/dev/zero")
    os.mkfifo(folder / "spool")
    for event in ("SessionStart", "PreCompact", "UserPromptSubmit", "Stop"):
        assert hook(project, "claude-code", event, payload(project)).returncode == 0
    assert victim.read_text() == "mine\n"


def test_transcripts_are_not_kept_in_a_folder_that_leads_elsewhere(project: Path) -> None:
    public = project / "public"
    (project / ".segue" / "transcripts").rename(public)
    (project / ".segue" / "transcripts").symlink_to(public)
    before = tree(public)
    for event in ("PreCompact", "Stop", "SessionEnd"):
        hook(project, "claude-code", event, payload(project))
    assert tree(public) == before


def spooled(project: Path, **changes: str) -> Path:
    held = {"host": "claude-code", "event": "PreCompact", "kind": "before_compaction", "session_id": SESSION}
    held |= {"cwd": str(project), "transcript_path": str(project / "session.jsonl"), **changes}
    entry = {"workspace": accepted.id_in(str(project)), "moment": held}
    (project / ".segue" / "spool").mkdir(exist_ok=True)
    path = project / ".segue" / "spool" / "1.json"
    path.write_text(json.dumps(entry))
    return path


def test_a_moment_that_no_hook_of_this_workspace_left_is_set_aside(project: Path) -> None:
    path = spooled(project)
    path.write_text(json.dumps({**json.loads(path.read_text()), "workspace": "0" * 32}))
    workspace = Workspace(str(project))
    (fault,) = moments.drain(workspace)
    assert "not left by a hook of this workspace" in fault.message and not path.exists()
    assert frames(project, "transcript_archived") == []
    spooled(project)
    assert moments.drain(workspace) == [] and len(frames(project, "transcript_archived")) == 1
    workspace.close()


def test_a_spooled_moment_with_another_sessions_transcript_is_set_aside(project: Path) -> None:
    spooled(project, session_id="another")
    workspace = Workspace(str(project))
    (fault,) = moments.drain(workspace)
    workspace.close()
    assert f"is the transcript of session {SESSION}" in fault.message
    assert frames(project, "transcript_archived") == []


@pytest.mark.parametrize("odd", ["[]", '{"workspace": 1}', "x" * 2_000_000, '{"moment": {"host": 1}}'])
def test_what_is_no_moment_is_set_aside_and_told(project: Path, odd: str) -> None:
    path = spooled(project)
    path.write_text(odd)
    workspace = Workspace(str(project))
    assert len(moments.drain(workspace)) == 1 and not path.exists()
    workspace.close()


def test_a_transcript_of_many_gigabytes_is_left_alone_and_told_of(project: Path) -> None:
    with (project / "session.jsonl").open("r+b") as file:
        file.truncate(5_000_000_000)
    for event in ("PreCompact", "Stop", "SessionEnd"):
        ran = hook(project, "claude-code", event, payload(project))
        assert (ran.returncode, ran.stdout) == (0, "")
    kept = project / ".segue" / "transcripts" / f"claude-code-{SESSION}.jsonl"
    assert not kept.exists() and frames(project, "transcript_archived") == []
    told = (project / ".segue" / "boundary" / "failures.log").read_text()
    assert "has 5,000,000,000 bytes" in told and told.count("\n") == 1


@pytest.mark.parametrize("event", ["PreCompact", "UserPromptSubmit", "Stop"])
def test_a_pipe_or_a_device_as_a_transcript_keeps_nobody_waiting(project: Path, event: str) -> None:
    (project / "session.jsonl").unlink()
    os.mkfifo(project / "session.jsonl")
    assert hook(project, "claude-code", event, payload(project)).returncode == 0
    assert hook(project, "claude-code", event, payload(project, transcript_path="/dev/zero")).returncode == 0


def test_the_workspaces_own_files_are_no_transcripts(project: Path) -> None:
    Marks(str(project / ".segue"), "claude-code", SESSION).begin()
    hook(
        project,
        "cline",
        "TaskComplete",
        {"taskId": "t", "transcript_path": str(project / ".segue" / "log.db")},
    )
    assert frames(project, "transcript_archived") == []
