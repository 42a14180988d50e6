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
OF_FACTS = ("document", "tc", "json")
"""Those that are made from the facts alone; the others hold the packet."""
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
    """Paths are sorted and stand in one list only. `receipt` says what redaction did,
    `composed` what a model did, `losses` what was left out."""

    preamble: str
    sections: tuple[Section, ...]
    read_files: tuple[str, ...] = ()
    modified_files: tuple[str, ...] = ()
    receipt: str = ""
    composed: str = ""
    losses: str = ""


def section(packet: Packet, heading: Heading) -> str:
    """The body of that section; empty when the packet has none."""
    return next((s.body for s in packet.sections if s.heading == heading), "")


OPENING = "This handoff was drawn from"
"""How every packet begins, so that a later session recognises one among its prompts."""
CLOSING = "End of handoff:"
"""How the last line of every packet begins."""
COMPOSED = "Composed by"
"""How the line begins that tells of a model's part."""
_CLOSED_BEFORE = ("Left out", "All that was picked", "Nothing was left out")
"""How packets of earlier versions ended."""
ENDINGS = {
    "finished": "ended between turns",
    "mid_turn": "ended in mid-turn",
    "interrupted": "was interrupted",
}
"""How the first line tells of the way a session ended."""

GOAL = "Goal"
NEXT = "Next"
BEFORE = "Before that"
TRANSCRIPT = "Transcript"
"""Labels of the lines that a packet opens with."""
ASKED = "Asked for, in order"
STATED = {
    "state": "Where it stands",
    "decision": "Decided",
    "dead_end": "Tried without success",
    "finding": "Found out",
    "open_question": "Open questions",
}
"""By the kind of what a model states; its steps stand among the others."""
REPORTED = "Reported by the agent"
LAST_REPORT = "Last report of the agent"
SUMMARY = "Summary at the last compaction"
FAILING = "Failing when last run"
FAILED_EARLIER = "Failed earlier"
RAN = "Commands"
GIT = "Git"
RUNNING = "Still running"
STOPPED = "Stopped in"
REPOSITORY = "Repository now"
STEPS = "Then"
TODOS = "To-do list"
PLAN = "Plan"
"""Labels of the lists in its sections."""
ALSO = "also: "
"""How a row of files begins that are told by their names alone."""


def apart(text: str) -> tuple[str, str]:
    """The packet in a text, and the text without it; empty where there is none."""
    begin = text.find(OPENING)
    if begin < 0:
        return "", text
    end = text.find(f"\n{CLOSING}", begin)
    if end < 0:
        end = max(text.find(f"\n{sign}", begin) for sign in _CLOSED_BEFORE)
    if end < 0:
        return "", text
    stop = text.find("\n", end + 1)
    stop = len(text) if stop < 0 else stop
    return text[begin:stop], f"{text[:begin].rstrip()}\n{text[stop:].lstrip()}".strip()
