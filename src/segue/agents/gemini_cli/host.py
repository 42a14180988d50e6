"""Gemini CLI as a host: hooks and an MCP server in its settings, and a command.

It calls PreCompress before every request, compression or not, and announces no automatic one: its transcript tells of
real ones. Gemini CLI renames two commands of one name, whether files, skills or prompts of a server: so ours has a name of
its own, and a prompt is not offered beside a skill of its name. It tells its session to hooks alone.
"""

from __future__ import annotations

import os

from segue.agents import host
from segue.agents.settings_files import json_object, mapping, nearest, record, total
from segue.model import moment as m

_SNAPSHOT = b"<state_snapshot>"
_REWRITE = b'{"$set":{"messages":'
_COMPACTS_AT = host.Trigger(100, "model.compressionThreshold in .gemini/settings.json")
"""Its usage is measured against the share it compresses at, so that is the whole."""


def _integration(base: str, project: bool, env: host.Env) -> host.Integration:
    root = os.path.join(base, ".gemini")
    path = os.path.join(root, "commands", "segue", "handoff.toml")
    command = host.File(path, "command.toml", "gemini-cli", host.DRAFTING, clashes=True)
    settings = host.Settings(os.path.join(root, "settings.json"), hooks=True, timeout=30_000, server=True)
    note = "Gemini CLI reads the settings of a project only once you trust its folder." if project else ""
    return host.Integration((settings,), (command,), note)


def _hook_entry(event: str, entry: host.Row) -> host.Row:
    matcher: host.Row = {"matcher": "manual"} if event == "PreCompress" else {}
    return {**matcher, "hooks": [{**entry, "name": f"segue-{event}"}]}


def _usage(line: bytes) -> host.Usage | None:
    used = total(record(line).get("tokens"), "input") if b'"tokens"' in line else 0
    return (used, 0) if used else None


def _window(home: str, root: str, env: host.Env) -> int:
    """It compresses at a share of the model's window: so low that its usage is measured against it."""
    for base in (root, home):
        model = mapping(json_object(base, ".gemini", "settings.json").get("model"))
        share = model.get("compressionThreshold")
        if isinstance(share, (int, float)) and 0 < share <= 1:
            return int(host.LARGE_WINDOW * share)
    return host.LARGE_WINDOW // 2


def _compacted_anew(data: bytes, before: bytes) -> bool:
    """It rewrites its messages at every resume as well, so only a snapshot whose message was not in the file before tells
    of a compression."""
    ids = [
        message.get("id")
        for line in data.split(b"\n")
        if line.startswith(_REWRITE) and _SNAPSHOT in line
        for message in map(mapping, record(line)["$set"]["messages"])
        if _SNAPSHOT.decode() in str(message.get("content"))
    ]
    return any(f'"id":"{one}"'.encode() not in before for one in ids)


def _trusts(root: str, home: str, env: host.Env) -> bool:
    place = os.path.join(home, ".gemini")
    security = mapping(json_object(place, "settings.json").get("security"))
    if mapping(security.get("folderTrust")).get("enabled") is False:
        return True
    if env.get("GEMINI_CLI_TRUST_WORKSPACE", "").lower() == "true":
        return True
    levels = {
        os.path.dirname(at) if level == "TRUST_PARENT" else at: level
        for at, level in json_object(place, "trustedFolders.json").items()
    }
    return nearest(levels, root) in ("TRUST_FOLDER", "TRUST_PARENT")


HOST = host.Host(
    "gemini",
    marks=("GEMINI_CLI", "GEMINI_SESSION_ID"),
    launch=host.Launch(("-i", host.PACKET), ("-p", "Continue from this handoff.")),
    tried_version="0.61.0",
    integration=_integration,
    hook_entry=_hook_entry,
    skill_folders=(".agents/skills", ".gemini/skills"),
    draft_hint="The tool `segue_draft_write` of the MCP server `segue` takes it, too; the person can ask for it with `/segue:handoff`.",
    events={
        "SessionStart": m.START,
        "BeforeAgent": m.PROMPT,
        "AfterTool": m.TOOL,
        "PreCompress": m.BEFORE,
        "AfterAgent": m.STOP,
        "SessionEnd": m.END,
    },
    compaction_steps=(host.Step("BeforeAgent"), host.Step("BeforeAgent", late=True)),
    unannounced_compaction=True,
    late_transcript=True,
    forgets_start=True,
    owner=lambda row: row.get("sessionId"),
    short_id=8,
    usage=_usage,
    window=_window,
    compaction_sign=_SNAPSHOT,
    is_new_compaction=_compacted_anew,
    compacts_at=lambda home, root, env: _COMPACTS_AT,
    trusts_project=_trusts,
)
