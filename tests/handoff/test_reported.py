"""The sentences of reports, each in one place."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from segue.handoff.reported import reported
from segue.model.facts import Evidence, Facts, Remark, Report, SourceFacts

SOURCE = SourceFacts(agent="pi")


def told(*remarks: tuple[str, str], newest: str = "") -> Facts:
    report = Report(remarks=tuple(Remark(*one) for one in remarks), text=newest, evidence=(Evidence(4),))
    return Facts(source=SOURCE, reports=(report,))


def test_a_cause_beside_a_decision_goes_with_it_in_the_order_in_which_they_were_said() -> None:
    found = reported(told(("It leaked.", "cause"), ("We chose uv.", "decision"))).decisions
    assert [(one.text, one.cause, one.quote) for one in found] == [
        ("We chose uv.", "It leaked.", "It leaked. … We chose uv.")
    ]


def test_no_cause_goes_with_two_decisions() -> None:
    found = reported(told(("a", "decision"), ("why", "cause"), ("b", "decision")))
    assert [(one.text, one.cause) for one in found.decisions] == [("a", "why"), ("b", "")]
    assert found.learned == []


def test_a_cause_that_stands_apart_is_told_by_itself() -> None:
    found = reported(told(("a", "decision"), ("between", ""), ("why", "cause")))
    assert [one.text for one in found.learned] == ["why"]
    assert found.decisions[0].cause == ""


def test_only_the_newest_report_says_what_is_open() -> None:
    assert [one.text for one in reported(told(("to do", "open"), newest="to do")).open] == ["to do"]
    earlier = reported(told(("to do", "open")))
    assert (earlier.open, [one.text for one in earlier.others]) == ([], ["to do"])


@given(st.from_type(Facts))
def test_every_sentence_stands_in_one_place(facts: Facts) -> None:
    found = reported(facts)
    told = [one.quote or one.text for group in found for one in group]
    said = [remark.text for report in facts.reports for remark in report.remarks]
    assert sorted(" … ".join(told)) == sorted(" … ".join(said))
