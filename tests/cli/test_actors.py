"""The log names who acted: the agent that a command runs inside, and a person only where a person did. No agent approves."""

from __future__ import annotations

import json
import os
import pty
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from segue import samples
from segue.errors import Refused
from segue.sdk.client import Client
from segue.stores.accepted import user_folder

from ..conftest import Ran, Run, at_a_terminal
from .test_boundary import RICH

SESSION = "5e60e000-0000-4000-8000-00000000d3a0"


@pytest.fixture
def inside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDECODE", "1")
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", SESSION)


def outside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CLAUDECODE")
    monkeypatch.delenv("CLAUDE_CODE_SESSION_ID")


def frames(segue: Run, *kinds: str) -> list[dict[str, Any]]:
    """The frames of these kinds in the whole workspace."""
    rows = segue("thread", "list", "--json").json["threads"]
    told = [
        json.loads(line)
        for row in rows
        for line in segue("thread", "events", row["thread_id"]).out.splitlines()
    ]
    return [frame for frame in told if frame["type"] in kinds]


def actors(told: list[dict[str, Any]]) -> set[tuple[str, str]]:
    return {(frame["actor_id"], frame["origin"]) for frame in told}


def written(segue: Run, *more: str) -> Ran:
    ran = segue("draft", "write", "-", *more, stdin=RICH.encode())
    assert ran.code == 0, ran.err
    return ran


def refused(ran: Ran) -> bool:
    return ran.code == 4 and "is for a person to do" in ran.err and "terminal of their own" in ran.err


@pytest.mark.usefixtures("inside")
def test_what_an_agent_writes_is_recorded_as_its_own(segue: Run) -> None:
    written(segue)
    assert actors(frames(segue, "handoff_drafted")) == {("claude-code", "cli")}


def test_whoever_speaks_for_a_session_is_its_agent(segue: Run) -> None:
    written(segue, "--agent", "codex", "--session", "t-1")
    assert actors(frames(segue, "handoff_drafted")) == {("codex", "cli")}


