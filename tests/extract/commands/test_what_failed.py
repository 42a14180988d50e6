"""Which test, which rule: what stands beneath a line that only sums up a failure, told before that line."""

from __future__ import annotations

import pytest

from segue.extract.commands.verdict import error_lines


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (
            "FAIL thesis.pdf\n  clause 6.2.4.3: DeviceRGB without OutputIntent",
            ("clause 6.2.4.3: DeviceRGB without OutputIntent", "FAIL thesis.pdf"),
        ),
        ("1 failed\n  target-size: .footer a 20x20", ("target-size: .footer a 20x20", "1 failed")),
        (
            "  1 failed\n    [chromium] › e2e/a.spec.ts:5:1 › opens the menu\n  12 passed (4.2s)",
            ("[chromium] › e2e/a.spec.ts:5:1 › opens the menu", "1 failed"),
        ),
        ("Failures: 1\n   Login screen shows an alert", ("Login screen shows an alert", "Failures: 1")),
        (
            "98% tests passed, 1 tests failed out of 60\n  17 - residual (Failed) max err 3.1e-11",
            ("17 - residual (Failed) max err 3.1e-11", "98% tests passed, 1 tests failed out of 60"),
        ),
        (
            "Tests: 31 passed, 1 failed\n  SaveTests.Migrates: NullReferenceException",
            ("SaveTests.Migrates: NullReferenceException", "Tests: 31 passed, 1 failed"),
        ),
    ],
)
def test_what_failed_is_told_before_how_many_did(text: str, lines: tuple[str, ...]) -> None:
    assert error_lines(text) == lines


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("3 failed, 2 passed in 0.3s\nrun with --verbose", ("3 failed, 2 passed in 0.3s",)),
        ("2 failed\n\n  See the report in build/report.html", ("2 failed",)),
        ("error: cannot open a.c\n    in the build directory", ("error: cannot open a.c",)),
        ("5 passed\n  target: a button\n1 failed", ("1 failed",)),
        ("1 failed, 2 passed\n    config: default\n    seed: 3300", ("1 failed, 2 passed",)),
    ],
)
def test_what_does_not_stand_beneath_it_does_not_belong_to_it(text: str, lines: tuple[str, ...]) -> None:
    assert error_lines(text) == lines


def test_of_several_that_failed_each_stands_before_its_particulars() -> None:
    text = "FAIL a.pdf\n  clause 6.1.2: no trailer\nFAIL b.pdf\n  clause 6.2.4: no intent"
    assert error_lines(text) == tuple(row.strip() for row in text.split("\n"))


_TRACE = """Traceback (most recent call last):
  File "run.py", line 9, in <module>
    read(path)
  File "/app/reader.py", line 31, in read
    raise last_exception  # an error of the last handler
    ^^^^^^^^^^^^^^^^^^^^
  File "/app/handler.py", line 4, in handle
    raise ValueError(
ValueError: the header has no version
"""


def test_the_code_that_a_trace_quotes_is_no_complaint() -> None:
    told = error_lines(_TRACE)
    assert "ValueError: the header has no version" in told
    assert not [row for row in told if row.startswith("raise")]


def test_what_was_asserted_is_told_from_a_trace() -> None:
    trace = (
        'Traceback (most recent call last):\n  File "a.py", line 2, in a\n    assert n == 3\nAssertionError\n'
    )
    assert "assert n == 3" in error_lines(trace)
