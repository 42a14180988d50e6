"""How a tool call ended: what the model was shown, and what the program kept beside it."""

from __future__ import annotations

import re
from typing import Any

from segue.agents._record import record, word
from segue.agents._text import without_reminder
from segue.agents.claude_code.calls import Tool
from segue.agents.claude_code.wire import Block, Inner, Result, WholeResult
from segue.model.entry import Edit
from segue.model.patterns import compiled

REJECTIONS = (
    "The user doesn't want to proceed with this tool use",
    "The user doesn't want to take this action right now",
    "The agent proposed a plan that was rejected by the user",
)
DECLINED = "User rejected tool use"
"""What the program itself keeps of a call that was refused without a word."""
_REASON = compiled(r"(?:the user said:|reason for the rejection:)\s*(.*)", re.S)
_AFTER_REASON = "\n\nNote: The user's next message"
_EXIT = "Exit code "
_OUTPUTS = ("TaskOutput", "BashOutput")
_EXIT_TAG = r"<exit_code>(-?\d+)</exit_code>"
_REFUSED = ("<tool_use_error>", "</tool_use_error>")
_STUB = r"<persisted-output>\n[^\n]*saved to: ([^\n]+)"

Outcome = tuple[str, int | None, bool | None, dict[str, Any]]
"""Text, exit code, error flag, and values of further fields of the entry, with the `reminders` that hung
on the output."""


def outcome(block: Block, result: object, tool: Tool) -> Outcome:
    """The outcome of any call; of one that simply went well, its content is the outcome."""
    text, data = _joined(block.content)
    text, reminders = without_reminder(text)
    is_error, exit_code, kind = block.is_error, None, tool.kind
    if is_error:
        text, exit_code = _failure(text)
    elif tool.name in _OUTPUTS and (tag := re.search(_EXIT_TAG, text[:2000])):
        exit_code = int(tag[1])
        is_error = exit_code != 0
    if text.startswith("<persisted-output>") and (stub := re.match(_STUB, text)):
        data["persisted"] = stub[1]
    more: dict[str, Any] = {"reminders": reminders} if reminders else {}
    if isinstance(result, Result):
        if kind == "shell":
            task = word(result.background_task_id)
            if task:
                data["task"], more["background"] = task, True
            elif result.interrupted is True:
                data["interrupted"] = True
            elif exit_code is None and not is_error:
                exit_code, is_error = (1 if result.return_code_interpretation else 0), False
        elif kind in ("write", "edit"):
            if result.type == "create" and isinstance(result.file_path, str):
                more["edits"] = (Edit(result.file_path, "created"),)
            if result.user_modified is True:
                data["user_modified"] = True
    if isinstance(result, WholeResult) and (result.is_async is True or result.status == "async_launched"):
        more["background"] = kind == "task"
    if data:
        more["data"] = data
    return text, exit_code, is_error, more


def rejection(text: str, declined: bool) -> str | None:
    """The person's words in a refused call, empty if there are none; None if nobody refused it."""
    if not declined and not text.startswith(REJECTIONS):
        return None
    reason = _REASON.search(text)
    return reason[1].partition(_AFTER_REASON)[0].strip() if reason else ""


def answers(result: WholeResult | None, text: str) -> str:
    """Questions and the person's answers, in words."""
    given = record(result.answers) if result is not None else {}
    if not given:
        return text
    return "\n".join(f"{question}\n→ {_answer(value)}" for question, value in given.items())


def plan(result: WholeResult | None, proposed: str) -> str:
    """The plan a verdict is about: as it stands after the person's edits, else as it was proposed."""
    kept = (result.plan, result.plan_content) if result is not None else ()
    return next((text for text in kept if isinstance(text, str)), proposed)


def _answer(value: Any) -> str:
    return ", ".join(map(word, value)) if isinstance(value, list) else word(value)


def _joined(content: str | list[Inner] | None) -> tuple[str, dict[str, Any]]:
    """The text of a result; of pictures only their size remains."""
    if not isinstance(content, list):
        return content or "", {}
    text = "\n".join([inner.text for inner in content if inner.text])
    pictures = [len(bytes(inner.source)) for inner in content if inner.type == "image"]
    return text, {"images": pictures} if pictures else {}


def _failure(text: str) -> tuple[str, int | None]:
    if text.startswith(_EXIT):
        code = text[len(_EXIT) : len(_EXIT) + 12].split("\n", 1)[0].strip()
        return text, int(code) if code.lstrip("-").isdigit() else None
    if text.startswith(_REFUSED[0]):
        text = text[len(_REFUSED[0]) :].removesuffix(_REFUSED[1])
    return text, None
