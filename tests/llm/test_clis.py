"""The agents' programs by name. What the real ones do when called so is shown by the suite of real clients."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from segue.errors import BadInput, Unavailable
from segue.llm.clis import CLIS
from segue.llm.registry import NAMED, model

STAND_IN = """#!/bin/sh
case "$*" in
  *--help*) echo '@HELP@' ;;
  "features list") printf '%s\\n' 'hooks stable true' 'shell_tool stable true' ;;
  *) printf '%s\\n' "$@" > '@SEEN@'; env > '@SEEN@.env'; cat > '@SEEN@.prompt'; echo '@ANSWER@' ;;
esac
"""


@pytest.fixture
def seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where stand-ins for all the programs, first in the PATH, write how they were called."""
    place = tmp_path / "bin"
    place.mkdir()
    for cli in CLIS.values():
        install(place, cli.words[0], " ".join(cli.needs), tmp_path / "seen")
    monkeypatch.setenv("PATH", f"{place}:{os.environ['PATH']}")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return tmp_path / "seen"


def install(place: Path, name: str, options: str, seen: Path) -> None:
    answer = CLIS[name].answer
    body = STAND_IN.replace("@HELP@", options).replace("@SEEN@", str(seen))
    body = body.replace("@ANSWER@", json.dumps({answer: "written"}) if answer else "written")
    (place / name).write_text(body)
    (place / name).chmod(0o755)


@pytest.mark.parametrize("name", CLIS)
def test_a_program_is_called_by_its_name_and_its_text_is_taken(name: str, seen: Path) -> None:
    assert model(f"{name}:some-model").write("the prompt").strip() == "written"
    assert "some-model" in seen.read_text().split()
    assert (seen.parent / "seen.prompt").read_text().endswith("the prompt")
    assert not any("{" in word and "}" in word for word in seen.read_text().splitlines())


def test_of_its_features_only_those_the_version_has_are_switched_off(seen: Path) -> None:
    model("codex").write("go")
    words = seen.read_text().split()
    assert [words[place + 1] for place, word in enumerate(words) if word == "--disable"] == [
        "hooks",
        "shell_tool",
    ]


def test_a_version_that_cannot_be_kept_pure_is_not_called(seen: Path, tmp_path: Path) -> None:
    install(tmp_path / "bin", "claude", "--tools --strict-mcp-config --no-session-persistence", seen)
    with pytest.raises(Unavailable, match="it has no --safe-mode"):
        model("claude").write("go")
    assert not seen.exists()


def test_a_session_that_asks_is_not_told_to_the_program(seen: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDECODE", "1")
    model("claude").write("go")
    assert "CLAUDECODE" not in (seen.parent / "seen.env").read_text()


def test_an_answer_that_says_it_failed_is_no_text(seen: Path, tmp_path: Path) -> None:
    body = (tmp_path / "bin" / "claude").read_text()
    failed = json.dumps({"result": "Credit balance is too low", "is_error": True})
    (tmp_path / "bin" / "claude").write_text(body.replace(json.dumps({"result": "written"}), failed))
    with pytest.raises(Unavailable, match="claude failed: Credit balance is too low"):
        model("claude").write("go")


def test_the_one_file_that_a_program_leaves_is_removed_and_no_other(seen: Path, tmp_path: Path) -> None:
    chats = tmp_path / "home" / ".gemini" / "tmp" / "project" / "chats"
    chats.mkdir(parents=True)
    (chats / "session-2026-01-01-01234567.jsonl").write_text("somebody's")
    body = (tmp_path / "bin" / "gemini").read_text()
    write = (
        'while [ $# -gt 0 ]; do [ "$1" = --session-id ] && id=$2; shift; done\n'
        f"short=$(echo $id | cut -c1-8); echo \"$id\" > '{chats}'/session-2026-$short.jsonl\n  "
    )
    (tmp_path / "bin" / "gemini").write_text(body.replace('echo \'{"response"', write + 'echo \'{"response"'))
    model("gemini").write("go")
    assert [path.read_text() for path in chats.iterdir()] == ["somebody's"]


@pytest.mark.parametrize("name", ["gpt-9", "command:", *NAMED])
def test_a_name_nobody_has_is_told_with_those_there_are(name: str) -> None:
    with pytest.raises(BadInput) as fault:
        model(name)
    assert "claude, codex, pi" in fault.value.hint and "ollama:NAME" in fault.value.hint
