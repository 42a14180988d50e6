"""Every row of the table of markers finds its own example and leaves the other alone."""

from __future__ import annotations

import re

import pytest

from segue.handoff.ground.markers import bounded, masked, rows, verdicts


@pytest.mark.parametrize(("role", "pattern", "has", "has_not"), rows())
def test_a_marker_is_found_where_it_stands(role: str, pattern: str, has: str, has_not: str) -> None:
    sought = re.compile(bounded(pattern), re.I | re.M)
    assert sought.search(has) and not sought.search(has_not)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("All tests pass.", {"pass"}),
        ("It does not pass.", {"fail"}),
        ("It no longer fails.", {"pass"}),
        ("Some pass, two fail.", {"pass", "fail"}),
        ("Alle Tests bestanden.", {"pass"}),
        ("测试失败了。", {"fail"}),
        ("The passage was moved.", set()),
        ("It fails if the tree is dirty.", set()),
        ("It fails after the tree was cleaned.", {"fail"}),
        ("Nothing failed so far.", set()),
    ],
)
def test_a_claim_of_how_it_ended_is_read_with_its_negation(text: str, said: set[str]) -> None:
    assert verdicts(text) == said


def test_evidence_says_it_in_more_ways_than_a_claim() -> None:
    assert verdicts("Found 0 errors.", evidence=True) == {"pass"}
    assert verdicts("fatal: no such ref", evidence=True) == {"fail"}
    assert verdicts("fatal: no such ref") == frozenset()


def test_an_exit_status_may_be_that_of_another_program() -> None:
    assert masked("make | tail") and masked("a; b") and not masked("cd x && make test")
