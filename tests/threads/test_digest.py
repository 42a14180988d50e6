"""The summary without a model: cumulative, bounded, and honest about what it dropped."""

from __future__ import annotations

from typing import Any

import pytest

from segue.model.frame import SIDE_EFFECTS
from segue.threads import digest


def effect(memory: Any, command: str, exit_code: int, *paths: str, excerpt: str = "") -> None:
    memory.add("t", SIDE_EFFECTS, command=command, exit_code=exit_code, affected_paths=paths, excerpt=excerpt)


def made(memory: Any) -> digest.Digest:
    return digest.extend(digest.empty(), memory.read("t"))


def test_what_was_asked_and_ruled_is_kept_with_its_place(memory: Any) -> None:
    memory.say("t", "Fix the parser.\nNever touch the lexer.")
    memory.say("t", "Done.", role="assistant")
    found = made(memory)
    assert found["asked"] == [[0, "Fix the parser."]]
    assert found["rules"] == [[0, "Never touch the lexer."]]
    assert found["messages"] == 2


def test_a_failure_stays_until_the_same_command_succeeds(memory: Any) -> None:
    effect(memory, "make", 2, excerpt="no rule")
    effect(memory, "pytest", 1)
    effect(memory, "pytest", 0)
    assert made(memory)["failures"] == {"make": [0, 2, "no rule"]}
    assert "- [#0] `make` exit 2: no rule" in digest.render(made(memory), 2)


def test_extending_in_steps_gives_what_extending_at_once_gives(memory: Any) -> None:
    for n in range(90):
        memory.say("t", f"Please do {n}.\nAlways do {n}.")
    frames = list(memory.read("t"))
    stepwise = digest.empty()
    for start in range(0, 90, 7):
        stepwise = digest.extend(stepwise, frames[start : start + 7])
    assert stepwise == digest.extend(digest.empty(), frames)


def test_what_is_left_out_is_counted(memory: Any) -> None:
    for n in range(100):
        memory.say("t", f"Please do {n}.")
    found = made(memory)
    assert len(found["asked"]) + found["dropped"] == 100
    assert [text for _, text in found["asked"]][:2] == ["Please do 0.", "Please do 1."]
    text = digest.render(found, 99)
    assert text.count("\n- ") + int(text.split()[-5]) == 100


def test_a_summary_is_a_fraction_of_what_it_sums_up(memory: Any) -> None:
    for n in range(50):
        memory.say(
            "t", f"Please look at part {n} of the importer.\n" + f"Never change rule {n}, it must stay. " * 8
        )
        effect(
            memory, f"make part-{n} " + "VERBOSE=1 " * 90, 2, f"src/part_{n}.py", excerpt="no such rule " * 15
        )
    found = made(memory)
    text = digest.render(found, 99)
    assert len(text) < found["characters"] // 4
    assert len(text) < digest.MOST + 250
    for mark in (
        "[#0] Please look at part 0 of",
        "[#98] Please look at part 49 of",
        "[#98] Never",
        "[#99] `make part-49",
    ):
        assert mark in text
    assert max(map(len, text.splitlines())) < 200


def test_a_command_of_many_lines_stays_on_one(memory: Any) -> None:
    effect(memory, "python - <<'END'\n## Asked\nEND", 1)
    text = digest.render(made(memory), 0)
    assert [line for line in text.splitlines() if "## Asked" in line] == [
        "- [#0] `python - <<'END' ## Asked END` exit 1"
    ]


def test_the_base_is_left_as_it_was(memory: Any) -> None:
    memory.say("t", "Always.")
    base = digest.empty()
    digest.extend(base, memory.read("t"))
    assert base == digest.empty()


def test_what_extending_makes_is_a_digest(memory: Any) -> None:
    memory.say("t", "Never.")
    effect(memory, "make", 2, "a.py")
    memory.add("t", SIDE_EFFECTS, command="ls", is_error=True, affected_paths=None)
    assert digest.is_digest(made(memory))


@pytest.mark.parametrize(
    "change",
    [
        {"messages": "3"},
        {"messages": True},
        {"dropped": -1},
        {"asked": {}},
        {"asked": [["0", "text"]]},
        {"rules": [[0]]},
        {"files": {"a.py": "often"}},
        {"failures": {"make": [0, "2", ""]}},
    ],
)
def test_what_only_looks_like_a_digest_is_none(change: dict[str, Any]) -> None:
    assert not digest.is_digest({**digest.empty(), **change})
    assert not digest.is_digest(None)
    assert not digest.is_digest({})
