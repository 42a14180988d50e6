"""`segue models`: what is here and works, and what may have a private session."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from segue.llm.clis import CLIS
from segue.surfaces.cli import models

from ..llm.scripted import KEY, Scripted, openai_says, serving

Segue = Callable[..., Any]


@pytest.fixture(autouse=True)
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where programs are found: a shell's own, and those a test installs."""
    place = tmp_path / "bin"
    place.mkdir()
    monkeypatch.setenv("PATH", f"{place}:/usr/bin:/bin")
    for name in [*os.environ]:
        if name.startswith(("OPENAI_", "ANTHROPIC_", "OLLAMA_")):
            monkeypatch.delenv(name)
    return place


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[Scripted]:
    with serving(openai_says("ready")) as made:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{made.url}/v1")
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        yield made


def install(place: Path, name: str, options: str) -> None:
    said = f"case $1 in --version) echo {name} 9.1 ;; *) echo '{options}'; echo ready ;; esac"
    (place / name).write_text(f"#!/bin/sh\n{said}\n")
    (place / name).chmod(0o755)


def row(ran: Any, name: str) -> Any:
    return next(row for row in ran.json["models"] if row["name"] == name)


def test_nothing_usable_is_a_no_with_a_hint(segue: Segue) -> None:
    ran = segue("models")
    assert ran.code == 1 and "hint: " in ran.err
    assert "claude          no: claude is not installed here." in ran.out
    assert "openai:NAME     no: OPENAI_API_KEY is not set." in ran.out
    ran = segue("models", "--json")
    assert ran.code == 1
    assert {row["name"].partition(":")[0] for row in ran.json["models"]} == {*CLIS, "openai", "anthropic"}


def test_a_program_is_listed_with_its_version_and_what_it_sends_where(segue: Segue, programs: Path) -> None:
    install(programs, "pi", CLIS["pi"].needs)
    install(programs, "claude", "--tools --strict-mcp-config")
    ran = segue("models", "--json")
    assert ran.code == 0
    assert row(ran, "pi") == {
        "name": "pi",
        "kind": "program",
        "usable": True,
        "destination": "the service that pi is signed in to",
        "allowed": False,
        "version": "pi 9.1",
        "remains": "",
    }
    assert row(ran, "claude")["usable"] is False and "it has no --safe-mode" in row(ran, "claude")["why"]


def test_a_key_is_told_to_be_there_and_never_shown(segue: Segue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    ran = segue("models", "--json")
    assert ran.code == 0 and KEY not in ran.out + ran.err
    assert row(ran, "anthropic:NAME")["key"] is True
    assert row(ran, "anthropic:NAME")["destination"] == "api.anthropic.com"
    assert "key is set" in segue("models").out


def test_nothing_is_asked_unless_it_is_to_be_checked(segue: Segue, service: Scripted) -> None:
    assert segue("models").code == 0
    assert segue("models", "openai:m").code == 0
    assert service.asked == []
    ran = segue("models", "openai:m", "--check", "--json")
    assert ran.code == 0 and ran.json["models"][0]["said"] == "ready"
    assert [asked.body["model"] for asked in service.asked] == ["m"]


def test_a_check_that_fails_is_a_no_with_the_reason(segue: Segue, programs: Path) -> None:
    install(programs, "gemini", CLIS["gemini"].needs)
    ran = segue("models", "gemini", "--check")
    assert ran.code == 1 and ran.out.startswith("gemini  no: gemini failed: ")


def test_a_command_of_ones_own_is_looked_for(segue: Segue) -> None:
    assert segue("models", "command:cat -", "--check").out.startswith(
        "command:cat -  yes: sends to wherever that program"
    )
    assert segue("models", "command:no-such-program").out.endswith(
        "no: no-such-program is not installed here.\n"
    )


def test_what_is_private_is_allowed_beforehand_and_forbidden_again(segue: Segue, programs: Path) -> None:
    install(programs, "pi", CLIS["pi"].needs)
    assert "asks before it gets what is private" in segue("models", "pi").out
    assert segue("models", "pi", "--allow", "--json").json["models"][0]["allowed"] is True
    assert segue("models", "pi", "--forbid", "--json").json["models"][0]["allowed"] is False
    ran = segue("models", "openai", "--allow", "--json")
    assert (ran.code, ran.json["models"][0]["allowed"]) == (0, True)


def test_the_model_of_the_settings_is_named(
    segue: Segue, service: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SEGUE_MODEL", "openai:m")
    assert "Your settings name openai:m." in segue("models").out


@pytest.mark.parametrize(
    ("answer", "says"), [("y\n", True), ("Yes\n", True), ("\n", False), ("never\n", False)]
)
def test_a_person_at_a_terminal_is_asked(monkeypatch: pytest.MonkeyPatch, answer: str, says: bool) -> None:
    assert models.confirm() is None
    monkeypatch.setattr(models, "somebody_is_here", lambda: True)
    monkeypatch.setattr("sys.stdin", io.StringIO(answer))
    asks = models.confirm()
    assert asks is not None and asks("Send it?") is says


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["gpt-9"], "There is no model 'gpt-9'"),
        (["--allow"], "Which model is meant?"),
        (["claude", "--check", "--server", "http://127.0.0.1:9"], "on the machine that has them"),
        (["--check", "--allow"], "not allowed with"),
    ],
)
def test_what_cannot_be_done_is_said(segue: Segue, words: list[str], said: str) -> None:
    ran = segue("models", *words)
    assert ran.code == 2 and said in ran.err
