"""What tells two things apart: `the maximum age is 99` says nothing about `the minimum age is 18`.

Two rules are about different things where each says of which one it speaks, in the same place of the phrase, and not of the
same: before the same noun, between the same words, or with one of two words that are opposed. What a rule sets stands in
such a place too; a number is known for that, and of names one place is.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

from segue.extract.text.prose import phrases, plainly, word_set
from segue.extract.words.conduct import TASKS
from segue.extract.words.supersede_subject import MANNER
from segue.extract.words.supersede_turn import spelled
from segue.model.value import NamedTuple

_OPPOSED = tuple(
    tuple(map(word_set, pair.split(" / ")))
    for pair in phrases(
        "min minimum / max maximum|least / most|lower / upper|over above / under below|floor / ceiling|first / last second|"
        "read reading / write writing|source / target destination|input / output|incoming inbound / outgoing outbound|"
        "request / response|header / footer|top / bottom|left / right|old legacy / new|before / after|start begin / end|soft / hard|"
        "unit / integration e2e|dev development local / prod production staging remote|staging / prod production|"
        "client / server|frontend / backend|public external / private internal|primary / secondary replica|"
        "horizontal / vertical|width / height|upload / download|import / export|login / logout|weekday / weekend|short / long"
    )
)
"""Words of which the one names what the other does not."""
_DIRECTIONS = word_set("over above under below")
"""`Nothing over 80` and `under 100` bound from the same side."""
_NEGATES = word_set("no not never nothing nobody don't doesn't mustn't shouldn't can't cannot")
_ARTICLES = word_set(
    "the a an our my your its der die das den dem le la les el los las un una une il lo gli o os as"
)
_DROPPED = word_set(
    """
    please no nope nah actually wait hm hmm ok okay so well and but oh sorry then now just also always only
    """
)
"""How a sentence begins."""
_FINITE = word_set(
    "is are was be must should shall may can will has have needs need gets get stays stay lasts last takes runs"
)
_PRONOUNS = word_set("i we you they it he she this that")
_BEFORE_VERBS = _PRONOUNS | word_set("to may can could should must shall will never don't not and")
_ORDERS = TASKS | word_set(
    "use keep raise increase decrease bump reduce cap limit allow put pick choose prefer stick wait retry want like think"
)
"""What to do, where a sentence begins with it; elsewhere a retry and a limit are things."""
_SAY_NOTHING = (
    MANNER
    | _FINITE
    | _PRONOUNS
    | word_set(
        """
        at by of in for on from with within into onto up as than per each every any all between around about exactly until because
        under over above below after before against via through down off out or
        since if when not never don't doesn't too there here what which who how want wants
        current new updated revised final correct actual real right same whole usual proposed
        """
    )
)
"""Words that do not say of which thing something holds."""
_NUMBER, _ARTICLE = "#", "the"


def are_apart(new: str, old: str, *, forbids: bool = False) -> bool:
    """Two sentences speak of different things, whatever they say of them. What one of them sets or chooses stands in one
    place of the phrase; where both set a number, or the old one `forbids`, no other place may differ, else one."""
    mine, others = _told(new), _told(old)
    if mine.numbers and others.numbers:
        return mine.numbers.isdisjoint(others.numbers) and qualified_otherwise(new, old)
    if forbids:
        return qualified_otherwise(new, old)
    pairs = _places(mine, others)
    return len(pairs) > 1 or (bool(pairs) and _are_opposed(mine, others, but=pairs[0]))


def qualified_otherwise(new: str, old: str) -> bool:
    """Each sentence says of which thing it speaks, and not of the same: `the private functions`, `the public functions`."""
    mine, others = _told(new), _told(old)
    return _are_opposed(mine, others) or bool(_places(mine, others))


def _places(mine: _Told, others: _Told) -> list[tuple[str, ...]]:
    """What only the new sentence has where the old one has something else."""
    theirs = _runs(others, mine)
    return [run.words for run in _runs(mine, others) if any(_in_one_place(run, other) for other in theirs)]


def _are_opposed(mine: _Told, others: _Told, but: tuple[str, ...] = ()) -> bool:
    """The one has a word, the other the one that is opposed to it, and neither has both."""
    left, right = mine.poles - others.poles, others.poles - mine.poles
    if not left or not right:
        return False
    negated = not _NEGATES.isdisjoint((*mine.words, *others.words))
    return any(
        (pair, 1 - side) in right
        and _OPPOSED[pair][side].union(_OPPOSED[pair][1 - side]).isdisjoint(but)
        and not (negated and not _DIRECTIONS.isdisjoint(_OPPOSED[pair][side]))
        for pair, side in left
    )


class _Told(NamedTuple):
    """The words of a rule in their order, each number as one sign, and as they are spelled."""

    words: tuple[str, ...]
    spelled: tuple[str, ...]
    numbers: frozenset[str]
    orders: bool
    """It begins with what to do."""
    poles: frozenset[tuple[int, int]]
    """Which words of `_OPPOSED` it has, by the pair and the side."""


@lru_cache(maxsize=1024)
def _told(text: str) -> _Told:
    words = [word for word in spelled(plainly(text).replace("after all", "")) if word not in _DROPPED]
    numbers = frozenset(word for word in words if word[0].isdigit())
    told = tuple(_NUMBER if word in numbers else _singular(word) for word in words)
    orders = bool(words) and _begins_with_a_verb(words)
    return _Told(told, tuple(words), numbers, orders, _poles(told, orders=orders))


def _begins_with_a_verb(words: list[str]) -> bool:
    """`Keep logs`, and neither `the keep rule` nor `logs are kept`."""
    first = words[0]
    if first in _ARTICLES:
        return False
    orders = first in _ORDERS or (_FINITE.isdisjoint(words) and not first.endswith("s"))
    return orders and not _does(words)


def _does(words: list[str]) -> bool:
    """The second word is of many, and the third says what they do: `log files rotate`."""
    many = len(words) > 2 and words[1].endswith("s") and not words[1].endswith("ss")
    return many and words[2].isalpha() and words[2] not in _SAY_NOTHING and words[2] not in _ARTICLES


def _singular(word: str) -> str:
    if word in _ARTICLES:
        return _ARTICLE
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else word


def _poles(told: tuple[str, ...], *, orders: bool) -> frozenset[tuple[int, int]]:
    """Which of two opposed words there are, but for a unit and for what to do: `5 min` is no minimum."""
    return frozenset(
        pole
        for before, word in pairwise(("", *told))
        if word in _POLES and before != _NUMBER and not (orders and not before)
        for pole in _POLES[word]
    )


_POLES = {
    word: [(pair, side) for pair, sides in enumerate(_OPPOSED) for side in (0, 1) if word in sides[side]]
    for word in frozenset[str]().union(*(one | other for one, other in _OPPOSED))
}


class _Run(NamedTuple):
    """Words that only one of two rules has, and what stands around them."""

    words: tuple[str, ...]
    before: str
    after: str
    names_after: bool
    """What stands behind them is a thing, which they tell from others of its kind."""


def _runs(mine: _Told, others: _Told) -> list[_Run]:
    found, words = [], mine.words
    begin = -1
    for place, word in enumerate((*words, "")):
        sole = word and word not in others.words and _says_which(mine, place)
        if sole and begin < 0 and not (place and words[place - 1] in _BEFORE_VERBS):
            begin = place
        if not sole and begin >= 0:
            names_after = bool(word) and word not in (_NUMBER, _ARTICLE) and word not in _SAY_NOTHING
            found.append(_Run(words[begin:place], _before(words, begin), word, names_after))
            begin = -1
    return found


def _before(words: tuple[str, ...], place: int) -> str:
    """What stands before a place, but for an article."""
    return next((word for word in reversed(words[:place]) if word != _ARTICLE), "")


def _says_which(told: _Told, place: int) -> bool:
    """It is neither a number nor its unit, no verb and no small word."""
    if told.words[place] in (_NUMBER, _ARTICLE) or told.spelled[place] in _SAY_NOTHING:
        return False
    return told.words[place - 1] != _NUMBER if place else not told.orders


def _in_one_place(mine: _Run, other: _Run) -> bool:
    return mine.after == other.after and (mine.names_after or mine.before == other.before)
