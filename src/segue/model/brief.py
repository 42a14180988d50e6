"""A brief: a session for a model's eyes, in order, every row with the line it stands on.

Rows are the session condensed, `handoff/brief.py` prints as many of them as a budget holds. Texts are redacted session
data that nobody has quoted yet.
"""

from __future__ import annotations

from typing import Literal

import msgspec

Who = Literal["person", "request", "agent", "subagent", "call", "thought", "harness", "summary", "boundary"]
"""Whose a row is. A `request` is what another agent asked for; a `summary` was written by a model."""

DEFAULT = 45_000
SMALLEST = 1000


class BriefRow(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One thing that happened. `text` is all of it that is told, `short` what it may be folded to."""

    line: int
    who: Who
    turn: int = 0
    text: str = ""
    short: str = ""
    kind: str = ""
    """Of a call the kind of its tool, of the person's words their channel, of anything else what it is."""
    to: str = ""
    """What the person's words answer or reject; of what is said once more, where it stood first."""
    verdict: str = ""
    """What the harness says of a call's result; empty for one that simply went well."""
    failed: bool = False
    at: int = 0
    """The line of a call's result; of a compaction the first line that stayed in the agent's context."""
    printed: tuple[str, ...] = ()
    """The lines of a result that tell most."""
    closing: bool = False
    """The last message of its turn."""


class Brief(msgspec.Struct, frozen=True, kw_only=True):
    text: str
    tokens: int
    budget: int
    agent: str
    session_id: str
    lines: tuple[int, int]
    folded: int
    """Rows that the text tells only by their number."""
