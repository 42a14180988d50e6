"""Which test failed, where, and with what: lines that hold no word of failure and say most about it."""

from __future__ import annotations

import pytest

from segue.extract.commands.verdict import error_lines

_JEST = """FAIL src/hooks/send.test.ts
  ● send › tries three times

    expect(received).toBe(expected) // Object.is equality

    Expected: 3
    Received: 1

      39 |   await send(x)
      40 |
    > 41 |   expect(calls.length).toBe(3)
         |                        ^

      at Object.toBe (node_modules/jest/lib.js:9:1)
      at Object.toBe (src/hooks/send.test.ts:41:34)
      at run (src/other.ts:1:2)

Tests:       1 failed, 9 passed, 10 total
"""
_GO = """--- FAIL: TestRound (0.00s)
    round_test.go:19: Round(10.125) = 10.13; want 10.12
FAIL
FAIL\texample.com/ledger\t0.004s
ok  \texample.com/api\t0.010s
"""
_GO_VERBOSE = """=== RUN   TestRound
    round_test.go:19: Round(10.125) = 10.13; want 10.12
--- FAIL: TestRound (0.00s)
"""
_RSPEC = """Failures:

  1) Invoice#total takes the discount off
     Failure/Error: expect(invoice.total).to eq(118)

       expected: 118
            got: 9

     # ./spec/models/invoice_spec.rb:27:in `block (3 levels) in <top (required)>'

12 examples, 1 failure
"""
_DOTNET = """  Failed Ledger.Tests.HalfEven [12 ms]
  Error Message:
   Assert.Equal() Failure: Values differ
Expected: 10.12
Actual:   10.13
  Stack Trace:
     at Ledger.Tests.HalfEven() in /src/RoundTests.cs:line 31
"""
_RUST = """thread 'tests::adds' panicked at src/lib.rs:10:5:
assertion `left == right` failed
  left: 1
 right: 2
"""
_EXUNIT = """  1) test sends once (App.SendTest)
     test/send_test.exs:12
     Assertion with == failed
     code:  assert sent() == 2
     left:  1
     right: 2
"""
_TRACEBACK = """Traceback (most recent call last):
  File "/srv/app/main.py", line 3, in <module>
    run()
  File "/srv/app/jobs.py", line 14, in run
    return table["ttl"]
KeyError: 'ttl'
"""


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            _JEST,
            (
                "FAIL src/hooks/send.test.ts",
                "● send › tries three times",
                "expect(received).toBe(expected) // Object.is equality",
                "Expected: 3",
                "Received: 1",
                "at Object.toBe (src/hooks/send.test.ts:41:34)",
                "Tests: 1 failed, 9 passed, 10 total",
            ),
        ),
        (
            _GO,
            (
                "--- FAIL: TestRound (0.00s)",
                "round_test.go:19: Round(10.125) = 10.13; want 10.12",
                "FAIL example.com/ledger 0.004s",
            ),
        ),
        (_GO_VERBOSE, ("round_test.go:19: Round(10.125) = 10.13; want 10.12", "--- FAIL: TestRound (0.00s)")),
        (
            _RSPEC,
            (
                "1) Invoice#total takes the discount off",
                "Failure/Error: expect(invoice.total).to eq(118)",
                "expected: 118",
                "got: 9",
                "# ./spec/models/invoice_spec.rb:27:in `block (3 levels) in <top (required)>'",
                "12 examples, 1 failure",
            ),
        ),
        (
            _DOTNET,
            (
                "Failed Ledger.Tests.HalfEven [12 ms]",
                "Assert.Equal() Failure: Values differ",
                "Expected: 10.12",
                "Actual: 10.13",
                "at Ledger.Tests.HalfEven() in /src/RoundTests.cs:line 31",
            ),
        ),
        (
            _RUST,
            (
                "thread 'tests::adds' panicked at src/lib.rs:10:5:",
                "assertion `left == right` failed",
                "left: 1",
                "right: 2",
            ),
        ),
        (
            _EXUNIT,
            (
                "1) test sends once (App.SendTest)",
                "test/send_test.exs:12",
                "Assertion with == failed",
                "code: assert sent() == 2",
                "left: 1",
                "right: 2",
            ),
        ),
        (_TRACEBACK, ('File "/srv/app/jobs.py", line 14, in run', "KeyError: 'ttl'")),
    ],
    ids=["jest", "go", "go -v", "rspec", "dotnet", "rust", "exunit", "traceback"],
)
def test_a_failed_test_is_told_with_its_name_its_place_and_what_came_instead(
    text: str, told: tuple[str, ...]
) -> None:
    assert error_lines(text) == told


def test_a_place_within_a_library_and_the_second_place_are_not_told() -> None:
    assert "node_modules" in _JEST and "other.ts" in _JEST
    assert [line for line in error_lines(_JEST) if line.startswith("at ")] == [
        "at Object.toBe (src/hooks/send.test.ts:41:34)"
    ]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        (
            "[ERROR] Failures: \n[ERROR]   LedgerTest.rounds:42 expected: <1> but was: <2>\n",
            "[ERROR] LedgerTest.rounds:42 expected: <1> but was: <2>",
        ),
        ("The following tests FAILED:\n\t  7 - ring_wraps (Failed)\n", "7 - ring_wraps (Failed)"),
    ],
)
def test_a_heading_is_not_the_first_complaint(text: str, first: str) -> None:
    assert error_lines(text)[0] == first


def test_a_heading_is_told_where_nothing_stands_under_it() -> None:
    assert error_lines("The following tests FAILED:\n") == ("The following tests FAILED:",)


def test_places_and_values_without_a_failure_near_them_are_not_told() -> None:
    noise = "\n".join(f"step {n} of the run is over" for n in range(9))
    text = f"error: it broke\n{noise}\ngot: 12 rows\nsrc/a.py:3: done\nat last (src/b.ts:3:1)\n"
    assert error_lines(text) == ("error: it broke",)


def test_every_failed_test_is_still_named_where_there_are_several() -> None:
    rows = "\n".join(f"FAILED tests/test_a.py::test_{n} - assert {n} == 0" for n in range(5))
    text = "\n".join(f"E   assert {n} == 0\n\ntests/test_a.py:{n}: AssertionError" for n in range(5))
    named = [line for line in error_lines(f"{rows}\n{text}") if line.startswith("FAILED")]
    assert len(named) == 5
