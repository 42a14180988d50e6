"""The draft of a handoff: secrets out, evidence in, whatever the session is like."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from segue.errors import BadInput
from segue.model.entry import Edit, Entry
from segue.model.facts import RepoState
from segue.service.handoffs.draft import Session, draft

TOKEN = "tok-5f1c9a7be2d84c06"


def entry(line: int, kind: str, **fields: object) -> Entry:
    return Entry(kind=kind, file="s", line=line, **fields)  # type: ignore[arg-type]


def with_secret() -> Iterator[Entry]:
    yield entry(1, "meta", data={"id": "s", "cwd": "/w"})
    yield entry(2, "user", by="person", via="prompt", text=f"Never log {TOKEN}, and never change README.md")
    yield entry(3, "tool_call", tool="Bash", tool_kind="shell", call_id="a", command="cat .env")
    yield entry(4, "tool_result", call_id="a", text=f"API_TOKEN={TOKEN}\n", exit_code=0, is_error=False)
    yield entry(5, "agent", text=f"I decided to use {TOKEN} instead of a new one because it works.")
    yield entry(
        6,
        "tool_call",
        tool="Edit",
        tool_kind="edit",
        call_id="b",
        paths=("/w/a.py",),
        edits=(Edit(path="/w/a.py", new=f"x = '{TOKEN}'"),),
    )
    yield entry(7, "tool_result", call_id="b", text="ok", is_error=False)
    yield entry(8, "tool_call", tool="Bash", tool_kind="shell", call_id="c", command="make test")
    yield entry(
        9,
        "tool_result",
        call_id="c",
        text=f"error: {TOKEN} refused at 3f9c2d1e8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c3d",
        exit_code=2,
        is_error=True,
    )


def test_a_secret_of_a_sensitive_file_is_gone_everywhere_even_before_it_was_read() -> None:
    made = draft(
        Session("pi", "s", with_secret()),
        f"use {TOKEN}",
        repo=RepoState(branch="main", log=(f"abc {TOKEN}",)),
    )
    assert TOKEN not in made.text + repr(made.facts) + repr(made.index)
    assert made.facts.redactions.total > 0
    assert "3f9c2d1e8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c3d" in made.text


def test_values_that_the_caller_names_are_gone_too() -> None:
    entries = [entry(1, "user", by="person", via="prompt", text="never say rosebud-42-alpha aloud")]
    made = draft(Session("pi", "s", entries), secrets=("rosebud-42-alpha",))
    assert "rosebud-42-alpha" not in made.text
    assert [prompt.text for prompt in made.facts.prompts] == ["never say [redacted:known-value] aloud"]


def test_a_budget_too_small_is_refused_in_a_sentence() -> None:
    with pytest.raises(BadInput, match="too small"):
        draft(Session("pi", "s", ()), budget=299)


def test_a_session_of_nothing_is_a_handoff_of_nothing() -> None:
    made = draft(Session("pi", "s", ()), budget=300)
    assert made.tokens <= 300
    assert made.facts.next_steps == ()


def test_a_goal_of_ten_thousand_characters_fits() -> None:
    made = draft(Session("pi", "s", with_secret()), "retry " * 1700, budget=500)
    assert made.tokens <= 500
    assert '**Goal**: "retry retry' in made.text


def test_one_endless_turn_fits() -> None:
    def endless() -> Iterator[Entry]:
        yield entry(1, "user", by="person", via="prompt", text="never stop, but never push")
        for n in range(2, 10_002, 2):
            yield entry(
                n,
                "tool_call",
                tool="Bash",
                tool_kind="shell",
                call_id=str(n),
                command=f"make step-{n} && cat src/f{n}.py",
            )
            yield entry(
                n + 1,
                "tool_result",
                call_id=str(n),
                text=f"error: step {n} failed",
                exit_code=1,
                is_error=True,
            )

    made = draft(Session("pi", "s", endless()), budget=1000)
    assert made.tokens <= 1000
    assert "never push" in made.text and "make step-10000" in made.text
