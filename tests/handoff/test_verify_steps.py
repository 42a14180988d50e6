"""Verify against the transcript: what a step names, how the session ended and what was last said in it."""

from __future__ import annotations

from typing import Any

import pytest

from segue.extract import facts, index
from segue.handoff.packet import compose, render
from segue.handoff.parse import parse
from segue.handoff.verify.finding import Finding
from segue.handoff.verify.transcript import against_transcript, witness
from segue.model.entry import Edit, Entry


def entry(line: int, kind: Any, text: str = "", **fields: Any) -> Entry:
    return Entry(kind=kind, file="s.jsonl", line=line, text=text, **fields)


def ran(line: int, command: str, output: str, code: int) -> list[Entry]:
    name = f"c{line}"
    return [
        entry(line, "tool_call", call_id=name, tool="Bash", tool_kind="shell", command=command),
        entry(line + 1, "tool_result", output, call_id=name, exit_code=code, is_error=code != 0),
    ]


SESSION = [
    entry(1, "meta", by="harness", data={"id": "s-1"}),
    entry(2, "user", "Which store shall hold the counters?", by="person", via="prompt"),
    *ran(3, "pytest tests", "3 passed in 0.2s", 0),
    entry(5, "agent", "Everything is pushed. Shall I keep the counters in memory?"),
    entry(6, "user", "yes", by="person", via="prompt"),
    entry(7, "tool_call", call_id="e", tool="Edit", tool_kind="edit", edits=(Edit(path="src/store.py"),)),
    entry(8, "tool_result", "done", call_id="e", is_error=False),
    *ran(9, "make check", "FAILED tests/test_store.py::test_evicts - assert 4 == 5\n1 failed", 1),
    entry(11, "agent", "The eviction is off by one."),
    *ran(12, "sed -n 1,40p src/store.py", "class Store: ...", 0),
]


