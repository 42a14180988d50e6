"""Facts of earlier handoffs that a session began with: carried on as facts, each with the session it was seen in.

A packet among the prompts is set aside; what it stands for is given by whoever can look it up. What this session says
or does comes after it, so that the later wins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from msgspec.structs import replace

from segue.model.entry import Entry
from segue.model.facts import (
    Claim,
    CommandFact,
    Evidence,
    Facts,
    FileFact,
    Item,
    Lineage,
    Prompt,
    Report,
    Statement,
)
from segue.model.packet import OPENING, apart

FactsOf = Callable[[str], Facts | None]
"""The facts behind the text of a packet; None where nothing is known of it."""

_Fact = TypeVar("_Fact", bound=Item)
_REPORTS = 12
_COMMANDS = 20
_STATEMENTS = 40
_FILES = 120


class Packets:
    """The packets that were met, the later one of a session in the place of an earlier one."""

    def __init__(self, facts_of: FactsOf, earlier: Iterable[Facts] = ()) -> None:
        self._facts_of = facts_of
        self._met: dict[str, tuple[Facts, int, str]] = {
            facts.source.session_id: (facts, 0, "") for facts in earlier
        }

    def taken_from(self, entry: Entry) -> str:
        """The prompt without the packet of an earlier handoff."""
        if OPENING not in entry.text:
            return entry.text
        packet, rest = apart(entry.text)
        facts = self._facts_of(packet) if packet else None
        if facts is not None:
            self._met.pop(facts.source.session_id, None)
            self._met[facts.source.session_id] = facts, entry.line, entry.native_id
        return rest if packet else entry.text

    def close(self) -> list[tuple[Facts, int]]:
        """The facts that were carried here, oldest first, those that a later one holds already left out, and the line
        at which each was met."""
        found = [(facts, line) for facts, line, _ in self._met.values()]
        held = {link.session_id for facts, _ in found for link in facts.lineage}
        return [(facts, line) for facts, line in found if facts.source.session_id not in held]

    @staticmethod
    def lineage(facts: Facts, line: int) -> tuple[Lineage, ...]:
        source = facts.source
        mine = Lineage(
            origin=origin_of(facts),
            session_id=source.session_id,
            agent=source.agent,
            goal=facts.goal,
            evidence=(Evidence(line),) if line else (),
        )
        return (*facts.lineage, mine)


def origin_of(facts: Facts) -> str:
    """The session of a handoff by as much of its id as names it."""
    return facts.source.session_id[:8] or facts.source.agent


def with_origin(facts: Facts, items: Iterable[_Fact]) -> list[_Fact]:
    return [item if item.origin else replace(item, origin=origin_of(facts), score=0.0) for item in items]


def prompts(facts: Facts) -> list[Prompt]:
    return with_origin(facts, facts.prompts)


def reports(facts: Facts) -> list[Report]:
    """What the agent reported before, the newest by its sentences too."""
    kept = [replace(report, text="") for report in facts.reports if report.remarks]
    return with_origin(facts, kept[-_REPORTS:])


def statements(facts: Facts) -> list[Statement]:
    """What a model stated of an earlier session; what was open or next then, this session tells."""
    kept = [one for one in facts.statements if one.kind in ("decision", "dead_end", "finding")]
    return with_origin(facts, kept[:_STATEMENTS])


def failing(facts: Facts) -> list[CommandFact]:
    return with_origin(facts, [fact for fact in facts.commands if fact.open][-_COMMANDS:])


def files(facts: Facts) -> list[FileFact]:
    return with_origin(facts, facts.files[:_FILES])


def claims(facts: Facts) -> list[Claim]:
    """What was committed, pushed or opened; what was not yet then is told by this session."""
    return with_origin(facts, [claim for claim in facts.claims if claim.state != "pending"])
