"""Which session is meant when none is named: of those that somebody works in, the one whose last entry is the latest.

The order is that of lists. A session that nobody read before is judged by the two ends of its file: the time of its
last entry, and its first prompt. When a file was copied, synced or touched says nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from segue.agents import locate
from segue.errors import NotFound
from segue.model.turn import opens_turn
from segue.model.value import NamedTuple
from segue.service.sessions import rows
from segue.service.sessions.belonging import belongs, cwd_of
from segue.service.sessions.own_traces import without
from segue.service.sessions.places import looked_for, of_subagents
from segue.service.sessions.rows import FAULTS, Result, Source, home, skip, why_passed_over

_BEYOND = 16
"""Sessions that are looked at after the latest was found: most programs keep those of all directories in one place."""


class Candidate(NamedTuple):
    source: Source
    ended_ms: int


class _Timed(NamedTuple):
    """A session by the time of its last entry, with its row where that is known."""

    ended_ms: int
    found: locate.Found
    source: Source
    row: Result | None


def candidates(directory: str, agents: Sequence[str]) -> Iterator[Candidate]:
    """The sessions of a directory that can be handed off, the latest first. Raises NotFound if there is none."""
    skipped: list[Result] = []
    empty: list[str] = []
    some = beyond = 0
    for one in _by_time(directory, agents, skipped):
        beyond += some > 0
        if beyond > _BEYOND:
            return
        try:
            cwd = one.row.get("cwd") if one.row else cwd_of(one.source)
            if not belongs(cwd, directory, one.found.here):
                continue
            if reason := _why_not(one):
                empty.append(reason)
                continue
        except FAULTS as fault:
            skipped.append(skip(one.found.path, fault))
            continue
        some += 1
        yield Candidate(one.source, one.ended_ms)
    if not some:
        raise _nothing(directory, agents, skipped, empty)


def described(candidate: Candidate) -> Result:
    """The row of a session, as a list shows it."""
    agent, path, session = candidate.source[:3]
    cache = rows.session_cache()
    seen = locate.measured(agent, path)
    known = rows.kept_rows(cache.all(), seen) if seen else None
    if known is None:
        known = rows.rows_of(agent, path)
        if seen:
            cache.put(path, seen.size, seen.mtime_ns, known)
    cache.close()
    return next((row for row in known if row["id"] == session), known[-1])


def _by_time(directory: str, agents: Sequence[str], skipped: list[Result]) -> list[_Timed]:
    cache = rows.session_cache()
    kept = cache.all()
    timed: list[_Timed] = []
    for found in locate.find(home(), agents, directory):
        try:
            known = rows.kept_rows(kept, found)
            if known is None:
                ended = rows.ended(found.agent, found.path)
                if ended is not None:
                    timed.append(_Timed(ended, found, rows.sources(found.agent, found.path)[-1], None))
                    continue
                known = rows.rows_of(found.agent, found.path)
                cache.put(found.path, found.size, found.mtime_ns, known)
        except FAULTS as fault:
            skipped.append(skip(found.path, fault))
            continue
        timed += [
            _Timed(row["updated_at_ms"], found, Source(row["agent"], row["path"], row["id"]), row)
            for row in known
        ]
    cache.close()
    return sorted(timed, key=lambda one: (-one.ended_ms, one.found.agent, one.source.session or ""))


def _why_not(one: _Timed) -> str:
    """Why a session is passed over; empty for one that can be handed off."""
    if one.row is not None:
        return str(one.row.get("passed_over", ""))
    first = next(filter(opens_turn, without(one.source.entries())), None)
    return why_passed_over(0 if first is None else 1, first.text if first else "")


def _nothing(directory: str, agents: Sequence[str], skipped: list[Result], empty: list[str]) -> NotFound:
    if empty:
        return NotFound(
            f"There is nothing to hand off in {directory}: {len(empty)} session{'s' * (len(empty) != 1)}, "
            f"{empty[0] if len(set(empty)) == 1 else 'none with a person at work'}.",
            "Name one with --from; `segue sessions list --all` shows those of every directory.",
        )
    looked = (
        f"Looked for {looked_for(agents, home(), directory)}."
        if len(agents) == 1
        else f"Looked where {len(agents)} agents keep their sessions."
    )
    return NotFound(
        f"There is no session of {directory}."
        + "".join(f" {one['reason'].rstrip('.')}." for one in skipped[:3])
        + of_subagents(agents, home(), directory),
        f"{looked} Name a file with --from, or list all: `segue sessions list --all`.",
    )
