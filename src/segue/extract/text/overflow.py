"""What a collector had to let go of, so that it is counted: of each thing no more than a mark.

A collector keeps a bounded number of things. What it forgot and met again is not forgotten; what stays so is told
as a number, with how many of them had something about them that a reader would want to know.
"""

from __future__ import annotations

Gone = dict[str, bool]
"""By its mark, whether a thing was of the sort that is counted apart."""


def let_go(gone: Gone, name: str, apart: bool) -> None:
    gone[_mark(name)] = apart


def met_again(gone: Gone, name: str) -> None:
    if gone:
        gone.pop(_mark(name), None)


def counted(gone: Gone, thing: str, apart: str) -> tuple[str, ...]:
    """How many things there were and how many of them were of the sort apart; nothing where there were none."""
    if not gone:
        return ()
    few = sum(gone.values())
    which = f", {few if few < len(gone) else 'all'} of which {apart}" if few else ""
    return (f"{len(gone)} {thing}{'s' * (len(gone) != 1)}{which}",)


def _mark(name: str) -> str:
    from zlib import crc32  # only very long sessions need it

    return f"{crc32(name.encode(errors='surrogatepass')):x}"
