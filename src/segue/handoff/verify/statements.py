"""What a handoff states about its session, one statement each, with what would have to be true.

The labels of a packet and of a document say what their rows are: somebody's words, a run that failed, a
to-do. A row that a person has put under a label of their own is taken for a claim and judged by what it
names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from segue.handoff.item_reading import ParsedItem, apart, read
from segue.handoff.parse import Parsed, ParsedSection
from segue.handoff.quote import MISSING
from segue.model.packet import (
    ASKED,
    DEAD_ENDS,
    DECIDED,
    FAILED_BEFORE,
    FAILED_LAST,
    FAILING,
    NOTED,
    PLAN,
    STEPS,
    TODOS,
    WORDS,
)
from segue.model.patterns import compiled
from segue.model.value import NamedTuple

Role = Literal[
    "person", "agent", "claim", "failing", "failed", "worked", "ran", "stopped", "running", "todo", "aside"
]

_ROLES: tuple[tuple[str, Role], ...] = (
    (ASKED, "person"),
    (WORDS, "person"),
    ("Goal", "person"),
    (DECIDED, "agent"),
    (DEAD_ENDS, "agent"),
    (NOTED, "agent"),
    ("From earlier summaries", "agent"),
    ("From the last compaction summary", "agent"),
    ("Last words of the agent", "agent"),
    (FAILING, "failing"),
    ("Commands whose last run failed", "failing"),
    (FAILED_LAST, "failing"),
    (FAILED_BEFORE, "failed"),
    ("Not installed here", "failed"),
    ("Failed earlier", "failed"),
    ("Commands that worked", "worked"),
    ("Commands that ran", "ran"),
    ("Other commands", "worked"),
    ("Where it stopped", "stopped"),
    (TODOS, "todo"),
    (STEPS, "aside"),
    (PLAN, "aside"),
    ("Still running when last seen", "running"),
    ("Repository", "aside"),
)
"""By how a label begins. An aside is a proposal, or is compared with the world."""
_SECTIONS: dict[str, Role] = {
    "Current objective": "person",
    "Decisions made": "agent",
    "Open threads": "aside",
    "Active role state": "aside",
    "Immediate next actions": "aside",
    "Task": "aside",
}
_FILES = ("Files", "Projects and files touched recently")
_REPLACED = compiled(r'"([^\n]+?)" \[(#[^\]]+)\](?=, "|\)$)')
_REPLACES = " (replaces "
_ANSWERED = compiled(r" \(to the agent's (\"[^\n]+\" \[#[^\]]+\])\)$", re.M)
_SAYS_NOTHING = ("left out", "nothing seen", "none seen", "nothing known", "not looked at", "none", "…")
_SHOWN = 80
"""Characters of a statement that a message quotes."""
_LABEL = compiled(r"\*\*([^*]+)\*\*.*")


class Statement(NamedTuple):
    where: str
    role: Role
    item: ParsedItem


class Replacement(NamedTuple):
    """A later word, and an earlier one that it is said to replace."""

    where: str
    later: ParsedItem
    earlier: ParsedItem


class Row(NamedTuple):
    """A line quoted from the session, the label of its block, and the item under which it stands, if any."""

    where: str
    label: str
    under: ParsedItem | None
    text: str

    @property
    def spelled(self) -> bool:
        """It is more than a mark, such as that of a fence."""
        return any(map(str.isalnum, self.text))


def statements(parsed: Parsed) -> Iterator[Statement]:
    """The rows of all sections but those that list files."""
    for section in parsed.sections:
        if section.name in _FILES:
            continue
        for item in section.items:
            if item.text and not item.text.casefold().startswith(_SAYS_NOTHING):
                yield Statement(f"{section.name}, line {item.line}", _role(section.name, item), item)
        for replacement in _replaced(section):
            yield Statement(section.name, "person", replacement.earlier)
        for answered in _ANSWERED.finditer(section.body):
            yield Statement(section.name, "agent", read(f"- {answered[1]}", stated=False))


def _role(section: str, item: ParsedItem) -> Role:
    for label, role in _ROLES:
        if item.group.startswith(label):
            return role
    if section == "Open threads" and item.text.startswith("in flight"):
        return "stopped"
    return "claim" if item.state else _SECTIONS.get(section, "claim")


def replacements(parsed: Parsed) -> Iterator[Replacement]:
    for section in parsed.sections:
        if section.name not in _FILES:
            yield from _replaced(section)


def _replaced(section: ParsedSection) -> Iterator[Replacement]:
    """The earlier words that a later one is said to replace."""
    for line in section.body.split("\n"):
        new, aside = apart(line)
        for text, at in _REPLACED.findall(aside) if aside.startswith(_REPLACES) else ():
            earlier = read(f'- replaced: "{text}" [{at}]', stated=False)
            yield Replacement(section.name, read(new, stated=False), earlier)


def quoted_rows(parsed: Parsed) -> Iterator[Row]:
    for section in parsed.sections:
        label, above = "", ""
        for line in section.body.split("\n") if section.known else ():
            text = line.lstrip()
            if not text.startswith(">"):
                above = line if text else above
                if found := _LABEL.fullmatch(line):
                    label, above = found[1], ""
            elif text[1:].strip():
                yield Row(section.name, label, read(above) if above else None, text[1:].strip())


def places(item: ParsedItem) -> str:
    return ", ".join(f"#{line}" for line in item.evidence)


def told(item: ParsedItem) -> str:
    """The statement as a message quotes it."""
    return short(f"{item.state}: {item.text}" if item.state else item.text)


def short(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}{MISSING}")
