"""What stopped at a conflict: a merge, rebase or pick that waits until its conflicts are resolved and it is concluded.

It is over when it went on, was given up, or, where that concludes it, a commit was made. While the files in conflict
were only added, nothing fails any more and it still waits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from segue.extract.commands.git_line import holds
from segue.extract.text.prose import word_set

if TYPE_CHECKING:
    from segue.extract.commands.runs import Parsed

_STOPS = word_set("merge pull cherry-pick revert rebase am")
_BY_COMMIT = word_set("merge pull cherry-pick revert")
"""Those that a commit concludes."""
_CONCLUDES = word_set("--continue --abort --quit --skip")
_EVERYTHING = word_set("-A --all -u --update . :/ *")
_FATAL = 128
_NAMES = "Merge conflict in "


def stopped(row: Parsed) -> bool:
    """Its last bad run left a conflict behind."""
    return (
        row.known_as[:1] == ("git",)
        and row.known_as[1] in _STOPS
        and any("CONFLICT" in said or "conflicts" in said for said in row.complaints)
    )


def concluded_since(row: Parsed, rows: list[Parsed]) -> bool:
    verb = row.known_as[1]
    return any(
        (verb in words or verb == "pull") and not _CONCLUDES.isdisjoint(words)
        if "commit" not in words
        else verb in _BY_COMMIT
        for _, words in _gits_since(row, rows)
    )


def added_since(row: Parsed, rows: list[Parsed]) -> int:
    """The line at which the last of the files in conflict was added; 0 while one was not."""
    left = {said.partition(_NAMES)[2].strip() for said in row.complaints if _NAMES in said}
    if not left:
        return 0
    for line, words in sorted(_gits_since(row, rows)):
        if "add" in words:
            everything = not _EVERYTHING.isdisjoint(words)
            given = words[words.index("add") + 1 :]
            left = {path for path in left if not (everything or any(holds(word, path) for word in given))}
            if not left:
                return line
    return 0


def resolved_since(row: Parsed, rows: list[Parsed]) -> bool:
    """It stopped at a conflict, which is there no longer."""
    return stopped(row) and (concluded_since(row, rows) or added_since(row, rows) > 0)


def _gits_since(row: Parsed, rows: list[Parsed]) -> list[tuple[int, tuple[str, ...]]]:
    """The git commands that went well since, with their lines; also the first one of a line that goes on with
    something else, and an `add` after which something else failed."""
    passed = [
        (later.ok_line, simple.words)
        for later in rows
        if later.ok_line > row.bad_line
        for simple in later.passed
        if simple.words[:1] == ("git",)
    ]
    chains = [later for later in rows if later.simple[1:] and later.simple[0].then == "&&"]
    chains = [later for later in chains if later.simple[0].words[:1] == ("git",)]
    return [
        *passed,
        *((later.goes_on, later.simple[0].words) for later in chains if later.goes_on > row.bad_line),
        *((later.bad_line, later.simple[0].words) for later in chains if _added_at_least(later, row)),
    ]


def _added_at_least(later: Parsed, row: Parsed) -> bool:
    """It begins with an `add` and failed, but not as git does that cannot add something."""
    code = later.bad.exit_code if later.bad and later.bad_line > row.bad_line else None
    return code not in (None, _FATAL) and later.simple[0].words[1:2] == ("add",)
