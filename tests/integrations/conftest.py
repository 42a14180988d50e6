"""A home and a project of their own for every test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from segue.service.workspace import Workspace


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("XDG_CONFIG_HOME", "CODEX_HOME", "CLAUDE_CONFIG_DIR", "COPILOT_HOME", "PI_CODING_AGENT_DIR"):
        monkeypatch.delenv(name, raising=False)
    made = tmp_path / "home"
    made.mkdir()
    monkeypatch.setenv("HOME", str(made))
    return made


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    (tmp_path / "project" / ".git").mkdir(parents=True)
    opened = Workspace(str(tmp_path / "project"))
    yield opened
    opened.close()
