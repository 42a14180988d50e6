"""Over HTTP: sessions, tokens and scopes, JSON or a stream, and the official client in every era."""

from __future__ import annotations

import asyncio
import io
import json
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from typing import Any, Literal, NamedTuple

import httpx2
import pytest
from mcp.client.streamable_http import streamable_http_client

from mcp import Client
from segue.service import tokens
from segue.service.sessions import lookup
from segue.surfaces.http.serving import Options, Serving
from segue.surfaces.mcp.tools import TOOLS

from .conftest import Project, request
from .test_client import REFUSED, every_tool

ACCEPT = "application/json, text/event-stream"
NEW = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Door:
    """One server, and a way to knock at it."""

    def __init__(self, serving: Serving) -> None:
        self.port = serving.port
        self.url = f"{serving.url}/mcp"
        self.token = serving.secret or ""

    def __call__(self, message: Any, method: str = "POST", path: str = "/mcp", **headers: str) -> Answer:
        data = message if isinstance(message, bytes) else json.dumps(message).encode()
        sent = {
            "Content-Type": "application/json",
            "Accept": ACCEPT,
            "Authorization": f"Bearer {self.token}",
            **{name.replace("_", "-"): value for name, value in headers.items()},
        }
        connection = HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request(method, path, data, {name: value for name, value in sent.items() if value})
            got = connection.getresponse()
            return Answer(got.status, {k.lower(): v for k, v in got.getheaders()}, got.read())
        finally:
            connection.close()

    def session(self, **headers: str) -> str:
        return self(request("initialize", **NEW), **headers).headers["mcp-session-id"]


@contextmanager
def opened(project: Project, **options: Any) -> Iterator[Door]:
    serving = Serving(
        Options({"default": project.root, "again": project.root}, port=0, **options), io.StringIO()
    )
    thread = threading.Thread(target=serving.run)
    thread.start()
    try:
        yield Door(serving)
    finally:
        serving.stop()
        thread.join(20)
        assert not thread.is_alive()


@pytest.fixture
def door(bare: Project, monkeypatch: pytest.MonkeyPatch) -> Iterator[Door]:
    monkeypatch.setenv("HOME", bare.home)
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    with opened(bare) as found:
        yield found


@pytest.fixture
def keys(bare: Project, monkeypatch: pytest.MonkeyPatch) -> dict[str, dict[str, str]]:
    """What the holders of three tokens show at a server that is started later."""
    monkeypatch.setenv("HOME", bare.home)
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    holders = {"one": "write", "another": "write", "reader": "read"}
    return {
        name: {"Authorization": f"Bearer {tokens.create(tokens.default_path(), name, scope)[1]}"}
        for name, scope in holders.items()
    }


def talk(door: Door, mode: Literal["auto", "legacy"], script: Callable[[Client], Awaitable[None]]) -> None:
    async def run() -> None:
        async with (
            httpx2.AsyncClient(headers={"Authorization": f"Bearer {door.token}"}, timeout=60) as http,
            Client(streamable_http_client(door.url, http_client=http), mode=mode) as client,
        ):
            await script(client)

    asyncio.run(run())


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_the_official_client_drives_every_tool(project: Project, mode: Literal["auto", "legacy"]) -> None:
    done: dict[str, Any] = {}

    async def script(client: Client) -> None:
        done.update(await every_tool(client, project))

    with opened(project) as door:
        talk(door, mode, script)
    assert {f"segue_{name}" for name in done} == {tool.name for tool in TOOLS}
    refused = {name for name, result in done.items() if result.is_error}
    assert refused == REFUSED.keys()


def test_a_session_is_given_with_initialize(door: Door) -> None:
    begun = door(request("initialize", **NEW))
    mine = begun.headers["mcp-session-id"]
    assert begun.json["result"]["protocolVersion"] == "2025-11-25"
    assert door({"jsonrpc": "2.0", "method": "notifications/initialized"}, mcp_session_id=mine).status == 202
    assert door(request("ping"), mcp_session_id=mine).json["result"] == {}
    assert door.session() != mine


