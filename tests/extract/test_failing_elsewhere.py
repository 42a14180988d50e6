"""What failed in an earlier session, and a later one that ran the same elsewhere or asked for less."""

from __future__ import annotations

import pytest

from .story import Story
from .test_hops import hand_off

FAILED = "FAILED tests/test_a.py::test_one - assert 1 == 2\n1 failed, 8 passed in 0.2s"


@pytest.mark.parametrize(
    ("failed", "later", "stands"),
    [
        ("cd web && pytest -q", "cd api && pytest -q", True),
        ("DB=pg pytest -q", "DB=sqlite pytest -q", True),
        ("pytest -q", "pytest -q --deselect tests/test_a.py::test_one", True),
        ("pytest -q", "pytest --version", True),
        ("cd web && pytest -q", "cd web && pytest -q", False),
        ("cd web && pytest -q", "pytest -q", False),
        ("pytest -q", "pytest -q --ignore=tests/slow", False),
    ],
)
def test_a_failure_handed_on_is_made_good_only_by_the_same_or_more(
    failed: str, later: str, stands: bool
) -> None:
    before = Story("first")
    before.prompt("Fix the reader.")
    before.edit("web/a.py")
    before.run(failed, FAILED, 1)
    after = Story("second")
    after.prompt(hand_off(before).text)
    after.run(later, "8 passed in 0.1s")
    assert ("**Failing in an earlier session**" in hand_off(after).text) is stands
