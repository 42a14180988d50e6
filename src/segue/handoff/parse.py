"""Reads a handoff back, as it was rendered or as a person has edited it since.

Nothing is executed and nothing is believed: the result says what the text says and where. Sections
begin at real headings (see `headings`), so one that stands in a quotation or a fence stays text. What
is not understood is kept in the section's body. `as_packet(parse(render(packet)))` is the packet.
"""

from __future__ import annotations

from bisect import bisect
from typing import Literal

import msgspec

from segue.handoff.headings import TAIL, Heading, Line, document_name, headings, lines, same
from segue.handoff.item_reading import ParsedItem, read
from segue.model.packet import (
    ALL_FITS,
    ASKED,
    DEAD_ENDS,
    DECIDED,
    MODIFIED_FILES,
    NOTED,
    OPENING,
    READ_FILES,
    SECTIONS,
    TODOS,
    WORDS,
    Packet,
    Section,
)
from segue.model.patterns import compiled

Kind = Literal["packet", "document"]

_BLOCK = compiled(rf"<(/?)({READ_FILES}|{MODIFIED_FILES})>[ \t]*")
_LABEL = compiled(r"(?:\*\*([^*]+)\*\*|#{3,6}[ \t]+(.+?))(?:[ \t]*\([^()]*\))?:?[ \t]*")
_LABELLED = compiled(r"\*\*([^*]+)\*\*(?:[ \t]*\([^()]*\))?:[ \t]+(?=\S)")
_LONGEST_LABEL = 200
_DIRECTORY = compiled(r"\S.*/")
_SPOKEN = (WORDS, DECIDED, DEAD_ENDS, NOTED, ASKED, TODOS)
"""Labels under which a packet carries what was said; `done: …` there is somebody's word, not a claim of ours."""
_RECEIPT = compiled(r"Redacted\b")
_LOSSES = compiled(rf"(?:Left out to fit|Left out of|{ALL_FITS}|Nothing was left out of) \d")
"""The last line; packets of earlier versions say that nothing was left out."""


class ParsedSection(msgspec.Struct, frozen=True, kw_only=True):
    """`name` is the section's own name where the heading is known, else the heading as it stands."""

    name: str
    known: bool
    line: int
    body: str
    items: tuple[ParsedItem, ...] = ()


class Block(msgspec.Struct, frozen=True, kw_only=True):
    """A list of paths between two tags; `closed` is false where the second is missing."""

    name: str
    line: int
    paths: tuple[str, ...]
    closed: bool


class Parsed(msgspec.Struct, frozen=True, kw_only=True):
    kind: Kind
    preamble: str
    sections: tuple[ParsedSection, ...]
    blocks: tuple[Block, ...] = ()
    receipt: str = ""
    losses: str = ""

    @property
    def read_files(self) -> tuple[str, ...]:
        return self._paths(READ_FILES)

    @property
    def modified_files(self) -> tuple[str, ...]:
        return self._paths(MODIFIED_FILES)

    def _paths(self, name: str) -> tuple[str, ...]:
        return tuple(path for block in self.blocks if block.name == name for path in block.paths)

    def section(self, name: str) -> ParsedSection | None:
        """The first section of that name."""
        return next((s for s in self.sections if s.name == name), None)

    def items(self, name: str) -> tuple[ParsedItem, ...]:
        return tuple(item for s in self.sections if s.name == name for item in s.items)


def parse(text: str, kind: Kind | None = None) -> Parsed:
    """What a packet or a document says. The kind is guessed from its headings where it is not given."""
    rows = lines(text)
    found = [heading for heading in headings(rows) if heading.level == 2]
    kind = kind or kind_of(text, found)
    blocks, rest = _blocks(rows, {heading.line.number for heading in found})
    closing = _closing(rest) if kind == "packet" else {}
    rest = [row for row in rest if row.number not in closing]
    cuts = [bisect(rest, heading.line.number, key=_number) for heading in found]
    ends = [*(cut - 1 for cut in cuts[1:]), len(rest)]
    bodies = [rest[cut:end] for cut, end in zip(cuts, ends, strict=False)]
    return Parsed(
        kind=kind,
        preamble=_body(rest[: cuts[0] - 1] if cuts else rest),
        sections=tuple(_section(kind, heading, body) for heading, body in zip(found, bodies, strict=True)),
        blocks=tuple(blocks),
        receipt=next((text for text in closing.values() if _RECEIPT.match(text)), ""),
        losses=next((text for text in closing.values() if _LOSSES.match(text)), ""),
    )


