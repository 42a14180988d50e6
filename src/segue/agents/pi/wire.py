"""The shape of a pi record, reduced to what is read; the parser skips everything else."""

from __future__ import annotations

import msgspec
from msgspec import Raw


class Link(msgspec.Struct, gc=False, rename="camel"):
    """A record's place in the tree."""

    type: str = ""
    id: str | None = None
    parent_id: str | None = None
    timestamp: str | float | None = None


class Block(msgspec.Struct, gc=False):
    """A piece of content: text, thinking, a picture or a tool call."""

    type: str = ""
    text: str | None = None
    thinking: str | None = None
    id: str | None = None
    name: str | None = None
    arguments: Raw = Raw(b"")


class Tokens(msgspec.Struct, gc=False, rename="camel"):
    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0


class Message(msgspec.Struct, gc=False, rename="camel"):
    role: str = ""
    content: str | list[Block] | None = None
    timestamp: str | float | None = None
    model: str | None = None
    usage: Tokens | None = None
    stop_reason: str | None = None
    error_message: str | None = None
    tool_call_id: str | None = None
    tool_name: str | None = None
    is_error: bool | None = None
    command: str | None = None
    output: str | None = None
    exit_code: int | None = None
    cancelled: bool | None = None
    custom_type: str | None = None
    summary: str | None = None


class Record(msgspec.Struct, gc=False, rename="camel"):
    """One line: the header, or an entry of any type."""

    type: str = ""
    id: str | None = None
    timestamp: str | float | None = None
    message: Message | None = None
    version: int | None = None
    cwd: str | None = None
    model_id: str | None = None
    branched_from: str | None = None
    parent_session: str | None = None
    summary: str | None = None
    tokens_before: int | None = None
    first_kept_entry_id: str | None = None
    from_hook: bool | None = None
    from_id: str | None = None
    custom_type: str | None = None
    content: str | list[Block] | None = None
    name: str | None = None
    label: str | None = None


class Replacement(msgspec.Struct, gc=False, rename="camel"):
    old_text: str | None = None
    new_text: str | None = None


class Arguments(msgspec.Struct, gc=False, rename="camel"):
    """What the built-in tools are given."""

    path: str | None = None
    file_path: str | None = msgspec.field(default=None, name="file_path")
    command: str | None = None
    content: str | None = None
    old_text: str | None = None
    new_text: str | None = None
    edits: list[Replacement] | None = None


link = msgspec.json.Decoder(Link).decode
record = msgspec.json.Decoder(Record).decode
arguments = msgspec.json.Decoder(Arguments).decode
