"""What a copy thinks aside is what this process would have thought, whatever becomes of the copy."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from segue.agents.registry import reader
from segue.model.facts import Quote
from segue.redaction.redact import Redactor
from segue.service.handoffs import copies, told_apart
from segue.service.handoffs.aside import aside
from segue.service.handoffs.readings import Source, begin
from segue.service.handoffs.walk import draft

HERE = os.getpid()
TOKEN = "ghp_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3z5a"
pytestmark = pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
Clean = Callable[[str], str]


@pytest.fixture(autouse=True)
def copied_in_any_case(monkeypatch: pytest.MonkeyPatch) -> None:
    """The runner of the tests has threads; these are idle."""
    monkeypatch.setattr(copies, "can_be_made", lambda: True)


def quotes(clean: Clean) -> list[Quote]:
    return [Quote(text=clean(f"the token is {TOKEN}, the process {os.getpid()}"))]


def test_a_copy_thinks_and_its_removals_are_counted_here() -> None:
    redactor = Redactor()
    redactor.redact(f"one before: {TOKEN}")
    done = aside(redactor, quotes, list[Quote])()
    assert TOKEN not in done[0].text
    assert str(HERE) not in done[0].text
    assert sum(redactor.receipt().by_kind.values()) == redactor.receipt().total == 2


def test_a_copy_knows_what_was_learnt() -> None:
    redactor = Redactor()
    redactor.learn("DB_PASSWORD=correct-horse-battery-staple-9", ".env")
    said = aside(redactor, lambda clean: clean("it is correct-horse-battery-staple-9 now"), str)()
    assert said == "it is [redacted:known-value] now"


@pytest.mark.parametrize("lose", [lambda: os._exit(9), lambda: 1 / 0], ids=["killed", "raised"])
def test_what_a_lost_copy_did_not_think_is_thought_here(lose: Callable[[], object]) -> None:
    redactor = Redactor()

    def work(clean: Clean) -> list[Quote]:
        if os.getpid() != HERE:
            lose()
        return quotes(clean)

    done = aside(redactor, work, list[Quote])()
    assert str(HERE) in done[0].text
    assert redactor.receipt().total == 1


def test_more_than_a_pipe_holds_is_said() -> None:
    assert aside(Redactor(), lambda _: "word " * 2_000_000, str)() == "word " * 2_000_000


def test_a_packet_is_the_same_whoever_thought(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(told_apart, "WORTH", 0)
    path = tmp_path / "session.jsonl"
    fixture = Path(__file__).parents[2] / "fixtures" / "agents" / "claude-code" / "session" / "input.jsonl"
    path.write_bytes(fixture.read_bytes())

    def drafted(apart: bool) -> object:
        source = Source("claude-code", str(path), reader("claude-code").read(str(path)))
        return draft(begin(source, apart=apart), "go on")

    assert drafted(apart=True) == drafted(apart=False)
