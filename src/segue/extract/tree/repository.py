"""A repository as the results of git commands leave it: which branch holds which commits, and what was thrown away.

A commit stands while a branch holds it and nothing took it back. Where a name points to is known only for what
was made before the reader's eyes; any other id lies before all of that.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from segue.extract.commands.git_line import back, holds, is_id, same_id
from segue.extract.tree.git_status import Status

_UPSTREAM = ("origin/", "upstream/", "@{u}", "@{upstream}")
_FORMER = ("ORIG_HEAD", "HEAD@{1}", "@{1}")
DETACHED = "detached HEAD"
UNNAMED = "HEAD"
"""Where a commit was made by a program that does not tell the branch."""
_BEGINNING = -1_000_000
"""A line before all."""

Known = Literal["tracked", "untracked", "both"]


class Commit(msgspec.Struct):
    """`since` is the line of the commit before it, `paths` what was added to it by name. `rebased` is the line at
    which it got an id that nobody printed, `was` the id that its own line shows where it has another by now, `gone` the
    line at which it was taken back."""

    branch: str
    subject: str
    line: int
    id: str = ""
    sha: str = ""
    since: int = 0
    paths: tuple[str, ...] = ()
    rebased: int = 0
    gone: int = 0
    reverts: int = -1
    parent: int = -1
    was: str = ""

    def renamed(self, sha: str) -> None:
        """It was seen under this id, which it may have got since it was made."""
        if self.sha and self.sha[:7] != sha[:7]:
            self.was = self.was or self.sha
        self.sha, self.rebased = sha, 0


class Thrown(msgspec.Struct):
    """Edits of files between two lines that are no longer there since a third, of some paths or, where none is
    given, of all in the directory. What was created after `tracked` git does not know."""

    line: int
    since: int
    until: int
    directory: str
    how: str
    paths: tuple[str, ...] = ()
    of: Known = "tracked"
    tracked: int = 0
    commits: tuple[int, ...] = ()
    back: int = 0
    """Where they came back."""


class Repository(msgspec.Struct):
    directory: str
    branch: str = ""
    branches: dict[str, list[int]] = {}
    """The numbers of the commits that each branch holds, in their order."""
    commits: list[Commit] = []
    thrown: list[Thrown] = []
    stashes: list[int] = []
    former: list[int] = []
    """What the branch held before it was last moved."""
    added: dict[str, int] = {}
    """What was staged by name since the last commit, and where."""
    everything: int = 0
    """Where all that git knows was staged since the last commit."""
    status: Status | None = None
    """What git last told of what is not committed."""
    tracked: int = 0
    pushed: dict[str, int] = {}
    rewritten: dict[str, int] = {}
    """Branches that were pushed and no longer hold what was, and the line at which that came to be."""
    squashed: list[str] = []
    """Branches whose work was merged without their commits."""
    rebasing: int = 0
    unsure: bool = False
    """Some commits have an id that was not seen."""

    @property
    def own(self) -> list[int]:
        return self.branches.setdefault(self.branch, [])

    @property
    def last_line(self) -> int:
        return max((self.commits[n].line for n in self.own), default=_BEGINNING)

    @property
    def standing(self) -> list[Commit]:
        held = {n for numbers in self.branches.values() for n in numbers}
        return [commit for n, commit in enumerate(self.commits) if n in held and not commit.gone]

    @property
    def unpushed(self) -> list[Commit]:
        """Those standing of which no branch that holds them was seen to be pushed since they were made."""
        pushed: dict[int, int] = {}
        for branch, numbers in self.branches.items():
            pushed |= {n: max(pushed.get(n, 0), self.pushed.get(branch, 0)) for n in numbers}
        return [
            commit
            for n, commit in enumerate(self.commits)
            if n in pushed
            and not commit.gone
            and commit.line > max(pushed[n], self.pushed.get(commit.branch, 0))
        ]

    def on(self, branch: str) -> None:
        """It is known now which branch this is."""
        if branch and branch != self.branch:
            if not self.branch and branch not in self.branches:
                self.branches[branch] = self.branches.pop("", [])
            self.branch = branch

    def commit(self, made: Commit, *, amends: bool) -> None:
        own = self.own
        made.since, made.paths = self.last_line, () if self.everything else tuple(self.added)
        if amends and own:
            amended = self.commits[own[-1]]
            made.since = amended.since
            made.paths = (*amended.paths, *made.paths) if amended.paths and not self.everything else ()
            self._drop_commits(own[-1:], made.line)
            own.pop()
        made.parent = own[-1] if own else -1
        self.added, self.everything, self.tracked = {}, 0, made.line
        self.commits.append(made)
        own.append(len(self.commits) - 1)
        self.unsure = self.unsure or not made.sha

    def stage(self, paths: Sequence[str], line: int) -> None:
        self.added |= dict.fromkeys(paths, line)

    def unstage(self, paths: Sequence[str]) -> None:
        """Some paths, or all where none is given, are no longer staged."""
        everything = not paths or any(path in (".", ":/") for path in paths)
        self.everything = 0 if everything else self.everything
        self.added = {p: line for p, line in self.added.items() if not everything and p not in paths}

    def listed(self, status: Status, branch: str) -> None:
        """Git told what is not committed, and on which branch; that one counts where nothing else told of one."""
        if not self.status or status.line >= self.status.line:
            self.status = status
            self.on("" if self.branch else branch)

    def letters(self, path: str, line: int) -> str | None:
        """What git makes of a file as it was left at a line: its letters, empty where nothing of it is left to be
        committed, None where that is not known."""
        staged = max((at for given, at in self.added.items() if holds(given, path)), default=0)
        told = self.status.line if self.status else 0
        if max(staged, self.everything) > max(line, told):
            return "M "
        return self.status.of(path) if self.status and told > line else None

    def left_at(self, path: str, line: int) -> int:
        """The line at which git last listed a file as not committed that was left so at a line before; 0 where it did
        not, or the file was put back since."""
        status = self.status
        if not status or status.line <= line or not status.of(path):
            return 0
        put_back = any(
            thrown.line > status.line
            and not thrown.back
            and (not thrown.paths or any(holds(given, path) for given in thrown.paths))
            for thrown in self.thrown
        )
        return 0 if put_back else status.line

    def numbered(self, sha: str) -> int:
        """The commit with an id; -1 where none is known."""
        known = (n for n, commit in enumerate(self.commits) if same_id(commit.sha, sha))
        return next(known, -1)

    def count_at(self, target: str) -> int | None:
        """How many of the branch's commits are there at a place; None where that is not known."""
        own = self.own
        if (steps := back(target)) >= 0:
            return max(0, len(own) - steps)
        if target.startswith(_UPSTREAM):
            name = target.partition("/")[2] or self.branch
            pushed = self.pushed.get(name, _BEGINNING)
            there = own if name == self.branch else self.branches.get(name, [])
            return sum(n in there and self.commits[n].line <= pushed for n in own)
        if is_id(target):
            return own.index(n) + 1 if (n := self.numbered(target)) in own else 0
        if target in self.branches:
            return sum(n in self.branches[target] for n in own)
        return None

    def at(self, target: str) -> list[int]:
        """The commits at a place."""
        if target in self.branches:
            return list(self.branches[target])
        kept = self.count_at(target)
        return self.own[:kept] if kept is not None else []

    def _line_of(self, number: int) -> list[int]:
        """A commit and all that were before it."""
        found: list[int] = []
        while number >= 0:
            found.append(number)
            number = self.commits[number].parent
        return found[::-1]

    def line_at(self, target: str) -> int:
        """What was edited after this line is not there at a place."""
        return max((self.commits[n].line for n in self.at(target)), default=_BEGINNING)

    def move(self, target: str, line: int) -> tuple[int, ...]:
        """Moves the branch; gives the commits that it no longer holds."""
        own = self.own
        left = self.numbered(target) if is_id(target) else -1
        if target in _FORMER:
            held = self.former
        elif target in self.branches:
            held = list(self.branches[target])
        elif left >= 0:
            held = self._line_of(left)
        elif (kept := self.count_at(target)) is not None:
            held = own[:kept]
        else:
            return ()
        self.former = list(own)
        for thrown in self.thrown:
            if thrown.how == "git reset" and not thrown.back and any(n in held for n in thrown.commits):
                thrown.back = line
        lost = [n for n in own if n not in held]
        self.branches[self.branch] = held
        self._drop_commits(lost, line)
        return tuple(n for n in lost if not any(n in numbers for numbers in self.branches.values()))

    def _drop_commits(self, lost: list[int], line: int) -> None:
        """Commits that the branch no longer holds: what they reverted holds again, and what was pushed differs."""
        for n in lost:
            reverted = self.commits[n].reverts
            if reverted >= 0:
                self.commits[reverted].gone = 0
                for thrown in self.thrown:
                    thrown.back = line if reverted in thrown.commits else thrown.back
        self.rewrite(lost, line)

    def rewrite(self, numbers: list[int], line: int) -> None:
        """What was pushed of these is no longer what the branch holds."""
        pushed = self.pushed.get(self.branch, _BEGINNING)
        if any(self.commits[n].line <= pushed for n in numbers):
            self.rewritten[self.branch] = line

    def take_back(self, number: int, line: int, how: str) -> None:
        """What a commit did was undone."""
        commit = self.commits[number]
        if not commit.gone:
            commit.gone = line
            self.throw(line, commit.since, how, paths=commit.paths, until=commit.line, commits=(number,))

    def throw(
        self,
        line: int,
        since: int,
        how: str,
        *,
        paths: tuple[str, ...] = (),
        until: int = 0,
        of: Known = "tracked",
        commits: tuple[int, ...] = (),
    ) -> None:
        self.thrown.append(
            Thrown(line, since, until or line, self.directory, how, paths, of, self.tracked, commits)
        )
