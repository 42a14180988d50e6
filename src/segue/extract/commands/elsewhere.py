"""Commands that ran elsewhere than where the work lies: they are told with the way there, `cd web && npm test`.

Whoever runs them again stands in the root of the project. Where a line goes there and back in a group nobody knows which of
its commands ran where, and none is told so.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from segue.extract.commands.command_line import Simple
from segue.extract.commands.git_line import within
from segue.extract.commands.run_keys import run_key
from segue.extract.commands.runs import Parsed

_UNKNOWN = ("$", "~", "*", "`")


def tell_where(rows: Iterable[Parsed], root: str) -> None:
    """Writes before each command of the rows the way from the root to where it ran."""
    for row in rows:
        if row.known_as and root and not row.grouped and (row.directory != root or _goes(row)):
            _tell(row, root)


def _goes(row: Parsed) -> bool:
    return any(simple.words[:1] == ("cd",) for simple in row.simple)


def _tell(row: Parsed, root: str) -> None:
    here = row.directory
    ways: set[str] = set()
    told: dict[Simple, Simple] = {}
    for simple in row.simple:
        if simple.words[:1] == ("cd",):
            here = within(here, simple.words[1]) if len(simple.words) == 2 and simple.words[1] != "-" else "$"
        elif simple.words and run_key(simple.words) and simple.words[0] != "git":
            way = _way(here, root)
            ways.add(way)
            told[simple] = simple._replace(text=f"{way}{simple.text}")
    if not any(ways):
        return
    row.simple = _retold(row.simple, told)
    row.passed = _retold(row.passed, told)
    if row.bad and row.bad.command and len(ways) == 1 and not row.bad.command.startswith("cd "):
        row.bad = replace(row.bad, command=f"{ways.pop()}{row.bad.command}")


def _retold(commands: list[Simple], told: dict[Simple, Simple]) -> list[Simple]:
    return [told.get(simple, simple) for simple in commands]


def _way(here: str, root: str) -> str:
    """How to get from the root to a directory; empty where one is there, or does not know."""
    if not here.startswith("/") or here == root or any(sign in here for sign in _UNKNOWN):
        return ""
    place = here.removeprefix(f"{root}/")
    return f"cd '{place}' && " if " " in place else f"cd {place} && "


def ran_beside(later: Iterable[Simple], failed: str) -> bool:
    """All that was told to have run elsewhere ran in another part of the project than a command that failed."""
    there = _part(failed)
    ways = [way for simple in later if simple.words and run_key(simple.words) and (way := _part(simple.text))]
    return bool(there and ways) and not any(
        f"{way}/".startswith(f"{there}/") or f"{there}/".startswith(f"{way}/") for way in ways
    )


def _part(told: str) -> str:
    """Where a command ran, as it is told."""
    return told[3:].partition(" && ")[0].strip("'") if told.startswith("cd ") else ""
