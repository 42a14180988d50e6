"""A rule that was changed twice is not told as replaced by what else was said in between."""

from __future__ import annotations

from segue.handoff.said import replaced
from segue.model.facts import Evidence, Word


def test_a_rule_whose_successor_was_replaced_is_told_with_no_bystander() -> None:
    first = _word("maxconn is 4000", 2, by=8, text="make maxconn 8000")
    second = _word("make maxconn 8000", 8, by=20, text="maxconn is 6000, final")
    beside, last = _word("task names begin with a capital", 8), _word("maxconn is 6000, final", 20)
    words = [first, second, beside, last]
    assert replaced(words, [beside, last]) == {1: [second]}


def _word(said: str, line: int, by: int = 0, text: str = "") -> Word:
    return Word(
        text=said,
        kind="constraint",
        evidence=(Evidence(line),),
        superseded_by=Evidence(by) if by else None,
        superseded_text=text,
    )
