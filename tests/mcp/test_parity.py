"""A tool gives what its operation gives: MCP adds a page and a notice, leaves out what only costs tokens, and
changes nothing."""

from __future__ import annotations

import json
from typing import Any

import pytest

from segue.model.thread import Provenance
from segue.service.signatures import perform
from segue.service.workspace import Workspace
from segue.surfaces.mcp.tools import TOOLS

from .conftest import SESSION, Project

DOCUMENT = "## Objective\nMake the retry test pass.\n"
ASKED: dict[str, dict[str, Any]] = {
    "session.list": {},
    "session.search": {"words": "backoff", "limit": 10},
    "session.show": {"session": SESSION, "limit": 10},
    "handoff.draft": {"goal": "finish the retry tests", "budget": 1500},
    "handoff.lint": {"text": DOCUMENT},
    "handoff.verify": {"text": DOCUMENT},
    "thread.list": {},
    "thread.search": {"words": "lamp"},
    "thread.lineage": {"thread_id": "default"},
    "change.list": {},
    "change.show": {"tc_id": "TC-001"},
    "change.lint": {},
    "status": {},
}
ADDED = ("notice", "truncated", "next_offset")


def test_every_tool_that_reads_is_compared() -> None:
    reading = {tool.does for tool in TOOLS if not tool.operation.writes}
    assert reading - set(ASKED) == {"handoff.current"}  # it needs an approved handoff: see test_client


@pytest.mark.parametrize("name", ASKED)
def test_a_tool_gives_what_its_operation_gives(project: Project, name: str) -> None:
    tool = next(tool for tool in TOOLS if tool.does == name)
    workspace = Workspace(project.root)
    expected = json.loads(
        json.dumps(perform(tool.operation, workspace, ASKED[name], Provenance(), channel="mcp"))
    )
    workspace.close()
    told = project.calls(tool.name, **ASKED[name])["structuredContent"]
    for path in tool.omitted:
        rows, _, field = path.rpartition(".")
        for place in expected[rows] if rows else [expected]:
            place.pop(field, None)
    assert {key: value for key, value in told.items() if key not in ADDED} == {
        key: value for key, value in expected.items() if key not in ADDED
    }
