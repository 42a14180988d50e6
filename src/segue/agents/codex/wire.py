"""The shape of a Codex record, reduced to what is read.

One struct serves all payload types, so that a line is decoded in a single pass; whatever is not
named here (system prompts, `replacement_history`, pictures, second copies of outputs) is skipped
by the parser and never becomes a Python object.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Raw, field

_ITEMS = frozenset(
    [
        "message",
        "reasoning",
        "function_call",
        "function_call_output",
        "custom_tool_call",
        "custom_tool_call_output",
        "local_shell_call",
        "web_search_call",
    ]
)


class Block(msgspec.Struct, gc=False):
    """A piece of content. Old outputs are a single one with `content` and `success`."""

    type: str = ""
    text: str | None = None
    content: str | None = None
    success: bool | None = None


class Tokens(msgspec.Struct, gc=False):
    input_tokens: int = 0
    cached_input_tokens: int = 0
    cache_write_input_tokens: int = 0
    output_tokens: int = 0
    total_tokens: int = 0


class Info(msgspec.Struct, gc=False):
    total_token_usage: Tokens | None = None
    last_token_usage: Tokens | None = None
    model_context_window: int | None = None


class Change(msgspec.Struct, gc=False):
    """What a patch did to one file: a diff for an update, the content for the others."""

    type: str = ""
    unified_diff: str | None = None
    content: str | None = None
    move_path: str | None = None


class Parsed(msgspec.Struct, gc=False):
    """Codex's own reading of a shell command."""

    type: str = ""
    path: str | None = None


class Action(msgspec.Struct, gc=False):
    """What a web search or an old local shell call asks for."""

    query: str | None = None
    queries: list[str] | None = None
    url: str | None = None
    command: str | list[str] | None = None


class Git(msgspec.Struct, gc=False):
    branch: str | None = None


class Passthrough(msgspec.Struct, gc=False):
    content_item_kinds: list[str] | None = None


class Mark(msgspec.Struct, gc=False):
    """Bookkeeping beside the payload, from 0.16x on."""

    compaction_output: bool = False


class Goal(msgspec.Struct, gc=False):
    objective: str = ""


class Item(msgspec.Struct, gc=False):
    """A finished item of the newer event style, which replaces the single events from 0.147 on."""

    type: str = ""
    id: str = ""
    text: str | None = None
    content: list[Block] | None = None
    summary_text: list[str] | None = None
    parsed_cmd: list[Parsed] | None = None
    exit_code: int | None = None
    source: str | None = None
    command: str | list[str] | None = None
    aggregated_output: str | None = None
    changes: dict[str, Change] | None = None
    status: str | None = None


class Payload(msgspec.Struct, gc=False):
    type: str = ""
    id: str | None = None
    role: str | None = None
    content: str | list[Block] | None = None
    phase: str | None = None
    name: str | None = None
    namespace: str | None = None
    arguments: str | dict[str, Any] | None = None
    input: str | dict[str, Any] | None = None
    call_id: str | None = None
    output: str | list[Block] | Block | None = None
    passthrough: Passthrough | None = field(default=None, name="internal_chat_message_metadata_passthrough")
    summary: str | list[Block] | None = None
    message: str | None = None
    text: str | None = None
    kind: str | None = None
    images: list[Raw] | None = None
    local_images: list[Raw] | None = None
    info: Info | None = None
    turn_id: str | None = None
    started_at: Raw = Raw(b"")
    model: str | None = None
    cwd: str | None = None
    reason: str | None = None
    exit_code: int | None = None
    parsed_cmd: list[Parsed] | None = None
    command: str | list[str] | None = None
    source: Raw = Raw(b"")
    success: bool | None = None
    changes: dict[str, Change] | None = None
    item: Item | None = None
    action: Action | None = None
    error: str | dict[str, Any] | None = None
    state: Raw = Raw(b"")
    window_number: int | None = None
    cli_version: str | None = None
    git: Git | None = None
    forked_from_id: str | None = None
    parent_thread_id: str | None = None
    new_thread_id: str | None = None
    receiver_thread_id: str | None = None
    prompt: str | None = None
    status: Raw = Raw(b"")
    statuses: dict[str, Raw] | None = None
    thread_name: str | None = None
    goal: Goal | None = None
    turn: str | None = field(default=None, name="turnId")
    user_facing_hint: str | None = None
    author: str | None = None


class Record(msgspec.Struct, gc=False):
    """One line."""

    type: str = ""
    timestamp: str | float | None = None
    payload: Payload = field(default_factory=Payload)
    metadata: Mark | None = None


_record = msgspec.json.Decoder(Record).decode
_payload = msgspec.json.Decoder(Payload).decode


def decode(raw: bytes) -> Record:
    """A line as a record. The first releases wrote the items bare, without an envelope."""
    record = _record(raw)
    if record.type in _ITEMS:
        record.type, record.payload = "response_item", _payload(raw)
    elif not record.type:
        record.type, record.payload = "session_meta", _payload(raw)
    return record


def string(value: str | dict[str, Any] | None) -> str:
    """A text as it is, anything else as its JSON."""
    if isinstance(value, str):
        return value
    return "" if value is None else msgspec.json.encode(value).decode()
