"""When an agent compacts by itself, as its own settings say, in the share that segue measures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from segue.agents.claude_code.host import model_window
from segue.agents.host import Trigger
from segue.agents.registry import host_of

CLAUDE, PI = ".claude/settings.json", ".pi/agent/settings.json"


def trigger(agent: str, home: Path, root: Path, env: dict[str, str]) -> Trigger | None:
    find = host_of(agent).compacts_at
    return find(str(home), str(root), env) if find else None


def settled(home: Path, files: dict[str, Any]) -> None:
    for name, value in files.items():
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(value if isinstance(value, str) else json.dumps(value))


@pytest.mark.parametrize(
    ("files", "env", "percent"),
    [
        ({}, {}, None),
        ({}, {"CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": "70"}, 70),
        ({CLAUDE: {"env": {"CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": "60"}}}, {}, 60),
        ({CLAUDE: {"autoCompactWindow": 100_000}}, {}, 33),
        ({CLAUDE: {"autoCompactWindow": "100k", "model": "sonnet[1m]"}}, {}, 6),
        ({CLAUDE: {"autoCompactWindow": "1M", "model": "sonnet[1m]"}}, {}, 96),
        ({}, {"CLAUDE_CODE_AUTO_COMPACT_WINDOW": "150000"}, 58),
        ({CLAUDE: {"autoCompactWindow": 100_000, "autoCompactEnabled": False}}, {}, None),
        ({CLAUDE: {"autoCompactWindow": 100_000}}, {"DISABLE_AUTO_COMPACT": "1"}, None),
        ({CLAUDE: {"autoCompactWindow": {"odd": 1}}}, {}, None),
        ({CLAUDE: "not json"}, {}, None),
    ],
)
def test_claude_code_compacts_where_its_settings_say(
    tmp_path: Path, files: dict[str, Any], env: dict[str, str], percent: int | None
) -> None:
    settled(tmp_path, files)
    found = trigger("claude-code", tmp_path, tmp_path / "project", env)
    assert (found.percent if found else None) == percent


@pytest.mark.parametrize(
    ("config", "told", "percent"),
    [
        ("model_auto_compact_token_limit = 152000\nmodel_context_window = 200000\n", 0, 80),
        ("model_auto_compact_token_limit = 152000\n", 190_000, 80),
        ("model_auto_compact_token_limit = 152000\n", 0, None),
        ("model_context_window = 200000\n", 190_000, None),
        ("model_auto_compact_token_limit = 'many'\n", 190_000, None),
    ],
)
def test_codex_compacts_at_its_limit_of_the_window_it_reports(
    tmp_path: Path, config: str, told: int, percent: int | None
) -> None:
    line = {"type": "event_msg", "payload": {"info": {"model_context_window": told}}}
    rollouts = {".codex/sessions/2026/01/02/rollout-1.jsonl": json.dumps(line, separators=(",", ":"))}
    settled(tmp_path, {".codex/config.toml": config, **(rollouts if told else {})})
    found = trigger("codex", tmp_path, tmp_path, {})
    assert (found.percent if found else None) == percent


MODELS = {"providers": {"stub": {"models": [{"id": "small", "contextWindow": 64_000}]}}}


@pytest.mark.parametrize(
    ("files", "percent"),
    [
        ({}, 91),
        ({PI: {"compaction": {"reserveTokens": 50_000}}}, 75),
        ({PI: {"defaultModel": "small"}, ".pi/agent/models.json": MODELS}, 74),
        ({PI: {"compaction": {"enabled": False}}}, None),
        ({PI: {"compaction": {"reserveTokens": 900_000}}}, None),
    ],
)
def test_pi_compacts_when_its_reserve_is_all_that_is_left(
    tmp_path: Path, files: dict[str, Any], percent: int | None
) -> None:
    settled(tmp_path, files)
    found = trigger("pi", tmp_path, tmp_path / "project", {})
    assert (found.percent if found else None) == percent


def test_gemini_is_measured_against_its_own_threshold(tmp_path: Path) -> None:
    found = trigger("gemini-cli", tmp_path, tmp_path, {})
    assert found and found.percent == 100


@pytest.mark.parametrize(
    ("model", "env", "window"),
    [
        ("claude-opus-4-6[1m]", {}, 1_000_000),
        ("claude-sonnet-4-5", {}, 200_000),
        ("claude-sonnet-4-5", {"ANTHROPIC_MODEL": "claude-sonnet-4-5[1m]"}, 1_000_000),
    ],
)
def test_the_name_of_claude_codes_model_tells_its_window(
    tmp_path: Path, model: str, env: dict[str, str], window: int
) -> None:
    settled(tmp_path, {CLAUDE: {"model": model}})
    assert model_window(str(tmp_path), str(tmp_path / "project"), env) == window
