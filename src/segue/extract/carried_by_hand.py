"""What a person wrote into a packet where segue writes nothing: rules of their own, which are carried on as such.

Segue writes below labels, paths under Files, and a goal; a line that stands in a section before any label, or in a
section of another name, somebody added.
"""

from __future__ import annotations

from collections.abc import Iterator

from segue.extract.text.prose import clipped
from segue.model.facts import Evidence, Word
from segue.model.packet import SECTIONS

_FILES = "Files"
_MOST, _LONGEST = 20, 400
_OURS = ("**", "<", ">", "Redacted (rules ", "Nothing ", "Left out")
"""How lines begin that a person did not write: labels, blocks, quotations, and what tells of an empty or a short section."""


def added(packet: str, place: Evidence) -> list[Word]:
    """The lines that somebody added to a packet that stands at `place`, as words of the person."""
    return [
        Word(text=clipped(line, _LONGEST), kind="constraint", strength=2, evidence=(place,))
        for line in list(_lines(packet))[:_MOST]
    ]


def _lines(packet: str) -> Iterator[str]:
    heading, labelled = "", True
    for line in packet.split("\n"):
        if line.startswith("## "):
            heading = line[3:].strip()
            labelled = heading == _FILES
        elif heading and line.startswith(_OURS):
            labelled = labelled or heading in SECTIONS
        elif line.strip() and not labelled:
            yield line.strip().removeprefix("- ").removeprefix("* ")
