"""Files that a command line was to show and that were not there, by what it printed."""

from __future__ import annotations

_SIGNS = ("o such file", "fatal: path ")
_AROUND = str.maketrans("'\"`:‘’()", "        ")


def absent(printed: str) -> frozenset[str]:
    """The words of the complaints that something is not there; the names of the files are among them."""
    if not any(sign in printed for sign in _SIGNS):
        return frozenset()
    rows = [row for row in printed.split("\n") if any(sign in row for sign in _SIGNS)]
    return frozenset(word for row in rows for word in row.translate(_AROUND).split())
