"""`segue doctor` proves what is installed by running it, and says what is in the way."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from segue.agents import integrations
from segue.handoff.headings import DOCUMENT
from segue.model.frame import REPLAYED
from segue.service import boundary_health, documents, drafts, install
from segue.service.workspace import Workspace

RICH = "\n".join(
    f"## {name}\n\n- Ported the retry loop in uploader.py; `pytest -q` printed 4 passed [#19].\n"
    for name in DOCUMENT
)


def named(workspace: Workspace, start: str) -> list[dict[str, Any]]:
    return [check for check in boundary_health.checks(workspace) if check["check"].startswith(start)]


@pytest.mark.parametrize("agent", integrations.agents())
def test_every_installed_hook_is_run_and_the_text_shown(workspace: Workspace, agent: str) -> None:
    drafts.write(workspace, RICH)
    drafts.approve(workspace)
    install.install(workspace, [agent], project=False)
    (proven,) = named(workspace, f"integration {agent}")
    assert proven["ok"], proven
    assert proven["text"].startswith("<segue-handoff") and "Ported the retry loop" in proven["text"]
    assert not [f for h in workspace.log.heads() for f in workspace.log.read(h.stream_id, types=(REPLAYED,))]


def test_a_program_that_is_gone_is_found(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace.establish()
    monkeypatch.setattr(install, "program", lambda: ["/no/longer/here/segue"])
    install.install(workspace, ["claude-code"], project=True)
    (found,) = named(workspace, "integration claude-code (project)")
    assert not found["ok"] and "/no/longer/here/segue" in found["message"] and "--project" in found["hint"]


def test_entries_somebody_deleted_are_missed(workspace: Workspace, home: Path) -> None:
    workspace.establish()
    install.install(workspace, ["claude-code"], project=False)
    (home / ".claude" / "settings.json").write_text("{}")
    (found,) = named(workspace, "integration")
    assert not found["ok"] and "not in the agent's settings" in found["message"]


def test_codex_hooks_that_wait_for_review_are_named(workspace: Workspace, home: Path) -> None:
    workspace.establish()
    install.install(workspace, ["codex"], project=False)
    (found,) = named(workspace, "trust")
    assert not found["ok"] and "PreCompact" in found["message"]
    path = os.path.realpath(home / ".codex" / "hooks.json")
    names = [
        "session_start",
        "user_prompt_submit",
        "post_tool_use",
        "pre_compact",
        "post_compact",
        "stop",
        "session_end",
    ]
    state = "\n".join(
        f"[hooks.state.{json.dumps(f'{path}:{n}:0:0')}]\ntrusted_hash = 'sha256:0'" for n in names
    )
    (home / ".codex" / "config.toml").write_text(state)
    assert named(workspace, "trust") == []


@pytest.mark.parametrize(
    ("agent", "file", "text"),
    [
        ("claude-code", ".claude/settings.json", '{"env": {"CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": "70"}}'),
        (
            "codex",
            ".codex/config.toml",
            "model_context_window = 100000\nmodel_auto_compact_token_limit = 70000\n",
        ),
    ],
)
def test_a_warning_that_comes_after_the_agents_own_trigger_is_told(
    workspace: Workspace, home: Path, agent: str, file: str, text: str
) -> None:
    workspace.establish()
    (home / file).parent.mkdir()
    (home / file).write_text(text)
    install.install(workspace, [agent], project=False)
    (found,) = named(workspace, "thresholds")
    assert "this agent compacts at 70 %" in found["message"] and file in found["hint"]
    Path(workspace.folder, "config.json").write_text(
        '{"boundary": {"checkpoint_warning_percent": 60, "rearm_percent": 50}}'
    )
    assert named(Workspace(workspace.root), "thresholds") == []


def test_a_handoff_nobody_renewed_for_weeks_is_stale(workspace: Workspace) -> None:
    documents.write(workspace, RICH, documents.About(rich=True, written_ms=1))
    (found,) = named(workspace, "handoff")
    assert not found["ok"] and "rich" in found["message"]
