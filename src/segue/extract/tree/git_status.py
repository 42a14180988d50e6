"""What git lists as not committed: which files are staged, changed or unknown to it, as of one line.

A list that shows all there is also tells of a file that it does not name: that nothing of it is left to be committed.
"""

from __future__ import annotations

import re

import msgspec

from segue.extract.commands.git_line import Git, holds, within
from segue.model.patterns import compiled

_ROW = compiled(r"^( [MADRCTU]|[MADRCTU][ MADRCTU]|\?\?) (\"[^\"]+\"|\S+(?: -> \S+)?)$", re.M)
_BEGINS = ("On branch ", "HEAD detached ", "Not currently on any branch")
_CLEAN = "nothing to commit, working "
_HEADINGS = {
    "Changes to be committed:": "{} ",
    "Changes not staged for commit:": " {}",
    "Unmerged paths:": "UU",
    "Untracked files:": "??",
}
_LETTERS = {"new file": "A", "deleted": "D", "renamed": "R"}
_SHORT = ("-s", "-sb", "--short", "--porcelain", "--porcelain=v1", "-suall")
UNTRACKED = "??"
_INDENTED = ("\t", " " * 8)
_MOST = 200
"""Of how many files a list is taken to be whole: longer ones are cut by those who show them."""


_NO_OUTPUT = compiled(r"(?:\(.{0,40}no output\)|.{0,40}without output.{0,20}|exit code \d+)?", re.I)


def silent(text: str) -> bool:
    """Nothing was printed, or only the harness's word that nothing was."""
    return _NO_OUTPUT.fullmatch(text.strip()) is not None


class Status(msgspec.Struct, frozen=True):
    """The two letters that git gives to each path as seen from a directory; a path may be one of a directory too."""

    line: int
    directory: str
    whole: bool
    letters: dict[str, str]

    def of(self, path: str) -> str | None:
        """The letters of a file, given in full: empty where nothing of it is left to be committed, None where nobody
        knows."""
        found = next((letters for given, letters in self.letters.items() if self._means(given, path)), "")
        return found or ("" if self.whole else None)

    def _means(self, given: str, path: str) -> bool:
        there = within(self.directory, given)
        return path == there or path.startswith(f"{there}/") or ("/" in given[:-1] and holds(given, path))


def branch_in(text: str) -> str:
    """The branch that was printed last; empty where none was."""
    _, told, name = text.rpartition(_BEGINS[0])
    return name.partition("\n")[0].strip() if told else ""


def in_words(letters: str) -> str:
    """What is to be said of a file that is not committed; nothing where it is only changed."""
    if letters == UNTRACKED:
        return "untracked"
    staged, changed = letters[:1].strip(), letters[1:].strip()
    return ("staged in part" if changed else "staged") if staged and "U" not in letters else ""


def status_in(text: str, line: int, git: Git, command: str) -> Status | None:
    """What was printed of the state; None where it was not, or only of some paths."""
    if _CLEAN in text:
        return Status(line, git.directory, True, {})
    if git.named or git.paths:
        return None
    begins = max(text.rfind(sign) for sign in _BEGINS)
    if git.has(*_SHORT):
        found = {_bare(path): letters for letters, path in _ROW.findall(text)}
        shown = bool(found) or (silent(text) and command.strip() == f"git status {' '.join(git.given)}")
    else:
        found, shown = _at_length(text[begins:]) if begins >= 0 else {}, begins >= 0
    whole = "no" not in "".join(word[2:] for word in git.given if word.startswith("-u"))
    return Status(line, git.directory, whole and len(found) < _MOST, found) if shown else None


def _at_length(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    form = ""
    for row in text.split("\n"):
        form = _HEADINGS.get(row, form)
        if not form or not row.startswith(_INDENTED):
            continue
        label, told, path = row.strip().partition(":")
        letters = form.format(_LETTERS.get(label, "M"))
        name = _bare(path if told and form != UNTRACKED else row)
        found[name] = _both(found.get(name, ""), letters)
    return found


def _both(before: str, letters: str) -> str:
    return f"{before[0]}{letters[1]}" if before else letters


def _bare(path: str) -> str:
    """A path without quotes, under its new name."""
    return path.rpartition(" -> ")[2].strip().strip('"')
