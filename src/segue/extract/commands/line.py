"""A command line as it was run: what identifies it, and what stands between its commands and the record.

Nothing is executed or expanded. A chain is one line with one verdict; only what comes behind the last command that
matters, a pipe or an `echo`, is told apart, because then the exit status is not that command's own.
"""

from __future__ import annotations

from functools import lru_cache

from segue.extract.commands import tools
from segue.extract.commands.command_line import Simple, simple_commands
from segue.extract.text.prose import clipped
from segue.model.value import NamedTuple

_NOWHERE = "/dev/null"
_SHOWN = 60
_FILTERS = frozenset(["grep", "egrep", "fgrep", "rg", "ag", "awk", "sed", "jq"])
_LEAD, _WINDOW = 60, 160
"""Characters before the command a line is known by, and of the line, from which on the former give way."""


class Line(NamedTuple):
    text: str
    """As it was run, on one line."""
    core: str
    """Without what only shows its output: two runs of one core in one directory are runs of one line."""
    commands: list[Simple]
    directory: str = ""
    """Where it went first."""
    known: str = ""
    """The command that it is known by, as it was written."""
    key: tuple[str, ...] = ()
    """The key of its last test, else its last check, else its last command that is more than plumbing."""
    check: bool = False
    test: bool = False
    through: str = ""
    masked: bool = False
    """The exit status is not that of the command it is known by."""
    selects: bool = False
    """What it printed went through a filter that lets only some lines through."""
    sums: bool = False
    """The last command that matters is a check: what the line printed last is how that sums itself up."""

    def render(self, root: str, limit: int, *, whole: bool = False) -> str:
        """The line within `limit` characters, without the way to the directory that paths begin at. Where it is long,
        what comes before the command that it is known by gives way first, unless any part of the `whole` may be meant."""
        text = self.text
        for then in (" && ", "; "):
            text = text.removeprefix(f"cd {root}{then}")
        place = text.find(self.known)
        if place > _LEAD and len(text) > _WINDOW and not whole:
            text = f"… {text[place:]}"
        return clipped(text, limit)


@lru_cache(2048)
def line_of(command: str) -> Line:
    rows = (" ".join(row.split()) for row in command.replace("\\\n", " ").split("\n"))
    text = "; ".join(filter(None, rows))
    commands = simple_commands(command)
    keyed = [
        (n, simple, key)
        for n, simple in enumerate(commands)
        if simple.words and (key := tools.key(simple.words))
    ]
    if not keyed:
        return Line(text, text, commands)
    first = commands[0].words
    directory = first[1] if first[:1] == ("cd",) and len(first) == 2 else ""
    test = [row for row in keyed if tools.is_test(row[1].words)]
    check = test or [row for row in keyed if tools.is_check(row[1].words)]
    at, known, key = (check or keyed)[-1]
    last = max(at, keyed[-1][0])
    through, masked = _behind(command, commands, last)
    selects = any(s.words and s.words[0] in _FILTERS for s in commands[last + 1 :])
    core = " && ".join(" ".join(simple.words) for _, simple, _ in keyed)
    shown = " ".join(known.text.split())
    return Line(
        text,
        core,
        commands,
        directory,
        shown,
        key,
        bool(check),
        bool(test),
        through,
        masked,
        selects,
        tools.is_check(commands[last].words),
    )


def _behind(command: str, commands: list[Simple], at: int) -> tuple[str, bool]:
    """What follows the last command that matters, and whether it took the exit status."""
    simple, rest = commands[at], [s for s in commands[at + 1 :] if s.words]
    written = [path for path in simple.writes if path != _NOWHERE]
    told = [f"output written to {clipped(' '.join(written), _SHOWN)}"] if written else []
    if _NOWHERE in simple.writes and not written and f"2>{_NOWHERE}" not in command.replace(" ", ""):
        told.append("output discarded")
    if simple.then == "|" and rest:
        pipe = []
        for following in rest:
            pipe.append(" ".join(following.words))
            if following.then != "|":
                break
        told.append(f"piped through {clipped(' | '.join(pipe), _SHOWN)}")
        return "; ".join(told), "pipefail" not in command
    if rest and simple.then in (";", "\n", "||"):
        told.append(f"followed by {clipped(' '.join(rest[-1].words), _SHOWN)}")
        return "; ".join(told), simple.then != "||" or rest[-1].words[0] not in ("exit", "return")
    return "; ".join(told), simple.then == "&"
