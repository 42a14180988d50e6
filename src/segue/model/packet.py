"""The packet: the first message of the next session, as named parts.

A packet is a value before it is a text: a preamble, five sections in a fixed order, two lists of
paths and the closing lines. `handoff/packet.py` writes it, `handoff/parse.py` reads it back.
"""

from __future__ import annotations

from typing import Literal, get_args

import msgspec

Heading = Literal["Context", "Operational Context", "Files", "Task", "Notes"]
Format = Literal["packet", "document", "bundle", "tc", "json"]
"""What a draft can be rendered as."""
Preset = Literal["", "implement", "debug", "review", "docs"]
"""The kinds of work that change the order in which a packet gives things up."""

SECTIONS: tuple[Heading, ...] = get_args(Heading)
READ_FILES = "read-files"
MODIFIED_FILES = "modified-files"


class Section(msgspec.Struct, frozen=True):
    """`body` is Markdown without level-one or level-two headings; quoted text in it is inert."""

    heading: Heading
    body: str


class Packet(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Paths are sorted and stand in one list only. `receipt` says what redaction did, `losses` what was left out."""

    preamble: str
    sections: tuple[Section, ...]
    read_files: tuple[str, ...] = ()
    modified_files: tuple[str, ...] = ()
    receipt: str = ""
    losses: str = ""


def section(packet: Packet, heading: Heading) -> str:
    """The body of that section; empty when the packet has none."""
    return next((s.body for s in packet.sections if s.heading == heading), "")


OPENING = "This handoff was drawn from"
"""How every packet begins, so that a later session recognises one among its prompts."""
ENDINGS = {
    "finished": "ended between turns",
    "mid_turn": "ended in mid-turn",
    "interrupted": "was interrupted",
}
"""How the first line tells of the way a session ended."""

ALL_FITS = "All that was picked from the transcript fits"
"""How the last line begins where nothing had to give way: a transcript always holds more than is picked from it."""

ALSO = "also: "
"""How a row of files begins that are told by their names alone."""

ASKED = "Asked for"
WORDS = "The person's words, verbatim"
DECIDED = "Decided"
DEAD_ENDS = "Do not redo"
NOTED = "Known by now"
STATE = "State of the work"
FAILING = "Failing now"
FAILED_LAST = "Failed when last run"
FAILED_BEFORE = "Failing in an earlier session"
WORKED = "Commands that worked"
STEPS = "Next steps"
TODOS = "To-do list"
PLAN = "Plan"
"""Labels of the lists that a later handoff carries on."""
