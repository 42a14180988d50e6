"""Messages made of blocks, as several programs keep them after Anthropic's API."""

from __future__ import annotations

from typing import Any

import msgspec

from segue.agents._record import words
from segue.agents._writer import Desk
from segue.model.entry import Usage


class Block(msgspec.Struct, gc=False):
    """A piece of content: text, thinking, a tool call or a tool's result."""

    type: str = ""
    text: str | None = None
    thinking: str | None = None
    id: str | None = None
    name: str | None = None
    input: dict[str, Any] | None = None
    tool_use_id: str | None = None
    content: Any = None
    is_error: bool | None = None


class Message(msgspec.Struct, gc=False):
    role: str = ""
    content: str | list[Block] | None = None
    model: str | None = None


def blocks(content: str | list[Block] | None) -> list[Block]:
    return [Block("text", content)] if isinstance(content, str) else content or []


def text(block: Block) -> str:
    """The text of a result, whose content is a string or blocks in their turn."""
    return words(block.content) or block.text or ""


def spoken(desk: Desk, block: Block, usage: Usage | None = None) -> bool:
    """Tells a text or a thought of the agent; False if the block is something else or empty."""
    if block.type == "thinking" and block.thinking:
        desk.speak("thought", block.thinking, usage)
    elif block.type == "text" and (block.text or "").strip():
        desk.speak("agent", block.text or "", usage)
    else:
        return False
    return True
