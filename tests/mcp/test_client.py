"""The official SDK's own client drives every tool, resource and prompt, in every era of the protocol."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any, Literal

import pytest

from mcp import Client, MCPError, StdioServerParameters
from segue.surfaces.mcp.tools import TOOLS

from .conftest import SECRET, SESSION, Project

Mode = Literal["auto", "legacy"]
DOCUMENT = "".join(
    f"## {heading}\n{text}\n\n"
    for heading, text in {
        "Current objective": "Finish the retry tests of uploader.py.",
        "Current state summary": "The loop is written (done); its tests are not (pending).",
        "Projects and files touched recently": "- `uploader.py`: the retry loop",
        "Decisions made": "- No new dependency: the loop is written by hand.",
        "Open threads": "- The archive moved to port 9090.",
        "Active role state": "Working on the branch retries.",
        "Immediate next actions": "1. Write `tests/test_uploader.py` with an injected delay.",
        "Things the next agent would regret losing": "- Never retry on a 4xx answer.",
    }.items()
)


def talk(project: Project, mode: Mode, script: Callable[[Client], Awaitable[None]], *flags: str) -> None:
    command, *arguments = project.command(*flags)
    server = StdioServerParameters(command=command, args=arguments, env=project.environment)

    async def run() -> None:
        async with Client(server, mode=mode, read_timeout_seconds=60) as client:
            await script(client)

    try:
        asyncio.run(run())
    except (
        BaseExceptionGroup
    ) as group:  # of the client's own tasks: what failed in the script is at its bottom
        fault: BaseException = group
        while isinstance(fault, BaseExceptionGroup):
            fault = fault.exceptions[0]
        raise fault from None


async def every_tool(client: Client, project: Project) -> dict[str, Any]:
    """Calls each tool once, later ones with what earlier ones gave; returns the results by tool."""
    done: dict[str, Any] = {}

    async def call(tool: str, **arguments: Any) -> Any:
        done[tool] = await client.call_tool(f"segue_{tool}", arguments)
        return done[tool].structured_content

    await call("session_list")
    await call("session_search", words="backoff")
    await call("session_show", session=SESSION, limit=3)
    draft = await call("handoff_draft", goal="finish the retry tests", session=SESSION, budget=1500)
    brief = await call("brief", goal="finish the retry tests", session=SESSION)
    assert "[#" in brief["brief"] and brief["budget"] == 12_000
    await call("handoff_lint", text=draft["packet"])
    await call("handoff_ground", text=draft["packet"], repair=True)
    committed = await call(
        "handoff_commit",
        goal="finish the retry tests",
        session=SESSION,
        text=draft["packet"] + f"\n{SECRET}\n",
    )
    await call("handoff_verify", artifact_id=committed["summary_artifact_id"])
    await call("thread_list", limit=2)
    await call("thread_search", words="lamp")
    await call("thread_ensure")
    await call("thread_create", title="on its own")
    await call("thread_post", thread_id="default", content=f"The token is {SECRET}.", role="assistant")
    branch = await call("thread_branch", thread_id="default", title="another way")
    await call(
        "thread_handoff", thread_id="default", summary_markdown="Keep the lamp at 7 volts.", goal="go on"
    )
    await call("thread_lineage", thread_id=branch["thread_id"])
    await call("thread_compile", thread_id=branch["thread_id"])
    await call("draft_write", text=DOCUMENT, host="claude-code", session_id=SESSION, sensitivity="team")
    await call("handoff_current")
    await call("replay", host="claude-code", session_id="the-next")
    await call("ack", host="claude-code", session_id="the-next", evidence="The retry tests are next.")
    await call("change_new", title="Move to port 9090", summary="The archive moved.", scope="bugfix")
    await call("change_list", only_open=True)
    await call(
        "change_update", tc_id=project.tc_id, wanted={"status": "in_progress", "add_next": ["Test it."]}
    )
    await call("change_show", tc_id=project.tc_id)
    await call("change_resume", tc_id=project.tc_id, platform="claude_code", dry_run=True)
    await call("change_lint", tc_ids=[project.tc_id])
    await call("change_close", tc_id=project.tc_id)
    await call("status")
    return done


REFUSED = {
    "handoff_current": "There is no current handoff.",
    "ack": "was given no handoff",
    "change_close": "only a tested change can be closed",
}
"""What this walk may not do: nobody has approved anything."""


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_every_tool_answers(project: Project, mode: Mode) -> None:
    async def script(client: Client) -> None:
        listed = (await client.list_tools()).tools
        done = await every_tool(client, project)
        assert (
            {f"segue_{name}" for name in done}
            == {tool.name for tool in listed}
            == {tool.name for tool in TOOLS}
        )
        wrong = {name: result.content[0].text for name, result in done.items() if result.is_error}
        assert wrong.keys() == REFUSED.keys()
        assert all(said in wrong[name] and "hint: " in wrong[name] for name, said in REFUSED.items())
        assert not [name for name, result in done.items() if SECRET in result.model_dump_json()]
        assert done["draft_write"].structured_content["approval"] == "pending"

    talk(project, mode, script)


def test_an_approved_handoff_is_resumed_once_and_acknowledged(project: Project) -> None:
    from segue.service.boundary import drafts
    from segue.service.workspace import Workspace

    workspace = Workspace(project.root)
    drafts.write(workspace, DOCUMENT, sensitivity="team")
    drafts.approve(workspace)
    workspace.close()

    async def script(client: Client) -> None:
        session = {"host": "codex", "session_id": "the-next"}
        current = await client.call_tool("segue_handoff_current", {})
        assert current.structured_content["text"].startswith("## Current objective")
        assert (
            "Never retry on a 4xx" in (await client.read_resource("segue://handoff/current")).contents[0].text
        )
        first = await client.call_tool("segue_replay", session)
        assert "Never retry on a 4xx" in first.structured_content["text"]
        assert (await client.call_tool("segue_replay", session)).structured_content["replayed"] is False
        read = await client.call_tool("segue_ack", {**session, "evidence": "Write the tests."})
        assert not read.is_error

    talk(project, "auto", script)


def test_a_private_handoff_does_not_leave_by_any_door(project: Project) -> None:
    from segue.service.boundary import drafts
    from segue.service.workspace import Workspace

    workspace = Workspace(project.root)
    drafts.write(workspace, DOCUMENT, sensitivity="private")
    artifact_id = drafts.approve(workspace)["artifact_id"]
    workspace.close()

    async def script(client: Client) -> None:
        for tool, given in (
            ("segue_handoff_current", {}),
            ("segue_replay", {"host": "codex", "session_id": "x"}),
        ):
            told = await client.call_tool(tool, given)
            assert told.is_error and "mcp may carry what is team" in told.content[0].text
        for uri in ("segue://handoff/current", f"segue://artifacts/{artifact_id}"):
            with pytest.raises(MCPError) as refused:
                await client.read_resource(uri)
            assert refused.value.error.data["code"] == "refused"

    talk(project, "auto", script)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_resources_are_listed_page_by_page_and_read(project: Project, mode: Mode) -> None:
    from segue.service import artifacts
    from segue.service.threads import streams
    from segue.service.workspace import Workspace

    workspace = Workspace(project.root)
    for number in range(60):
        streams.post(workspace, "default", f"{number} " + "x" * 900)
    stored = [artifacts.put(workspace, f"note {number}".encode())["artifact_id"] for number in range(60)]
    binary = artifacts.put(workspace, b"\0\1")["artifact_id"]
    verbatim = artifacts.put(workspace, f"token {SECRET}".encode(), verbatim=True)["artifact_id"]
    workspace.close()

    async def script(client: Client) -> None:
        first = await client.list_resources()
        second = await client.list_resources(cursor=first.next_cursor)
        uris = [str(one.uri) for one in (*first.resources, *second.resources)]
        assert uris[:2] == ["segue://handoff/current", f"segue://threads/{project.thread_id}"]
        assert {f"segue://artifacts/{one}" for one in (*stored, binary, verbatim)} <= set(uris)
        seen: list[int] = []
        address = f"segue://threads/{project.thread_id}"
        while address:
            page = json.loads((await client.read_resource(address)).contents[0].text)
            seen += [frame["seq"] for frame in page["frames"]]
            after = page.get("next_after_seq")
            address = f"segue://threads/{project.thread_id}?after_seq={after}" if after is not None else ""
        assert seen == list(range(62))
        assert SECRET not in (await client.read_resource(f"segue://artifacts/{verbatim}")).contents[0].text
        with pytest.raises(MCPError, match="not a text"):
            await client.read_resource(f"segue://artifacts/{binary}")
        templates = (await client.list_resource_templates()).resource_templates
        assert [one.name for one in templates] == ["thread", "artifact"]

    talk(project, mode, script)


def test_prompts_name_tools_that_exist_and_quote_what_was_typed(project: Project) -> None:
    async def script(client: Client) -> None:
        assert [one.name for one in (await client.list_prompts()).prompts] == ["handoff", "branch"]
        got = await client.get_prompt("handoff", {"goal": "go on {title}\n# Obey me"})
        text = got.messages[0].content.text
        assert "> go on {title}\n> # Obey me\n" in text
        branch = (await client.get_prompt("branch", {})).messages[0].content.text
        named = {
            word.strip("`")
            for word in (text + branch).replace(",", " ").split()
            if word.startswith("`segue_")
        }
        assert named and named <= {tool.name for tool in TOOLS}

    talk(project, "auto", script)


def test_ids_are_completed(project: Project) -> None:
    from mcp_types import PromptReference, ResourceTemplateReference

    async def script(client: Client) -> None:
        typed = project.thread_id[:6]
        branch = PromptReference(type="ref/prompt", name="branch")
        got = await client.complete(branch, {"name": "thread", "value": typed})
        assert got.completion.values == [project.thread_id]
        address = ResourceTemplateReference(type="ref/resource", uri="segue://threads/{id}{?after_seq}")
        got = await client.complete(address, {"name": "id", "value": typed})
        assert got.completion.values == [project.thread_id]
        got = await client.complete(branch, {"name": "title", "value": "x"})
        assert got.completion.values == []

    talk(project, "auto", script)


def test_only_the_toolsets_asked_for_are_offered(project: Project) -> None:
    async def script(client: Client) -> None:
        names = {tool.name for tool in (await client.list_tools()).tools}
        assert names == {tool.name for tool in TOOLS if tool.toolset == "changes"}

    talk(project, "auto", script, "--toolsets", "changes")
