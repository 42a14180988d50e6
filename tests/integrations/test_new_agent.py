"""A new agent with hooks is a reader and a host, under one name: nothing else in segue has to know it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from segue.handoff.headings import DOCUMENT
from segue.service.boundary import drafts
from segue.service.workspace import Workspace

RICH = "\n".join(f"## {name}\n\n- Counted the beads in tally.py [#2].\n" for name in DOCUMENT)
READER = '''
"""Abacus, made up: one JSONL file per session.

**Where**: `~/.abacus/sessions/<id>.jsonl`. **Versions seen**: 1.0.
"""
import json
from segue.model.entry import Entry

AGENT = "abacus"

def places(home, cwd):
    return (f"{home.home}/.abacus/sessions/*.jsonl",)

def sniff(path, head):
    return 100 if head.startswith(b'{"abacus"') else 0

def sessions(path):
    return [next(read(path)).data["id"]]

def read(path, session=None, branch=None):
    for number, line in enumerate(open(path, "rb"), 1):
        row = json.loads(line)
        if "abacus" in row:
            yield Entry(kind="meta", file=path, line=number, data={"id": row["abacus"], "cwd": row["cwd"]})
        else:
            by = "person" if row["who"] == "user" else "agent"
            yield Entry(kind=row["who"], file=path, line=number, by=by, text=row["text"], time_ms=number)
'''
HOST = '''
"""Abacus, made up, as a host."""
import json
import os
from segue.agents.host import PACKET, File, Host, Integration, Launch, Settings, Step, Trigger
from segue.model import moment as m
from segue.model.moment import Cap, utf8

def _integration(base, project, env):
    root = os.path.join(base, ".abacus")
    note = File(os.path.join(root, "commands", "count.txt"), text=lambda segue: f"`segue install abacus`: {segue}")
    return Integration((Settings(os.path.join(root, "rods.json"), hooks=True, timeout=7, server=True),), (note,))

HOST = Host(
    "abacus",
    marks=("ABACUS_SESSION",),
    session_variable="ABACUS_SESSION",
    launch=Launch((PACKET,), ("--stdin",)),
    tried_version="1.2.3",
    oldest_version="1.0.0",
    integration=_integration,
    server={"type": "beads"},
    events={"start": m.START, "prompt": m.PROMPT, "tool": m.TOOL, "folding": m.BEFORE, "folded": m.AFTER},
    reply=lambda event, reply, injects: {"beads": [reply.inject]} if reply.inject and injects else None,
    cap=Cap(3_000, utf8),
    compaction_steps=(Step("folding"), Step("folded")),
    injects_after_compaction=True,
    owner=lambda row: row.get("abacus"),
    usage=lambda line: (json.loads(line)["used"], 1_000) if b'"used"' in line else None,
    compacts_at=lambda home, root, env: Trigger(50, "the rods"),
    trusts_project=lambda root, home, env: False,
)
'''
REGISTERED = """
from segue.agents import registry
registry.READERS["abacus"] = "abacus"
registry.HOSTS["abacus"] = "abacus.host"
"""
PROGRAM = '#!/bin/sh\nif [ "$1" = --version ]; then echo abacus 1.2.2; else cat > "$0.got"; fi\n'


class Project:
    """A project, and a Python in which the agent is registered before segue starts."""

    def __init__(self, folder: Path) -> None:
        self.root, self.home, self.program = folder / "project", folder / "home", folder / "bin" / "abacus"
        package, sessions = folder / "python" / "abacus", self.home / ".abacus" / "sessions"
        for place in (self.root / ".git", package, sessions, self.program.parent):
            place.mkdir(parents=True)
        (package / "__init__.py").write_text('"""Abacus, made up."""\n')
        (package / "reader.py").write_text(READER)
        (package / "host.py").write_text(HOST)
        (package.parent / "sitecustomize.py").write_text(REGISTERED)
        self.program.write_text(PROGRAM)
        self.program.chmod(0o755)
        self.transcript = sessions / "s1.jsonl"
        said = (
            {"who": "user", "text": "Count the beads in tally.py"},
            {"who": "agent", "text": "There are 42."},
        )
        rows = ({"abacus": "s1", "cwd": str(self.root)}, *said)
        self.transcript.write_text("".join(json.dumps(row) + "\n" for row in rows))
        path = f"{self.program.parent}{os.pathsep}{os.environ['PATH']}"
        self.env = {**os.environ, "PYTHONPATH": str(package.parent), "PATH": path, "HOME": str(self.home)}
        self.env["XDG_CONFIG_HOME"] = str(self.home / ".config")

    def python(self, *words: str, given: str = "", **env: str) -> str:
        ran = subprocess.run(
            [sys.executable, *words],
            input=given,
            capture_output=True,
            text=True,
            cwd=self.root,
            env={**self.env, **env},
            check=False,
        )
        assert "Traceback" not in ran.stderr, ran.stderr
        return ran.stdout

    def segue(self, *words: str) -> Any:
        return json.loads(self.python("-m", "segue", *words, "--json"))

    def hook(self, event: str, session_id: str, **more: str) -> str:
        payload = {"session_id": session_id, "cwd": str(self.root), **more}
        said = self.python("-m", "segue", "hook", "abacus", event, given=json.dumps(payload))
        return str(json.loads(said)["beads"][0]) if said else ""

    def approve(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("HOME", str(self.home))
        monkeypatch.setenv("XDG_CONFIG_HOME", self.env["XDG_CONFIG_HOME"])
        workspace = Workspace(str(self.root)).establish()
        drafts.write(workspace, RICH)
        drafts.approve(workspace)
        workspace.close()


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def test_its_sessions_are_listed_and_handed_on_to_it(project: Project) -> None:
    (row,) = project.segue("sessions", "list")["sessions"]
    assert (row["agent"], row["id"]) == ("abacus", "s1")
    project.segue("handoff", "Count on", "--from", "abacus", "--to", "abacus", "--launch", "--yes")
    assert "There are 42." in Path(f"{project.program}.got").read_text()


def test_it_is_installed_and_uninstalled_as_its_host_says(project: Project) -> None:
    project.segue("install", "abacus", "--project")
    settings = json.loads((project.root / ".abacus/rods.json").read_text())
    (entry,) = settings["hooks"]["tool"][0]["hooks"]
    assert list(settings["hooks"]) == ["start", "prompt", "tool", "folding", "folded"]
    assert entry["command"].endswith(" hook abacus tool") and entry["timeout"] == 7
    assert settings["mcpServers"]["segue"]["type"] == "beads"
    assert (project.root / ".abacus/commands/count.txt").exists()
    project.segue("uninstall", "abacus", "--project")
    assert not (project.root / ".abacus").exists()


def test_its_hooks_give_it_the_handoff_in_its_own_words(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.approve(monkeypatch)
    assert "Counted the beads" in project.hook("start", "s1")
    assert project.hook("prompt", "s1") == ""
    with project.transcript.open("a") as file:
        file.write('{"who": "agent", "text": "Full.", "used": 900}\n')
    full = "90 % full (900 of 1,000 tokens)"
    assert project.hook("tool", "s1", transcript_path=str(project.transcript)) == ""  # looked at just now
    assert full in project.hook("prompt", "s1", transcript_path=str(project.transcript))
    project.hook("tool", "s2", transcript_path=str(project.transcript.rename(project.root / "other.jsonl")))
    traces = (project.root / ".segue/boundary/failures.log").read_text()
    assert "is the transcript of session s1" in traces
    assert len(project.hook("folded", "s1").encode()) <= 3_000


def test_doctor_runs_its_hooks_and_knows_its_version_its_trust_and_its_threshold(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.approve(monkeypatch)
    project.segue("install", "abacus", "--project")
    told: dict[str, list[dict[str, Any]]] = {}
    for check in project.segue("doctor")["checks"]:
        told.setdefault(check["check"], []).append(check)
    (proven,) = told["integration abacus (project)"]
    assert proven["ok"] and proven["events"] == ["start", "prompt", "tool", "folding", "folded"]
    assert "Counted the beads" in proven["text"] and "just compacted" in proven["after_compaction"]
    (version,) = told["version abacus (project)"]
    assert version["ok"] and "abacus 1.2.2; segue was tried with 1.2.3" in version["message"]
    (trust,) = told["trust abacus (project)"]
    assert not trust["ok"] and "before you trust that folder" in trust["message"]
    assert [check["message"] for check in told["thresholds"]] == [
        "abacus: The warning at 85 % comes too late: this agent compacts at 50 %."
    ]
    assert told["server abacus (project)"][0]["ok"]


def test_what_runs_inside_it_and_what_is_ours_in_it_is_known(project: Project) -> None:
    asked = "from segue.agents import inside, own; print(*inside.here()[:2], own.is_file('x/.abacus/commands/count.txt'))"
    assert project.python("-c", asked, ABACUS_SESSION="s1").split() == ["abacus", "s1", "True"]
