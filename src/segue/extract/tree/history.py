"""History: the repositories of a session as git commands left them, and what of that is handed over.

Which repository a command works on is told by where it ran; one that was begun elsewhere or only to try something
is not the session's. What each command does stands in `git_acts.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from segue.extract.commands.git_line import Git, git_commands, within
from segue.extract.text.prose import start, word_set
from segue.extract.tree.git_acts import ACTS, worked
from segue.extract.tree.git_log import Result, failed
from segue.extract.tree.git_status import branch_in, status_in
from segue.extract.tree.places import Places
from segue.extract.tree.repository import DETACHED, Commit, Repository, Thrown
from segue.model.entry import Entry
from segue.model.patterns import compiled
from segue.model.scratch import is_scratch

_COMMIT = compiled(r"^\[([\w./@#+-]+|detached HEAD)(?: \([^)]*\))? ([0-9a-f]{7,40})\] (.+)$", re.M)
_REBASES = ("rebase", "pull")
_COMMITS = ("commit", "cherry-pick", "revert", "am", "merge")
_VERBS_SEEN = compiled(
    r"commit|reset|revert|checkout|switch|restore|stash|rebase|branch |merge|cherry-pick|pull|git a(?:dd|m)|git clean"
    r"| init|worktree|git rm|git mv"
)
_BEGINS = ("init", "worktree")
_TRIED_IN = word_set("test tests testdata fixture fixtures example examples sample samples demo playground")
"""Directories of a project in which a repository is begun only to try something."""
_LISTED = 20_000
_TELLS_IDS = compiled("log|rev-parse")


class History:
    def __init__(self, places: Places) -> None:
        self._places = places
        self._repositories: dict[str, Repository] = {}
        self._others: list[str] = []
        """Directories below the session's own in which another repository was begun."""
        self._trees: list[str] = []
        """Where else a tree of the session's repository lies."""
        self._listed: dict[str, tuple[str, str, int]] = {}
        """By directory the last line that asked git for all that is not committed, and what it printed. Only the last
        counts, so no other is taken apart."""

    def seen(self, command: str, entry: Entry, here: str) -> None:
        """The result of a line in which git was called, begun in the directory `here`."""
        if " status" in command and "|" not in command and not failed(entry):
            self._listed[here] = command, start(entry.text, _LISTED), entry.line
        elif "nothing to commit, working" in entry.text:
            self._listed[here] = "git status", start(entry.text, _LISTED), entry.line
        if not _VERBS_SEEN.search(command) and not (self._commits_any and _TELLS_IDS.search(command)):
            return
        gits = git_commands(command, here)
        committing = sum(git.verb in _COMMITS for git in gits)
        tells = committing or any(git.verb in _REBASES for git in gits)
        rows = _COMMIT.findall(entry.text) if tells and "] " in entry.text else []
        for git in gits:
            act = ACTS.get(git.verb)
            own: list[tuple[str, str, str]] = rows
            if git.verb in _COMMITS:
                committing -= 1
                own = rows[: len(rows) - committing] if len(rows) > committing else []
                rows = rows[len(own) :]
            if git.verb in _BEGINS:
                self._begun(git)
            elif act and (own or git.verb == "rebase" or worked(git, entry)) and self._ours(git.directory):
                act(self._of(git.directory), git, Result(command, entry, own))

    @property
    def _commits_any(self) -> bool:
        return any(repository.commits for repository in self._repositories.values())

    def _begun(self, git: Git) -> None:
        """A repository or a tree of one was made."""
        named = [word for before, word in pairwise(("", *git.given)) if before != "-b" and word[:1] != "-"]
        if git.verb == "worktree" and named[:1] == ["add"]:
            self._trees += [within(git.directory, word) for word in named[1:]]
        elif git.verb != "worktree":
            made, own = within(git.directory, named[-1]) if named else git.directory, self._places.own
            below = made.removeprefix(f"{own}/")
            if below != made and (own in self._repositories or not _TRIED_IN.isdisjoint(below.split("/"))):
                self._others.append(made)

    def _ours(self, directory: str) -> bool:
        """It lies in the session's repository, as far as anybody can tell, and not where things are thrown away."""
        if any(_holds(tree, directory) for tree in self._trees):
            return True
        if any(_holds(other, directory) for other in self._others):
            return False
        own = self._places.own
        return not is_scratch(directory) or _holds(own, directory) or _holds(directory, own)

    def pushed(self, source: str, span: str, git: Git, line: int) -> None:
        repository = self._of(git.directory)
        branch = repository.branch if source == "HEAD" else source
        repository.pushed[branch] = line
        repository.rewritten.pop(branch, None)
        held = repository.branches.get(branch)
        last = repository.commits[held[-1]] if held else None
        if span and last and (last.rebased or not last.sha):
            last.renamed(span.rpartition(".")[2])

    def push_in(self, command: str, here: str) -> Git | None:
        """The push of a line that hands in the session's work; none where it only tries to, or elsewhere."""
        pushes = (git for git in git_commands(command, here) if git.verb == "push")
        return next(
            (g for g in pushes if not g.has("--dry-run") and not g.short("n") and self._ours(g.directory)),
            None,
        )

    def unpushed(self) -> list[Commit]:
        """Commits of this session that no push was seen of since they were made."""
        return [commit for repository in self._all for commit in repository.unpushed]

    def rewritten(self, source: str) -> int:
        """Where a branch that was pushed ceased to hold what was; 0 where it does."""
        return max((repository.rewritten.get(source, 0) for repository in self._all), default=0)

    def standing(self) -> list[Commit]:
        """All commits that are still there, in the order in which they were made."""
        found = [commit for repository in self._all for commit in repository.standing]
        return sorted(found, key=lambda commit: commit.line)

    def letters(self, path: str, line: int) -> str | None:
        """What git makes of a file of the session as it was left at a line; None where that is not known."""
        repository, full = self._holding(path)
        return repository.letters(full, line) if repository else None

    def left_at(self, path: str, line: int) -> int:
        """The line at which git listed a file, as it was left at one before, as not committed; 0 where it did not."""
        repository, full = self._holding(path)
        return repository.left_at(full, line) if repository else 0

    def _holding(self, path: str) -> tuple[Repository | None, str]:
        """The repository that a file lies in, where only one may be meant, and the file's path in full."""
        self._read_lists()
        full = self._places.absolute(path, self._places.root)
        near = [r for r in self._all if not r.directory or _holds(r.directory, full)]
        known = near or [r for r in self._all if _holds(self._places.own, r.directory)]
        return known[0] if len(known) == 1 else None, full

    def _read_lists(self) -> None:
        """A list that the rest of its line made a commit of tells nothing of what is left."""
        for here, (command, text, line) in self._listed.items():
            gits = git_commands(command, here)
            for place, git in enumerate(gits, start=1):
                status = status_in(text, line, git, command) if git.verb == "status" else None
                outdated = status and status.letters and any(g.verb in _COMMITS for g in gits[place:])
                if status and not outdated and self._ours(git.directory):
                    self._of(git.directory).listed(status, branch_in(text))
        self._listed.clear()

    def thrown(self) -> list[Thrown]:
        found = [thrown for repository in self._all for thrown in repository.thrown]
        return sorted(found, key=lambda thrown: thrown.line)

    def taken_back(self) -> Iterator[tuple[Thrown, list[Commit]]]:
        """What was thrown away for good that had been committed, or was put away and not brought back."""
        for repository in self._all:
            for thrown in repository.thrown:
                if not thrown.back and (thrown.commits or thrown.how == "git stash"):
                    yield thrown, [repository.commits[n] for n in thrown.commits]

    @property
    def branch(self) -> str:
        """The branch that the session's own directory is on, where a command told."""
        self._read_lists()
        repository = self._repositories.get(self._places.own) or next(iter(self._all), None)
        told = repository.branch if repository else ""
        return told if told != DETACHED else ""

    @property
    def _all(self) -> list[Repository]:
        return list(self._repositories.values())

    def _of(self, directory: str) -> Repository:
        """The repository of a directory: the one known there, above it or below it, else a new one."""
        known = self._repositories
        if directory not in known:
            akin = (d for d in known if directory.startswith(f"{d}/") or d.startswith(f"{directory}/"))
            near = next(akin, "")
            if near:
                return known[near]
            known[directory] = Repository(directory)
        return known[directory]


def _holds(above: str, directory: str) -> bool:
    return bool(above) and (directory == above or directory.startswith(f"{above}/"))
