"""The shape of a Codex record, reduced to what is read.

A line is decoded in a single pass, the uncommon ones in two; whatever is not named here (system
prompts, `replacement_history`, pictures, second copies of outputs) is skipped by the parser and
never becomes a Python object.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Raw, field

COMMON = frozenset(
    (
        "message",
        "reasoning",
        "function_call",
        "function_call_output",
        "custom_tool_call",
        "custom_tool_call_output",
        "token_count",
        "agent_message",
        "agent_reasoning",
        "exec_command_end",
        "patch_apply_end",
    )
)
"""The types of payload that Payload suffices for."""
_ENVELOPES = ("response_item", "event_msg")
_BARE = COMMON | {"local_shell_call", "web_search_call"}
"""What the first releases wrote without an envelope."""


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


class Base(msgspec.Struct, gc=False):
    """Where the history of a fork ends in the rollout it continues."""

    thread_id: str = ""
    end_ordinal_exclusive: int | None = None
    end_byte_offset: int | None = None


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
    changes: dict[str, Change] | None = None
    status: str | None = None


class Payload(msgspec.Struct, gc=False):
    """What the common records hold. Every name here costs time on every record, so the others wait in Rare."""

    type: str = ""
    id: str | None = None
    call_id: str | None = None
    output: str | list[Block] | Block | None = None
    role: str | None = None
    phase: str | None = None
    content: str | list[Block] | None = None
    passthrough: Passthrough | None = field(default=None, name="internal_chat_message_metadata_passthrough")
    name: str | None = None
    namespace: str | None = None
    arguments: str | dict[str, Any] | None = None
    input: str | dict[str, Any] | None = None
    summary: str | list[Block] | None = None
    message: str | None = None
    text: str | None = None
    info: Info | None = None
    command: str | list[str] | None = None
    parsed_cmd: list[Parsed] | None = None
    source: Raw = Raw(b"")
    exit_code: int | None = None
    success: bool | None = None
    changes: dict[str, Change] | None = None


class Rare(Payload, gc=False):
    """The same with what only uncommon records hold."""

    kind: str | None = None
    images: list[Raw] | None = None
    local_images: list[Raw] | None = None
    turn_id: str | None = None
    model: str | None = None
    cwd: str | None = None
    reason: str | None = None
    item: Item | None = None
    action: Action | None = None
    error: str | dict[str, Any] | None = None
    state: Raw = Raw(b"")
    cli_version: str | None = None
    git: Git | None = None
    forked_from_id: str | None = None
    forked_from_ordinal_exclusive: int | None = None
    history_base: Base | None = None
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


class Record(msgspec.Struct, gc=False):
    """One line."""

    timestamp: str | float | None = None
    ordinal: int | None = None
    type: str = ""
    payload: Payload = field(default_factory=Payload)
    metadata: Mark | None = None


class _RareRecord(msgspec.Struct, gc=False):
    payload: Rare = field(default_factory=Rare)


_record = msgspec.json.Decoder(Record).decode
_rare_record = msgspec.json.Decoder(_RareRecord).decode
_rare = msgspec.json.Decoder(Rare).decode


def decode(raw: bytes) -> Record:
    """A line as a record. The first releases wrote the items bare, without an envelope."""
    record = _record(raw)
    if record.type in _ENVELOPES:
        if record.payload.type not in COMMON:
            record.payload = _rare_record(raw).payload
    elif record.type in _BARE:
        record.type, record.payload = "response_item", _rare(raw)
    elif record.type:
        record.payload = _rare_record(raw).payload
    else:
        record.type, record.payload = "session_meta", _rare(raw)
    return record


def string(value: str | dict[str, Any] | None) -> str:
    """A text as it is, anything else as its JSON."""
    if isinstance(value, str):
        return value
    return "" if value is None else msgspec.json.encode(value).decode()
