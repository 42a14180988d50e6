"""A project with a session, threads and change records, as an agent finds it, and ways to speak MCP with it."""

from __future__ import annotations

import io
import json
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from segue import samples
from segue.service.changes import records, upkeep
from segue.service.threads import streams
from segue.service.workspace import Workspace
from segue.surfaces.mcp.conversation import Terms
from segue.surfaces.mcp.stdio import serve

SESSION = "5e60e000-0000-4000-8000-00000000d3a0"
SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


class Project(NamedTuple):
    root: str
    home: str
    thread_id: str
    tc_id: str

    @property
    def environment(self) -> dict[str, str]:
        kept = {
            name: value for name, value in os.environ.items() if not name.startswith(("SEGUE_", "CLAUDE"))
        }
        return {**kept, "HOME": self.home}

    def command(self, *flags: str) -> list[str]:
        return [sys.executable, "-m", "segue", "mcp", "--workspace", self.root, *flags]

    def says(self, *messages: Any, terms: Terms | None = None) -> list[Any]:
        """What the server answers to these messages, in one process."""
        lines = [one if isinstance(one, bytes) else json.dumps(one).encode() for one in messages]
        sink = io.BytesIO()
        serve(terms or Terms(Workspace(self.root)), io.BytesIO(b"\n".join(lines) + b"\n"), sink)
        return [json.loads(line) for line in sink.getvalue().splitlines()]

    def calls(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The result of one tool call."""
        (answer,) = self.says(request("tools/call", name=tool, arguments=arguments))
        result: dict[str, Any] = answer["result"]
        return result


def request(method: str, request_id: Any = 1, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": request_id, "method": method, "params": params}


@pytest.fixture
def bare(tmp_path: Path) -> Project:
    """A directory with nothing in it."""
    return Project(str(tmp_path), str(tmp_path), "", "")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Project]:
    home, root = tmp_path / "home", tmp_path / "home" / "project"
    root.mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    for name in ("XDG_CONFIG_HOME", "CODEX_HOME", "CLAUDE_CONFIG_DIR", "CLAUDECODE"):
        monkeypatch.delenv(name, raising=False)
    place = home / ".claude" / "projects" / re.sub(r"\W|_", "-", str(root))
    place.mkdir(parents=True)
    os.replace(samples.unpack(str(root)), place / f"{SESSION}.jsonl")
    workspace = Workspace(str(root))
    thread_id = streams.ensure(workspace)["thread_id"]
    streams.post(workspace, thread_id, "Keep the lamp at 7 volts.")
    upkeep.init(workspace, "uploader", "agent")
    tc_id = records.new(workspace, "Retry uploads on 5xx", "feature", "Uploads are tried again.")["tc_id"]
    workspace.close()
    yield Project(str(root), str(home), thread_id, tc_id)
