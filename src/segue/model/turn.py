"""Turns and the index: a session in a size that can be printed, kept and searched.

A turn is a person's prompt and everything until the next one. The index holds, for any goal, what
is known of a session: its turns and its facts in the order of the session, redacted and bounded.
`extract/facts.py` chooses from it for one goal.
"""

from __future__ import annotations

import msgspec

from segue.model.entry import Entry
from segue.model.facts import Seen

STARTS_TURN = frozenset(("prompt", "command", "plan", ""))
"""Channels on which a person begins something; what comes on others belongs to the turn it arrives in."""
INDEX_SCHEMA = "segue.index.v1"


def opens_turn(entry: Entry, requested: bool = False) -> bool:
    """Whether an entry begins a turn: what a person asks for, and the first request of another agent; `requested` says
    that there was one. All turns are counted with this."""
    if entry.kind != "user":
        return False
    if entry.by == "agent":
        return not requested
    return entry.by == "person" and not entry.agent_id and entry.via in STARTS_TURN


class Turn(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """`number` counts from 1; what precedes the first prompt is turn 0. Lines are locators of entries."""

    number: int
    first_line: int
    last_line: int
    started_ms: int | None = None
    ended_ms: int | None = None
    prompt: str = ""
    opening: str = ""
    """The first words of the agent in this turn."""
    closing: str = ""
    """Its last words, longer: where a turn says what came of it."""
    closing_line: int = 0
    calls: int = 0
    errors: int = 0
    tools: dict[str, int] = {}
    paths: tuple[str, ...] = ()
    signals: tuple[str, ...] = ()


class Index(Seen, frozen=True, kw_only=True, omit_defaults=True, tag_field="schema", tag=INDEX_SCHEMA):
    """All that is remembered of a session; of its reports every sentence."""

    turns: tuple[Turn, ...] = ()
    forgotten: tuple[str, ...] = ()
    """What a very long session has more of than is remembered, counted in words."""
