"""OpenCode as a host: a plugin of ours inside it, which brings the MCP server along and tells the session, and a command."""

from __future__ import annotations

import os

from segue.agents.host import DRAFTING, MODEL, PACKET, Env, File, Host, Integration, Launch, Step, plain
from segue.model import moment as m


def _integration(base: str, project: bool, env: Env) -> Integration:
    root = os.path.join(base, ".opencode") if project else os.path.join(base, ".config", "opencode")
    command = File(os.path.join(root, "commands", "handoff.md"), "command.md", "opencode", DRAFTING)
    plugin = File(os.path.join(root, "plugins", "segue.js"), "plugin.js")
    return Integration(files=(plugin, command), plugin_serves=True)


HOST = Host(
    "opencode",
    marks=("OPENCODE", "SEGUE_OPENCODE_SESSION"),
    session_variable="SEGUE_OPENCODE_SESSION",
    launch=Launch((MODEL, "--prompt", PACKET), ("run", MODEL)),
    tried_version="1.18.33",
    integration=_integration,
    draft_hint="The tool `segue_draft_write` of the MCP server `segue` takes it, too; the person can ask for it with `/handoff`.",
    events={
        "chat.message": m.PROMPT,
        "session.compacting": m.BEFORE,
        "session.compacted": m.AFTER,
        "messages.transform": m.PROMPT,
    },
    reply=plain,
    compaction_steps=(Step("session.compacting"), Step("session.compacted"), Step("messages.transform")),
)
