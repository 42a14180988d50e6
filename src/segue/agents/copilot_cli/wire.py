"""The shape of a Copilot event, reduced to what is read; the parser skips everything else."""

from __future__ import annotations

from typing import Any

import msgspec


class Context(msgspec.Struct, gc=False):
    cwd: str | None = None
    branch: str | None = None


class Request(msgspec.Struct, gc=False, rename="camel"):
    """A tool call as the model asked for it, before anyone started it."""

    tool_call_id: str = ""
    name: str = ""
    arguments: str | dict[str, Any] | None = None


class Output(msgspec.Struct, gc=False, rename="camel"):
    """The result of a call, the answer to a request for permission, or what a hook gave back."""

    content: str | None = None
    kind: str | None = None
    feedback: str | None = None
    additional_context: str | None = None


class Fault(msgspec.Struct, gc=False):
    message: str | None = None
    code: str | None = None


class Execution(msgspec.Struct, gc=False, rename="camel"):
    exit_code: int | None = None


class Spent(msgspec.Struct, gc=False, rename="camel"):
    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    max_prompt_tokens: int | None = None
    model: str | None = None


class Data(msgspec.Struct, gc=False, rename="camel"):
    session_id: str | None = None
    copilot_version: str | None = None
    selected_model: str | None = None
    new_model: str | None = None
    context: Context | None = None
    cwd: str | None = None
    branch: str | None = None
    title: str | None = None
    content: str | None = None
    transformed_content: str | None = None
    source: str | None = None
    attachments: list[Any] | None = None
    parent_agent_task_id: str | None = None
    parent_tool_call_id: str | None = None
    agent_id: str | None = None
    model: str | None = None
    reasoning_text: str | None = None
    output_tokens: int | None = None
    tool_requests: list[Request] | None = None
    tool_call_id: str | None = None
    tool_name: str | None = None
    arguments: str | dict[str, Any] | None = None
    success: bool | None = None
    result: Output | None = None
    output: Output | None = None
    error: Fault | str | None = None
    shell_execution: Execution | None = None
    usage: Spent | None = None
    agent_name: str | None = None
    agent_display_name: str | None = None
    agent_description: str | None = None
    reason: str | None = None
    message: str | None = None
    trigger: str | None = None
    summary_content: str | None = None
    pre_compaction_tokens: int | None = None
    post_compaction_tokens: int | None = None
    pre_truncation_tokens_in_messages: int | None = None
    post_truncation_tokens_in_messages: int | None = None


class Event(msgspec.Struct, gc=False, rename="camel"):
    """One line."""

    type: str = ""
    data: Data = msgspec.field(default_factory=Data)
    id: str | None = None
    timestamp: str | float | None = None
    agent_id: str | None = None


decode = msgspec.json.Decoder(Event).decode
