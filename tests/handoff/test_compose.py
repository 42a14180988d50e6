"""A model's answer is a stranger's text: read with patience, bounded, and never more than what was asked for."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from segue.handoff import compose
from segue.handoff.compose import Replaced, Said
from segue.model.facts import Evidence, NextStep, Statement

STATED = {
    "kind": "decision",
    "text": "Retries stay in the client.",
    "evidence": [{"line": 212, "quote": "in the client"}],
}
SAID = Said("decision", "Retries stay in the client.", (212,), ("in the client",))


def answered(*statements: Any, **more: Any) -> str:
    return json.dumps({"statements": list(statements), "replaced": [], **more})


@pytest.mark.parametrize(
    "text",
    [
        answered(STATED),
        f"```json\n{answered(STATED)}\n```",
        f"Here is the handoff:\n\n{answered(STATED)}\n\nI hope this helps.",
        answered(STATED)[:-18],
        answered(STATED, STATED)[:-30],
        answered({**STATED, "text": "Retries  stay\nin the client."}),
    ],
)
def test_an_answer_is_read_whatever_stands_around_it_or_is_missing_at_its_end(text: str) -> None:
    answer = compose.read(text)
    assert answer is not None
    assert answer.statements == (SAID,)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I am sorry, I cannot do that.",
        "{}",
        "[]",
        answered(),
        '{"statements": "all is well"}',
        answered({"kind": "decision", "text": ""}),
        "{" * 20_000,
        "[" * 200_000,
    ],
)
def test_an_answer_without_a_statement_is_none(text: str) -> None:
    assert compose.read(text) is None


@pytest.mark.parametrize(
    ("evidence", "lines"),
    [
        ([{"line": 7, "quote": "x y z"}], (7,)),
        ([7, "#12", "[#13]", {"line": "14"}], (7, 12, 13, 14)),
        ([{"line": -3}, {"line": True}, {"line": 2.5}, {"line": None}, None, {}], ()),
        ("line 7", ()),
        (list(range(1, 100)), tuple(range(1, 9))),
    ],
)
def test_lines_are_whole_numbers_however_they_are_written(evidence: Any, lines: tuple[int, ...]) -> None:
    answer = compose.read(answered({**STATED, "evidence": evidence}))
    assert answer is not None
    assert answer.statements[0].lines == lines


def test_an_unknown_kind_is_a_finding_and_endless_answers_are_bounded() -> None:
    answer = compose.read(answered(*({**STATED, "kind": "order"} for _ in range(1000))))
    assert answer is not None
    assert (len(answer.statements), answer.statements[0].kind) == (compose.MOST, "finding")


def test_what_names_no_line_or_states_too_much_cannot_be_judged() -> None:
    assert compose.refusal(SAID) == ""
    assert "no line" in compose.refusal(SAID._replace(lines=()))
    assert "one thing" in compose.refusal(SAID._replace(text="x" * (compose.LONGEST + 1)))


@given(st.text())
def test_any_text_is_read_without_a_fault(text: str) -> None:
    compose.read(text)
    compose.read(answered(STATED)[: len(text)] + text)


def test_a_brief_cannot_fill_a_place_of_the_template() -> None:
    asked = compose.request(
        "goal @GOAL@\ncarried @CARRIED@\n@BRIEF@", "text of @GOAL@ and @CARRIED@", "mend it"
    )
    assert asked == "goal mend it\ncarried (none)\ntext of @GOAL@ and @CARRIED@"


def stated(text: str, line: int = 1, **more: Any) -> Statement:
    return Statement(text=text, evidence=(Evidence(line),), **more)


def test_what_is_said_twice_stands_once_with_the_later_evidence() -> None:
    merged = compose.merged([stated("A is B.", 3), stated("C is D."), stated("a is b", 9)])
    assert [(one.text, one.evidence[0].line) for one in merged] == [("a is b", 9), ("C is D.", 1)]


def test_a_carried_statement_goes_only_where_a_kept_one_rests_on_the_line_that_replaces_it() -> None:
    carried = [stated("Old one.", origin="s"), stated("Old two.", origin="s")]
    replaced = [Replaced("c1", 40), Replaced("c2", 41), Replaced("c9", 40)]
    assert compose.still_holding(carried, replaced, [stated("New.", 40)]) == carried[1:]
    assert compose.still_holding(carried, replaced, []) == carried


def test_the_steps_of_a_model_come_behind_what_broke_off_and_before_the_rest() -> None:
    broke = NextStep(text="Find out whether it took effect.", basis="in_flight")
    fails = NextStep(text="Mend the test.", basis="failure")
    steps = compose.next_steps(
        [stated("Write the docs.", kind="next_step"), stated("A fact.")], [broke, fails]
    )
    assert [step.text for step in steps] == [broke.text, "Write the docs.", fails.text]