@pytest.mark.usefixtures("inside")
def test_an_agent_cannot_approve_and_a_person_can(segue: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    draft = written(segue, "--json").json["artifact_id"]
    assert refused(segue("draft", "approve"))
    assert refused(segue("draft", "approve", draft))
    assert refused(segue("draft", "approve", draft, "--actor-id", "claude-code"))
    ran = segue("call", "draft.approve", stdin=json.dumps({"expect": draft}).encode())
    assert (ran.code, ran.json["error"]["code"]) == (4, "agent_approves")
    with pytest.raises(Refused), Client() as client:
        client.drafts.approve(draft)
    assert frames(segue, "handoff_approved") == []
    outside(monkeypatch)
    assert segue("draft", "approve", draft).code == 0
    assert actors(frames(segue, "handoff_approved")) == {("user", "cli")}


@pytest.mark.usefixtures("inside")
def test_where_the_settings_approve_an_agents_draft_counts_at_once(segue: Run, tmp_path: Path) -> None:
    users_own(tmp_path, "auto")
    written(segue)
    assert actors(frames(segue, "handoff_approved")) == {("claude-code", "cli")}


@pytest.mark.usefixtures("inside")
def test_the_environment_of_an_agent_makes_settings_stricter_and_never_looser(
    segue: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SEGUE_BOUNDARY_APPROVAL", "auto")
    written(segue)
    assert segue("draft", "approve", "--json").code == 4
    users_own(tmp_path, "auto")
    monkeypatch.setenv("SEGUE_BOUNDARY_APPROVAL", "ask")
    written(segue)
    assert frames(segue, "handoff_approved") == []
    outside(monkeypatch)
    users_own(tmp_path, "ask")
    monkeypatch.setenv("SEGUE_BOUNDARY_APPROVAL", "auto")
    written(segue)
    assert actors(frames(segue, "handoff_approved")) == {("user", "cli")}


@pytest.mark.usefixtures("inside")
def test_an_agent_clears_no_channel_even_where_drafts_are_approved_at_once(
    segue: Run, tmp_path: Path
) -> None:
    draft = written(segue, "--json").json["artifact_id"]
    users_own(tmp_path, "auto")
    assert refused(segue("draft", "approve", draft, "--clear", "server"))


@pytest.mark.usefixtures("inside")
def test_an_agent_is_given_a_handoff_by_its_own_clearance(
    segue: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    users_own(tmp_path, "auto")
    written(segue)
    ran = segue("replay", "--agent", "codex", "--session", "t-1")
    assert (ran.code, "comes from claude-code" in ran.err) == (4, True)
    assert segue("replay", "--agent", "claude-code", "--session", "t-1").code == 0


@pytest.mark.usefixtures("inside")
@pytest.mark.parametrize(
    "given", [{"actor_id": "user"}, {"actor_id": "ada"}, {"actor_id": "codex"}, {"origin": "terminal"}]
)
def test_an_agent_is_recorded_as_nobody_else(segue: Run, given: dict[str, str]) -> None:
    flags = [word for name, value in given.items() for word in (f"--{name.replace('_', '-')}", value)]
    assert segue("thread", "create", *flags).code == 4
    assert segue("draft", "write", "-", *flags, stdin=RICH.encode()).code == 4
    ran = segue("call", "thread.create", stdin=json.dumps(given).encode())
    assert (ran.code, ran.json["error"]["code"]) == (4, "not_its_name")
    if "actor_id" in given:
        with pytest.raises(Refused):
            Client(**given)
    assert segue("thread", "create", "--actor-id", "claude-code", "--origin", "cli").code == 0


def test_an_agent_that_does_not_tell_which_may_say_so_and_is_no_person(
    segue: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AI_AGENT", "true")
    assert segue("thread", "create", "--actor-id", "ada").code == 4
    assert segue("thread", "create", "--actor-id", "codex").code == 0
    assert actors(frames(segue, "continuity_created")) == {("codex", "cli")}


def users_own(tmp_path: Path, approval: str) -> None:
    """Sets approval in the user's own settings."""
    home = tmp_path / "home" / ".config" / "segue"
    home.mkdir(parents=True, exist_ok=True)
    (home / "config.json").write_text(json.dumps({"boundary": {"approval": approval}}))


@pytest.mark.usefixtures("inside")
def test_a_handoff_that_an_agent_commits_is_the_agents(segue: Run, tmp_path: Path) -> None:
    session = samples.unpack(str(tmp_path))
    assert segue("handoff", "go on", "--from", session, "--yes").code == 0
    assert segue("handoff", "and on", "--from", session, "--yes", "--actor-id", "user").code == 4
    assert actors(frames(segue, "continuity_handoff_created")) == {("claude-code", "cli")}


@pytest.fixture
def records(segue: Run, tmp_path: Path) -> Run:
    """Change records in a repository of somebody's."""
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    subprocess.run(["git", "config", "user.name", "Ada  Lovelace"], cwd=tmp_path, check=True)
    assert segue("change", "init").code == 0
    return segue


def new(records: Run, *more: str) -> str:
    ran = records("change", "new", "Retry uploads", *more, "--json")
    assert ran.code == 0, ran.err
    tc_id: str = ran.json["tc_id"]
    return tc_id


def authors(records: Run, tc_id: str) -> list[str]:
    record = records("change", "show", tc_id, "--json").json
    return [record["created_by"], *(revision["author"] for revision in record["revision_history"])]


def test_a_record_names_the_person_whom_git_knows(records: Run) -> None:
    tc_id = new(records)
    assert records("change", "update", tc_id, "--next", "Write tests/test_up.py").code == 0
    assert authors(records, tc_id) == ["Ada Lovelace"] * 3


def test_a_record_names_the_agent_that_types(records: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEX_THREAD_ID", "t-1")
    tc_id = new(records)
    assert records("change", "update", tc_id, "--next", "Write a.py", "--author", "Ada").code == 4
    assert authors(records, tc_id) == ["codex"] * 2
    session = records("change", "show", tc_id, "--json").json["session_context"]["current_session"]
    assert (session["agent"], session["session_id"]) == ("codex", "t-1")


def test_whom_the_project_or_the_command_names_comes_first(records: Run) -> None:
    assert records("change", "init", "--author", "The uploads team", "--force").code == 0
    assert authors(records, new(records)) == ["The uploads team"] * 2
    assert authors(records, new(records, "--author", "Grace")) == ["Grace"] * 2


def test_no_agent_approves_a_change(records: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    tc_id = new(records)
    monkeypatch.setenv("CODEX_THREAD_ID", "t-1")
    given = json.dumps({"title": "Retry downloads", "more": {"approve": {"by": "Ada"}}})
    assert records("call", "change.new", stdin=given.encode()).code == 4
    assert refused(records("change", "update", tc_id, "--approve", "Ada"))
    assert refused(records("change", "update", tc_id, "--seal-anew", "--reason", "tidy"))
    assert refused(records("change", "close", tc_id, "--approve", "Ada"))
    monkeypatch.delenv("CODEX_THREAD_ID")
    assert records("change", "update", tc_id, "--approve", "Ada").code == 0


def below_an_agent(config: Path, *line: str) -> subprocess.CompletedProcess[str]:
    """A command that a shell of Claude Code starts."""
    env = {**os.environ, "CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": SESSION, "XDG_CONFIG_HOME": str(config)}
    command = shlex.join(line)
    # The last command keeps the shell alive, so that it is above the one before.
    return subprocess.run(
        ["sh", "-c", f"{command}; exit $?"], env=env, capture_output=True, text=True, check=False
    )


NOBODY = ("env", "-u", "CLAUDECODE", "-u", "CLAUDE_CODE_SESSION_ID")
SEGUE = (sys.executable, "-m", "segue")
only_proc = pytest.mark.skipif(
    not os.path.isdir("/proc/self"), reason="only /proc shows what processes were started with"
)


def emptied(config: Path) -> tuple[str, ...]:
    """What empties the environment of the command behind it, but for what segue needs to run here."""
    kept = {name: os.environ.get(name, "") for name in ("PATH", "HOME", "PYTHONPATH")}
    return ("env", "-i", *(f"{name}={value}" for name, value in kept.items()), f"XDG_CONFIG_HOME={config}")


@only_proc
def test_what_an_agent_writes_with_an_emptied_environment_is_its_own(segue: Run) -> None:
    written(segue)  # so that there is a workspace
    ran = below_an_agent(
        Path(user_folder()).parent,
        *emptied(Path(user_folder()).parent),
        *SEGUE,
        "thread",
        "create",
        "--title",
        "x",
    )
    assert ran.returncode == 0, ran.stderr
    made = [frame for frame in frames(segue, "continuity_created") if frame.get("title") == "x"]
    assert actors(made) == {("claude-code", "cli")}


ORPHAN = """
import os, sys
left = os.getpid()
if os.fork():
    os._exit(0)
if sys.argv[1] == "alone":
    os.setsid()
while os.getppid() == left:
    pass
os.execvp(sys.argv[2], sys.argv[2:])
"""
"""Leaves those who started it, also their terminal where it is told to, and becomes what it is given."""


@only_proc
@pytest.mark.parametrize("how", ["alone", "in the terminal"])
def test_a_process_that_an_agent_let_go_of_approves_nothing(segue: Run, how: str) -> None:
    draft = written(segue, "--json").json["artifact_id"]
    config = Path(user_folder()).parent
    orphan = (sys.executable, "-c", ORPHAN, how, *emptied(config), *SEGUE, "draft", "approve", draft)
    ours, theirs = pty.openpty()
    agent = ("env", "CLAUDECODE=1", *orphan)
    with at_a_terminal(
        ["sh", "-c", f"{shlex.join(agent)}; cat > /dev/null"],
        theirs,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    ) as shell:
        os.close(theirs)
        assert shell.stdout is not None
        said = next(iter(shell.stdout), "")
        os.close(ours)
    assert "is for a person at a terminal" in said
    assert not frames(segue, "handoff_approved")


@pytest.mark.parametrize("shell", [(), ("sh", "-c", '"$@"; exit $?', "sh")])
def test_a_person_approves_in_a_terminal_and_not_without_one(segue: Run, shell: tuple[str, ...]) -> None:
    draft = written(segue, "--json").json["artifact_id"]
    command = [*shell, *SEGUE, "draft", "approve", draft]
    alone = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, start_new_session=True, check=False
    )
    assert (alone.returncode, "admin's token" in alone.stderr) == (4, True)
    ours, theirs = pty.openpty()
    with at_a_terminal(command, theirs, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as asking:
        os.close(theirs)
        told = asking.communicate()
    os.close(ours)
    assert asking.returncode == 0, told
    assert actors(frames(segue, "handoff_approved")) == {("user", "cli")}


@pytest.mark.usefixtures("inside")
def test_an_agent_does_not_take_back_that_a_workspace_counts(
    segue: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(segue)
    assert refused(segue("trust", "--remove"))
    written(segue)
    outside(monkeypatch)
    assert segue("trust", "--remove").code == 0


@only_proc
@pytest.mark.parametrize("hidden", [NOBODY, (), "-i"])
@pytest.mark.parametrize("copied", [False, True])
def test_an_agent_that_hides_or_brings_settings_of_its_own_approves_nothing(
    segue: Run, tmp_path: Path, hidden: tuple[str, ...] | str, copied: bool
) -> None:
    draft = written(segue, "--json").json["artifact_id"]
    config = Path(user_folder()).parent
    line = emptied(config) if hidden == "-i" else (*(hidden or ("env",)),)
    if copied:
        mine = shutil.copytree(config / "segue", tmp_path / "mine" / "segue")
        (mine / "config.json").write_text('{"boundary": {"approval": "auto"}}')
        line = (*line, f"XDG_CONFIG_HOME={mine.parent}")

    ran = below_an_agent(config, *line, *SEGUE, "draft", "approve", draft)

    assert (ran.returncode, "is for a person to do" in ran.stderr) == (4, True), ran.stderr
    assert not frames(segue, "handoff_approved")
    assert segue("draft", "approve", draft).code == 0
