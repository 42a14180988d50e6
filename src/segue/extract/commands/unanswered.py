"""Looks that nothing answered: what was looked at is not reached, does not run or lets nobody in.

A look that finds nothing has told something; one that nothing answered has not, and is open until something of its kind
went well.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from segue.extract.commands.command_line import Simple, program
from segue.extract.commands.queries import asks
from segue.extract.commands.run_keys import run_key
from segue.extract.text.prose import phrases, word_set

if TYPE_CHECKING:
    from segue.extract.commands.runs import Parsed

_SIGNS = phrases(
    "connection refused|was refused|could not connect|couldn't connect|cannot connect|can't connect|"
    "unable to connect|failed to connect|trying to connect|connection timed out|i/o timeout|no route to host|"
    "no response|could not resolve host|could not translate host name|name resolution|100% packet loss|"
    "unauthorized|access denied|authentication failed|unable to locate credentials|not running|"
    "no server running|inactive (dead)|active: failed"
)
_HEAD = 600
"""What does not answer is told at once; further down stands what something else printed."""
_OF_ONE = word_set("systemctl service nc ping dig nslookup host pg_isready")
"""Programs that look at something else each time: only one that was given the same is of the same kind."""
_VERBS = word_set("status show")


def unanswered(printed: str) -> bool:
    """What a look that failed printed says that nothing answered it."""
    said = printed[:_HEAD].lower()
    return any(sign in said for sign in _SIGNS)


def statement(simple: list[Simple]) -> Simple | None:
    """The command of a line that asks a database for something."""
    return next((s for s in reversed(simple) if s.words and asks(s.words)), None)


def answered_since(row: Parsed, rows: list[Parsed]) -> bool:
    """Something of the kind of a look that nothing answered went well later."""
    asked = row.brings or next((s for s in reversed(row.simple) if s.words and run_key(s.words)), None)
    return asked is not None and any(
        later.ok_line > row.bad_line and any(_is_akin(s.words, asked.words) for s in later.passed if s.words)
        for later in rows
    )


def _is_akin(later: tuple[str, ...], asked: tuple[str, ...]) -> bool:
    if program(later[0]) != program(asked[0]):
        return False
    given = {word for word in asked[1:][-2:] if word[:1] != "-" and word not in _VERBS}
    return program(asked[0]) not in _OF_ONE or given.issubset(later)
