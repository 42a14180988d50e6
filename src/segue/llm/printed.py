"""What programs print for an answer, one function per form: the text, what it took, or why there is none.

Failures are told apart where a program says so in a field or by its exit status; elsewhere its last line is quoted.
"""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

from segue.llm.contract import Answer
from segue.llm.failures import failed, quoted
from segue.llm.program import Printed
from segue.llm.usage import PROMPT, part, price, tokens, word

_GEMINI_SIGN_IN = 41


def plain(program: str, printed: Printed) -> Answer:
    """The text as it is."""
    if printed.status or not printed.said.strip():
        raise failed(program, printed.last_line)
    return Answer(printed.said)


def claude(program: str, printed: Printed) -> Answer:
    """One object: `result`, or `structured_output` where a schema was given; `usage`, `total_cost_usd`, `is_error`."""
    told = _object(printed.said)
    structured = told.get("structured_output")
    text = told.get("result") if structured is None else json.dumps(structured)
    if printed.status or told.get("is_error") or not isinstance(text, str) or not text.strip():
        is_large = told.get("terminal_reason") == "prompt_too_long"
        status = 413 if is_large else tokens(told.get("api_error_status")) or 0
        raise failed(program, text or printed.last_line, status)
    used, models = part(told, "usage"), list(part(told, "modelUsage"))
    sent, written = tokens(*map(used.get, PROMPT)), tokens(used.get("output_tokens"))
    return Answer(
        text, sent, written, price(told.get("total_cost_usd")), word(models[0]) if len(models) == 1 else None
    )


def gemini(program: str, printed: Printed) -> Answer:
    """One object: `response`, and `stats` per model; what went wrong is an object on standard error."""
    told = _object(printed.said) or _object(printed.complaint)
    text, error = told.get("response"), part(told, "error")
    if printed.status or error or not isinstance(text, str) or not text.strip():
        said = quoted(error.get("message")) or printed.last_line
        raise failed(program, said, 401 if printed.status == _GEMINI_SIGN_IN else 0, f"{said}.")
    models = part(part(told, "stats"), "models")
    rows = [part(part(models, name), "tokens") for name in models]
    sent, written = (tokens(*(row.get(field) for row in rows)) for field in ("prompt", "candidates"))
    return Answer(text, sent, written, None, word(next(iter(models), None)))


def codex(program: str, printed: Printed) -> Answer:
    """A line per event: the last message of the agent, and the usage at the turn's end."""
    events = [_object(line) for line in printed.said.splitlines()]
    items = [part(event, "item") for event in events if event.get("type") == "item.completed"]
    texts = [item.get("text") for item in items if item.get("type") == "agent_message"]
    wrong = [part(event, "error").get("message") for event in events if event.get("type") == "turn.failed"]
    text = texts[-1] if texts else ""
    if printed.status or wrong or not isinstance(text, str) or not text.strip():
        raise failed(program, wrong[-1] if wrong else printed.last_line)
    used = next((part(event, "usage") for event in events if event.get("type") == "turn.completed"), {})
    return Answer(text, tokens(used.get("input_tokens")), tokens(used.get("output_tokens")))


def _object(text: str) -> dict[str, Any]:
    """The object that a text is, after warnings perhaps, or the last one of a list; an empty one where there is none."""
    for start in (0, max(0, text.find("\n{") + 1)):
        with suppress(ValueError, RecursionError):
            value = json.loads(text[start:])
            value = value[-1] if isinstance(value, list) and value else value
            return value if isinstance(value, dict) else {}
    return {}
