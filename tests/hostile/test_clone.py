"""A cloned repository starts nothing, reads nothing and sends nothing, whatever is run in it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from segue.agents.calls import payload
from segue.agents.host import Step
from segue.agents.registry import HOSTS, host_of

from .commands import commands
from .repository import OTHER, SECRET, SESSION, Victim, build, changed, git, put, settings_of_git, tree

COMMANDS = list(commands())
NOUNS = sorted({words[0] for words in COMMANDS})
ASKED_FOR = {"change": (".gitattributes", "docs/TC/index.html")}
"""What a command writes into the repository because it is asked to: `change install-merge-driver`, `change dashboard`."""
SERVING = (["serve"],)
"""What would go on until somebody stops it."""


@pytest.fixture
def victim(tmp_path: Path) -> Iterator[Victim]:
    made = Victim(tmp_path)
    yield made
    made.close()


def payloads(victim: Victim, host: str, event: str, place: Path) -> Iterator[str]:
    """What the host says at an event: of the session at work, and of another project's."""
    recorded = json.loads(payload(host, Step(event), SESSION, str(place)) or "{}")
    mine = {"session_id": SESSION, "transcript_path": str(victim.works_in(place)), "cwd": str(place)}
    theirs = {"session_id": OTHER, "transcript_path": str(victim.other), "cwd": str(place)}
    yield json.dumps({**recorded, **mine})
    yield json.dumps({**recorded, **mine, **theirs, "source": "compact"})


@pytest.mark.parametrize("noun", NOUNS)
@pytest.mark.parametrize("kind", ["files", "links"])
def test_no_command_does_anything_with_the_folder_a_clone_brought_along(
    victim: Victim, kind: str, noun: str
) -> None:
    clone = victim.clone(build(victim, kind))
    victim.works_in(clone)
    before, outside = tree(clone), victim.belongings()
    for words in COMMANDS:
        if words[0] == noun:
            ran = victim.run(clone, *words)
            assert ran.returncode in range(5) and "did not foresee" not in ran.stderr, (words, ran.stderr)
            assert SECRET not in ran.stdout or "--all" in words, words
    assert victim.harm() == []
    assert set(changed(before, tree(clone))) <= {str(clone / name) for name in ASKED_FOR.get(noun, ())}
    assert changed(outside, victim.belongings()) == []


@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("kind", ["files", "links"])
def test_every_hook_is_silent_in_a_clone_with_a_folder_of_its_own(
    victim: Victim, kind: str, host: str
) -> None:
    clone = victim.clone(build(victim, kind))
    before, outside = tree(clone), victim.belongings()
    for event in host_of(host).events:
        for given in payloads(victim, host, event, clone):
            ran = victim.run(clone / "docs", "hook", host, event, stdin=given)
            assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")
    assert victim.harm() == []
    assert changed(before, tree(clone)) + changed(outside, victim.belongings()) == []


@pytest.mark.parametrize("kind", ["files", "links"])
def test_what_a_pull_puts_into_an_accepted_workspace_does_not_count(victim: Victim, kind: str) -> None:
    source = build(victim, "none")
    clone = victim.clone(source)
    assert victim.run(clone, "thread", "ensure").returncode == 0
    (clone / ".segue").rename(clone.parent / "aside")
    later = build(victim, kind)
    git(clone, "fetch", "-q", str(later))
    git(clone, "reset", "-q", "--hard", "FETCH_HEAD")
    for name in ("id", ".gitignore"):  # what the victim had, and no repository can bring
        path = clone / ".segue" / name
        path.unlink(missing_ok=True)
        (clone.parent / "aside" / name).rename(path)
    before, outside = tree(clone), victim.belongings()
    for words in (["status"], ["doctor", "--fix"], ["handoff", "--yes"], ["replay"], ["trust", "--yes"]):
        ran = victim.run(clone, *words)
        assert ran.returncode == 4 and "is tracked by git" in ran.stderr, (words, ran.stderr)
    for event in host_of("claude-code").events:
        for given in payloads(victim, "claude-code", event, clone):
            assert victim.run(clone, "hook", "claude-code", event, stdin=given).stdout == ""
    assert victim.harm() == []
    assert changed(before, tree(clone)) + changed(outside, victim.belongings()) == []


