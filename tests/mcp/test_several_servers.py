"""Several servers behind a proxy that asks them in turn: what one of them agreed on, every other one goes on with."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import httpx2
import pytest
from mcp.client.streamable_http import streamable_http_client

from mcp import Client
from segue.service import tokens
from segue.service.workspace import Workspace

from ..stores import postgres_server
from .conftest import Project, request
from .test_streamable import NEW, Door, opened


@pytest.fixture(scope="module")
def postgres() -> Iterator[postgres_server.Server]:
    with postgres_server.running() as server:
        yield server


@pytest.fixture
def doors(
    tmp_path: Path, postgres: postgres_server.Server, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Door, Door]]:
    """Two servers, each with a directory of its own, one database and one token for both."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    _, secret = tokens.create(tokens.default_path(), "team", "write")
    projects = [Project(str(tmp_path / name), str(tmp_path), "", "") for name in ("first", "second")]
    for project in projects:
        Path(project.root).mkdir()
        Workspace(project.root).establish(store=postgres.address_for(tmp_path))
    with opened(projects[0]) as first, opened(projects[1]) as second:
        first.token = second.token = secret
        yield first, second


def frames(folder: Path, thread_id: str) -> list[dict[str, Any]]:
    """The frames of a thread as they are in the database that both servers use."""
    workspace = Workspace(str(folder / "first"))
    try:
        return [json.loads(frame.body) for frame in workspace.log.read(thread_id)]
    finally:
        workspace.close()


class RoundRobin(httpx2.AsyncBaseTransport):
    """Sends each request to the next server."""

    def __init__(self, doors: tuple[Door, Door]) -> None:
        self._ports = itertools.cycle(door.port for door in doors)
        self._onward = httpx2.AsyncHTTPTransport()
        self.asked: list[int] = []

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        port = next(self._ports)
        self.asked.append(port)
        request.url = request.url.copy_with(port=port)
        return await self._onward.handle_async_request(request)

    async def aclose(self) -> None:
        await self._onward.aclose()


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_the_official_client_works_through_servers_that_are_asked_in_turn(
    tmp_path: Path, doors: tuple[Door, Door], mode: Literal["auto", "legacy"]
) -> None:
    proxy = RoundRobin(doors)

    async def run() -> list[str]:
        shown = {"Authorization": f"Bearer {doors[0].token}"}
        async with (
            httpx2.AsyncClient(headers=shown, timeout=60, transport=proxy) as http,
            Client(streamable_http_client(doors[0].url, http_client=http), mode=mode) as client,
        ):
            made = await client.call_tool("segue_thread_create", {"title": "in turn"})
            assert made.structured_content is not None
            thread_id = made.structured_content["thread_id"]
            for word in ("one", "two", "three"):
                posted = await client.call_tool(
                    "segue_thread_post", {"thread_id": thread_id, "content": word}
                )
                assert not posted.is_error
            return [thread_id, *(tool.name for tool in (await client.list_tools()).tools)]

    thread_id, *offered = asyncio.run(run())
    assert set(proxy.asked) == {door.port for door in doors}
    assert "segue_thread_post" in offered
    assert [frame.get("content") for frame in frames(tmp_path, thread_id)] == [None, "one", "two", "three"]


def test_who_began_a_session_is_known_on_the_other_server(tmp_path: Path, doors: tuple[Door, Door]) -> None:
    first, second = doors
    mine = first.session()
    asked = request("tools/call", name="segue_thread_create", arguments={"title": "by x"})
    made = second(asked, mcp_session_id=mine).json["result"]["structuredContent"]
    (frame,) = frames(tmp_path, made["thread_id"])
    assert (frame["actor_id"], frame["origin"]) == (NEW["clientInfo"]["name"], "mcp")


def test_what_was_agreed_on_for_batches_holds_on_the_other_server(doors: tuple[Door, Door]) -> None:
    first, second = doors
    for version, taken in (("2025-03-26", True), ("2025-06-18", False)):
        begun = first(request("initialize", **{**NEW, "protocolVersion": version}))
        answer = second([request("ping")], mcp_session_id=begun.headers["mcp-session-id"]).json
        assert isinstance(answer, list) is taken
