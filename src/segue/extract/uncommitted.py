"""What was edited and not committed, in a session that used git: a handoff must say where the work lies.

It is told by the lack of a commit that was seen, and says so. Files outside the project, and what git was never asked
about, are nobody's to commit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from segue.extract.commands.overtaken import where
from segue.extract.commands.runs import Parsed
from segue.extract.text.prose import word_set
from segue.extract.tree.files import Touched
from segue.model.facts import Claim, Evidence
from segue.model.scratch import is_scratch
from segue.model.turn import Turn

_CHANGED = ("created", "modified", "renamed", "deleted")
_MAY_COMMIT = word_set("rebase merge cherry-pick revert am pull checkout switch reset restore stash worktree")
"""What git is told that may leave files in another state than they were edited to."""
_BACK = (("pop",), ("apply",))
_NAMED, _LATE = 4, 2


class Commits(Protocol):
    def commits(self) -> list[tuple[int, str]]:
        """The line and the subject of every commit."""

    def committed(self, path: str, line: int) -> bool:
        """A commit holds the file as it was left at a line."""


def uncommitted(
    files: Sequence[Touched], commands: Sequence[Parsed], seen: Commits, turns: Sequence[Turn]
) -> Iterator[Claim]:
    """The claim that no commit was seen of what was edited in the last turns, or before a commit that left it out: what
    lies longer ago the person may have committed. Nor is told what may lie in a commit that git made on its own way,
    or was put back, or was never committed before it was deleted."""
    if not any(simple.words[:1] == ("git",) for row in commands for simple in row.simple):
        return
    unsure = max(map(_unsure_until, commands), default=0)
    last_commit = max((line for line, _ in seen.commits()), default=0)
    late = turns[-_LATE].first_line if len(turns) >= _LATE else 0
    left = [
        file
        for file in files
        if file.edits
        and file.action in _CHANGED
        and not file.path.startswith(("/", "~"))
        and not is_scratch(file.path)
        and file.edit_line > unsure
        and (file.edit_line >= late or (file.edit_line < last_commit and file.action != "deleted"))
        and not seen.committed(file.path, file.edit_line)
    ]
    if left:
        more = f" and {len(left) - _NAMED} more" if len(left) > _NAMED else ""
        names = ", ".join(file.path for file in left[-_NAMED:])
        at = max(file.edit_line for file in left)
        text = f"no commit was seen since the last edits of {names}{more}"
        yield Claim(text=text, state="pending", act="uncommitted", evidence=(Evidence(at),))


def _unsure_until(row: Parsed) -> int:
    """The last line whose edits may lie in a commit, or be gone, since a command. What comes back from a stash is
    edited where it does, and lies in none."""
    if not _may_commit(row):
        return _clean_at(row)
    brings_back = any(
        simple.words[:2] == ("git", "stash") and simple.words[2:3] in _BACK for simple in row.simple
    )
    return row.line - 1 if brings_back else row.line


def _may_commit(row: Parsed) -> bool:
    return any(
        simple.words[:1] == ("git",) and not _MAY_COMMIT.isdisjoint(simple.words[1:4])
        for simple in row.simple
    )


def _clean_at(row: Parsed) -> int:
    """Where git told that the tree is clean; 0 where it did not, or was asked of another one."""
    elsewhere = row.clean_at and (where(row) != row.directory or any("-C" in s.words for s in row.simple))
    return 0 if elsewhere else row.clean_at
