"""History that a session has from another: told, and marked as the other's.

Whoever counts, searches or imports leaves it to the session it comes from.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from segue.model.entry import Entry


def inherited(told: Iterable[Entry], session: str) -> Iterator[Entry]:
    """Entries marked as another session's. What that session says of itself is not said of this one."""
    for entry in told:
        if entry.kind != "meta" or entry.usage is not None:
            yield replace(entry, data={**entry.data, "inherited": session})


def copied(told: Iterable[Entry], session: str, last: int) -> Iterator[Entry]:
    """The entries of a file that begins with lines of another session; the last of them stands at byte `last`."""
    for entry in told:
        if entry.offset > last:
            yield entry
        else:
            yield from inherited((entry,), session)
