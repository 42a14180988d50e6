"""The tools follow from the operations table, and are described so that a model can use them."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest

from segue.service.operations import OPERATIONS
from segue.service.signatures import signature
from segue.surfaces.mcp import listing
from segue.surfaces.mcp.conversation import TOOLSETS
from segue.surfaces.mcp.tools import FIELDS, TOOLS, Tool

from .conftest import SESSION, Project, request

ROOT = Path(__file__).parent.parent.parent
WRITE_AGAIN = "`python docs/generate_mcp.py` writes it anew."


def generator() -> Any:
    spec = importlib.util.spec_from_file_location("generate_mcp", ROOT / "docs" / "generate_mcp.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def catalogue() -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads(Path(listing.FILE).read_text("utf-8"))
    return rows


def test_the_listed_tools_are_those_of_the_tables() -> None:
    assert Path(listing.FILE).read_text("utf-8") == generator().tools(), WRITE_AGAIN


def test_the_reference_is_made_of_the_tables() -> None:
    assert (ROOT / "docs" / "reference" / "mcp.md").read_text("utf-8") == generator().text(), WRITE_AGAIN


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_a_tool_is_an_operation_under_its_name(tool: Tool) -> None:
    assert tool.operation in OPERATIONS
    assert tool.name == "segue_" + tool.does.replace(".", "_")
    assert tool.toolset in TOOLSETS
    assert tool.operation.needs in ("read", "write")


@pytest.mark.parametrize("row", catalogue(), ids=lambda row: row["tool"]["name"])
def test_every_argument_says_what_it_means(row: dict[str, Any]) -> None:
    undescribed = [
        name for name, about in row["tool"]["inputSchema"]["properties"].items() if "description" not in about
    ]
    assert undescribed == []


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_a_tool_says_whether_it_writes_as_the_operation_does(tool: Tool) -> None:
    told = next(row["tool"] for row in catalogue() if row["tool"]["name"] == tool.name)
    assert told["annotations"]["readOnlyHint"] is not tool.operation.writes


@pytest.mark.parametrize("tool", [tool for tool in TOOLS if tool.rows], ids=lambda tool: tool.name)
def test_pages_are_pages_of_a_list_the_answer_has(tool: Tool) -> None:
    answer = signature(tool.operation).answer
    assert tool.rows in getattr(answer, "__annotations__", {tool.rows: list})


def test_every_meaning_belongs_to_an_argument() -> None:
    arguments = {name for row in catalogue() for name in row["tool"]["inputSchema"]["properties"]}
    assert set(FIELDS) == arguments


def test_an_agent_is_told_which_sections_a_rich_handoff_needs() -> None:
    from segue.handoff.tail import missing_headings

    told = next(tool for tool in TOOLS if tool.does == "draft.write").description
    assert [heading for heading in missing_headings("") if f"`## {heading}`" not in told] == []


def test_nothing_offered_can_approve() -> None:
    assert not {tool.does for tool in TOOLS} & {"draft.approve", "draft.reject"}
    assert "approve" not in json.dumps(
        [
            list(row["tool"]["inputSchema"].get("$defs", {}).get("Update", {}).get("properties", {}))
            for row in catalogue()
        ]
    ).replace("revoke_approval", "")
    assert not [
        name
        for row in catalogue()
        for name in row["tool"]["inputSchema"]["properties"]
        if name.startswith("approv")
    ]


def test_all_tools_together_cost_a_model_less_than_eight_thousand_tokens() -> None:
    from segue.extract.tokens import count

    told = [
        {name: row["tool"][name] for name in ("name", "description", "inputSchema")} for row in catalogue()
    ]
    assert count(json.dumps(told)) < 8_000


def test_what_an_agent_is_told_to_do_with_a_committed_handoff_finds_it(project: Project) -> None:
    (begun,) = project.says(request("initialize", protocolVersion="2025-11-25"))
    told = begun["result"]["instructions"]
    unnamed = project.calls("segue_handoff_commit", goal="finish the retry tests")
    assert unnamed["isError"] and "Name the `session`" in unnamed["content"][0]["text"]
    made = project.calls("segue_handoff_commit", goal="finish the retry tests", session=SESSION)[
        "structuredContent"
    ]
    nothing = project.calls("segue_handoff_current")["content"][0]["text"]
    for advice in (told, nothing):
        assert "segue_thread_list" in advice and "segue_thread_compile" in advice
    listed = project.calls("segue_thread_list")["structuredContent"]["threads"]
    (child,) = [row for row in listed if row.get("parent", {}).get("relation") == "handoff"]
    assert child["thread_id"] == made["thread_id"]
    compiled = project.calls("segue_thread_compile", thread_id=child["thread_id"])
    assert "finish the retry tests" in json.dumps(compiled["structuredContent"])


def test_no_tool_removes_content() -> None:
    offered = {tool.operation.name for tool in TOOLS}
    assert not offered & {"forget", "gc", "rebuild"}
