"""Reads a handoff back, as it was rendered or as a person has edited it since.

Nothing is executed and nothing is believed: the result says what the text says and where. Sections
begin at real headings (see `headings`), so one that stands in a quotation or a fence stays text. What
is not understood is kept in the section's body. What was rendered
is read back whole.
"""

from __future__ import annotations

import re
from bisect import bisect
from typing import Literal

import msgspec
from msgspec.structs import replace

from segue.handoff.headings import TAIL, Heading, Line, document_name, headings, lines, same
from segue.handoff.item_reading import ParsedItem, read
from segue.model import packet as labels
from segue.model.packet import CLOSING, MODIFIED_FILES, OPENING, READ_FILES, SECTIONS

Kind = Literal["packet", "document"]

_BLOCK = re.compile(rf"<(/?)({READ_FILES}|{MODIFIED_FILES})>[ \t]*")
_LABEL = re.compile(r"(?:\*\*([^*]+)\*\*|#{3,6}[ \t]+(.+?))(?:[ \t]*\([^()]*\))?:?[ \t]*")
_LABELLED = re.compile(r"\*\*([^*]+)\*\*(?:[ \t]*\([^()]*\))?:[ \t]+(?=\S)")
_LONGEST_LABEL = 200
_DIRECTORY = re.compile(r"\S.*/")
_HEAD = (labels.GOAL, labels.NEXT, labels.BEFORE, labels.TRANSCRIPT)
_SAID = (
    labels.ASKED,
    *labels.STATED.values(),
    labels.REPORTED,
    labels.LAST_REPORT,
    labels.SUMMARY,
    labels.STEPS,
    labels.TODOS,
    labels.PLAN,
)
_RUN = (labels.FAILING, labels.FAILED_EARLIER, labels.RAN, labels.RUNNING, labels.STOPPED)
_SPOKEN = (*_HEAD, *_SAID, *_RUN)
"""Labels under which a packet carries what was said or run; `done: …` there is somebody's word, not a claim of ours."""
_SOURCE = re.compile(rf"{OPENING} (.+?) session (.+?) \((\d+) turns?(.*)\)\.")
_BRANCH = re.compile(r", branch ([^,]+)")
_RECEIPT = re.compile(r"Redacted\b")
_CLOSING = re.compile(rf"Redacted\b|{labels.COMPOSED} |{CLOSING}")


class ParsedSource(msgspec.Struct, frozen=True, kw_only=True):
    """The session that a packet's first line names."""

    agent: str
    session_id: str
    turns: int
    branch: str = ""


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
    head: tuple[ParsedItem, ...] = ()
    """The labelled lines that a packet opens with: the goal, the next step, the transcript."""
    sections: tuple[ParsedSection, ...]
    blocks: tuple[Block, ...] = ()
    receipt: str = ""
    composed: str = ""
    losses: str = ""

    @property
    def read_files(self) -> tuple[str, ...]:
        return self._paths(READ_FILES)

    @property
    def modified_files(self) -> tuple[str, ...]:
        return self._paths(MODIFIED_FILES)

    def _paths(self, name: str) -> tuple[str, ...]:
        return tuple(path for block in self.blocks if block.name == name for path in block.paths)

    @property
    def source(self) -> ParsedSource | None:
        """The session it was drawn from, where its first line says so."""
        found = _SOURCE.match(self.preamble.lstrip().partition("\n")[0])
        if found is None:
            return None
        branch = _BRANCH.match(found[4])
        return ParsedSource(
            agent=found[1], session_id=found[2], turns=int(found[3]), branch=branch[1] if branch else ""
        )

    def section(self, name: str) -> ParsedSection | None:
        """The first section of that name."""
        return next((s for s in self.sections if s.name == name), None)

    def items(self, name: str) -> tuple[ParsedItem, ...]:
        """The items of that section."""
        return tuple(item for s in self.sections if s.name == name for item in s.items)

    def under(self, *labels: str) -> tuple[ParsedItem, ...]:
        """The items under these labels, wherever they stand."""
        every = (*self.head, *(item for section in self.sections for item in section.items))
        return tuple(item for item in every if item.group in labels)


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
    before = rest[: cuts[0] - 1] if cuts else rest
    return Parsed(
        kind=kind,
        preamble=_body(before),
        head=tuple(item for item in _items(before, False) if item.group in _HEAD) if kind == "packet" else (),
        sections=tuple(_section(kind, heading, body) for heading, body in zip(found, bodies, strict=True)),
        blocks=tuple(blocks),
        receipt=next((text for text in closing.values() if _RECEIPT.match(text)), ""),
        composed=next((text for text in closing.values() if text.startswith(labels.COMPOSED)), ""),
        losses=next((text for text in closing.values() if text.startswith(CLOSING)), ""),
    )


def kind_of(text: str, found: list[Heading] | None = None) -> Kind:
    """Packet or document, by the headings it has."""
    titles = [h.title for h in (headings(lines(text)) if found is None else found) if h.level == 2]
    packet = sum(any(same(title, name) for name in SECTIONS) for title in titles)
    document = sum(document_name(title) is not None for title in titles)
    return "packet" if packet > document or text.lstrip().startswith(OPENING) else "document"


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
    """The items of a section. What is quoted belongs to the item above it, or to the pointer that ends it; fences are
    nobody's; an indented line goes on with the item above it."""
    found: list[ParsedItem] = []
    group = ""
    quoted: list[str] = []
    for row in rows:
        text = row.text
        if not text.strip() or row.fenced:
            continue
        if text.lstrip().startswith(">"):
            line = text.lstrip()[1:].strip()
            if found and found[-1].group == group and not quoted and (found[-1].listed or found[-1].text):
                found[-1] = replace(found[-1], below=(*found[-1].below, line))
            else:
                quoted.append(line)
            continue
        if len(text) <= _LONGEST_LABEL and (label := _LABEL.fullmatch(text)):
            group = label[1] or label[2]
        elif labelled := _LABELLED.match(text[:_LONGEST_LABEL]):
            found.append(read(text[labelled.end() :], row.number, labelled[1], labelled[1] not in _SPOKEN))
        elif in_files and _DIRECTORY.fullmatch(text) and not read(text).listed:
            group = text
        elif found and text[0] in " \t" and not read(text).listed:
            found[-1] = replace(found[-1], text=f"{found[-1].text} {text.strip()}")
        else:
            item = read(text, row.number, group, stated=group not in _SPOKEN)
            found.append(item if item.text else replace(item, below=tuple(quoted)))
        quoted = []
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
    """The receipts and the count of losses: the last lines that are anything."""
    found: dict[int, str] = {}
    for row in reversed(rows):
        if row.fenced or (row.text.strip() and not _CLOSING.match(row.text)):
            break
        if row.text.strip():
            found[row.number] = row.text
    return found


def _body(rows: list[Line]) -> str:
    return "\n".join(row.text for row in rows).strip("\n").rstrip()


def _number(line: Line) -> int:
    return line.number
