"""Sentences for a client that has tools: they name those and their arguments, not commands and flags."""

from __future__ import annotations

from collections.abc import Callable

from segue.service.operations import Operation
from segue.surfaces.mcp.conversation import Conversation
from segue.surfaces.mcp.listing import offered
from segue.surfaces.mcp.tools import TOOLS

Say = Callable[[str], str]


def in_our_words(conversation: Conversation, operation: Operation | None = None) -> Say:
    """How a sentence about an operation is said here. What the client is not offered stays a person's command."""
    names = {row["name"] for row in offered(conversation.terms)}
    known = {tool.operation: tool.name for tool in TOOLS if tool.name in names}

    def say(text: str) -> str:
        from segue.service.wording import reworded  # 140 ms, with what operations need

        return reworded(text, known.get, operation)

    return say
