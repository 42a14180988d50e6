"""What was edited and not committed, in a session that used git: a handoff must say where the work lies.

It is told by the lack of a commit that was seen, and says so; where git itself listed what is not committed, by that.
Files outside the project, and what git was never asked about, are nobody's to commit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from msgspec.structs import replace

from segue.extract.commands.git_line import git_verb
from segue.extract.commands.overtaken import where
from segue.extract.commands.runs import Parsed
from segue.extract.text.prose import word_set
from segue.extract.tree.git_status import UNTRACKED, Status, in_words
from segue.extract.tree.touched import Touched
from segue.model.facts import Claim, Evidence
from segue.model.patterns import compiled
from segue.model.scratch import is_scratch

_CHANGED = ("created", "modified", "renamed", "deleted")
_CONCLUDED = word_set("merge cherry-pick revert am")
"""What commits the edits made on its way when it is told to go on; a rebase also needs all to be committed before."""
_IN_PART = word_set("checkout restore reset stash")
_NAMED, _NAMED_BESIDES = 4, 2
_COUNTING = ("lack", "unrun", "uncommitted")
_MORE = compiled(r" and (\d+) more\b")


class Commits(Protocol):
    def committed(self, path: str, line: int, until: int = 0) -> bool:
        """A commit holds the file as it was left at a line; one before another line, where that is given."""

    def letters(self, path: str, line: int) -> str | None:
        """What git makes of a file as it was left at a line; None where that is not known."""

    def shown(self) -> Status | None:
        """What git last told of the tree."""


def uncommitted(
    files: Sequence[Touched],
    commands: Sequence[Parsed],
    seen: Commits,
    branch: str,
    clean: Callable[[str], str],
) -> Iterator[Claim]:
    """The claims that no commit was seen of what was edited, in a session that called git or was on a `branch`, and of
    what git shows besides. Not told is what may lie in a commit that git made on its own way, or was put back, or was
    made here and deleted again before any commit."""
    if not branch and not any(s.words[:1] == ("git",) for row in commands for s in row.simple):
        return
    unsure = max(map(_unsure_until, commands), default=0)
    left = [
        file
        for file in files
        if file.edits
        and file.action in _CHANGED
        and not file.path.startswith(("/", "~"))
        and not is_scratch(file.path)
        and file.edit_line > unsure
        and not seen.committed(file.path, file.edit_line)
        and seen.letters(file.path, file.edit_line) != ""
        and (file.action != "deleted" or _was_kept(file, seen))
    ]
    left.sort(key=lambda file: file.edit_line)
    if left:
        text = f"no commit was seen since {_what_was_done(left, seen)}"
        at = left[-1].edit_line
        yield Claim(text=text, state="pending", act="uncommitted", evidence=(Evidence(at),))
    yield from _besides(seen, {file.path for file in files if file.edits}, clean)


def _was_kept(file: Touched, seen: Commits) -> bool:
    """A file that is deleted was there before the session, or in a commit, as far as anybody can tell."""
    known = seen.letters(file.path, file.edit_line - 1)
    if known:
        return known != UNTRACKED
    if file.made:
        return seen.committed(file.path, file.made, file.edit_line)
    return file.reads > 0 or file.edits > 1 or bool(file.id)


def _what_was_done(left: Sequence[Touched], seen: Commits) -> str:
    edited = [_with_state(file, seen) for file in left if file.action != "deleted"]
    deleted = [file.path for file in left if file.action == "deleted"]
    told = [f"the last edits of {_some_of(edited)}"] if edited else []
    told += [f"the deletion of {_some_of(deleted)}"] if deleted else []
    return " and ".join(told)


def _with_state(file: Touched, seen: Commits) -> str:
    state = in_words(seen.letters(file.path, file.edit_line) or "")
    return f"{file.path} ({state})" if state else file.path


def _some_of(names: Sequence[str], most: int = _NAMED) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[-most:]) + more


def at_least(claims: Sequence[Claim]) -> list[Claim]:
    """The claims of a session of which not all files are remembered: there may be more of them than are counted."""
    return [
        replace(claim, text=_MORE.sub(r" and at least \1 more", claim.text))
        if claim.act in _COUNTING
        else claim
        for claim in claims
    ]


def _besides(seen: Commits, edited: set[str], clean: Callable[[str], str]) -> Iterator[Claim]:
    """What git listed that is told as no edit: it is somebody else's, or a program made it. Directories that git does
    not know are left out; most have nothing to do with the work."""
    status = seen.shown()
    others: dict[str, list[str]] = {"staged": [], "changed": [], "untracked": []}
    for path, letters in status.letters.items() if status else ():
        ours = any(f"/{file}".endswith(f"/{path}") or f"/{path}".endswith(f"/{file}") for file in edited)
        if status and not ours and not path.endswith("/") and not seen.committed(path, status.line):
            state = in_words(letters).partition(" ")[0] or "changed"
            others[state].append(path)
    if status and any(others.values()):
        told = "; ".join(
            f"{state}: {_some_of(paths, _NAMED_BESIDES)}" for state, paths in others.items() if paths
        )
        text = clean(f"git status showed besides: {told}")
        yield Claim(text=text, state="pending", evidence=(Evidence(status.line),))


def _unsure_until(row: Parsed) -> int:
    """The last line whose edits may lie in a commit, or be gone, since a command."""
    return (
        row.line
        if any(_may_commit(s.words) for s in row.simple if s.words[:1] == ("git",))
        else _clean_at(row)
    )


def _may_commit(words: tuple[str, ...]) -> bool:
    verb, given = git_verb(words)
    if verb == "rebase" or (verb == "pull" and any(word.startswith("--rebase") for word in given)):
        return True
    if verb == "worktree":
        return "remove" in given
    goes_on, in_part = "--continue" in given, "-p" in given or "--patch" in given
    return (verb in _CONCLUDED and goes_on) or (verb in _IN_PART and in_part)


def _clean_at(row: Parsed) -> int:
    """Where git told that the tree is clean; 0 where it did not, or was asked of another one."""
    elsewhere = row.clean_at and (where(row) != row.directory or any("-C" in s.words for s in row.simple))
    return 0 if elsewhere else row.clean_at
