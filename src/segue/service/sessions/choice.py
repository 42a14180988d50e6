"""Which session a person means: the one they name; inside an agent its own; else the latest of the directory.

Where several are about as recent, somebody may pick one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from segue.agents.registry import READERS
from segue.model.value import NamedTuple
from segue.service.sessions import lookup

if TYPE_CHECKING:
    from segue.service.sessions.candidates import Candidate
    from segue.service.sessions.lookup import Progress, Source

_RECENT_MS = 24 * 3600 * 1000
"""How much older than the latest session another one may be to be offered beside it."""
_OFFERED = 9
_STDIN = "-"

Pick = Callable[[Sequence["Candidate"]], "Candidate"]


class Chosen(NamedTuple):
    source: Source
    others: Sequence[Candidate] = ()
    """What else could have been taken, the latest first."""
    guessed: bool = False
    """Nobody named it."""


def chosen_session(
    folder: str, directory: str, named: str | None, pick: Pick | None, progress: Progress = lookup.silent
) -> Chosen:
    """The session that is `named`, by an agent, an id, a file or `-`. Else, inside an agent, its own, which hooks may have
    told in a workspace's `folder`; and only outside of any the latest of a directory, or the one that is picked."""
    agent = (named or "").removesuffix(":")
    if not agent or agent in READERS:
        from segue.service.sessions import own  # 1 ms, where no session was named

        around = own.own(folder)
        if around and agent in ("", around.agent):
            return Chosen(own.source(around, directory), guessed=True)
    if named is None:
        return _latest(directory, None, pick)
    if named == _STDIN:
        return Chosen(lookup.from_stdin())
    if named in READERS:
        return _latest(directory, named, None)
    return Chosen(lookup.find(named, None, progress, directory))


def _latest(directory: str, agent: str | None, pick: Pick | None) -> Chosen:
    found = list(islice(lookup.candidates(directory, agent), _OFFERED))
    recent = [one for one in found if found[0].ended_ms - one.ended_ms <= _RECENT_MS]
    taken = pick(recent) if pick and len(recent) > 1 else found[0]
    return Chosen(taken.source, [one for one in found if one is not taken], True)
