"""Writes what is known of the MCP tools from their tables: `python docs/generate_mcp.py`.

The tools as listed go into the package (`surfaces/mcp/tools.json`), the page into docs/reference/mcp.md.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from segue.surfaces.mcp import listing, prompts, protocol, schemas
from segue.surfaces.mcp.paging import MOST

PLACE = Path(__file__).parent / "reference" / "mcp.md"
_HEAD = """# MCP

Generated from the tables of `segue.surfaces.mcp`; how to connect an agent: [how-to](../how-to/mcp.md).

Revisions: {versions}. Every tool is an operation of the product under its own name (`thread.branch` is `segue_thread_branch`). Results have
`structuredContent` (the operation's answer) and a text that says the same. Lists come in pages: `offset`, `limit`, and `next_offset` in the
answer where more follows. An answer has about {most:,} characters at most; `truncated` says what was left out. A failure is a result with
`isError`, a sentence and a hint. Every text is redacted on the way out, and what sessions, threads and records say is quoted as data.
"""


def tools() -> str:
    return json.dumps(schemas.catalogue(), indent=1, ensure_ascii=False) + "\n"


def text() -> str:
    versions = ", ".join((*protocol.STATELESS, *reversed(protocol.HANDSHAKE)))
    parts = [_HEAD.format(versions=versions, most=MOST), "## Tools\n"]
    for row in schemas.catalogue():
        parts.append(_tool(row))
    parts.append("## Resources\n\n| address | what |\n|---|---|")
    parts.append(f"| `{listing.CURRENT}` | The current handoff, as far as it is cleared for MCP. |")
    parts += [f"| `{one['uriTemplate']}` | {one['description']} |" for one in listing.TEMPLATES]
    parts.append("\n## Prompts\n\n| prompt | arguments | what |\n|---|---|---|")
    for one in prompts.PROMPTS:
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


if __name__ == "__main__":
    Path(listing.FILE).write_text(tools(), encoding="utf-8")
    PLACE.write_text(text(), encoding="utf-8")
