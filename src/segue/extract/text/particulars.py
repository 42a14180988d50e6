"""What stands beside a complaint and says most about it: which test, where, and what came instead.

None of these lines holds a word of failure. Only those near a complaint count, and of the places a stack
tells only the first that is not a library's.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

from segue.extract.text.prose import phrases

Kind = Literal["name", "value", "remark", "place", "frame", ""]

_VALUES = frozenset(
    ("received:", "got:", "got", "actual:", "but", "found:", "want:", "wanted:", "have:", "left:", "right:")
)
_FRAMES = ("at ", "# ./", "# /", "❯ ")
_DRAWN = (",-[", "╭─[")
"""How a place begins beside which a linter draws the code."""
_OF_LIBRARIES = phrases("node_modules|node:|site-packages|/gems/|org.junit|java.base|(internal/|/lib/python")
_NEAR: dict[Kind, int] = {"value": 3, "remark": 3, "place": 8}
"""How many lines may stand between a complaint and what belongs to it."""
_AHEAD = 4
"""How many may stand between it and what is told before it."""
_LONGEST = 400


def kind(row: str) -> Kind:
    """What a line tells by its form. A `frame` comes before the complaint it belongs to, a `place` behind it."""
    if len(row) > _LONGEST:
        return ""
    first, _, rest = row.partition(" ")
    if first == "●" or (first[-1:] == ")" and first[:-1].isdigit()):
        return "name" if rest and rest != "Console" else ""
    if first.lower() in _VALUES:
        return "value" if rest else ""
    if any(library in row for library in _OF_LIBRARIES):
        return ""
    if first == "File" and '", line ' in row:
        return "frame"
    if _ends_in_place(first.rstrip(":")):
        return "remark" if rest else "place"
    if row.startswith(_DRAWN):
        return "place" if _ends_in_place(row[len(_DRAWN[0]) :].rstrip("]")) else ""
    framed = row.startswith(_FRAMES) and _ends_in_place(row.partition(":in ")[0].rstrip(")"))
    return "place" if framed else ""


def _ends_in_place(text: str) -> bool:
    """A file's name and the number of a line in it."""
    name, _, number = text.rpartition(":")
    before, _, line = name.rpartition(":")
    ending = (before if line.isdigit() else name).rpartition(".")[2]
    return number.removeprefix("line ").isdigit() and ending.isalpha()


def with_particulars(rows: list[str], complaints: Collection[str]) -> list[str]:
    """The complaints among the rows, each once, with what belongs to them."""
    found: dict[str, None] = {}
    ahead: dict[Kind, str] = {}
    since = waited = _LONGEST
    placed = True
    for row in rows:
        what = kind(row)
        if row in complaints:
            if waited <= _AHEAD:
                found.update(dict.fromkeys(ahead.values()))
            found[row] = None
            placed = waited <= _AHEAD and "place" in ahead
            ahead, since = {}, 0
        elif what == "name":
            ahead, since, waited = {what: row}, _LONGEST, 0
        elif what in _NEAR and since <= _NEAR[what]:
            if what != "place" or not placed:
                found[row] = None
            placed = placed or what == "place"
        elif what in ("frame", "remark") or (what == "place" and "name" in ahead):
            ahead[what], waited = row, 0
        else:
            since, waited = since + bool(row), waited + bool(row)
    return list(found)
