"""Where things lie on the server is known to those who run it, and to nobody else."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from segue.errors import NotFound
from segue.handoff.headings import DOCUMENT
from segue.model.wire import GENESIS, canonical, chain
from segue.service import tokens
from segue.service.boundary import drafts
from segue.service.imports import intake
from segue.service.sessions import lookup
from segue.service.threads import streams
from segue.service.workspace import Workspace
from segue.surfaces.http.places import Places

from .conftest import Caller, Serve

TEXT = "".join(f"## {name}\n\nA line about the retry policy of the uploads.\n\n" for name in DOCUMENT)
SESSION = '{"type":"user","sessionId":"s1","cwd":"%s","uuid":"u1","timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":"mend %s/src/a.py"}}\n'
READ = (
    "/status",
    "/boundary/draft",
    "/sessions",
    "/sessions/search?words=mend",
    "/verify",
    "/changes",
)


@pytest.fixture
def callers(serve: Serve, tmp_path: Path) -> dict[str, Caller]:
    path = str(tmp_path / "keys" / "tokens.json")
    secrets = {scope: tokens.create(path, scope, scope)[1] for scope in tokens.SCOPES}
    call = serve(tokens=path).call
    call("POST", "/threads/ensure", token=secrets["write"])
    drafts.write(Workspace(str(call.root)), TEXT, sensitivity="public", host="codex", session_id="s1")
    home = tmp_path / "home" / ".claude" / "projects" / re.sub(r"\W|_", "-", str(call.root))
    home.mkdir(parents=True)
    (home / "s1.jsonl").write_text(SESSION % (call.root, call.root))
    return {scope: Caller(call.port, secret, call.root) for scope, secret in secrets.items()}


def mcp(call: Caller, method: str, **params: Any) -> Any:
    asked = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    headers = {"Accept": "application/json, text/event-stream"}
    begun = call(
        "POST",
        "/mcp",
        {
            "jsonrpc": "2.0",
            "id": 0,
            "method": "initialize",
            "params": {
                "protocolVersion": "2025-06-18",
                "capabilities": {},
                "clientInfo": {"name": "t", "version": "1"},
            },
        },
        headers=headers,
    )
    session = {"Mcp-Session-Id": begun.headers["mcp-session-id"], "Mcp-Protocol-Version": "2025-06-18"}
    return call("POST", "/mcp", asked, headers=headers | session)


@pytest.mark.parametrize("scope", ["read", "write"])
def test_no_answer_names_a_folder_of_the_server(callers: dict[str, Caller], scope: str) -> None:
    call = callers[scope]
    answers = {path: call("GET", path) for path in READ}
    answers["mcp"] = mcp(call, "tools/call", name="segue_status", arguments={})
    for path, answer in answers.items():
        assert answer.status == 200, (path, answer.body)
        told = answer.body.decode().replace(f"mend {call.root}", "what a session says")
        assert str(call.root.parent) not in told, path
    assert [row["id"] for row in answers["/sessions"].json["sessions"]] == ["s1"]
    assert answers["/status"].json["workspace"] == "."
    assert answers["/boundary/draft"].json["pending"]["path"].startswith(".segue/")


@pytest.fixture
def imported(callers: dict[str, Caller]) -> str:
    """A thread made of a session, in which messages name a folder of the server."""
    workspace = Workspace(str(callers["read"].root))
    session = lookup.find("s1", "claude-code", directory=workspace.root)
    thread_id = str(intake.import_session(workspace, session)["thread_id"])
    streams.post(workspace, thread_id, f"{workspace.root}/src/a.py is broken")
    return thread_id


@pytest.mark.parametrize("accept", ["text/event-stream", "application/json"])
def test_frames_tell_folders_to_whoever_runs_the_server_alone(
    callers: dict[str, Caller], imported: str, accept: str
) -> None:
    root = str(callers["read"].root)
    frames = {scope: told(callers[scope], imported, accept) for scope in ("read", "write", "admin")}
    workspace = Workspace(root)
    assert frames["admin"] == [frame.data for frame in workspace.log.read(imported)]
    assert frames["read"] == frames["write"]
    first, *others = frames["read"]
    assert first["workspace"] == "." and first["source"]["path"].startswith("~/.claude/")
    assert str(callers["read"].root.parent) not in json.dumps(first)
    assert others == frames["admin"][1:]


def test_frames_that_hide_a_folder_verify_up_to_the_head(callers: dict[str, Caller], imported: str) -> None:
    call, before = callers["read"], GENESIS
    for frame in told(call, imported, "application/json"):
        hidden = frame.get("chain_hash")
        before = bytes.fromhex(hidden) if hidden else chain(before, [canonical(frame)])[0]
    assert before.hex() == call("GET", f"/threads/{imported}").json["head_hash"]


def test_frames_read_over_mcp_tell_no_folder(callers: dict[str, Caller], imported: str) -> None:
    for scope, workspace in (("read", "."), ("admin", str(callers["admin"].root))):
        answer = mcp(callers[scope], "resources/read", uri=f"segue://threads/{imported}")
        (content,) = answer.json["result"]["contents"]
        assert json.loads(content["text"])["frames"][0]["workspace"] == workspace


def told(call: Caller, thread_id: str, accept: str) -> list[dict[str, Any]]:
    answer = call("GET", f"/threads/{thread_id}/events?follow=false", headers={"Accept": accept})
    if accept == "application/json":
        return list(answer.json["events"])
    lines = answer.body.decode().splitlines()
    return [json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: ")]


def test_whoever_runs_the_server_sees_where_things_lie(callers: dict[str, Caller]) -> None:
    call = callers["admin"]
    assert call("GET", "/status").json["workspace"] == str(call.root)
    assert call("GET", "/boundary/draft").json["pending"]["path"].startswith(str(call.root))


@pytest.mark.parametrize(("scope", "names"), [("read", False), ("admin", True)])
def test_an_error_names_a_folder_to_whoever_runs_the_server_alone(
    callers: dict[str, Caller], scope: str, names: bool
) -> None:
    call = callers[scope]
    answer = call("POST", "/handoffs/draft", {"session": "claude-code:s1", "include_files": [".."]})
    assert answer.status == 400
    assert "outside the project" in answer.json["detail"]
    assert (str(call.root) in json.dumps(answer.json)) is names


@pytest.mark.parametrize(
    ("said", "heard"),
    [
        ("There is no file /srv/work/src/a.py.", "There is no file src/a.py."),
        ("No workspace in /srv/work.", "No workspace in the workspace."),
        ("'/srv/work/' is empty", "'the workspace/' is empty"),
        ("/srv/work2/a and /srv/work-2 and /srv/work.old", "/srv/work2/a and /srv/work-2 and /srv/work.old"),
        ("/mnt/srv/work/a", "/mnt/srv/work/a"),
        ("see file:///srv/work/a", "see file://a"),
        ("`GET /threads` lists them", "`GET /threads` lists them"),
    ],
)
def test_a_sentence_keeps_what_lies_inside_the_workspace(said: str, heard: str) -> None:
    told = Places(["/srv/work"]).error(NotFound(said, said, "x"))
    assert (told.message, told.hint, told.code) == (heard, heard, "x")


def test_contents_are_not_changed() -> None:
    places = Places(["/srv/work"])
    text = "I looked into /srv/work/a.py"
    command = "/srv/work/run.sh"
    assert places.answer({"command": command})["command"] == command
    assert places.answer({"text": text, "path": "/srv/work/a.py", "n": [1, "/srv/work"]}) == {
        "text": text,
        "path": "a.py",
        "n": [1, "."],
    }
