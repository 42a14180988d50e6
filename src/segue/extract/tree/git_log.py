"""What git lists: ids for commits that have none yet, and which of them are gone.

Also what a git command printed, which all that it does is read from.
"""

from __future__ import annotations

import re

from segue.extract.commands.git_line import Git, back, is_id
from segue.extract.tree.repository import Commit, Repository
from segue.model.entry import Entry
from segue.model.patterns import compiled

_LOGGED = compiled(r"^[*|/\\ ]*([0-9a-f]{7,40}) (?:\([^)]*\) )?(.+)$", re.M)
_NARROWS = ("--author", "--grep", "-S", "-G", "--since", "--until", "--all")
_LATELY = 20
"""How many of the last commits are held against a log."""


class Result:
    """What a command printed: the whole line's text, and the commits that are its own."""

    def __init__(self, command: str, entry: Entry, rows: list[tuple[str, str, str]]) -> None:
        self.command = command
        self.text = entry.text
        self.line = entry.line
        self.id = entry.native_id
        self.rows = rows
        self.known = entry.exit_code == 0 or entry.is_error is False
        self.failed = failed(entry)


def failed(entry: Entry) -> bool:
    return entry.exit_code not in (None, 0) or bool(entry.is_error)


def listed(repository: Repository, git: Git, result: Result) -> None:
    """A list of what the branch holds: gives ids to commits that have none, and shows which are gone."""
    ends = (name.rpartition("..")[2] or "HEAD" for name in git.named)
    elsewhere = any(back(end) < 0 and end != repository.branch for end in ends)
    if elsewhere or git.paths or any(word.startswith(_NARROWS) for word in git.given):
        return
    own = repository.own
    lately = range(max(0, len(repository.commits) - _LATELY), len(repository.commits))
    held = {*own[:_LATELY], *own[-_LATELY:]}
    own[:0] = [n for n in lately if n not in held and _shows(result.text, repository.commits[n])]
    if not repository.unsure and all(repository.commits[n].sha[:7] in result.text for n in own[-_LATELY:]):
        return
    rows = _rows(result.text)
    if not rows:
        _name_last(repository, result.text)
        return
    among = own if repository.unsure else []
    unsure = [n for n in among if repository.commits[n].rebased or not repository.commits[n].sha]
    rebased = any(repository.commits[n].rebased for n in unsure)
    ids = {subject.strip(): sha for sha, subject in reversed(rows)}
    for n in unsure:
        commit = repository.commits[n]
        if commit.subject in ids:
            commit.renamed(ids[commit.subject])
        elif commit.rebased and len(rows) >= len(unsure):
            own.remove(n)
    if rows and rebased and repository.numbered(rows[0][0]) < 0:
        sha, subject = rows[0]
        repository.commit(Commit(repository.branch, subject, result.line, result.id, sha), amends=False)
    _missing(repository, ids)


def _shows(text: str, commit: Commit) -> bool:
    """The list names a commit that was made on another branch: this one was begun from there, or took it over."""
    return bool(commit.sha) and not commit.gone and commit.sha[:7] in text


def _missing(repository: Repository, ids: dict[str, str]) -> None:
    """Commits that a list of the branch does not show: made again under another id, or gone where one from before
    them is shown."""
    prefixes = {sha[:7] for sha in ids.values()}
    lately = repository.own[-_LATELY:]
    shown = [n for n in lately if repository.commits[n].sha[:7] in prefixes]
    for n in [n for n in lately if n not in shown and repository.commits[n].sha]:
        commit = repository.commits[n]
        if commit.subject in ids:
            commit.renamed(ids[commit.subject])
        elif shown and shown[0] < n:
            repository.own.remove(n)


def _rows(text: str) -> list[tuple[str, str]]:
    """The ids and subjects of a log, latest first, in a row each or at length."""
    if not text.startswith("commit "):
        return _LOGGED.findall(text)
    found: list[tuple[str, str]] = []
    sha = ""
    for row in text.split("\n"):
        if row.startswith("commit "):
            sha = row.split()[1]
        elif sha and row.startswith("    ") and row.strip():
            found.append((sha, row.strip()))
            sha = ""
    return found


def named_last(repository: Repository, git: Git, result: Result) -> None:
    if git.has("HEAD"):
        _name_last(repository, result.text)


def _name_last(repository: Repository, text: str) -> None:
    """Gives the last commit the id that was printed alone in a row, where its own was not seen."""
    printed = alone(text)
    if repository.own and printed:
        commit = repository.commits[repository.own[-1]]
        commit.sha = commit.sha or printed


def alone(text: str) -> str:
    """The first id that is all there is in its row."""
    return next((row for row in map(str.strip, text.split("\n")) if is_id(row)), "")
