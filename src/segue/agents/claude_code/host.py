"""Claude Code as a host: hooks in its settings, a skill, and an MCP server in its state."""

from __future__ import annotations

import os

from segue.agents import host
from segue.agents.settings_files import folder, json_object, mapping, record, total
from segue.model.moment import Cap, utf16

_RESERVE = 33_000
"""Tokens below an explicit window at which it compacts: `--autocompact 100k` does at 67,000."""
_OFF = ("", "0", "false", "no")


def _integration(base: str, project: bool, env: host.Env) -> host.Integration:
    root = folder(base, project, env, "CLAUDE_CONFIG_DIR", ".claude")
    state = os.path.join(env.get("CLAUDE_CONFIG_DIR") or base, ".claude.json")
    servers = os.path.join(base, ".mcp.json") if project else state
    skill = os.path.join(root, "skills", "handoff", "SKILL.md")
    settings = host.Settings(os.path.join(root, "settings.json"), hooks=True, timeout=30)
    return host.Integration(
        (settings, host.Settings(servers, server=True)),
        (host.File(skill, "skill.md", "claude-code", host.DRAFTING),),
    )


def _usage(line: bytes) -> host.Usage | None:
    if b'"usage"' not in line or b'"assistant"' not in line:
        return None
    told = record(line)
    message = mapping(told.get("message"))
    names = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
    used = 0 if told.get("isSidechain") else total(message.get("usage"), *names)
    return (used, host.LARGE_WINDOW if "[1m]" in str(message.get("model")) else 0) if used else None


def model_window(home: str, root: str, env: host.Env) -> int:
    """The context window of the model that Claude Code is set to: a name with `[1m]` means a million tokens."""
    named = _setting("ANTHROPIC_MODEL", "model", home, root, env)
    return host.LARGE_WINDOW if named and "[1m]" in str(named[0]).lower() else host.WINDOW


def _window(home: str, root: str, env: host.Env) -> int:
    window = model_window(home, root, env)
    return window if window == host.LARGE_WINDOW else 0


def _compacts_at(home: str, root: str, env: host.Env) -> host.Trigger | None:
    def setting(variable: str, key: str = "") -> tuple[object, str] | None:
        return _setting(variable, key, home, root, env)

    for off in (setting("DISABLE_COMPACT"), setting("DISABLE_AUTO_COMPACT")):
        if off and str(off[0]).lower() not in _OFF:
            return None
    enabled = setting("", "autoCompactEnabled")
    if enabled and enabled[0] is False:
        return None
    whole = model_window(home, root, env)
    share = setting("CLAUDE_AUTOCOMPACT_PCT_OVERRIDE")
    limit = setting("CLAUDE_CODE_AUTO_COMPACT_WINDOW", "autoCompactWindow")
    percent = _tokens(share[0]) if share else 0
    window = min(_tokens(limit[0]), whole) if limit else 0
    if share and 0 < percent <= 100:
        return host.Trigger(percent * (window or whole) // whole, share[1])
    if limit and window > _RESERVE:
        return host.Trigger((window - _RESERVE) * 100 // whole, limit[1])
    return None


def _setting(variable: str, key: str, home: str, root: str, env: host.Env) -> tuple[object, str] | None:
    """A setting and where it stands: a variable, else the nearest of the settings files, which may set variables, too."""
    if env.get(variable):
        return env[variable], variable
    user, own = env.get("CLAUDE_CONFIG_DIR") or os.path.join(home, ".claude"), os.path.join(root, ".claude")
    for place, name in ((own, "settings.local.json"), (own, "settings.json"), (user, "settings.json")):
        settings = json_object(place, name)
        for given, what in ((mapping(settings.get("env")), variable), (settings, key)):
            if given.get(what) is not None:
                return given[what], os.path.join(place, name)
    return None


def _tokens(value: object) -> int:
    """A number of tokens as people write it: 100000, 100k, 1M; 0 for what is none."""
    text = str(value).strip().lower()
    unit = {"k": 1_000, "m": 1_000_000}.get(text[-1:], 1)
    number = text.rstrip("km")
    return int(number) * unit if number.isdigit() else 0


HOST = host.Host(
    "claude",
    marks=("CLAUDECODE", "CLAUDE_CODE_SESSION_ID"),
    session_variable="CLAUDE_CODE_SESSION_ID",
    launch=host.Launch((host.MODEL, host.PACKET), ("-p", host.MODEL)),
    tried_version="2.1.325",
    integration=_integration,
    server={"type": "stdio"},
    draft_hint="The tool `segue_draft_write` of the MCP server `segue` takes it, too; your `handoff` skill says more.",
    events=host.CLAUDE_EVENTS,
    cap=Cap(9_800, utf16),  # of 10,000
    compaction_steps=(host.Step("PreCompact"), host.Step("SessionStart", "compact")),
    owner=lambda row: row.get("sessionId"),
    owner_last=True,
    usage=_usage,
    window=_window,
    compaction_sign=b'"compact_boundary"',
    compacts_at=_compacts_at,
)
