"""Which session a handoff takes when none is named: a person picks one of several, or is told which it was."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from segue.surfaces.cli.printable import age, counted, squeezed

if TYPE_CHECKING:
    from segue.service.handoffs.draft import Draft
    from segue.service.sessions.candidates import Candidate
    from segue.service.sessions.choice import Chosen

_NAMED = 2
_SHORT = 8
_TITLE = 60


def picked(recent: Sequence[Candidate]) -> Candidate:
    """The one of several recent sessions that a person means."""
    from segue.service.sessions.candidates import described
    from segue.surfaces.cli.review import asked, cancelled  # 15 ms, and few are asked

    sys.stderr.write("Several sessions are recent:\n")
    for number, one in enumerate(recent, 1):
        row = described(one)
        title = squeezed(row.get("title") or row.get("last_prompt") or "")[:_TITLE]
        name = f"{row['agent']} {row['id'][:_SHORT]}"
        sys.stderr.write(
            f"{number:>4}  {name}  {age(one.ended_ms)}  {counted(row['turns'], 'turn')}  {title}\n"
        )
    while True:
        answer = asked(f"\nHand off which? [Enter] 1   2-{len(recent)}   [q]uit > ")
        if answer in ("q", "quit"):
            raise cancelled()
        if not answer or (answer.isascii() and answer.isdigit() and 1 <= int(answer[:4]) <= len(recent)):
            return recent[int(answer or 1) - 1]
        sys.stderr.write(f"Give a number from 1 to {len(recent)}.\n")


def notice(chosen: Chosen, made: Draft) -> str:
    """What was taken and what else there was, in one line."""
    told = made.facts.source
    title = told.title or next((turn.prompt for turn in reversed(made.index.turns) if turn.prompt), "")
    quoted = f' "{squeezed(title)[:_TITLE]}"' if title else ""
    when = f", {age(told.ended_ms)}" if told.ended_ms else ""
    line = f"segue: {told.agent} {told.session_id[:_SHORT]}{quoted}{when}, {counted(told.turns, 'turn')}"
    if not chosen.others:
        return line
    more = len(chosen.others)
    names = [f"--from {_name(one, chosen.others)}" for one in chosen.others[:_NAMED]]
    names += ["…"] if more > _NAMED else []
    return f"{line} ({more} other{'s' * (more != 1)}: {', '.join(names)})"


def _name(one: Candidate, among: Sequence[Candidate]) -> str:
    """The shortest name of a session that `--from` takes."""
    id = one.source.session or ""
    alike = [other for other in among if (other.source.session or "").startswith(id[:_SHORT])]
    return f"{one.source.agent}:{id[:_SHORT] if len(alike) == 1 else id}"
