"""How checks sum themselves up, and which lines of an output say what went wrong."""

from __future__ import annotations

import os
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from segue.extract.commands import output

TABLE = os.path.join(os.path.dirname(output.__file__), "summaries.tsv")


def _rows() -> list[tuple[str, str, str, str]]:
    with open(TABLE, encoding="utf-8") as file:
        parts = [line.rstrip("\n").split("\t") for line in file if line[0] != "#"]
    assert all(len(row) == 4 for row in parts)
    return [(v, p, *(t.replace("\\t", "\t") for t in examples)) for v, p, *examples in parts]  # type: ignore[misc]


ROWS = _rows()
VERDICTS = {"passed": "ok", "failed": "failed", "error": "failed"}


@pytest.mark.parametrize(("verdict", "pattern", "example", "other"), ROWS)
def test_a_row_matches_its_example_and_not_its_counterexample(
    verdict: str, pattern: str, example: str, other: str
) -> None:
    assert verdict in VERDICTS
    assert re.search(pattern, example)
    assert not re.search(pattern, other)


@pytest.mark.parametrize(("verdict", "example"), [(verdict, example) for verdict, _, example, _ in ROWS])
def test_the_example_of_a_row_gives_its_verdict(verdict: str, example: str) -> None:
    known, line = output.summary(output.rows(example))
    assert known == VERDICTS[verdict]
    assert line == " ".join(example.split())


@pytest.mark.parametrize(("verdict", "other"), [(verdict, other) for verdict, _, _, other in ROWS])
def test_the_counterexample_of_a_row_gives_another_verdict_or_none(verdict: str, other: str) -> None:
    assert output.summary(output.rows(other))[0] != VERDICTS[verdict]


def test_a_failed_sum_outweighs_the_passed_ones_beside_it() -> None:
    printed = output.rows("ok  \tx/a\t0.1s\nFAIL\tx/b\t0.2s\nok  \tx/c\t0.1s")
    assert output.summary(printed) == ("failed", "FAIL x/b 0.2s")


def test_an_error_counts_only_where_no_line_says_that_all_went_well() -> None:
    assert output.summary(output.rows("error: retry exhausted\n12 passed in 0.3s"))[0] == "ok"
    assert output.summary(output.rows("error: no targets found\ndone"))[0] == "failed"


def test_prose_that_speaks_of_tests_is_no_sum() -> None:
    printed = output.rows("We passed 3 tests to the runner.\nNothing failed that mattered.")
    assert output.summary(printed) == ("unknown", "")


def test_the_complaints_are_the_plainest_lines_in_order_and_the_sum() -> None:
    printed = output.rows(
        "collecting ...\n"
        "tests/test_a.py F\n"
        "E       AssertionError: assert 1 == 2\n"
        "FAILED tests/test_a.py::test_b - AssertionError: assert 1 == 2\n"
        "==== 1 failed, 3 passed in 0.41s ====\n"
    )
    assert output.complaints(printed) == (
        "AssertionError: assert 1 == 2",
        "FAILED tests/test_a.py::test_b - AssertionError: assert 1 == 2",
        "==== 1 failed, 3 passed in 0.41s ====",
    )


def test_an_output_without_a_complaint_is_told_by_its_last_lines() -> None:
    assert output.complaints(output.rows("one\ntwo\nthree")) == ("two", "three")


def test_a_harness_s_own_line_of_the_exit_is_no_complaint() -> None:
    assert output.complaints(output.rows("Exit code 1")) == ()


def test_colours_and_lines_drawn_over_are_taken_away() -> None:
    assert output.rows("\x1b[31mred\x1b[0m\r\n10%\r50%\rdone\n\n") == ["red", "done"]


def test_a_run_that_went_well_is_told_by_its_sum_else_by_its_last_line() -> None:
    assert output.conclusion(output.rows("a\n3 passed in 0.1s\nbye")) == ("3 passed in 0.1s",)
    assert output.conclusion(output.rows("a\nbye")) == ("bye",)
    assert output.conclusion([]) == ()


@given(st.text(max_size=400))
def test_any_output_is_read_without_a_fault(text: str) -> None:
    printed = output.rows(text)
    for told in (*output.complaints(printed), *output.conclusion(printed)):
        assert len(told) <= 240
        assert "\n" not in told


def test_where_no_line_complains_the_sum_is_quoted() -> None:
    printed = output.rows(
        "checked 221 files\nFinished in 1202ms\n ELIFECYCLE  Command failed with exit code 1."
    )
    assert output.complaints(printed) == ("Finished in 1202ms", "ELIFECYCLE Command failed with exit code 1.")
