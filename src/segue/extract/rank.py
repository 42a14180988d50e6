"""One scorer: what a sentence or a prompt weighs for the reader.

Structure first: where it stands and what it names. Then novelty (what was said before weighs less), the goal, how
late it was said, and the role its markers give it. The numbers are few and stand here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from segue.extract.text.relevance import Goal
from segue.extract.text.sentence import Sentence
from segue.model.facts import Role
from segue.model.value import NamedTuple

_ROLES: dict[Role, float] = {"failed": 1.0, "cause": 1.0, "decision": 0.9, "open": 0.3, "rule": 0.2}
_NAMES, _NUMBERS = 0.22, 0.15
_MOST_NAMES, _MOST_NUMBERS = 4, 3
_NOVELTY, _RECENCY, _GOAL = 1.4, 0.9, 1.6
_MIDWAY = -1.1
_LEAD = 0.3
_BRIEF, _TOO_BRIEF = 5, -0.9
_LONG, _TOO_LONG = 320, -0.6
_SAME = 0.62
"""What share of its terms two sentences have in common that say the same."""


class Candidate(NamedTuple):
    """A sentence and where it was said: `age` is 0 for the first turn and 1 for the last."""

    sentence: Sentence
    line: int
    age: float
    midway: bool = False
    lead: bool = False
    """It opens the last message of a turn: what follows there leans on it."""


def weighed(candidates: Sequence[Candidate], goal: Goal) -> list[float]:
    """What each sentence weighs, in the order in which they were said."""
    seen: set[str] = set()
    weights = []
    for candidate in candidates:
        terms = candidate.sentence.terms
        new = len(terms - seen) / len(terms) if terms else 0.0
        seen |= terms
        weights.append(_weight(candidate, new, goal))
    return weights


def _weight(candidate: Candidate, novelty: float, goal: Goal) -> float:
    sentence = candidate.sentence
    names, numbers = sentence.named
    weight = max(map(_ROLES.__getitem__, sentence.roles), default=0.0)
    weight += _NAMES * min(names, _MOST_NAMES) + _NUMBERS * min(numbers, _MOST_NUMBERS)
    weight += _NOVELTY * novelty + _RECENCY * candidate.age
    weight += _GOAL * goal.score(sentence.text) if goal.terms else 0.0
    weight += _MIDWAY * candidate.midway
    is_brief = sentence.text.isascii() and len(sentence.words) - 2 * names < _BRIEF
    weight += _TOO_BRIEF if is_brief else _LEAD * candidate.lead
    if len(sentence.text) > _LONG:
        weight += _TOO_LONG
    return weight


def chosen(
    candidates: Sequence[Candidate], weights: Sequence[float], room: int, least: float, covers: Iterable[Role]
) -> list[int]:
    """The places of the sentences that fit into `room` characters, heaviest first and none that says what one chosen
    already says. Each role that must be covered gets its two heaviest before anything else."""
    order = sorted(range(len(candidates)), key=lambda n: (-weights[n], n))
    first = [n for role in covers for n in [m for m in order if role in candidates[m].sentence.roles][:2]]
    taken: dict[int, frozenset[str]] = {}
    for n in dict.fromkeys((*first, *order)):
        size = len(candidates[n].sentence.text)
        if weights[n] < least or size > room:
            continue
        terms = candidates[n].sentence.terms
        if any(_same(terms, others) for others in taken.values()):
            continue
        taken[n] = terms
        room -= size + 8
    return sorted(taken)


def _same(terms: frozenset[str], others: frozenset[str]) -> bool:
    few = min(len(terms), len(others))
    return few > 2 and len(terms & others) >= _SAME * few
