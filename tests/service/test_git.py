"""Git is asked, and nothing that a repository configures is run."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from segue.service.changes import git as changes_git
from segue.service.git import Git
from segue.service.repository.state import repo_state

SIGNED = """tree {tree}
parent {parent}
author A <a@example.com> 1700000000 +0000
committer A <a@example.com> 1700000000 +0000
gpgsig -----BEGIN PGP SIGNATURE-----
 iQEzBAABCAAdFiEE
 -----END PGP SIGNATURE-----

signed
"""

Trick = Callable[["Hostile"], None]


class Hostile:
    """A repository with a file that is changed, and a program that leaves a trace when it is run."""

    def __init__(self, place: Path) -> None:
        self.root, self.traces = place / "project", place / "traces"
        self.root.mkdir(parents=True)
        self.traces.mkdir()
        self.git("init", "-q", "-b", "main")
        (self.root / "a.txt").write_text("one\n")
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "first")
        (self.root / "a.txt").write_text("two\n")

    def git(self, *words: str, given: str = "", root: Path | None = None) -> str:
        who = {
            f"GIT_{role}_{what}": "a@example.com"
            for role in ("AUTHOR", "COMMITTER")
            for what in ("NAME", "EMAIL")
        }
        env = {**os.environ, **who, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
        done = subprocess.run(
            ["git", "-C", str(root or self.root), "-c", "protocol.file.allow=always", *words],
            env=env,
            input=given,
            text=True,
            check=True,
            capture_output=True,
        )
        return done.stdout.strip()

    def trap(self, name: str) -> str:
        """A program that says it was run and goes on as a filter would."""
        place = self.traces.parent / f"{name}.sh"
        place.write_text(f"#!/bin/sh\ntouch '{self.traces}/{name}'\ncat\n")
        place.chmod(0o700)
        return str(place)

    def set(self, key: str, name: str) -> None:
        self.git("config", key, self.trap(name))

    def attributes(self, text: str) -> None:
        with (self.root / ".gitattributes").open("a") as file:
            file.write(f"{text}\n")

    @property
    def sprung(self) -> list[str]:
        return sorted(os.listdir(self.traces))


def _clean(hostile: Hostile) -> None:
    hostile.set("filter.Evil One.x.clean", "clean")
    hostile.git("config", "filter.Evil One.x.required", "true")
    (hostile.root / ".git" / "info" / "attributes").write_text('*.txt filter="Evil One.x"\n')
    hostile.git("config", "filter.plain.clean", hostile.trap("plain"))
    hostile.attributes("* filter=plain")


def _process(hostile: Hostile) -> None:
    hostile.set("filter.evil.process", "process")
    hostile.attributes("*.txt filter=evil")


def _included(hostile: Hostile) -> None:
    (hostile.root / ".git" / "more").write_text(f'[filter "evil"]\n\tclean = {hostile.trap("included")}\n')
    hostile.git("config", "include.path", "more")
    hostile.attributes("*.txt filter=evil")


def _worktree(hostile: Hostile) -> None:
    hostile.git("config", "extensions.worktreeConfig", "true")
    hostile.git("config", "--worktree", "filter.evil.clean", hostile.trap("worktree"))
    hostile.attributes("*.txt filter=evil")


def _equals_sign(hostile: Hostile) -> None:
    with (hostile.root / ".git" / "config").open("a") as file:
        file.write(f'[filter "a=b"]\n\tclean = {hostile.trap("equals")}\n')
    hostile.attributes("*.txt filter=a=b")


def _diff(hostile: Hostile) -> None:
    hostile.set("diff.external", "external")
    hostile.set("diff.evil.command", "command")
    hostile.set("diff.evil.textconv", "textconv")
    hostile.attributes("*.txt diff=evil")


def _signature(hostile: Hostile) -> None:
    tree, parent = hostile.git("rev-parse", "HEAD^{tree}"), hostile.git("rev-parse", "HEAD")
    made = hostile.git(
        "hash-object", "-t", "commit", "-w", "--stdin", given=SIGNED.format(tree=tree, parent=parent)
    )
    hostile.git("update-ref", "HEAD", made)
    hostile.git("config", "log.showSignature", "true")
    hostile.set("gpg.program", "gpg")


def _fsmonitor(hostile: Hostile) -> None:
    hostile.set("core.fsmonitor", "fsmonitor")


def _hooks(hostile: Hostile) -> None:
    hooks = hostile.root / ".git" / "hooks"
    hooks.mkdir(exist_ok=True)
    shutil.copy(hostile.trap("hook"), hooks / "post-index-change")
    hostile.git("config", "core.hooksPath", str(hooks))


def _shown(hostile: Hostile) -> None:
    hostile.set("core.pager", "pager")
    hostile.set("pager.log", "pager-log")
    for command in ("log", "status", "rev-parse", "ls-files"):
        hostile.git("config", f"alias.{command}", f"!{hostile.trap('alias')}")


def _submodule(hostile: Hostile) -> None:
    other = Hostile(hostile.traces.parent / "other")
    other.git("commit", "-q", "-a", "-m", "second")
    hostile.git("submodule", "add", "-q", str(other.root), "sub")
    hostile.git("commit", "-q", "-m", "with a module")
    inside = hostile.root / "sub"
    hostile.git("config", "filter.evil.clean", hostile.trap("submodule"), root=inside)
    (inside / ".gitattributes").write_text("*.txt filter=evil\n")
    (inside / "a.txt").write_text("six\n")
    hostile.git("config", "submodule.recurse", "true")
    hostile.git("config", "diff.submodule", "diff")


def _lazy_fetch(hostile: Hostile) -> None:
    blob = hostile.git("rev-parse", "HEAD:a.txt")
    (hostile.root / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    hostile.git("config", "core.repositoryFormatVersion", "1")
    hostile.git("config", "extensions.partialClone", "origin")
    hostile.git("config", "remote.origin.url", str(hostile.root))
    hostile.git("config", "remote.origin.promisor", "true")
    hostile.git("config", "protocol.allow", "always")
    hostile.set("remote.origin.uploadpack", "uploadpack")


TRICKS: tuple[Trick, ...] = (
    _clean,
    _process,
    _included,
    _worktree,
    _equals_sign,
    _diff,
    _signature,
    _fsmonitor,
    _hooks,
    _shown,
    _submodule,
    _lazy_fetch,
)


@pytest.fixture
def hostile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hostile]:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    yield Hostile(tmp_path)


def ask_everything(root: str) -> None:
    repo_state(root, 30)
    for ask in (changes_git.dirty, changes_git.branch, changes_git.files, changes_git.remote_url):
        ask(root)
    changes_git.log(root, "HEAD")
    changes_git.last_commits(root, ["a.txt"])
    changes_git.versions(root, ".", 3)
    changes_git.holds(root, "word", "docs")


@pytest.mark.parametrize("trick", TRICKS, ids=lambda trick: trick.__name__.strip("_"))
def test_a_trick_of_the_repository_runs_nothing(hostile: Hostile, trick: Trick) -> None:
    trick(hostile)
    shutil.rmtree(hostile.traces)
    hostile.traces.mkdir()
    ask_everything(str(hostile.root))
    assert hostile.sprung == []


@pytest.mark.parametrize("trick", [_clean, _fsmonitor, _signature], ids=["clean", "fsmonitor", "signature"])
def test_git_by_itself_would_have_run_it(hostile: Hostile, trick: Trick) -> None:
    trick(hostile)
    for words in (("status",), ("log", "-1")):
        hostile.git(*words)
    assert hostile.sprung != []


def test_what_a_filter_would_have_hidden_is_told_and_a_filter_that_stays_is_not_asked(
    hostile: Hostile,
) -> None:
    _clean(hostile)
    assert " M a.txt" in repo_state(str(hostile.root)).status
    _equals_sign(hostile)
    seen = repo_state(str(hostile.root))
    assert (seen.status, seen.note) == ((), "the repository defines filters that cannot be turned off")
    assert seen.log


def test_a_filter_of_the_person_is_kept(
    hostile: Hostile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "gitconfig"
    own.write_text('[filter "shout"]\n\tclean = echo one\n')
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(own))
    hostile.attributes("a.txt filter=shout")
    assert changes_git.dirty(str(hostile.root)) == {".gitattributes"}


def test_a_bare_repository_inside_the_project_is_not_asked(hostile: Hostile) -> None:
    inside = hostile.root / "sub"
    shutil.copytree(hostile.root / ".git", inside)
    hostile.git("config", "--file", str(inside / "config"), "core.bare", "false")
    hostile.git("config", "--file", str(inside / "config"), "core.worktree", str(hostile.root))
    hostile.git("config", "--file", str(inside / "config"), "filter.evil.clean", hostile.trap("bare"))
    hostile.git("config", "--file", str(inside / "config"), "core.fsmonitor", hostile.trap("monitor"))
    hostile.attributes("*.txt filter=evil")
    for place in (inside, inside / "refs"):
        assert repo_state(str(place)).note == "not a git repository"
        asked = Git(str(place), 30)
        assert (asked.output("status"), asked.failure and asked.failure.kind) == (None, "no_repository")
    shutil.rmtree(inside / "refs")
    (inside / "commondir").write_text("../.git\n")
    assert Git(str(inside), 30).output("status") is None
    assert hostile.sprung == []


COMMANDS = (
    ("handoff", "--from", "{session}", "--dry-run"),
    ("handoff", "--from", "{session}", "--repo", "--out", "{root}/packet.md"),
    ("verify", "handoff", "{root}/packet.md"),
    ("change", "init"),
    ("change", "new", "Name it"),
    ("change", "update", "TC-001", "--status", "in_progress", "--reason", "go on"),
    ("change", "update", "TC-001", "--add-file", "a.txt:modified"),
    ("change", "link", "TC-001", "--commit", "HEAD"),
    ("change", "lint"),
    ("change", "resume", "TC-001"),
    ("change", "list"),
    ("change", "retro", "--from-git"),
    ("status",),
    ("doctor",),
)


def test_no_command_runs_what_the_repository_configures(hostile: Hostile, segue: Callable[..., Any]) -> None:
    sessions = Path(__file__).parent.parent / "fixtures" / "agents" / "claude-code"
    transcript = hostile.traces.parent / "session.jsonl"
    source = next(path for path in sorted(sessions.rglob("*.jsonl"))).read_text()
    transcript.write_text(re.sub(r'"cwd": ?"[^"]*"', f'"cwd":"{hostile.root}"', source))
    for trick in (_clean, _process, _included, _diff, _signature, _fsmonitor, _hooks, _shown):
        trick(hostile)
    shutil.rmtree(hostile.traces)
    hostile.traces.mkdir()
    codes = {}
    for words in COMMANDS:
        filled = [word.format(root=hostile.root, session=transcript) for word in words]
        ran = segue(*filled, "--workspace", str(hostile.root))
        codes[" ".join(words[:2])] = (ran.code, ran.err)
        assert hostile.sprung == [], words
    assert {name: told for name, told in codes.items() if told[0] not in (0, 1)} == {}