@pytest.mark.parametrize("noun", NOUNS)
def test_in_a_workspace_of_ones_own_nothing_runs_that_the_repository_configures(
    victim: Victim, noun: str
) -> None:
    clone = victim.clone(build(victim, "none"))
    assert victim.run(clone, "thread", "ensure").returncode == 0
    with (clone / ".git" / "config").open("a") as file:
        file.write(settings_of_git(victim).replace("\tworktree = .\n", ""))
    put(
        clone,
        {"README.md": "# Changed\n", "sub/a.txt": "changed\n", "hooks/post-index-change": "#!/bin/sh\n"},
    )
    victim.works_in(clone)
    victim.works_in(clone / "sub")
    outside = victim.belongings()
    for words in COMMANDS:
        if words[0] == noun and words not in SERVING:
            for place in (clone, clone / "sub"):
                ran = victim.run(place, *words)
                assert "did not foresee" not in ran.stderr, (words, ran.stderr)
    assert victim.harm() == []
    assert changed(outside, victim.belongings()) == []


@pytest.mark.parametrize("host", HOSTS)
def test_in_a_workspace_of_ones_own_hooks_start_and_send_nothing(victim: Victim, host: str) -> None:
    clone = victim.clone(build(victim, "none"))
    assert victim.run(clone, "thread", "ensure").returncode == 0
    with (clone / ".git" / "config").open("a") as file:
        file.write(settings_of_git(victim).replace("\tworktree = .\n", ""))
    outside = victim.belongings()
    for event in host_of(host).events:
        for given in payloads(victim, host, event, clone):
            assert victim.run(clone / "sub", "hook", host, event, stdin=given).returncode == 0
    assert victim.harm() == []
    assert changed(outside, victim.belongings()) == []


@pytest.mark.parametrize("kind", ["files", "links"])
def test_no_operation_does_anything_with_the_folder_a_clone_brought_along(victim: Victim, kind: str) -> None:
    clone = victim.clone(build(victim, kind))
    before, outside = tree(clone), victim.belongings()
    ran = subprocess.run(
        [sys.executable, "-c", EVERY_OPERATION, str(clone)], env=victim.env, capture_output=True, text=True
    )
    told = dict(line.split() for line in ran.stdout.splitlines())
    assert ran.stderr == "" and len(told) > 40
    assert (
        set(told.values()) <= {"Refused", "BadInput", "NotFound", "misfit", "done"}
        and "Refused" in told.values()
    )
    assert victim.harm() == []
    assert set(changed(before, tree(clone))) <= {str(clone / name) for name in ASKED_FOR["change"]}
    assert changed(outside, victim.belongings()) == []


EVERY_OPERATION = """
import sys
import msgspec
from segue.errors import SegueError
from segue.sdk.local import Local
from segue.service.operations import OPERATIONS
from segue.service.signatures import signature

for operation in OPERATIONS:
    told = signature(operation)
    values = {field.name: "TC-001" for field in msgspec.structs.fields(told.request) if field.required}
    values |= {told.body: b"x"} if told.body else {}
    try:
        Local(sys.argv[1]).call(operation.name, values)
        print(operation.name, "done")
    except SegueError as fault:
        print(operation.name, type(fault).__name__)
    except Exception:
        print(operation.name, "misfit")  # a text where the function wants something else
"""


def test_the_canary_sings_where_git_is_run_as_it_is_configured(victim: Victim) -> None:
    """So that its silence above means something."""
    clone = victim.clone(build(victim, "none"))
    put(clone, {"sub/a.txt": "changed\n"})
    subprocess.run(["git", "-C", str(clone / "sub"), "add", "a.txt"], capture_output=True, check=False)
    assert victim.harm() != []


def test_the_guard_sees_a_connection_and_a_process(victim: Victim) -> None:
    code = (
        f"import socket, subprocess; socket.create_connection(('127.0.0.1', {victim.database.port})).recv(1);"
        "subprocess.run(['true'])"
    )
    subprocess.run(["python3", "-c", code], env=victim.env, check=True)
    assert [line.split("\t")[0] for line in victim.harm()[1:]] == [
        "socket.getaddrinfo",
        "socket.connect",
        "subprocess.Popen",
    ]
