"""pi as a host: an extension of ours inside it, and an MCP server in its settings."""

from __future__ import annotations

import os

from segue.agents import host
from segue.agents.settings_files import folder, json_object, mapping, nearest
from segue.model import moment as m

_RESERVE = 16_384


def _folder(home: str, env: host.Env) -> str:
    return folder(home, False, env, "PI_CODING_AGENT_DIR", os.path.join(".pi", "agent"))


def _integration(base: str, project: bool, env: host.Env) -> host.Integration:
    root = os.path.join(base, ".pi") if project else _folder(base, env)
    extension = host.File(os.path.join(root, "extensions", "segue.ts"), "extension.ts")
    note = "pi loads what a project brings along only once you trust the project." if project else ""
    return host.Integration((host.Settings(os.path.join(root, "mcp.json"), server=True),), (extension,), note)


def _compacts_at(home: str, root: str, env: host.Env) -> host.Trigger | None:
    """pi compacts when fewer tokens than its reserve are left of the model's window."""
    place = _folder(home, env)
    files = [os.path.join(root, ".pi", "settings.json"), os.path.join(place, "settings.json")]
    given = {path: mapping(json_object(path).get("compaction")) for path in files}
    if any(told.get("enabled") is False for told in given.values()):
        return None
    named = [(told["reserveTokens"], path) for path, told in given.items() if "reserveTokens" in told]
    reserve, where = named[0] if named else (_RESERVE, files[1])
    window = _model_window(place, files)
    if not isinstance(reserve, int) or not 0 <= reserve < window:
        return None
    return host.Trigger((window - reserve) * 100 // window, where)


def _model_window(place: str, settings: list[str]) -> int:
    """The window of the model that pi is set to, where its own list of models tells."""
    model = next((told for path in settings if (told := json_object(path).get("defaultModel"))), "")
    for provider in mapping(json_object(place, "models.json").get("providers")).values():
        rows = mapping(provider).get("models")
        for row in rows if isinstance(rows, list) else []:
            window = mapping(row).get("contextWindow")
            if mapping(row).get("id") == model and isinstance(window, int) and window > 0:
                return window
    return host.WINDOW


def _trusts(root: str, home: str, env: host.Env) -> bool:
    place = _folder(home, env)
    decided = nearest(json_object(place, "trust.json"), root)
    otherwise = json_object(place, "settings.json").get("defaultProjectTrust")
    return otherwise == "always" if decided is None else decided is True


HOST = host.Host(
    "pi",
    marks=("PI_CODING_AGENT", "PI_SESSION_ID"),
    session_variable="PI_SESSION_ID",
    launch=host.Launch((host.MODEL, host.PACKET), ("-p", host.MODEL)),
    tried_version="1.5.0",
    oldest_version="0.73.1",
    integration=_integration,
    server={"command": "", "args": [], "exposure": "direct"},
    draft_hint="The tool `segue_draft_write` of the MCP server `segue` takes it, too, where it is connected.",
    events={
        "session_start": m.START,
        "before_agent_start": m.PROMPT,
        "turn_end": m.TOOL,
        "session_before_compact": m.BEFORE,
        "session_compact": m.AFTER,
        "session_shutdown": m.END,
    },
    reply=host.plain,
    injects_after_compaction=True,
    compaction_steps=(host.Step("session_before_compact"), host.Step("session_compact")),
    owner=lambda row: row.get("id") if row.get("type") == "session" else None,
    compacts_at=_compacts_at,
    trusts_project=_trusts,
)
