"""The exact JSON that each host is given at each event, from the hook program as the host runs it.

A golden file per host holds what is spoken, by story and event; events that are silent in a story are listed by name.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from segue.agents import calls
from segue.agents.host import Step
from segue.agents.registry import HOSTS, host_of
from segue.handoff.headings import DOCUMENT
from segue.service.boundary import drafts
from segue.service.install.integrations import program
from segue.service.workspace import Workspace
from segue.stores.accepted import user_folder

from ..conftest import Golden

GOLDEN = Path(__file__).parent.parent / "golden" / "hooks"
SESSION = "golden-session"
RICH = "\n".join(f"## {name}\n\n- Ported the retry loop in uploader.py [#3].\n" for name in DOCUMENT)
PROMPTS = {
    "claude-code": "UserPromptSubmit",
    "codex": "UserPromptSubmit",
    "gemini-cli": "BeforeAgent",
    "copilot-cli": "userPromptSubmitted",
    "pi": "turn_end",
}
"""The event at which a host that tells how full its context is hears of it."""


_AT = "2026-01-01T00:00:00Z"
TRANSCRIPTS: dict[str, tuple[dict[str, Any], ...]] = {
    "claude-code": (
        {
            "type": "user",
            "uuid": "u1",
            "parentUuid": None,
            "sessionId": SESSION,
            "timestamp": _AT,
            "message": {"role": "user", "content": "Go on"},
        },
    ),
    "codex": (
        {"timestamp": _AT, "type": "session_meta", "payload": {"id": SESSION, "cwd": "/project"}},
        {
            "timestamp": _AT,
            "type": "response_item",
            "payload": {
                "type": "message",
                "role": "user",
                "content": [{"type": "input_text", "text": "Go on"}],
            },
        },
    ),
    "pi": (
        {"type": "session", "version": 3, "id": SESSION, "timestamp": _AT, "cwd": "/project"},
        {
            "type": "message",
            "id": "a",
            "parentId": None,
            "timestamp": _AT,
            "message": {"role": "user", "content": "Go on"},
        },
    ),
}
"""Transcripts of hosts for which none is recorded, so that a tail has something to say."""


class Host:
    """One session of a host in a scratch workspace, told through the hook program."""

    def __init__(self, name: str, place: Path) -> None:
        self.name, self.place = name, str(place)
        self.transcript = Path(calls.transcript_path(name, SESSION, self.place))
        self.transcript.parent.mkdir(parents=True, exist_ok=True)
        rows = "".join(json.dumps(row) + "\n" for row in TRANSCRIPTS.get(name, ()))
        self.transcript.write_bytes(rows.encode() or calls.transcript(name, "before", SESSION))
        workspace = Workspace(self.place).establish()
        drafts.write(workspace, RICH, name, SESSION)
        drafts.approve(workspace)
        workspace.close()

    def say(self, step: Step, **more: Any) -> Any:
        given = json.loads(calls.payload(self.name, step, SESSION, self.place) or "{}")
        env = {name: value for name, value in os.environ.items() if not name.startswith(("CLAUDE", "ANTHR"))}
        told = {"HOME": self.place, "SEGUE_BOUNDARY_MAINTENANCE": "no", "SEGUE_WORKSPACE": self.place}
        told["XDG_CONFIG_HOME"] = os.path.dirname(user_folder())
        ran = subprocess.run(
            [sys.executable, "-m", "segue", "hook", self.name, step.event],
            input=json.dumps({**given, **more}),
            capture_output=True,
            text=True,
            cwd=self.place,
            env={**env, **told, **calls.environment(self.name, self.place)},
            check=True,
            timeout=60,
        )
        assert ran.stderr == ""
        return json.loads(self.normal(ran.stdout)) if ran.stdout else None

    def normal(self, text: str) -> str:
        text = text.replace(self.place, "/project").replace(shlex.join(program()), "segue")
        return re.sub(r'sha256=\\"[0-9a-f]{16}\\"', r'sha256=\\"0123456789abcdef\\"', text)

    def filled(self, percent: int) -> dict[str, Any]:
        """Tells the host's own way how full the context is; what is not in the transcript goes into the payload."""
        tokens = 2_000 * percent
        usage: dict[str, dict[str, Any]] = {
            "claude-code": {
                "type": "assistant",
                "sessionId": SESSION,
                "message": {"role": "assistant", "content": [], "usage": {"input_tokens": tokens}},
            },
            "codex": {
                "type": "event_msg",
                "payload": {
                    "type": "token_count",
                    "info": {
                        "last_token_usage": {"total_tokens": tokens},
                        "model_context_window": 200_000,
                    },
                },
            },
            "gemini-cli": {"id": "u", "type": "gemini", "content": "", "tokens": {"input": 5_000 * percent}},
            "copilot-cli": {
                "type": "session.usage_record",
                "data": {"inputTokens": tokens, "maxPromptTokens": 200_000},
            },
        }
        if self.name == "pi":
            return {"usage": {"tokens": tokens, "window": 200_000}}
        with self.transcript.open("a") as file:
            file.write(json.dumps(usage[self.name]) + "\n")
        return {}