def test_no_session_is_kept_that_could_be_ended(door: Door) -> None:
    assert door(b"", "DELETE", mcp_session_id=door.session()).status == 405


def test_a_wish_about_log_messages_is_not_taken_where_it_would_be_forgotten(door: Door) -> None:
    begun = door(request("initialize", **NEW))
    assert "logging" not in begun.json["result"]["capabilities"]
    asked = request("logging/setLevel", level="error")
    answer = door(asked, mcp_session_id=begun.headers["mcp-session-id"])
    assert answer.json["error"]["code"] == -32601


def test_a_request_without_its_session_is_refused(door: Door) -> None:
    assert door(request("ping")).status == 400
    for guessed in ("guessed", "x", "é", door.session()[:-4] + "AAAA", "A" * 8_000):
        assert door(request("ping"), mcp_session_id=guessed).status == 404


def test_a_session_belongs_to_its_token_and_its_workspace(
    keys: dict[str, dict[str, str]], door: Door
) -> None:
    mine = door.session(**keys["one"])
    assert door(request("ping"), mcp_session_id=mine, **keys["another"]).status == 404
    assert (
        door(request("ping"), path="/workspaces/again/mcp", mcp_session_id=mine, **keys["one"]).status == 404
    )
    assert door(request("ping"), mcp_session_id=mine, **keys["one"]).status == 200


def test_nobody_comes_in_without_a_token(door: Door) -> None:
    for shown in ("", "Bearer wrong", "Basic eDp5"):
        answer = door(request("initialize", **NEW), Authorization=shown)
        assert (answer.status, answer.json["code"]) == (401, "unauthorized")


def test_a_token_that_may_only_read_is_offered_nothing_that_writes(
    keys: dict[str, dict[str, str]], door: Door
) -> None:
    shown = keys["reader"]
    mine = door.session(**shown)
    listed = door(request("tools/list"), mcp_session_id=mine, **shown).json["result"]["tools"]
    assert listed and all(tool["annotations"]["readOnlyHint"] for tool in listed)
    post = request("tools/call", name="segue_thread_post", arguments={"thread_id": "default", "content": "x"})
    assert door(post, mcp_session_id=mine, **shown).json["error"]["code"] == -32602


