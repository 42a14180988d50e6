"""A handoff's models use up no more than they may."""

from __future__ import annotations

import pytest

from segue.errors import Refused
from segue.llm.ceiling import Ceiling
from segue.llm.contract import Answer


def test_what_was_told_is_counted_and_what_was_not_is_estimated() -> None:
    first = Ceiling(1_000, 1.0).after("p" * 400, Answer("x", 10, 5, 0.25))
    assert first == Ceiling(1_000, 1.0, 15, 0.25, 1)
    assert first.after("p" * 400, Answer("t" * 40)) == Ceiling(1_000, 1.0, 125, 0.25, 2)


@pytest.mark.parametrize(
    ("answer", "said"),
    [(Answer("x", 990, 20), "makes it 1,110 and 0.50"), (Answer("x", 1, 1, 0.75), "makes it 102 and 1.25")],
)
def test_too_much_is_a_sentence_with_both_figures(answer: Answer, said: str) -> None:
    with pytest.raises(Refused, match=said) as fault:
        Ceiling(1_000, 1.0, 100, 0.5, 2).after("go", answer)
    assert fault.value.code == "ceiling" and "call 3" in fault.value.message
    assert "model_most_tokens" in fault.value.hint


def test_a_prompt_that_would_be_too_much_is_known_before_it_is_sent() -> None:
    assert Ceiling(100, 1.0).after("p" * 400).tokens == 100
    with pytest.raises(Refused):
        Ceiling(100, 1.0).after("p" * 404)
