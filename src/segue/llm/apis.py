"""`openai:MODEL` and `anthropic:MODEL`: chat completions and messages, of these services or of any compatible one.

JSON by a schema is had from the first as a response format, or by asking for it where the service knows none; from the
second as the arguments of a tool that the model must call. Nothing is ever run.
"""

from __future__ import annotations

import json
import time
from typing import Any

from segue.errors import Unavailable
from segue.llm import failures, http_client, prompts
from segue.llm.contract import Answer, Request
from segue.llm.http_client import Service
from segue.llm.usage import PROMPT, part, price, tokens, word

SERVICES = {
    "openai": Service(
        "openai",
        "OPENAI_BASE_URL",
        "https://api.openai.com/v1",
        "OPENAI_API_KEY",
        lambda key: {"Authorization": f"Bearer {key}"} if key else {},
    ),
    "anthropic": Service(
        "anthropic",
        "ANTHROPIC_BASE_URL",
        "https://api.anthropic.com",
        "ANTHROPIC_API_KEY",
        lambda key: {"anthropic-version": "2023-06-01", **({"x-api-key": key} if key else {})},
    ),
}
_INSTEAD = {"response_format": "", "max_tokens": "max_completion_tokens"}
"""Fields that not every service knows, and what it may know instead."""
_MOST_TOKENS = 16_000
"""Anthropic wants a bound; several times the largest packet."""


def openai(model: str, asked: Request) -> Answer:
    service, end = SERVICES["openai"], time.monotonic() + asked.seconds
    system = {"role": "system", "content": asked.system or prompts.system()}
    body: dict[str, Any] = {"model": model, "messages": [system, {"role": "user", "content": asked.prompt}]}
    if asked.most_tokens is not None:
        body["max_tokens"] = asked.most_tokens
    if asked.schema is not None:
        form = {"name": "answer", "schema": asked.schema, "strict": True}
        body["response_format"] = {"type": "json_schema", "json_schema": form}
    reply = http_client.post(service, "/chat/completions", body, asked.seconds)
    for field, instead in _INSTEAD.items():
        if field in body and reply.status in (400, 422) and field in reply.complaint:
            value = body.pop(field)
            if instead:
                body[instead] = value
            else:
                words = prompts.joined("", asked.prompt, asked.schema)
                body["messages"] = [system, {"role": "user", "content": words}]
            reply = http_client.post(service, "/chat/completions", body, end - time.monotonic())
    told = http_client.answer(service, reply)
    choices = told.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], dict) else {}
    message, used = part(choice, "message"), part(told, "usage")
    text = _require_text(
        "openai", message.get("content"), choice.get("finish_reason") == "length", message.get("refusal")
    )
    sent, written = tokens(used.get("prompt_tokens")), tokens(used.get("completion_tokens"))
    return Answer(text, sent, written, price(used.get("cost")), word(told.get("model")))


def anthropic(model: str, asked: Request) -> Answer:
    service = SERVICES["anthropic"]
    body: dict[str, Any] = {
        "model": model,
        "max_tokens": min(asked.most_tokens or _MOST_TOKENS, _MOST_TOKENS),
        "system": asked.system or prompts.system(),
        "messages": [{"role": "user", "content": asked.prompt}],
    }
    if asked.schema is not None:
        body["tools"] = [{"name": "answer", "description": "Takes the answer.", "input_schema": asked.schema}]
        body["tool_choice"] = {"type": "tool", "name": "answer"}
    path = "/messages" if http_client.address(service).path.endswith("/v1") else "/v1/messages"
    told = http_client.answer(service, http_client.post(service, path, body, asked.seconds))
    content = told.get("content")
    blocks = [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []
    given = [json.dumps(block.get("input")) for block in blocks if block.get("type") == "tool_use"]
    written = [str(block.get("text", "")) for block in blocks if block.get("type") == "text"]
    text = _require_text("anthropic", "".join(given[:1] or written), told.get("stop_reason") == "max_tokens")
    used = part(told, "usage")
    return Answer(
        text, tokens(*map(used.get, PROMPT)), tokens(used.get("output_tokens")), None, word(told.get("model"))
    )


def _require_text(name: str, text: Any, is_cut: bool, said: Any = "") -> str:
    """The text; half of one is none."""
    if is_cut:
        raise Unavailable(
            f"{name} reached the largest answer it may give.", "Ask for a smaller --budget.", "cut_off"
        )
    if not isinstance(text, str) or not text.strip():
        raise failures.failed(name, said)
    return text
