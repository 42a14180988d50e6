"""What can be listed without opening anything: the tools a client is offered, and the resource templates."""

from __future__ import annotations

import json
import os
from functools import cache

from segue.surfaces.mcp import protocol
from segue.surfaces.mcp.caller import Caller
from segue.surfaces.mcp.conversation import Conversation, Terms
from segue.surfaces.mcp.protocol import Json, Request

FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "tools.json")
_PAGE = 50

THREADS = "segue://threads/"
ARTIFACTS = "segue://artifacts/"
CURRENT = "segue://handoff/current"

TEMPLATES: tuple[Json, ...] = (
    {
        "uriTemplate": f"{THREADS}{{id}}{{?after_seq}}",
        "name": "thread",
        "title": "A thread",
        "description": "A thread and a page of its frames, as JSON; next_after_seq leads to the next page.",
        "mimeType": "application/json",
    },
    {
        "uriTemplate": f"{ARTIFACTS}{{id}}{{?offset}}",
        "name": "artifact",
        "title": "An artifact",
        "description": "The text of an artifact from a character on, without secrets.",
        "mimeType": "text/plain",
    },
)


def tools(conversation: Conversation, asked: Request, caller: Caller) -> Json:
    rows, more = protocol.page(offered(conversation.terms), asked.params, _PAGE)
    return {"tools": rows, **more}


def offered(terms: Terms) -> list[Json]:
    """The tools this client may use."""
    return [
        row["tool"]
        for row in _catalogue()
        if row["toolset"] in terms.toolsets and row["needs"] in terms.scopes
    ]


@cache
def _catalogue() -> list[Json]:
    with open(FILE, encoding="utf-8") as file:
        rows: list[Json] = json.load(file)
    return rows


def templates(conversation: Conversation, asked: Request, caller: Caller) -> Json:
    rows, more = protocol.page(list(TEMPLATES), asked.params, _PAGE)
    return {"resourceTemplates": rows, **more}