def started(host: Host) -> list[tuple[str, Any]]:
    """A session that begins with an approved handoff, and goes on with nothing to say."""
    events = sorted(host_of(host.name).events, key=list(host_of(host.name).events).index)
    crossing = {"before_compaction", "after_compaction"}
    kinds = host_of(host.name).events
    return [(event, host.say(Step(event))) for event in events if kinds[event] not in crossing]


def begun(host: Host) -> None:
    """The session has its first handoff behind it."""
    host.say(Step(next(iter(host_of(host.name).events))))
    if host_of(host.name).forgets_start:
        host.say(Step(PROMPTS[host.name]))


def compacted(host: Host) -> list[tuple[str, Any]]:
    """A compaction, from the call before it to the one that hands the handoff over."""
    begun(host)
    workspace = Workspace(host.place)
    drafts.write(workspace, RICH.replace("Ported", "Moved"), host.name, SESSION)
    drafts.approve(workspace)
    workspace.close()
    said = []
    for step in host_of(host.name).compaction_steps:
        if step.late:
            with host.transcript.open("ab") as file:
                file.write(calls.transcript(host.name, "compacted", SESSION))
        said.append((step.event, host.say(step)))
    return said


def filled(host: Host, percent: int) -> list[tuple[str, Any]]:
    event = PROMPTS[host.name]
    begun(host)
    return [(event, host.say(Step(event), **host.filled(percent)))]


STORIES = {
    "starts": started,
    "compacts": compacted,
    "warning": lambda host: filled(host, 71 if host.name == "copilot-cli" else 85),
    "due": lambda host: filled(host, 76 if host.name == "copilot-cli" else 92),
}


def told(name: str, tmp_path: Path) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for story, tell in STORIES.items():
        if story in ("warning", "due") and name not in PROMPTS:
            continue
        place = tmp_path / str(len(found))
        place.mkdir()
        said = tell(Host(name, place))
        spoken = {event: reply for event, reply in said if reply is not None}
        found[story] = {**spoken, "silent": [event for event, reply in said if event not in spoken]}
    return found


@pytest.mark.parametrize("name", sorted(HOSTS))
def test_every_host_is_given_exactly_this(name: str, tmp_path: Path, golden: Golden) -> None:
    found = told(name, tmp_path)
    assert {"starts", "compacts"} <= set(found)
    golden(GOLDEN / f"{name}.json", json.dumps(found, indent=1, sort_keys=True, ensure_ascii=False) + "\n")


def test_the_golden_replies_are_of_the_hosts_there_are() -> None:
    assert sorted(path.name for path in GOLDEN.iterdir()) == sorted(f"{host}.json" for host in HOSTS)
