"""What is stored of a handoff names no folder of the machine it was made on, and is still found there."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from segue.model.moment import Moment
from segue.service import tokens
from segue.service.boundary import refresh
from segue.service.handoffs import reviews
from segue.service.workspace import Workspace

from .conftest import Caller, Serve
from .test_places import told

ID = "11111111-2222-3333-4444-555555555555"
FORMS = ("packet", "document", "bundle", "tc", "json")


class Transcript:
    """A Claude Code session in a folder of the project."""

    def __init__(self, cwd: Path) -> None:
        self.cwd = cwd
        self.rows: list[dict[str, Any]] = []

    def say(self, by: str, content: Any) -> None:
        number = len(self.rows) + 1
        self.rows.append(
            {
                "type": by,
                "sessionId": ID,
                "cwd": str(self.cwd),
                "uuid": f"u{number}",
                "parentUuid": f"u{number - 1}" if number > 1 else None,
                "timestamp": f"2026-01-01T00:00:{number:02}Z",
                "message": {"role": by, "content": content},
            }
        )

    def edit(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("after\n")
        given = {"file_path": str(path), "old_string": "before", "new_string": "after"}
        id = f"t{len(self.rows)}"
        self.say("assistant", [{"type": "tool_use", "id": id, "name": "Edit", "input": given}])
        self.say("user", [{"type": "tool_result", "tool_use_id": id, "content": "done"}])


@pytest.fixture
def callers(serve: Serve, tmp_path: Path) -> dict[str, Caller]:
    path = str(tmp_path / "keys" / "tokens.json")
    secrets = {scope: tokens.create(path, scope, scope)[1] for scope in tokens.SCOPES}
    call = serve(tokens=path).call
    call("POST", "/threads/ensure", token=secrets["write"])
    return {scope: Caller(call.port, secret, call.root) for scope, secret in secrets.items()}


@pytest.fixture
def transcript(callers: dict[str, Caller], tmp_path: Path) -> Path:
    """It edits a file beside it, one elsewhere in the project and one in the home."""
    root = callers["read"].root
    made = Transcript(root / "backend")
    made.say("user", "mend the retry policy of the uploads")
    for path in (root / "backend" / "a.py", root / "web" / "b.ts", tmp_path / "home" / "notes.md"):
        made.edit(path)
    made.say("assistant", [{"type": "text", "text": "The policy is mended. The tests are next."}])
    folder = tmp_path / "home" / ".claude" / "projects" / re.sub(r"\W|_", "-", str(made.cwd))
    folder.mkdir(parents=True)
    place = folder / f"{ID}.jsonl"
    place.write_text("".join(json.dumps(row) + "\n" for row in made.rows))
    return place


def without_calls(text: str, folder: Path) -> str:
    """The text without the calls that it quotes."""
    return text.replace(f"Edit {folder}", "Edit ")


def test_nothing_stored_or_answered_names_a_folder_of_the_machine(
    callers: dict[str, Caller], transcript: Path, tmp_path: Path
) -> None:
    call, workspace = callers["read"], Workspace(str(callers["read"].root))
    asked = {"session": ID, "goal": "finish it", "budget": 6000}
    made = callers["write"]("POST", "/handoffs", asked)
    assert made.status == 201, made.body
    moment = Moment("claude-code", "Stop", "stop", ID, str(call.root / "backend"), str(transcript))
    document = refresh.refresh(workspace, moment)
    assert document is not None and "Paths are relative to `./backend`" in document.text

    said = {"commit": made.body.decode(), "document": document.text}
    for form in FORMS:
        said[form] = call("POST", "/handoffs/draft", {**asked, "format": form}).body.decode()
    ids = [row["artifact_id"] for row in call("GET", "/artifacts").json["artifacts"]]
    for id in ids:
        said[id] = workspace.artifacts.get(id).decode()
        said[f"{id} over HTTP"] = call("GET", f"/artifacts/{id}").body.decode()
    for row in call("GET", "/threads").json["threads"]:
        said[row["thread_id"]] = json.dumps(told(call, row["thread_id"], "application/json"))
    bundle = {"artifact_id": made.json["summary_artifact_id"]}
    said["verify"] = call("POST", "/handoffs/verify", bundle).body.decode()
    assert len(ids) >= 3
    for name, text in said.items():
        assert str(tmp_path) not in without_calls(text, tmp_path), name


def test_a_packet_says_where_things_lie_from_the_project_and_from_the_home(
    callers: dict[str, Caller], transcript: Path
) -> None:
    packet = callers["read"]("POST", "/handoffs/draft", {"session": ID, "budget": 6000}).json["packet"]
    assert (
        f"**Transcript**: ~/.claude/projects/{transcript.parent.name}/{ID}.jsonl; `segue sessions" in packet
    )
    assert "Paths are relative to ./backend." in packet
    assert "<modified-files>\n../web/b.ts\na.py\n~/notes.md\n</modified-files>" in packet


def test_a_stored_handoff_is_verified_against_the_files_and_the_session_it_names(
    callers: dict[str, Caller], transcript: Path
) -> None:
    made = callers["write"]("POST", "/handoffs", {"session": ID}).json
    workspace = Workspace(str(callers["write"].root))
    found = reviews.verify_handoff(workspace, artifact_id=made["summary_artifact_id"])["findings"]
    states = {row["where"]: row["state"] for row in found if row["kind"] in ("file", "session")}
    assert (states["transcript"], states["a.py"], states["../web/b.ts"]) == ("holds", "holds", "holds")
