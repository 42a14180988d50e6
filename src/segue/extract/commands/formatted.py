"""What a formatter complained of when it only compared, and put in order later: nobody has to compare again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from segue.extract.commands import shell
from segue.extract.commands.no_verdict import compares, formats
from segue.extract.commands.same_object import same_object

if TYPE_CHECKING:
    from segue.extract.commands.runs import Parsed


def formatted_since(row: Parsed, rows: list[Parsed]) -> bool:
    """All that its checks had found out of order was put in order: by the same formatter, on the same or on more."""
    if row.tests or not row.check:
        return False
    found = [shell.essential(s.words) for s in row.simple if s.words and shell.is_check(s.words)]
    if not all(compares(words[0], words[1:]) or _is_task(words) for words in found):
        return False
    written = [
        words
        for later in rows
        if later.proved and later.ok_line > row.bad_line
        for s in later.passed
        if s.words and formats((words := shell.essential(s.words))[0], words[1:])
    ]
    return bool(written) and all(any(_puts_in_order(new, old) for new in written) for old in found)


_COMPARING_TASK = (":check", "-check", "_check")
_BY_NAME = ("fmt", "format")


def _is_task(words: tuple[str, ...]) -> bool:
    """A task of the project that is called the check of its format."""
    return shell.runs_task(words) and any(_formatting(word) for word in words[1:])


def _formatting(word: str) -> bool:
    plain = next((word.removesuffix(end) for end in _COMPARING_TASK if word.endswith(end)), "")
    return (plain or word.removeprefix("check:")) in _BY_NAME and word not in _BY_NAME


def _puts_in_order(new: tuple[str, ...], old: tuple[str, ...]) -> bool:
    if _is_task(old):
        return shell.runs_task(new)
    return new[0] == old[0] and same_object(_plain(old), _plain(new))


def _plain(words: tuple[str, ...]) -> tuple[str, ...]:
    """The command with the places that it was given."""
    return tuple(word for word in words if word[:1] not in ("-", "+"))