def test_a_page_may_call_only_where_its_origin_was_allowed(
    door: Door, bare: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin = request("initialize", **NEW)
    for page in ("https://evil.example", "http://localhost:3000", "null"):
        assert door(begin, Origin=page).status == 403
    assert door(begin, Origin=f"http://127.0.0.1:{door.port}").status == 200
    with opened(bare, cors=["https://app.example"]) as allowing:
        answer = allowing(begin, Origin="https://app.example")
        assert (answer.status, answer.headers["access-control-allow-origin"]) == (200, "https://app.example")
        assert "Mcp-Session-Id" in answer.headers["access-control-expose-headers"]


BAD = {
    "no JSON": (b"{", {}, 400),
    "not said to be JSON": (request("ping"), {"Content_Type": "text/plain"}, 415),
    "a revision nobody knows": (request("ping"), {"mcp_protocol_version": "1999-01-01"}, 400),
    "a number": (b"7", {"mcp_protocol_version": "2026-07-28"}, 400),
    "a batch that stands alone": ([request("ping")], {"mcp_protocol_version": "2026-07-28"}, 400),
}


@pytest.mark.parametrize(("message", "headers", "status"), BAD.values(), ids=BAD)
def test_a_bad_request_gets_its_status(
    door: Door, message: Any, headers: dict[str, str], status: int
) -> None:
    assert door(message, **headers).status == status


def test_nothing_is_sent_unasked(door: Door) -> None:
    answer = door(b"", "GET")
    assert (answer.status, answer.headers["allow"]) == (405, "POST")


def alone(method: str, **params: Any) -> dict[str, Any]:
    return request(method, **params, _meta=META)


STATELESS = {"mcp_protocol_version": "2026-07-28"}


def test_a_request_that_stands_alone_needs_no_session(door: Door) -> None:
    answer = door(alone("server/discover"), **STATELESS, mcp_method="server/discover")
    assert answer.status == 200 and "2026-07-28" in answer.json["result"]["supportedVersions"]
    assert "mcp-session-id" not in answer.headers


@pytest.mark.parametrize(
    ("headers", "code"),
    [
        ({**STATELESS}, -32020),
        ({**STATELESS, "mcp_method": "tools/list"}, -32020),
        ({**STATELESS, "mcp_method": "tools/call"}, -32020),
        ({**STATELESS, "mcp_method": "tools/call", "mcp_name": "segue_status"}, -32020),
        ({**STATELESS, "mcp_method": "tools/call", "mcp_name": "=?base64?!?="}, -32020),
        ({"mcp_method": "tools/call", "mcp_name": "nothing"}, -32020),
    ],
)
def test_headers_must_say_what_the_body_says(door: Door, headers: dict[str, str], code: int) -> None:
    answer = door(alone("tools/call", name="nothing"), **headers)
    assert (answer.status, answer.json["error"]["code"]) == (400, code)


def test_what_stands_alone_and_fails_has_a_status(door: Door) -> None:
    assert door(alone("nothing"), **STATELESS, mcp_method="nothing").status == 404
    wrapped = "=?base64?bm90aGluZw==?="
    named = door(alone("tools/call", name="nothing"), **STATELESS, mcp_method="tools/call", mcp_name=wrapped)
    assert (named.status, named.json["error"]["code"]) == (400, -32602)


def test_progress_comes_as_a_stream_with_the_answer_last(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    def listed(directory: str, agent: str | None, progress: Any) -> dict[str, Any]:
        progress(1, 2, "x")
        progress(2, 2, "x")
        return {"sessions": []}

    monkeypatch.setattr(lookup, "list_sessions", listed)
    monkeypatch.setattr("segue.surfaces.mcp.caller._EVERY_S", 0)
    asked = request("tools/call", name="segue_session_list", _meta={"progressToken": 7})
    answer = door(asked, mcp_session_id=door.session())
    assert answer.headers["content-type"].startswith("text/event-stream")
    events = [json.loads(part.split(b"data: ", 1)[1]) for part in answer.body.strip().split(b"\n\n")]
    assert [one.get("params", {}).get("progress") for one in events] == [1, 2, None]
    assert events[-1]["id"] == 1
    plain = door(asked, mcp_session_id=door.session(), Accept="application/json")
    assert plain.json["id"] == 1


def test_work_that_is_cancelled_is_not_answered(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, cancelled = threading.Event(), threading.Event()

    def listed(directory: str, agent: str | None, progress: Any) -> dict[str, Any]:
        begun.set()
        assert cancelled.wait(20)
        progress(1, 1, "x")
        return {"sessions": []}

    monkeypatch.setattr(lookup, "list_sessions", listed)
    mine = door.session()
    answers: list[Answer] = []
    asked = request("tools/call", "long", name="segue_session_list")
    thread = threading.Thread(target=lambda: answers.append(door(asked, mcp_session_id=mine)))
    thread.start()
    assert begun.wait(20)
    cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "long"}}
    assert door(cancel, mcp_session_id=mine).status == 202
    cancelled.set()
    thread.join(20)
    assert [(one.status, one.body) for one in answers] == [(202, b"")]


def test_a_server_for_mcp_alone_serves_nothing_else(bare: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", bare.home)
    with opened(bare, only_mcp=True) as door:
        assert door(b"", "GET", "/threads").status == 404
        assert door(request("initialize", **NEW)).status == 200
