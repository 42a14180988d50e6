"""The commands that an earlier packet tells to have worked.

- `pytest tests/auth` — 12 passed in 1s [#412]
- also: `npm run build`, `make lint`
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from segue.extract.carried_places import POINTER, origin_of, seen_at
from segue.extract.commands.command_line import simple_commands
from segue.extract.commands.run_keys import known_as
from segue.extract.commands.shell import is_check
from segue.extract.commands.verdict import ran_none
from segue.model.facts import CommandFact, Evidence, GoodRun
from segue.model.patterns import compiled

_FULL = compiled(r"- `(?P<command>[^`]+)`(?: — (?P<outcome>.+?))?" + POINTER + "$")
_BRIEF = compiled(r"`([^`]+)`")
_CUT = "…"


def worked_of(rows: Sequence[str], session: str) -> Iterator[CommandFact]:
    """The commands in their order, those told by their lines alone last; what was cut nobody can run again."""
    for row in rows:
        if full := _FULL.match(row):
            at, origin = seen_at(full), origin_of(full, session)
            yield from _worked(full["command"], full["outcome"] or "", at, origin)
        else:
            for command in _BRIEF.findall(row):
                yield from _worked(command, "", (), session)


def _worked(command: str, outcome: str, lines: tuple[Evidence, ...], origin: str) -> Iterator[CommandFact]:
    simple = simple_commands(command)
    key = known_as(simple)
    if key and _CUT not in command:
        yield CommandFact(
            command=command,
            key=" ".join(key),
            check=any(is_check(part.words) for part in simple if part.words) and not ran_none(outcome),
            last_ok=GoodRun(evidence=lines[0] if lines else Evidence(0), outcome=outcome),
            evidence=lines,
            origin=origin,
        )