def kind_of(text: str, found: list[Heading] | None = None) -> Kind:
    """Packet or document, by the headings it has."""
    titles = [h.title for h in (headings(lines(text)) if found is None else found) if h.level == 2]
    packet = sum(any(same(title, name) for name in SECTIONS) for title in titles)
    document = sum(document_name(title) is not None for title in titles)
    return "packet" if packet > document or text.lstrip().startswith(OPENING) else "document"


def as_packet(parsed: Parsed) -> Packet:
    """The packet that was parsed: its known sections in their order, each once."""
    found = {name: parsed.section(name) for name in SECTIONS}
    return Packet(
        preamble=parsed.preamble,
        sections=tuple(Section(name, section.body) for name, section in found.items() if section),
        read_files=parsed.read_files,
        modified_files=parsed.modified_files,
        receipt=parsed.receipt,
        losses=parsed.losses,
    )


def _section(kind: Kind, heading: Heading, rows: list[Line]) -> ParsedSection:
    known = _known(kind, heading.title)
    return ParsedSection(
        name=known or heading.title,
        known=known is not None,
        line=heading.line.number,
        body=_body(rows),
        items=() if known == TAIL else tuple(_items(rows, in_files=known == "Files")),
    )


def _known(kind: Kind, title: str) -> str | None:
    if kind == "packet":
        return next((name for name in SECTIONS if same(title, name)), None)
    return document_name(title)


def _items(rows: list[Line], in_files: bool) -> list[ParsedItem]:
    """The items of a section. Quotations and fences are nobody's items; an indented line goes on with the
    item above it."""
    found: list[ParsedItem] = []
    group = ""
    for row in rows:
        text = row.text
        if not text.strip() or row.fenced or text.lstrip().startswith(">"):
            continue
        if len(text) <= _LONGEST_LABEL and (label := _LABEL.fullmatch(text)):
            group = label[1] or label[2]
        elif labelled := _LABELLED.match(text[:_LONGEST_LABEL]):
            found.append(read(text[labelled.end() :], row.number, labelled[1]))
        elif in_files and _DIRECTORY.fullmatch(text) and not read(text).listed:
            group = text
        elif found and text[0] in " \t" and not read(text).listed:
            found[-1] = msgspec.structs.replace(found[-1], text=f"{found[-1].text} {text.strip()}")
        else:
            found.append(read(text, row.number, group, stated=not group.startswith(_SPOKEN)))
    return found


def _blocks(rows: list[Line], heads: set[int]) -> tuple[list[Block], list[Line]]:
    """The path blocks, and the lines that belong to none."""
    blocks: list[Block] = []
    rest: list[Line] = []
    opened: tuple[str, int] | None = None
    paths: list[str] = []
    for row in rows:
        tag = None if row.fenced else _BLOCK.fullmatch(row.text)
        if opened and (tag or row.number in heads):
            closed = bool(tag and tag[1] and tag[2] == opened[0])
            blocks.append(Block(name=opened[0], line=opened[1], paths=tuple(paths), closed=closed))
            opened, paths = None, []
            if closed:
                continue
        if tag and not tag[1]:
            opened = tag[2], row.number
        elif opened:
            paths += [row.text.strip()] if row.text.strip() else []
        else:
            rest.append(row)
    if opened:
        blocks.append(Block(name=opened[0], line=opened[1], paths=tuple(paths), closed=False))
    return blocks, rest


def _closing(rows: list[Line]) -> dict[int, str]:
    """The receipt and the count of losses: the last lines that are anything."""
    found: dict[int, str] = {}
    for row in reversed(rows):
        if row.fenced or (row.text.strip() and not _RECEIPT.match(row.text) and not _LOSSES.match(row.text)):
            break
        if row.text.strip():
            found[row.number] = row.text
    return found


def _body(rows: list[Line]) -> str:
    return "\n".join(row.text for row in rows).strip("\n").rstrip()


def _number(line: Line) -> int:
    return line.number
