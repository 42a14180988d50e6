"""What the program itself puts into a session: attachments, notices, records of its own workings.

Text that reached the model is told as the harness's words with its channel; records that only
serve the program's screen or bookkeeping are silent; what is in no table is carried as unknown.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from segue.agents._record import items, record, records, whole, word
from segue.agents._tags import sections
from segue.model.patterns import compiled
from segue.model.value import NamedTuple

_SILENT = """progress file-history-snapshot file-history-delta last-prompt permission-mode mode agent-name bridge-session
atis-latch cost-state tools-used api-request api-request-blob api-request-shape"""
SILENT = frozenset(_SILENT.split())
"""Types of lines that say nothing, or again what other lines say."""

REMINDERS = ("task_reminder", "todo_reminder")
"""Attachments that repeat the to-do list."""
SILENT_SYSTEM = frozenset(("turn_duration", "bridge_status", "session_start", "stop_hook_summary"))
_SILENT_ATTACHMENTS = """agent_listing_delta batching_reminder_sent budget_usd command_permissions compact_file_reference date date_change
deferred_tools_delta dynamic_skill environment hook_cancelled hook_system_message mcp_instructions_delta model
prompt_snapshot read_truncation_notice remote_session_change session_context silent_turn_reminder skill_listing
total_tokens_reminder ultra_effort_enter ultra_effort_exit"""
SILENT_ATTACHMENTS = frozenset(_SILENT_ATTACHMENTS.split())
_NOTICE = ("task-id", "tool-use-id", "status", "summary", "result", "output-file")
_EXITED = r"exit code (-?\d+)"
_CONTINUED = "This session is being continued"
_SUMMARY = compiled(r"^(?:Summary:|Analysis:|\S.* summarized below:)[ \t]*$\n?", re.M)
_AFTER_SUMMARY = (
    r"\n+(?:If you need specific details from before|(?:Please )?[Cc]ontinue the conversation from where)"
)


class Injected(NamedTuple):
    """Text the program gave the model in the user's name. Without text and paths there was none."""

    via: str
    text: str = ""
    paths: tuple[str, ...] = ()


class Notice(NamedTuple):
    """The end of something that went on in the background."""

    task: str
    call_id: str
    status: str
    text: str
    exit_code: int | None


SILENCE = Injected("")


def attachment(value: dict[str, Any]) -> Injected | None:
    """What an attachment gave the model; None if its kind is not known."""
    kind = word(value.get("type"))
    if kind in SILENT_ATTACHMENTS:
        return SILENCE
    tell = _ATTACHMENTS.get(kind)
    return tell(value) if tell else None


def summary(text: str) -> str:
    """What a compaction summed up, without what the program says to the agent around it."""
    if not text.startswith(_CONTINUED):
        return text
    begins = _SUMMARY.search(text)
    told = text[begins.end() :] if begins else text.partition("\n")[2]
    return re.split(_AFTER_SUMMARY, told, maxsplit=1)[0].strip() or text


def notice(text: str) -> Notice:
    """A task notification, taken apart."""
    tags = {section.tag: section.inner for section in sections(text, _NOTICE)}
    summary = tags.get("summary", "")
    code = re.search(_EXITED, summary)
    return Notice(
        tags.get("task-id", "").strip(),
        tags.get("tool-use-id", "").strip(),
        tags.get("status", "").strip(),
        tags.get("result", summary).strip(),
        int(code[1]) if code else None,
    )


def boundary(metadata: Any) -> dict[str, Any]:
    """What a compaction boundary tells about itself."""
    found = record(metadata)
    counts = {"tokens_before": whole(found.get("preTokens")), "tokens_after": whole(found.get("postTokens"))}
    kept = word(record(found.get("preservedSegment")).get("headUuid"))
    told: dict[str, Any] = {"trigger": word(found.get("trigger")), **counts, "kept_from": kept}
    return {name: value for name, value in told.items() if value}


def trouble(error: Any) -> str:
    """What an API error says, wherever in its record."""
    found = record(error)
    nested = record(record(found.get("error")).get("error"))
    return (
        word(error)
        or word(found.get("formatted"))
        or word(found.get("message"))
        or word(nested.get("message"))
    )


def _path(value: dict[str, Any], *names: str) -> tuple[str, ...]:
    return next(((word(value[name]),) for name in names if word(value.get(name))), ())


def _hook(value: dict[str, Any]) -> Injected:
    content = value.get("content")
    error = value.get("blockingError")
    said = [*map(word, items(content)), word(content), word(error), word(record(error).get("blockingError"))]
    return Injected("hook", "\n".join(filter(None, [*said, word(value.get("stderr"))])))


def _diagnostics(value: dict[str, Any]) -> Injected:
    files = records(value.get("files"))
    lines = [
        f"{word(file.get('uri'))}: {word(found.get('severity'))}: {word(found.get('message'))}"
        for file in files
        for found in records(file.get("diagnostics"))
    ]
    return Injected(
        "output", "\n".join(lines), tuple(filter(None, (word(file.get("uri")) for file in files)))
    )


def _file(value: dict[str, Any]) -> Injected:
    """A file or folder the person mentioned; it is kept elsewhere, so only its name is told."""
    return Injected("output", "", _path(value, "filename", "path"))


def _memory(value: dict[str, Any]) -> Injected:
    content = value.get("content")
    return Injected(
        "instructions", word(content) or word(record(content).get("content")), _path(value, "path")
    )


def _instructions(value: dict[str, Any]) -> Injected:
    files = records(value.get("files"))
    paths = tuple(filter(None, (word(file.get("path")) for file in files)))
    return Injected("instructions", "\n".join(word(file.get("content")) for file in files), paths)


def _editor(value: dict[str, Any]) -> Injected:
    return Injected("environment", word(value.get("content")), _path(value, "filename"))


def _mode(value: dict[str, Any]) -> Injected:
    return Injected("reminder", word(value.get("type")).replace("_", " "), _path(value, "planFilePath"))


def _skills(value: dict[str, Any]) -> Injected:
    return Injected("skill", "\n".join(word(skill.get("name")) for skill in records(value.get("skills"))))


def _status(value: dict[str, Any]) -> Injected:
    said = (word(value.get(name)) for name in ("description", "status", "deltaSummary"))
    return Injected("notification", "\n".join(filter(None, said)))


_ATTACHMENTS: dict[str, Callable[[dict[str, Any]], Injected]] = {
    "hook_success": lambda value: Injected("hook", word(value.get("content"))),
    "hook_additional_context": _hook,
    "hook_blocking_error": _hook,
    "hook_non_blocking_error": _hook,
    "hook_error_during_execution": _hook,
    "diagnostics": _diagnostics,
    "file": _file,
    "directory": _file,
    "nested_memory": _memory,
    "instructions": _instructions,
    "opened_file_in_ide": _editor,
    "selected_lines_in_ide": _editor,
    "plan_mode": _mode,
    "plan_mode_exit": _mode,
    "auto_mode": _mode,
    "invoked_skills": _skills,
    "task_status": _status,
}
