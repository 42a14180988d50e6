"""What a run prints: the lines that tell why it failed, and the one that sums it up."""

from __future__ import annotations

import pytest

from segue.extract.commands.verdict import conclusion, error_lines, printed_failure


def test_error_lines_hold_the_first_complaint_and_the_decisive_ones() -> None:
    noise = "\n".join(f"line {n} of output that says little" for n in range(50))
    text = f"{noise}\nsrc/a.rs:3:5: error[E0308]: mismatched types\n{noise}\n\x1b[31merror\x1b[0m: could not compile `a`\n"
    assert error_lines(text) == (
        "src/a.rs:3:5: error[E0308]: mismatched types",
        "error : could not compile `a`",
    )


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("....\n4 passed in 0.38s\n", "4 passed in 0.38s"),
        ("test result: ok. 12 passed; 0 failed\n", "ok. 12 passed; 0 failed"),
        ("Tests:  5 passed, 5 total\n", "Tests: 5 passed, 5 total"),
        ("nothing to say\n", ""),
    ],
)
def test_a_check_sums_itself_up_in_one_line(text: str, line: str) -> None:
    assert conclusion(text) == line


@pytest.mark.parametrize(
    ("text", "failed"),
    [
        ("12 passed, 0 failed\n0 errors\n", False),
        ("12 passed, 1 failed\n0 errors\n", True),
        ("12 passed, 0 failed\n1 error\n", True),
    ],
)
def test_only_runs_that_count_failures_failed(text: str, failed: bool) -> None:
    assert printed_failure(text) is failed


def test_a_task_that_failed_beside_others_is_told_by_its_own_lines() -> None:
    text = (
        "[lint:go] $ golangci-lint run\n[lint:mod] module files modified, please commit them\n"
        "[lint:mod]  M go.mod\n[lint:go] 0 issues.\n[lint:go] Finished in 833.4ms\nFinished in 836.4ms\n"
        "[lint:mod] ERROR task failed"
    )
    assert error_lines(text) == (
        "[lint:mod] module files modified, please commit them",
        "[lint:mod] M go.mod",
    )


def test_how_long_a_run_took_does_not_say_why_it_failed() -> None:
    assert error_lines("3 files would be reformatted\nDone in 0.41s.\n") == ("3 files would be reformatted",)


def test_an_echo_of_the_code_is_not_the_first_complaint() -> None:
    text = ">       with pytest.raises(ClientError):\nE       Failed: DID NOT RAISE <class 'ClientError'>\n"
    assert error_lines(text) == ("Failed: DID NOT RAISE <class 'ClientError'>",)


_LINTED = """  x import-plugin(no-named-as-default): Module "@/ui/link" has named export "Link01"
   ,-[demo/link-demo.tsx:3:8]
 2 |
 3 | import Link01, {
   :        ^^^^^^
   `----
  help: Using default import as "Link01" can be confusing. Use another name to avoid an error.

Found 0 warnings and 1 error.
"""


def test_of_a_linter_the_rule_and_the_place_are_told_before_its_help() -> None:
    assert error_lines(_LINTED) == (
        'x import-plugin(no-named-as-default): Module "@/ui/link" has named export "Link01"',
        ",-[demo/link-demo.tsx:3:8]",
        "Found 0 warnings and 1 error.",
    )


def test_help_is_told_where_there_is_nothing_else() -> None:
    assert error_lines("help: the flag cannot be used here\n") == ("help: the flag cannot be used here",)
