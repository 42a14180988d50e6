"""Writes what is known of the MCP tools from their tables: `python docs/generate_mcp.py`.

The tools as listed go into the package (`surfaces/mcp/tools.json`), so that listing them costs one small file instead
of 430 ms of imports; their JSON Schemas are made of the operations' signatures. The page goes into
docs/reference/mcp.md.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from segue.service.signatures import signature
from segue.surfaces.mcp import listing, prompts, protocol
from segue.surfaces.mcp.paging import MOST
from segue.surfaces.mcp.protocol import Json
from segue.surfaces.mcp.tools import FIELDS, TOOLS, Tool

PLACE = Path(__file__).parent / "reference" / "mcp.md"
_HEAD = """# MCP

Generated from the tables of `segue.surfaces.mcp`; how to connect an agent: [how-to](../how-to/mcp.md).

Revisions: {versions}. Every tool is an operation of the product under its own name (`thread.branch` is `segue_thread_branch`). Results have
`structuredContent` (the operation's answer) and a text that says the same. Lists come in pages: `offset`, `limit`, and `next_offset` in the
answer where more follows. An answer has about {most:,} characters at most; `truncated` says what was left out. A failure is a result with
`isError`, a sentence and a hint. Every text is redacted on the way out, and what sessions, threads and records say is quoted as data.
"""


def tools() -> str:
    return json.dumps(catalogue(), indent=1, ensure_ascii=False) + "\n"


def text() -> str:
    versions = ", ".join((*protocol.STATELESS, *reversed(protocol.HANDSHAKE)))
    parts = [_HEAD.format(versions=versions, most=MOST), "## Tools\n"]
    for row in catalogue():
        parts.append(_tool(row))
    parts.append("## Resources\n\n| address | what |\n|---|---|")
    parts.append(f"| `{listing.CURRENT}` | The current handoff, as far as it is cleared for MCP. |")
    parts += [f"| `{one['uriTemplate']}` | {one['description']} |" for one in listing.TEMPLATES]
    parts.append("\n## Prompts\n\n| prompt | arguments | what |\n|---|---|---|")
    for one in prompts.known():
        names = ", ".join(f"`{argument['name']}`" for argument in one["arguments"])
        parts.append(f"| `{one['name']}` | {names} | {one['description']} |")
    return "\n".join(parts) + "\n"


def _tool(row: dict[str, Any]) -> str:
    tool = row["tool"]
    schema = tool["inputSchema"]
    lines = [
        f"### {tool['name']}\n\n{tool['description']}\n",
        f"Toolset `{row['toolset']}`, needs `{row['needs']}`.\n",
    ]
    if schema["properties"]:
        lines.append("| argument | type | |\n|---|---|---|")
        lines += [_argument(name, about, schema) for name, about in schema["properties"].items()]
        lines.append("")
    return "\n".join(lines)


def _argument(name: str, about: dict[str, Any], schema: dict[str, Any]) -> str:
    told = [about.get("description", "")]
    if name in schema.get("required", ()):
        told.append("Required.")
    if "enum" in about:
        told.append("One of " + ", ".join(f"`{value}`" for value in about["enum"]) + ".")
    if "default" in about:
        told.append(f"Default `{json.dumps(about['default'])}`.")
    return f"| `{name}` | {about.get('type', 'object')} | {' '.join(filter(None, told))} |"


PAGED: Json = {
    "offset": {"type": "integer", "minimum": 0, "default": 0},
    "limit": {"type": "integer", "minimum": 1, "maximum": 200},
}
ADDED: Json = {
    "next_offset": {"type": "integer", "description": "Where the next page begins; absent on the last one."},
    "truncated": {"type": "string", "description": "What was left out to keep the answer small."},
    "notice": {"type": "string", "description": "How texts of this answer are to be read."},
}


def catalogue() -> list[Json]:
    """Every tool as `tools/list` describes it, with the toolset it belongs to and the scope it needs."""
    return [
        {"toolset": tool.toolset, "needs": tool.operation.needs, "tool": described(tool)} for tool in TOOLS
    ]


def described(tool: Tool) -> Json:
    told: Json = {
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "inputSchema": takes(tool),
        "annotations": _manners(tool),
    }
    gives = _gives(tool)
    return {**told, "outputSchema": gives} if gives else told


def _manners(tool: Tool) -> Json:
    """Nothing an agent can do here destroys: the log and the records only grow."""
    if not tool.operation.writes:
        return {"readOnlyHint": True, "openWorldHint": False}
    return {
        "readOnlyHint": False,
        "destructiveHint": False,
        "idempotentHint": tool.idempotent,
        "openWorldHint": False,
    }


def takes(tool: Tool) -> Json:
    """What a caller may say: the request of the operation without what is hidden, and the page wanted."""
    schema = _flat(msgspec.json.schema(signature(tool.operation).request), _said)
    for path in tool.hidden:
        _forget(schema, path.split("."))
    properties = schema["properties"]
    if tool.rows:
        properties |= {
            "offset": {**PAGED["offset"]},
            "limit": {**PAGED["limit"], "default": tool.page},
        }
    for name, value in tool.defaults.items():
        properties[name]["default"] = value
    for name, about in properties.items():
        if name in FIELDS:
            about["description"] = FIELDS[name]
    return _without_unused(schema)


def _gives(tool: Tool) -> Json | None:
    """What a caller hears, where that can be promised: clients refuse an answer of another shape."""
    if tool.open_shape:
        return None
    schema = _flat(msgspec.json.schema(signature(tool.operation).answer), _plain)
    for path in tool.omitted:
        _forget(schema, path.split("."))
    return _without_unused({**schema, "properties": {**schema["properties"], **ADDED}})


def _flat(schema: Json, told: Callable[[Any], Any]) -> Json:
    """The schema of an object, with its own type at the top, where every client looks for it."""
    definitions = {name: told(body) for name, body in schema.get("$defs", {}).items()}
    name = schema["$ref"].rpartition("/")[2]
    top: Json = definitions.pop(name)
    return {**top, "$defs": definitions} if definitions else top


def _plain(schema: Any) -> Any:
    """Without what only costs tokens: titles of types, defaults that say nothing, and that a text has a letter."""
    if isinstance(schema, list):
        return [_plain(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        name: {field: _plain(about) for field, about in value.items()}
        if name == "properties"
        else _plain(value)
        for name, value in schema.items()
        if not (name == "title" and isinstance(value, str))
        and not (name == "default" and value in (None, []))
        and (name, value) != ("minLength", 1)
    }


def _said(schema: Any) -> Any:
    """What a caller says, without the null that stands for leaving a thing out."""
    return _without_null(_plain(schema))


def _without_null(told: Any) -> Any:
    if isinstance(told, list):
        return [_without_null(item) for item in told]
    if not isinstance(told, dict):
        return told
    told = {name: _without_null(value) for name, value in told.items()}
    choices = [choice for choice in told.get("anyOf", ()) if choice != {"type": "null"}]
    if len(choices) == 1:
        return {**{name: value for name, value in told.items() if name != "anyOf"}, **choices[0]}
    return {**told, "anyOf": choices} if choices else told


def _forget(schema: Json, path: list[str]) -> None:
    """Takes a member out, of rows where the way leads through a list; a definition it leads into is this tool's
    own copy, and one that leaves its members open says nothing of it."""
    *way, last = path
    place = schema
    for name in way:
        place = place["properties"][name]
        place = place.get("items", place)
        if "$ref" in place:
            place = schema["$defs"][place["$ref"].rpartition("/")[2]]
    if "properties" not in place:
        return
    del place["properties"][last]
    if last in place.get("required", ()):
        place["required"].remove(last)


def _without_unused(schema: Json) -> Json:
    """Without definitions that nothing refers to any more."""
    definitions = schema.get("$defs", {})
    used: set[str] = set()
    reached = _references({name: value for name, value in schema.items() if name != "$defs"})
    while reached - used:
        used |= reached
        reached = _references([definitions[name] for name in used])
    kept = {name: body for name, body in definitions.items() if name in used}
    rest = {name: value for name, value in schema.items() if name != "$defs"}
    return {**rest, "$defs": kept} if kept else rest


def _references(value: Any) -> set[str]:
    if isinstance(value, list):
        return {name for item in value for name in _references(item)}
    if not isinstance(value, dict):
        return set()
    own = {value["$ref"].rpartition("/")[2]} if isinstance(value.get("$ref"), str) else set()
    return own | {name for item in value.values() for name in _references(item)}


if __name__ == "__main__":
    Path(listing.FILE).write_text(tools(), encoding="utf-8")
    PLACE.write_text(text(), encoding="utf-8")
