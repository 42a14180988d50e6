"""Another one of its kind: `no, the header must be green` after `the header must be blue`, and `no, on the right` after
`put the button on the left`.

Of some things there are few of a kind, and where one is wanted the others are not. The later one replaces the earlier where
both speak of the same thing, or where a correction names nothing else at all; where one of them says more, it may.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

from segue.extract.text.prose import plainly, word_set
from segue.extract.words.supersede_turn import spelled, topic, turns
from segue.extract.words.supersede_word import prohibits, stated
from segue.model.facts import Word
from segue.model.value import NamedTuple

_KINDS = tuple(
    map(
        word_set,
        (
            "red green blue yellow orange purple pink teal cyan magenta black white gray grey brown navy indigo violet beige",
            "english german french spanish portuguese italian russian chinese japanese korean dutch polish"
            " englisch deutsch französisch spanisch italienisch anglais français allemand espagnol italien"
            " inglés español alemán francés inglês português francês alemão inglese italiano tedesco",
            "left right top bottom center centre middle links rechts oben unten gauche droite izquierda derecha",
            "light dark hell dunkel clair sombre claro oscuro",
            "small medium large",
            "monday tuesday wednesday thursday friday saturday sunday",
            "csv tsv xlsx json jsonl yaml toml xml html pdf markdown parquet avro",
            "snake_case camelcase pascalcase kebab-case",
            "euro euros dollar dollars pounds francs yen eur usd gbp",
            "ascending descending",
            "horizontal vertical",
            "public private",
            "tabs spaces",
            "npm yarn pnpm bun",
        ),
    )
)
_ALL = frozenset[str]().union(*_KINDS)
_REFUSED = word_set("not than of no nicht pas instead")
"""What stands before the one that is not wanted."""
_BESIDE = word_set(
    "plan change version color colour language side be is are it put make use keep place set want wants sales"
)
"""What may be said beside, and names no other thing."""


class Otherwise(NamedTuple):
    """A later sentence names another one of a kind; `sure` if it takes the place of the earlier."""

    sure: bool


def has_kinds(sentence: str) -> bool:
    """It names something of which there are few: rare, so asked once of a sentence and not for every rule."""
    return not _ALL.isdisjoint(_wanted(sentence))


def other_kind(new: Word, old: Word) -> Otherwise | None:
    """What a later word that names one of a kind makes of an earlier one."""
    was, now = stated(old), stated(new)
    chosen = _other(now, was)
    if not chosen or prohibits(old):
        return None
    corrects = new.kind == "correction"
    said, asked = _thing(now), _thing(was)
    if not said:
        return Otherwise(sure=True) if corrects else None
    if not said & asked or not (corrects or turns(new.text)):
        return None
    if not said <= asked and _names_with_it(now) & _names_with_it(was):
        return None
    return Otherwise(sure=said <= asked)


@lru_cache(maxsize=1024)
def _names_with_it(sentence: str) -> frozenset[str]:
    """What is told apart by its kind: the theme of `adjust the light theme`, and nothing of `the theme must be light`."""
    words = spelled(plainly(sentence))
    return frozenset[str]().union(*(topic(after) for word, after in pairwise(words) if word in _ALL))


def _other(new: str, old: str) -> bool:
    """Each names one of a kind, and not the same."""
    mine, others = _wanted(new), _wanted(old)
    for kind in _KINDS:
        chosen, left = kind.intersection(mine), kind.intersection(others)
        if len(chosen) == 1 and len(left) == 1 and chosen != left:
            return True
    return False


@lru_cache(maxsize=1024)
def _wanted(sentence: str) -> tuple[str, ...]:
    """The words of a sentence but for those that name what is refused."""
    words = [word for word in spelled(plainly(sentence)) if word != "the"]
    return tuple(word for n, word in enumerate(words) if not n or words[n - 1] not in _REFUSED)


@lru_cache(maxsize=1024)
def _thing(sentence: str) -> frozenset[str]:
    """What a sentence speaks of beside what it chooses."""
    words = (word for word in spelled(plainly(sentence)) if word not in _ALL and word not in _BESIDE)
    return topic(" ".join(words))
