"""Where things lie on the server is known to those who run it, and to nobody else."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from segue.errors import NotFound
from segue.handoff.headings import DOCUMENT
from segue.service import tokens
from segue.service.boundary import drafts
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


def mcp(call: Caller, tool: str) -> Any:
    asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": {}}}
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
    answers["mcp"] = mcp(call, "segue_status")
    for path, answer in answers.items():
        assert answer.status == 200, (path, answer.body)
        told = answer.body.decode().replace(f"mend {call.root}", "what a session says")
        assert str(call.root.parent) not in told, path
    assert [row["id"] for row in answers["/sessions"].json["sessions"]] == ["s1"]
    assert answers["/status"].json["workspace"] == "."
    assert answers["/boundary/draft"].json["pending"]["path"].startswith(".segue/")


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
    assert places.answer({"text": text, "path": "/srv/work/a.py", "n": [1, "/srv/work"]}) == {
        "text": text,
        "path": "a.py",
        "n": [1, "."],
    }
