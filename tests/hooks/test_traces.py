"""What a hook does not understand lets the agent go on, and is told in `status` and `doctor`."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from segue.agents.registry import host_of
from segue.service.health import boundary, checkup
from segue.service.workspace import Workspace
from segue.stores import traces
from segue.surfaces.hooks import call, entry
from segue.surfaces.hooks.dialects import unfamiliar

CALL = {"session_id": "s1", "cwd": "/p", "transcript_path": "/p/t.jsonl"}


@pytest.fixture
def folder(workspace: Workspace) -> str:
    return workspace.establish().folder


@pytest.mark.parametrize(
    ("host", "event", "payload", "told"),
    [
        ("windows95", "Boot", CALL, "no such agent"),
        ("codex", "FutureEvent", CALL, "no such event"),
        ("codex", "Stop", [], "no JSON object"),
        ("codex", "Stop", {}, "names no session"),
        ("codex", "Stop", {"session_id": 7}, "no text where one was expected: session_id"),
        (
            "codex",
            "PreCompact",
            {**CALL, "transcript_path": None, "trigger": {"kind": "policy"}},
            "expected: trigger",
        ),
        ("codex", "SessionStart", {**CALL, "source": "teleport"}, "starts by 'teleport'"),
    ],
)
def test_a_call_that_is_not_understood_is_told_in_status_and_doctor(
    workspace: Workspace, folder: str, host: str, event: str, payload: Any, told: str
) -> None:
    call.answer(folder, host, event, json.dumps(payload).encode())
    hooks = checkup.status(workspace)["hooks"]
    assert hooks["traces"] == 1 and hooks["last"].startswith(f"{host} {event} ") and told in hooks["last"]
    (found,) = [check for check in boundary.checks(workspace) if check["check"] == "hooks"]
    assert not found["ok"] and told in found["message"]


SAMPLES = Path(__file__).parent.parent.parent.parent / "shared" / "clients" / "samples"
AGENTS = {"claude": "claude-code", "codex": "codex", "gemini": "gemini-cli", "copilot": "copilot-cli"}


@pytest.mark.parametrize("sample", sorted(AGENTS))
def test_nothing_the_real_agents_send_is_unfamiliar(sample: str) -> None:
    if not SAMPLES.exists():
        pytest.skip("the recorded payloads of the client kit are not here")
    agent = AGENTS[sample]
    seen = {
        path.name: unfamiliar(agent, event, json.loads(path.read_text()))
        for path in sorted((SAMPLES / sample / "hooks").glob("*.json"))
        if (event := path.name.partition(".")[0]) in host_of(agent).events
    }
    assert seen and not any(seen.values()), seen


def test_traces_do_not_grow_without_end_and_the_newest_stay(folder: str) -> None:
    for number in range(2_000):
        entry.trace(folder, "codex", "Stop", ValueError(f"fault {number} {'x' * 100}"))
    path = os.path.join(folder, "boundary", "failures.log")
    lines = Path(path).read_text().splitlines()
    assert os.path.getsize(path) <= traces.LARGEST + 1_000
    assert "fault 1999" in lines[-1] and "fault 0 " not in lines[0] and len(lines) > 100
    assert all(line.count("\t") == 3 for line in lines)


def test_an_event_named_like_several_lines_is_one_trace(folder: str, workspace: Workspace) -> None:
    call.answer(folder, "codex", "A\n1\tB", b"{}")
    assert checkup.status(workspace)["hooks"]["traces"] == 1
