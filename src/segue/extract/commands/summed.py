"""Lines in which a run only sums up its failure, and what it lists below them: which test, which rule.

A count lists no more than it counts; what hangs below it beyond that is about something else.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from segue.extract.text.prose import word_set, words_of

_VERDICTS = frozenset(("FAIL", "FAILED", "Failed", "FAILURE", "Failure"))
_SUMMING = word_set(
    """
    test tests testcases suite suites file files spec specs example examples scenario scenarios passed passing pass
    failed failing fail failures failure errors error skipped pending ignored measured todo total run ran in s ms time duration
    of out and ok not completed finished assertions warnings deselected xfailed
    """
)
"""The words of a line that counts tests."""
_FAILED = ("fail", "error")
_TOLD = 4
"""How many rows of a list are told."""


def beneath(rows: list[str], said: list[str], hits: set[str]) -> Iterator[str]:
    """What stands, further in, under a complaint that only sums up: which test, which rule."""
    for at, row in enumerate(said):
        if row in hits and sums_up(row):
            below = list(_further_in(rows, at))
            listed = [place for place in below if _depth(rows[place]) == _depth(rows[below[0]])]
            if only_judges(row) or len(listed) <= _failing(row):
                yield from (said[place] for place in below[:_TOLD])


def _further_in(rows: list[str], at: int) -> Iterator[int]:
    """The places of the rows that hang below one."""
    for place in range(at + 1, len(rows)):
        if not rows[place].strip() or _depth(rows[place]) <= _depth(rows[at]):
            return
        yield place


def _failing(row: str) -> int:
    """How many a line says failed: more rows than that below it are no list of them."""
    words = row.lower().replace(",", " ").split()
    told = (near for near in zip(words, words[1:], [*words[2:], ""], strict=False) if near[0].isdecimal())
    after = [int(number) for number, *near in told if any(word.startswith(_FAILED) for word in near)]
    before = [
        int(n)
        for word, n in pairwise(words)
        if n.isdecimal() and word.startswith(_FAILED) and word[-1] == ":"
    ]
    return max((*after, *before), default=0)


def _depth(row: str) -> int:
    return len(row) - len(row.lstrip())


def sums_up(row: str) -> bool:
    """It says that something failed, or how many did, and not what."""
    return only_judges(row) or only_counts(row)


def only_judges(row: str) -> bool:
    """It says that something failed: `FAIL thesis.pdf`."""
    verdict, *of = row.split() or [""]
    return verdict.rstrip(":") in _VERDICTS and len(of) < 2 and not any("::" in word for word in of)


def only_counts(row: str) -> bool:
    """It says how many passed and failed."""
    if not any(letter.isdigit() for letter in row):
        return False
    return _SUMMING.issuperset(words_of(row))
