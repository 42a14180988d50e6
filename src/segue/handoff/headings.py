"""The names of a handoff's sections, and where headings really stand in a text.

A heading counts at the start of a line outside fences; one inside a quotation or a fence is somebody's
text. A fence that nobody closes is no fence, so that one stray mark cannot swallow the rest of a
document.
"""

from __future__ import annotations

import re

from segue.model.value import NamedTuple

TAIL = "RECENT TAIL (since rich handoff)"
TAIL_HEADING = f"## {TAIL}"

DOCUMENT = (
    "Current objective",
    "Current state summary",
    "Projects and files touched recently",
    "Decisions made",
    "Open threads",
    "Active role state",
    "Immediate next actions",
    "Things the next agent would regret losing",
)
"""The sections somebody writes; the tail comes after them and is made mechanically."""

_ATX = re.compile(r"(#{1,6})[ \t]+(.*)")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")
_ALIASES = (
    (re.compile(r"(?:projects|files|projects and files)(?: touched)?(?: recently)?"), DOCUMENT[2]),
    (re.compile(r"things .{1,60} would regret losing"), DOCUMENT[7]),
    (re.compile(r"next (?:actions|steps)|immediate next steps"), DOCUMENT[6]),
)
"""Names that seeds and people use for the same function."""


class Line(NamedTuple):
    """A line without its end. `start` is its offset in the text, `number` counts from 1."""

    number: int
    start: int
    text: str
    fenced: bool


class Heading(NamedTuple):
    level: int
    title: str
    line: Line


def lines(text: str) -> list[Line]:
    """The lines of a text, each with whether it belongs to a fence. Only line feeds end a line."""
    raw = text.split("\n")
    fenced = _fenced(raw)
    found, start = [], 0
    for index, line in enumerate(raw):
        found.append(Line(index + 1, start, line.removesuffix("\r"), fenced[index]))
        start += len(line) + 1
    return found


def headings(rows: list[Line]) -> list[Heading]:
    """The real headings among the lines of a text, in order."""
    found = []
    for line in rows:
        if not line.fenced and line.text.startswith("#") and (match := _ATX.match(line.text)):
            found.append(Heading(len(match[1]), _title(match[2]), line))
    return found


def title_of(line: Line) -> str | None:
    """The words of the heading that a line is; None for any other line."""
    found = headings([line])
    return found[0].title if found else None


def _title(text: str) -> str:
    """A heading's words, without the number signs that may close it."""
    words = text.split()
    return " ".join(words[:-1] if words and not words[-1].strip("#") else words)


def same(title: str, name: str) -> bool:
    """A person typed the title; case, spacing and a colon do not make it another one."""
    return _plain(title) == _plain(name)


def document_name(title: str) -> str | None:
    """Which section of a document this title names, if any."""
    plain = _plain(title)
    for name in (*DOCUMENT, TAIL):
        if plain == _plain(name):
            return name
    return next((name for pattern, name in _ALIASES if pattern.fullmatch(plain)), None)


def _plain(title: str) -> str:
    return " ".join(title.casefold().rstrip(" :").split())


def _fenced(raw: list[str]) -> list[bool]:
    """For each line, whether a fence that is closed later holds it, its two marks included."""
    if not any("```" in line or "~~~" in line for line in raw):
        return [False] * len(raw)
    marks: list[tuple[str, int, bool] | None] = []
    for line in raw:
        match = _FENCE.match(line.rstrip()) if "```" in line or "~~~" in line else None
        if match is None or (match[1][0] == "`" and "`" in match[2]):
            marks.append(None)
        else:
            marks.append((match[1][0], len(match[1]), not match[2].strip()))
    longest = {"`": [0] * (len(raw) + 1), "~": [0] * (len(raw) + 1)}
    for sign, after in longest.items():
        for index in range(len(raw) - 1, -1, -1):
            mark = marks[index]
            closes = mark[1] if mark and mark[0] == sign and mark[2] else 0
            after[index] = max(after[index + 1], closes)
    inside = [False] * len(raw)
    opened: tuple[str, int] | None = None
    for index, mark in enumerate(marks):
        if opened is not None:
            inside[index] = True
            if mark and mark[0] == opened[0] and mark[1] >= opened[1] and mark[2]:
                opened = None
        elif mark and longest[mark[0]][index + 1] >= mark[1]:
            inside[index] = True
            opened = mark[:2]
    return inside
