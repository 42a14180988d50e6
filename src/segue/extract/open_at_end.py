"""What is still open when a session ends, told by time alone.

A line that failed long ago, or before a commit, was overcome or given up, whatever its words: nobody asked for it since.
Only what happened in the last turns, and was followed by nothing that speaks against it, may stand in a prime place.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from segue.model.facts import Background, Claim, CommandFact
from segue.model.turn import Turn

_TURNS = 2


def lately(turns: Sequence[Turn]) -> int:
    """The line from which on something happened in the last turns; 0 where these are all."""
    asked = [turn for turn in turns if turn.number]
    return asked[-_TURNS].first_line if len(asked) > _TURNS else 0


def commands(found: Sequence[CommandFact], claims: Sequence[Claim], since: int) -> list[CommandFact]:
    """The commands, those that are open marked. A commit speaks against what failed before it: whoever made it went on.
    What an earlier session left open is so until this one has gone on for some turns."""
    committed = max((c.evidence[-1].line for c in claims if c.act == "commit" and not c.origin), default=0)
    return [
        replace(fact, open=fact.open and not since)
        if fact.origin
        else replace(
            fact,
            open=fact.state == "failing"
            and not fact.settled_by
            and failed_at(fact) >= since
            and failed_at(fact) > committed,
        )
        for fact in found
    ]


def jobs(found: Sequence[Background], ran: Sequence[CommandFact], since: int) -> tuple[Background, ...]:
    """The jobs begun lately whose line was not run again to an end since."""
    ended = {
        fact.command: fact.last.evidence.line for fact in ran if fact.last and fact.state in ("ok", "failing")
    }
    return tuple(job for job in found if job.evidence[0].line >= max(since, ended.get(job.text, 0)))


def failed_at(fact: CommandFact) -> int:
    return fact.failed.evidence.line if fact.failed else 0