@pytest.fixture(scope="module")
def packet() -> str:
    read = index.build(SESSION, "generic", "s.jsonl", str)
    return render(compose(facts.select(read, "", budget=8000)[0], 8000, lambda text: len(text) // 4)[0])


def found(text: str) -> list[Finding]:
    parsed = parse(text)
    watch = witness(parsed)
    read = index.build(watch.along(SESSION), "generic", "s.jsonl", str)
    return list(against_transcript(parsed, watch.saw(read)))


def test_steps_and_the_end_hold_as_they_were(packet: str) -> None:
    assert [(f.state, f.kind) for f in found(packet)] == [
        ("holds", kind) for kind in ("quote", "claim", "claim", "command", "quote", "command", *["quote"] * 5)
    ]


@pytest.mark.parametrize(
    ("true", "false"),
    [
        ('last said: "The eviction is off by one." [#11]', 'last said: "Everything is pushed." [#5]'),
        ('last said: "The eviction is off by one."', 'last said: "Everything is pushed."'),
        ("ended in mid-turn", "ended between turns"),
        ("Make `make check` pass", "Make `terraform apply` pass"),
        ("pass — FAILED tests/test_store.py::test_evicts", "pass — FAILED tests/test_router.py::test_routes"),
        ("edited last: src/store.py", "edited last: src/secrets.py"),
        ("Run `pytest tests` again", "Run `pytest tests/test_router.py` again"),
        ("again: no check has passed since the last edits of src/store.py", "again: it failed on main"),
        ('the counters in memory?" [#5])', 'the counters on disk?" [#5])'),
    ],
)
def test_one_changed_fact_of_a_step_or_of_the_end_no_longer_holds(packet: str, true: str, false: str) -> None:
    assert true in packet
    assert {f.state for f in found(packet.replace(true, false, 1)) if f.state != "holds"} == {"drifted"}


def test_a_step_of_a_persons_own_that_points_nowhere_is_no_claim(packet: str) -> None:
    added = packet.replace("\n\n## Notes", "\n9. Run `make deploy` when Kim agrees.\n\n## Notes", 1)
    assert added != packet
    assert found(added) == found(packet)


@pytest.mark.parametrize(
    ("said", "state"),
    [
        ("Everything is pushed. Shall I keep the counters in memory?", "holds"),
        ("Everything is pushed. The counters stay on disk.", "drifted"),
    ],
)
def test_sentences_said_on_the_way_are_looked_for_one_by_one(packet: str, said: str, state: str) -> None:
    label = "**Said on the way** (as the agent said, unverified)"
    edited = packet.replace("\n## Notes\n", f'\n## Notes\n{label}\n- "{said}" [#5]\n', 1)
    assert edited != packet
    places = [n for n, line in enumerate(edited.split("\n"), 1) if line.startswith(f'- "{said}')]
    assert [f.state for f in found(edited) if f.where == f"Notes, line {places[0]}"] == [state]


def test_a_question_that_was_answered_is_nothing_to_settle(packet: str) -> None:
    step = '9. Settle what the agent asked and nobody answered: "Shall I keep the counters in memory?" [#5]'
    edited = packet.replace("\n\n## Notes", f"\n{step}\n\n## Notes", 1)
    assert [f.message for f in found(edited) if f.state == "drifted"] == [
        "'Shall I keep the counters in memory?' is not open: it was answered, or the talk went past it."
    ]


@pytest.mark.parametrize(
    ("well", "failed"),
    [
        ("go test ./cmd/sync ./pkg/...", "go test ./cmd/sync -run 'TestPlan' -count=1"),
        ("pytest tests/api", "pytest tests/api -x -vv"),
        ("make check", "make check V=1"),
    ],
)
def test_a_step_names_the_line_that_failed_however_it_was_written_when_it_went_well(
    well: str, failed: str
) -> None:
    session = [
        entry(1, "meta", by="harness", data={"id": "s-1"}),
        entry(2, "user", "Plan the sync.", by="person", via="prompt"),
        *ran(3, well, "ok", 0),
        *ran(5, failed, "--- FAIL: TestPlan (0.04s)", 1),
        entry(7, "tool_call", call_id="e", tool="Edit", tool_kind="edit", edits=(Edit(path="cmd/plan.go"),)),
        entry(8, "tool_result", "done", call_id="e", is_error=False),
    ]
    read = index.build(session, "generic", "s.jsonl", str)
    told = render(compose(facts.select(read, "", budget=8000)[0], 8000, lambda text: len(text) // 4)[0])
    assert f"Run `{failed}` again: it failed before the last edits" in told
    parsed = parse(told)
    watch = witness(parsed)
    seen = watch.saw(index.build(watch.along(session), "generic", "s.jsonl", str))
    assert [f.message for f in against_transcript(parsed, seen) if f.state != "holds"] == []


def test_a_step_that_takes_up_a_short_answer_says_what_it_answers_and_holds() -> None:
    session = [
        entry(1, "meta", by="harness", data={"id": "s-1"}),
        entry(2, "user", "Write the docs of the limiter.", by="person", via="prompt"),
        *ran(3, "mkdocs build", "built", 0),
        entry(5, "agent", "The outline is there. Shall I also document the Lua script?"),
        entry(6, "user", "yes, but briefly please", by="person", via="prompt"),
        entry(7, "tool_call", call_id="c7", tool="Bash", tool_kind="shell", command="mkdocs serve"),
    ]
    read = index.build(session, "generic", "s.jsonl", str)
    told = render(compose(facts.select(read, "", budget=8000)[0], 8000, lambda text: len(text) // 4)[0])
    question = '"Shall I also document the Lua script?"'
    assert f'Take up "yes, but briefly please", said to {question} and find out how far' in told
    parsed = parse(told)
    watch = witness(parsed)
    seen = watch.saw(index.build(watch.along(session), "generic", "s.jsonl", str))
    assert [f.message for f in against_transcript(parsed, seen) if f.state == "drifted"] == []
