"""What a person may leave out of a handoff, and the handoff without it.

A choice is an item, a step or a quotation, with the lines that belong to it. What goes takes along what would
be left hanging: the label of a list that is gone, the paths of files that are no longer listed. A section that
is empty now says so, steps count from 1, and the last line tells that a person left things out.
"""

from __future__ import annotations

from collections.abc import Collection

from segue.handoff.file_reading import listed
from segue.handoff.headings import Line, headings, lines
from segue.handoff.parse import Parsed, parse
from segue.model.packet import MODIFIED_FILES, READ_FILES
from segue.model.patterns import compiled
from segue.model.value import NamedTuple

_ITEM = compiled(r"[-*] |\d+[.)] ")
_STEP = compiled(r"\d+(?=[.)] )")
_POINTER = compiled(r"\[#[^\[\]]+\]")
_LABEL = compiled(r"\*\*[^*]+\*\*(?: \([^()]*\))?:?|#{3,6} .+|\S.*/")
_TAGS = frozenset(f"<{end}{name}>" for name in (READ_FILES, MODIFIED_FILES) for end in ("", "/"))
_LEFT_OUT = compiled(r"; then a person left out (\d{1,9}) items?")
_EMPTY = "Left out."
_RECEIPT = "Redacted"


class Choice(NamedTuple):
    """The lines from `first` up to `end`, counted from 0."""

    first: int
    end: int
    text: str


def choices(text: str) -> list[Choice]:
    """What can be left out, in the order of the text; what stands before the first section says what it is and stays."""
    rows, listing = lines(text), False
    begins = next((heading.line.number for heading in headings(rows) if heading.level == 2), 0)
    found: list[Choice] = []
    for n, row in enumerate(rows[begins:], begins):
        if row.text.strip() in _TAGS:
            listing = not row.text.strip().startswith("</")
        elif listing or row.fenced or not row.text.strip():
            continue
        elif _is_continuation(rows, n) and found and found[-1].end == n:
            found[-1] = found[-1]._replace(end=n + 1)
        elif _ITEM.match(row.text) or row.text.startswith(">"):
            found.append(Choice(n, n + 1, row.text.strip()))
    return found


def _is_continuation(rows: list[Line], n: int) -> bool:
    """The line belongs to the one above it: indented, or more of the same quotation, or where that was said."""
    text = rows[n].text
    quoting = (
        n > 0 and rows[n - 1].text.startswith(">") and (text.startswith(">") or _POINTER.fullmatch(text))
    )
    return bool(quoting) or text[0] in " \t"


def without(text: str, left_out: Collection[Choice]) -> str:
    """The handoff without these choices of it."""
    if not left_out:
        return text
    rows = [row.text for row in lines(text)]
    going = {n for choice in left_out for n in range(choice.first, choice.end)}
    going |= _labels(rows, choices(text), going)
    shorter = "\n".join(_counted(_told_as_empty([row for n, row in enumerate(rows) if n not in going])))
    return _note_left_out(_unlisted(shorter, parse(text)), len(left_out))


def _note_left_out(text: str, number: int) -> str:
    """The packet that says how many items a person left out, all in all."""
    losses = parse(text).losses
    if earlier := _LEFT_OUT.search(losses):
        number += int(earlier[1])
        before, _, after = text.rpartition(losses)
        text = f"{before}{_LEFT_OUT.sub('', losses)}{after}"
    return noted(text, f"a person left out {number} item{'s' * (number != 1)}")


def noted(text: str, what: str) -> str:
    """The packet whose last line also says what became of it since; any other text as it is."""
    losses = parse(text).losses
    if not losses or what in losses:
        return text
    before, _, after = text.rpartition(losses)
    return f"{before}{losses.rstrip('. ')}; then {what}.{after}"


def _labels(rows: list[str], offered: list[Choice], going: set[int]) -> set[int]:
    """The labels under which nothing is left."""
    at = {choice.first for choice in offered}
    found: set[int] = set()
    for n, row in enumerate(rows):
        if not _LABEL.fullmatch(row) or n in at:
            continue
        under = n + 1
        while under < len(rows) and (under in going or not rows[under].strip()):
            under += 1
        goes_on = under < len(rows) and under in at
        if not goes_on and going & set(range(n + 1, under)):
            found.add(n)
    return found


def _told_as_empty(rows: list[str]) -> list[str]:
    """Sections of which nothing is left say so."""
    heads = {heading.line.number - 1 for heading in headings(lines("\n".join(rows))) if heading.level == 2}
    told: list[str] = []
    for n, row in enumerate(rows):
        told.append(row)
        if n in heads and _is_bare(rows, n + 1, heads):
            told.append(_EMPTY)
    return told


def _is_bare(rows: list[str], start: int, heads: set[int]) -> bool:
    """From here to what follows the section nothing is said."""
    body = next((n for n in range(start, len(rows)) if rows[n].strip()), len(rows))
    return (
        body == len(rows) or body in heads or rows[body].strip() in _TAGS or rows[body].startswith(_RECEIPT)
    )


def _counted(rows: list[str]) -> list[str]:
    """Numbered lists count from 1 again."""
    counted, number = [], 0
    for row in rows:
        if step := _STEP.match(row):
            number += 1
            row = f"{number}{row[step.end() :]}"
        elif row[:1] not in (" ", "\t"):
            number = 0
        counted.append(row)
    return counted


def _unlisted(text: str, before: Parsed) -> str:
    """The text whose lists of paths name no file that it does not tell of any more."""
    gone = {file.path for file in listed(before)} - {file.path for file in listed(parse(text))}
    kept: list[str] = []
    listing = False
    for row in text.split("\n"):
        if row.strip() in _TAGS:
            listing = not row.strip().startswith("</")
            if not listing and kept and kept[-1].strip() in _TAGS:
                kept.pop()
                while kept and not kept[-1].strip():
                    kept.pop()
                continue
        if not (listing and row.strip() in gone):
            kept.append(row)
    return "\n".join(kept)
