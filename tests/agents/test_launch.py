"""How agents are started: each with its own words, and with a model where it takes one."""

from __future__ import annotations

from pathlib import Path

import pytest

from segue.agents import launch
from segue.agents.registry import host_of


@pytest.mark.parametrize(
    ("agent", "on_terminal", "words"),
    [
        ("claude-code", True, ["--model", "m", "the packet"]),
        ("claude-code", False, ["-p", "--model", "m"]),
        ("codex", False, ["exec", "--model", "m", "-"]),
        ("pi", False, ["-p", "--model", "m"]),
        ("opencode", False, ["run", "--model", "m"]),
        ("gemini-cli", True, ["-i", "the packet"]),
    ],
)
def test_an_agent_is_told_the_model_where_it_takes_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, agent: str, on_terminal: bool, words: list[str]
) -> None:
    program = tmp_path / host_of(agent).program
    program.touch(mode=0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    started = launch.prepare(agent, "the packet", on_terminal, "m")
    assert started == ([str(program), *words], None if on_terminal else "the packet")
    assert launch.takes_model(agent) == ("m" in words)
    unasked = [word for word in words if word not in ("--model", "m")]
    assert launch.prepare(agent, "the packet", on_terminal).command == [str(program), *unasked]
