"""GitHub Copilot CLI as a host: a file of hooks, a shared skill, and an MCP server for a person only.

It reads flat replies alone, and names the transcript in two of its events only.
"""

from __future__ import annotations

import json
import os

from segue.agents import host
from segue.agents.settings_files import folder, json_object, mapping, nearest, record, total
from segue.model import moment as m

_NOTE = (
    "Copilot CLI runs the hooks of a project only once you trust its folder, and takes an MCP server for a person only: "
    "add --user for that."
)
_EVENTS = {
    "sessionStart": m.START,
    "userPromptSubmitted": m.PROMPT,
    "postToolUse": m.TOOL,
    "preCompact": m.BEFORE,
    "agentStop": m.STOP,
    "sessionEnd": m.END,
}


def _folder(home: str, env: host.Env) -> str:
    return folder(home, False, env, "COPILOT_HOME", ".copilot")


def _integration(base: str, project: bool, env: host.Env) -> host.Integration:
    root = os.path.join(base, ".github") if project else _folder(base, env)
    hooks = host.File(os.path.join(root, "hooks", "segue.json"), sign=b" hook copilot-cli ", text=_hooks)
    skill = host.File(os.path.join(base, host.SKILL), "skill.md", sign=host.DRAFTING)
    if project:
        return host.Integration((), (hooks, skill), _NOTE)
    server = host.Settings(os.path.join(root, "mcp-config.json"), server=True)
    return host.Integration((server,), (hooks, skill))


def _hooks(command: str) -> str:
    entries = {
        event: [{"type": "command", "bash": f"{command} hook copilot-cli {event}", "timeoutSec": 30}]
        for event in _EVENTS
    }
    return json.dumps({"version": 1, "hooks": entries}, indent=2) + "\n"


def _transcript(session_id: str, env: host.Env) -> str:
    if os.sep in session_id:
        return ""
    return os.path.join(_folder(os.path.expanduser("~"), env), "session-state", session_id, "events.jsonl")


def _owner(row: host.Row) -> object:
    return mapping(row.get("data")).get("sessionId") if row.get("type") == "session.start" else None


def _usage(line: bytes) -> host.Usage | None:
    if b"session.usage_record" not in line and b"session.compaction_start" not in line:
        return None
    data = mapping(record(line).get("data"))
    usage = data.get("usage", data)
    used = total(usage, "inputTokens") or total(usage, "currentTokens")
    return (used, total(usage, "maxPromptTokens") or total(usage, "tokenLimit")) if used else None


def _trusts(root: str, home: str, env: host.Env) -> bool:
    config = json_object(_folder(home, env), "config.json")
    places = config.get("trustedFolders") or config.get("trusted_folders") or []
    return bool(nearest({str(place): True for place in places if isinstance(places, list)}, root))


HOST = host.Host(
    "copilot",
    marks=("COPILOT_CLI", "COPILOT_AGENT_SESSION_ID"),
    session_variable="COPILOT_AGENT_SESSION_ID",
    launch=host.Launch(("-i", host.PACKET)),
    tried_version="1.0.102",
    integration=_integration,
    server={"type": "local", "command": "", "args": [], "tools": ["*"]},
    draft_hint="The tool `segue_draft_write` of the MCP server `segue` takes it, too, where it is connected; your `handoff` skill says more.",
    events=_EVENTS,
    reply=lambda event, reply, injects: (
        {"additionalContext": reply.inject} if reply.inject and injects else None
    ),
    transcript=_transcript,
    home_variable="COPILOT_HOME",
    compaction_steps=(host.Step("preCompact"), host.Step("userPromptSubmitted", late=True)),
    late_transcript=True,
    forgets_start=True,
    owner=_owner,
    usage=_usage,
    compaction_sign=b'"session.compaction_complete"',
    compacts_above=78,
    trusts_project=_trusts,
)
