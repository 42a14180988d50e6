"""Verify against the transcript: steps that run a failed check again, or take up a call that never ended."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from segue.extract import facts, index
from segue.handoff.packet import compose, render
from segue.handoff.parse import parse
from segue.handoff.verify.transcript import against_transcript, witness
from segue.model.entry import Edit, Entry


def entry(line: int, kind: Any, text: str = "", **fields: Any) -> Entry:
    return Entry(kind=kind, file="s.jsonl", line=line, text=text, **fields)


def packet(session: Sequence[Entry], goal: str = "") -> str:
    read = index.build(session, "generic", "s.jsonl", str)
    return render(compose(facts.select(read, goal, budget=8000)[0], 8000, lambda text: len(text) // 4)[0])


def drifted(text: str, session: Sequence[Entry]) -> list[str]:
    parsed = parse(text)
    watch = witness(parsed)
    read = index.build(watch.along(session), "generic", "s.jsonl", str)
    return [f.message for f in against_transcript(parsed, watch.saw(read)) if f.state == "drifted"]


def failed_then_edited(command: str, output: str) -> list[Entry]:
    return [
        entry(1, "meta", by="harness", data={"id": "s-1"}),
        entry(2, "user", "Mend the eviction of the store.", by="person", via="prompt"),
        entry(3, "tool_call", call_id="c", tool="Bash", tool_kind="shell", command=command),
        entry(4, "tool_result", output, call_id="c", exit_code=1, is_error=True),
        entry(5, "tool_call", call_id="e", tool="Edit", tool_kind="edit", edits=(Edit(path="src/store.x"),)),
        entry(6, "tool_result", "done", call_id="e", is_error=False),
        entry(7, "agent", "I changed the bound."),
    ]


CHECKS = [
    ("go test ./...", "--- FAIL: TestEvicts (0.00s)\n    store_test.go:9: got 4, want 5\nFAIL"),
    ("pytest tests", "FAILED tests/test_store.py::test_evicts - assert 4 == 5\n1 failed in 0.1s"),
    ("npm test", "  ✕ evicts (3 ms)\n    Expected: 5\n    Received: 4\nTests: 1 failed, 1 total"),
    ("cargo test", "thread 'evicts' panicked at src/store.rs:9:5:\nassertion failed\ntest result: FAILED."),
    ("make check", "store.c:9: error: 'bound' undeclared\nmake: *** [check] Error 1"),
    ("pytest tests/silent", ""),
]


@pytest.mark.parametrize(("command", "output"), CHECKS)
def test_a_check_that_failed_before_the_last_edits_is_told_so_and_holds(command: str, output: str) -> None:
    session = failed_then_edited(command, output)
    text = packet(session)
    assert f"Run `{command}` again: it failed before the last edits" in text
    assert drifted(text, session) == []


@pytest.mark.parametrize(
    ("true", "false"),
    [
        ("last edits — FAILED tests/test_store.py", "last edits — FAILED tests/test_router.py"),
        ("it failed before the last edits", "it passed before the last edits"),
        ("Run `pytest tests` again", "Run `pytest tests/test_router.py` again"),
    ],
)
def test_one_changed_fact_of_such_a_step_does_not_hold(true: str, false: str) -> None:
    session = failed_then_edited(*CHECKS[1])
    text = packet(session)
    assert text.count(true) == 1
    assert len(drifted(text.replace(true, false), session)) == 1


def test_a_check_that_failed_after_the_last_edits_is_not_one_that_failed_before_them() -> None:
    session = failed_then_edited(*CHECKS[1])
    later = [*session[:2], *session[4:6], *session[2:4], session[6]]
    renumbered = [entry(n, e.kind, e.text, **_rest(e)) for n, e in enumerate(later, 1)]
    true, false = "Make `pytest tests` pass", "Run `pytest tests` again: it failed before the last edits"
    text = packet(renumbered)
    assert true in text
    assert drifted(text, renumbered) == []
    assert len(drifted(text.replace(true, false), renumbered)) == 1


def _rest(given: Entry) -> dict[str, Any]:
    names = ("by", "via", "data", "call_id", "tool", "tool_kind", "command", "exit_code", "is_error", "edits")
    return {name: getattr(given, name) for name in names}


def stopped_at(asked: str, command: str) -> list[Entry]:
    return [
        entry(1, "meta", by="harness", data={"id": "s-1"}),
        entry(2, "user", "Write the parser of the settings.", by="person", via="prompt"),
        entry(3, "agent", "It is written."),
        entry(4, "user", asked, by="person", via="prompt"),
        entry(5, "tool_call", call_id="c", tool="Bash", tool_kind="shell", command=command),
    ]


@pytest.mark.parametrize(
    "asked", ['commit the parser as "the first one" and open a request', "please commit the whole parser now"]
)
@pytest.mark.parametrize(
    "command", ['git commit -am "Add the parser"', "make check", 'git tag -m "parsed" -m "it is met: all" v1']
)
def test_a_call_without_a_result_is_told_apart_from_the_words_that_asked_for_it(
    asked: str, command: str
) -> None:
    session = stopped_at(asked, command)
    text = packet(session, "Release the parser")
    assert f'Take up "{asked}" and find out how far `{command}` got' in text
    assert drifted(text, session) == []
    assert len(drifted(text.replace(f'Take up "{asked}"', 'Take up "throw the parser away"'), session)) == 1
    assert len(drifted(text.replace(f"how far `{command}`", "how far `git push --force`"), session)) == 1


def in_one_message(*commands: str, answered: Sequence[int], paths: Sequence[str] = ()) -> list[Entry]:
    calls = [
        entry(3, "tool_call", call_id=f"c{n}", tool="Bash", tool_kind="shell", command=command)
        for n, command in enumerate(commands)
    ]
    writes = [
        entry(
            3,
            "tool_call",
            call_id=f"c{n}",
            tool="write",
            tool_kind="edit",
            paths=(path,),
            edits=(Edit(path=path, new=" ".join(paths)),),
        )
        for n, path in enumerate(paths, len(commands))
    ]
    return [
        entry(1, "meta", by="harness", data={"id": "s-1"}),
        entry(2, "user", "Check the parser and write the pages.", by="person", via="prompt"),
        *calls,
        *writes,
        *(entry(4 + n, "tool_result", "ok", call_id=f"c{n}", is_error=False) for n in answered),
    ]


@pytest.mark.parametrize("answered", [(), (0,), (1,), (0, 3), (2, 0), (1, 2, 3), (0, 1, 2)])
def test_of_the_calls_in_one_message_only_those_without_a_result_are_unanswered(
    answered: tuple[int, ...],
) -> None:
    told = ["make check", "make lint", "write pages/one.md", "write pages/two.md"]
    session = in_one_message(*told[:2], answered=answered, paths=["pages/one.md", "pages/two.md"])
    text = packet(session)
    waits = ", ".join(f"`{call}`" for n, call in enumerate(told) if n not in answered)
    true = f"no result was seen of: {waits}"
    assert true in text
    assert drifted(text, session) == []
    for n in answered:
        false = text.replace(true, f"no result was seen of: `{told[n]}`")
        assert drifted(false, session) == [
            f"`{told[n]}` is told as unanswered; the transcript has its result."
        ]


def agreed(question: str, reply: str, *then: Entry) -> list[Entry]:
    return [
        entry(1, "meta", by="harness", data={"id": "s-1"}),
        entry(2, "user", "Write the parser of the settings.", by="person", via="prompt"),
        entry(3, "agent", question),
        entry(4, "user", reply, by="person", via="prompt"),
        *then,
    ]


ASKED = [
    "1. Knob: I would not add `Options.Agent`, since callers set it.\n2. Name: I would keep `parse`.\n\nOkay for both?",
    "Shall I rename `Options.Agent` to the longer name that the callers of the parser know it by, and drop the alias `Opt"
    "ions.Name` of it, too?",
]
CALLS = [
    entry(5, "tool_call", call_id="c", tool="Bash", tool_kind="shell", command="make check"),
    entry(6, "tool_result", "ok", call_id="c", exit_code=0, is_error=False),
]


@pytest.mark.parametrize("question", ASKED)
@pytest.mark.parametrize("reply", ["yes for both, go ahead", "yes, both"])
@pytest.mark.parametrize("then", [CALLS, CALLS[:1]], ids=["under way", "call"])
def test_a_step_points_to_what_the_words_it_takes_up_were_said_to(
    question: str, reply: str, then: list[Entry]
) -> None:
    session = agreed(question, reply, *then)
    text = packet(session, "Release the parser")
    step = next(line for line in text.split("\n") if ", said to " in line)
    assert "#4 #3" in step
    assert drifted(text, session) == []
    false = step.replace('said to "', 'said to "By the way, ')
    assert len(drifted(text.replace(step, false), session)) == 1
