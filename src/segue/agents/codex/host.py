"""Codex as a host: hooks that a person accepts one by one, a shared skill, and an MCP server in its TOML settings."""

from __future__ import annotations

import os

from segue.agents import host
from segue.agents.settings_files import folder, mapping, nearest, record, toml, total
from segue.model.moment import Cap, utf8

_STRETCH = 512 * 1024
_NOTE = 'Codex runs new hooks only after you accept them: start `codex` and answer "Hooks need review".'


def config(home: str, env: host.Env) -> str:
    """Where Codex keeps its settings."""
    return os.path.join(folder(home, False, env, "CODEX_HOME", ".codex"), "config.toml")


def _integration(base: str, project: bool, env: host.Env) -> host.Integration:
    root = folder(base, project, env, "CODEX_HOME", ".codex")
    skill = host.File(os.path.join(base, host.SKILL), "skill.md", sign=host.DRAFTING)
    hooks = host.Settings(os.path.join(root, "hooks.json"), hooks=True, timeout=30)
    server = host.Settings(os.path.join(root, "config.toml"), server=True)
    return host.Integration((hooks, server), (skill,), _NOTE)


def _hook_entry(event: str, entry: host.Row) -> host.Row:
    """Codex gives the end of a session three seconds; more makes it warn at every start."""
    return {"hooks": [{**entry, "timeout": 3} if event == "SessionEnd" else entry]}


def _owner(row: host.Row) -> object:
    """The thread's own id: `session_id` is that of the session which started a subagent's thread."""
    return mapping(row.get("payload")).get("id") if row.get("type") == "session_meta" else None


def _usage(line: bytes) -> host.Usage | None:
    if b"token_count" not in line:
        return None
    info = mapping(mapping(record(line).get("payload")).get("info"))
    told = info.get("last_token_usage")
    used = total(told, "total_tokens") or total(told, "input_tokens")
    return (used, total(info, "model_context_window")) if used else None


def _compacts_at(home: str, root: str, env: host.Env) -> host.Trigger | None:
    path = config(home, env)
    settings = toml(path)
    limit, window = settings.get("model_auto_compact_token_limit"), settings.get("model_context_window")
    # Codex reports 95 % of the configured window, and that is what its usage is measured against.
    whole = window * 95 // 100 if isinstance(window, int) else _told_window(os.path.dirname(path))
    if not isinstance(limit, int) or not 0 < limit <= whole:
        return None
    return host.Trigger(limit * 100 // whole, path)


def _told_window(place: str) -> int:
    """The window Codex told of in its newest session; 0 where it told of none."""
    place = os.path.join(place, "sessions")
    for _ in range(4):  # year, month, day, file
        names = sorted(os.listdir(place)) if os.path.isdir(place) else []
        if not names:
            break
        place = os.path.join(place, names[-1])
    try:
        with open(place, "rb") as file:
            file.seek(max(0, os.path.getsize(place) - _STRETCH))
            told = file.read().rpartition(b'"model_context_window":')[2]
    except OSError:
        return 0
    digits = told[:20].strip().split(b",")[0].rstrip(b"}")
    return int(digits) if digits.isdigit() else 0


def _trusts(root: str, home: str, env: host.Env) -> bool:
    projects = mapping(toml(config(home, env)).get("projects"))
    return bool(
        nearest({at: mapping(row).get("trust_level") for at, row in projects.items()}, root) == "trusted"
    )


def _unaccepted(path: str, home: str, env: host.Env) -> dict[str, str]:
    from segue.agents.codex.hook_trust import untrusted

    return untrusted(path, config(home, env))


HOST = host.Host(
    "codex",
    marks=("CODEX_THREAD_ID", "CODEX_CI"),
    session_variable="CODEX_THREAD_ID",
    call_session="threadId",
    launch=host.Launch((host.MODEL, host.PACKET), ("exec", host.MODEL, "-")),
    tried_version="0.166.0",
    integration=_integration,
    hook_entry=_hook_entry,
    draft_hint="The tool `segue_draft_write` of the MCP server `segue` takes it, too; your `handoff` skill says more.",
    events=host.CLAUDE_EVENTS,
    cap=Cap(9_600, utf8),  # of 2,500 tokens, which it counts as four bytes each
    compaction_steps=(
        host.Step("PreCompact"),
        host.Step("PostCompact"),
        host.Step("SessionStart", "compact"),
    ),
    owner=_owner,
    usage=_usage,
    compaction_sign=b'"type":"compacted"',
    compacts_at=_compacts_at,
    trusts_project=_trusts,
    unaccepted_hooks=_unaccepted,
    accept_hint='Start `codex` in a terminal and answer "Hooks need review".',
)
