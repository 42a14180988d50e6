"""The prompts a person can call: `/handoff` and `/branch`. `prompts.json` lists them, each text is a file beside it."""

from __future__ import annotations

import json
import os
import re
from functools import cache
from typing import Any

from segue.surfaces.mcp import protocol
from segue.surfaces.mcp.caller import Caller
from segue.surfaces.mcp.conversation import WRITE, Conversation
from segue.surfaces.mcp.protocol import Fault, Json, Request

_HERE = os.path.dirname(os.path.abspath(__file__))
_LONGEST = 4_000
"""Characters of an argument."""

_UNSAID = {
    "goal": "(not said: finish what is open)",
    "thread": "default",
    "title": "(not said: choose a short one)",
}


def listed(conversation: Conversation, asked: Request, caller: Caller) -> Json:
    offered = [one for one in _offered(conversation) if not _is_skill(conversation, one["name"])]
    rows, more = protocol.page(offered, asked.params, 50)
    return {"prompts": rows, **more}


def get(conversation: Conversation, asked: Request, caller: Caller) -> Json:
    """A prompt with its arguments in place, each on lines of its own behind `> `."""
    name = protocol.text_of(asked.params, "name")
    prompt = next((one for one in _offered(conversation) if one["name"] == name), None)
    if prompt is None:
        raise Fault(protocol.INVALID_PARAMS, f"There is no prompt {name[:80]!r} here.")
    given = asked.params.get("arguments") or {}
    said = {one["name"]: _quoted(given, one["name"]) for one in prompt["arguments"]}
    text = re.sub(r"\{(\w+)\}", lambda place: said[place[1]], _text(f"{name}.md"))
    message = {"role": "user", "content": {"type": "text", "text": text}}
    return {"description": prompt["description"], "messages": [message]}


def _offered(conversation: Conversation) -> list[Json]:
    """Both prompts end in writing."""
    return known() if WRITE in conversation.terms.scopes else []


def _is_skill(conversation: Conversation, name: str) -> bool:
    """Whether the agent that started this server has a skill of this name, and would rename both."""
    from segue.agents.registry import host_of  # 0.5 ms

    if not conversation.terms.child:
        return False
    bases = (os.path.expanduser("~"), conversation.terms.workspace.root)
    folders = host_of(conversation.by().actor_id).skill_folders
    return any(os.path.exists(os.path.join(base, one, name, "SKILL.md")) for base in bases for one in folders)


def _text(name: str) -> str:
    with open(os.path.join(_HERE, name), encoding="utf-8") as file:
        return file.read()


@cache
def known() -> list[Json]:
    """Every prompt, as a client is told of it."""
    rows: list[Json] = json.loads(_text("prompts.json"))
    return rows


def _quoted(given: Any, name: str) -> str:
    value = given.get(name) if isinstance(given, dict) else given
    if value is not None and not isinstance(value, str):
        raise Fault(protocol.INVALID_PARAMS, f"{name} is a text.")
    if value and len(value) > _LONGEST:
        raise Fault(protocol.INVALID_PARAMS, f"{name} has more than {_LONGEST} characters.")
    from segue.handoff.quote import block

    return block(value or "") or f"> {_UNSAID[name]}"
