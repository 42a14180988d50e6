"""The words of a user line, and whose they are."""

from __future__ import annotations

from collections.abc import Sequence

from segue.agents._text import INTERRUPTED, Said, split_message
from segue.agents.claude_code.wire import Block, Line
from segue.model.value import NamedTuple


class Heard(NamedTuple):
    """What a user line says beside results of tools."""

    pieces: list[Said]
    interrupted: str = ""
    """The marker left by a person who stopped the agent."""


def split_line(line: Line, blocks: Sequence[Block], commanded: bool) -> Heard:
    """The words of a line. `commanded` says that a slash command came right before it, whose body this
    may be."""
    texts = [block.text for block in blocks if block.text]
    interrupted = ""
    if texts and texts[0].startswith(INTERRUPTED):
        interrupted = texts.pop(0).strip()
    pieces = [piece for text in texts for piece in split_message(text)]
    if line.is_meta or line.is_compact_summary:
        via = "summary" if line.is_compact_summary else "skill" if commanded else "meta"
        pieces = [piece if piece.by == "harness" else Said(piece.text, "harness", via) for piece in pieces]
    return Heard(pieces, interrupted)
