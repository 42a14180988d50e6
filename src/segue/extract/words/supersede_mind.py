"""A mind that is changed: `the error text: I've reconsidered, make it English` after `error text in German please`.

The person says of what they think otherwise now. The rule about just that is replaced, whatever it chose; a rule of
which only a part is named, or whose choice is named again, is not.
"""

from __future__ import annotations

from functools import lru_cache

from segue.extract.text.prose import phrases, plainly, word_set
from segue.extract.words.supersede_drop import is_most
from segue.extract.words.supersede_turn import named, spelled

_SIGNS = word_set(
    """
    reconsidered rethought mind minds thoughts thought überlegt réflexion d'avis idea pensado pensándolo ideia melhor
    ripensandoci передумал передумала zdanie przemyślałem przemyślałam
    """
)
"""One of these stands wherever somebody changes their mind; to look for a word is cheaper than for a phrase."""
_CHANGES = phrases(
    "i've reconsidered|i reconsidered|i have reconsidered|we've reconsidered|we reconsidered|we have reconsidered|"
    "i've rethought|i rethought|we've rethought|we rethought|changed my mind|changed our mind|changed our minds|"
    "having second thoughts|had second thoughts|have second thoughts|on second thought|on second thoughts|thought better of|"
    "anders überlegt|réflexion faite|à la réflexion|changé d'avis|cambiado de idea|cambié de idea|pensado mejor|"
    "pensándolo mejor|mudei de ideia|pensando melhor|cambiato idea|ripensandoci|передумал|передумала|"
    "zmieniłem zdanie|zmieniłam zdanie|przemyślałem|przemyślałam"
)
_UNSPACED = phrases("考え直し|気が変わ|改主意|重新考虑|생각이 바뀌")
_SMALL = word_set(
    """
    about on of over regarding the a our my this that sobre acerca de del los las el la le les l' sur à au aux du des
    über wegen bei der die das den dem zu als mit auf насчёт про o
    """
)
"""Prepositions and articles before what somebody thinks otherwise of."""
_NOT_YET = word_set("haven't hasn't not never nicht pas no não не nie")
_LONGEST, _LABEL = 240, 6
"""Characters of a sentence, and words of what heads it."""


@lru_cache(maxsize=1024)
def changes_mind(sentence: str) -> bool:
    """Somebody says that they think otherwise now."""
    plain = plainly(sentence)
    if len(plain) > _LONGEST or plain.endswith("?"):
        return False
    if not plain.isascii() and any(sign in plain for sign in _UNSPACED):
        return True
    if _SIGNS.isdisjoint(plain.replace(",", " ").replace(":", " ").replace(".", " ").split()):
        return False
    sign = next((sign for sign in _CHANGES if sign in plain), "")
    return bool(sign) and _NOT_YET.isdisjoint(plain.partition(sign)[0].split()[-2:])


@lru_cache(maxsize=1024)
def thought_over(sentence: str) -> frozenset[str]:
    """What somebody who changes their mind says it is about: the label before, or what stands right behind."""
    plain = plainly(sentence)
    sign = next((sign for sign in (*_CHANGES, *_UNSPACED) if sign in plain), "")
    if not sign:
        return frozenset()
    before, _, behind = plain.partition(sign)
    head = before.rpartition(":")[0]
    if head and len(head.split()) <= _LABEL and named(head):
        return _about(head)
    for mark in (": ", ", ", "; ", ". ", " - "):
        behind = behind.partition(mark)[0]
    return _about(behind)


def _about(text: str) -> frozenset[str]:
    return named(" ".join(word for word in spelled(text) if word not in _SMALL))


def may_think_otherwise(new: str, old: str) -> bool:
    """A sentence that changes somebody's mind speaks of half of what an old rule, which forbids nothing, is about, and says
    more."""
    thing, mine, told = thought_over(new), named(new), _about(plainly(old))
    if thing and thing.isdisjoint(told):
        return False
    return 2 * len(mine & told) >= len(told) and not mine <= told


def thinks_otherwise(new: str, old: str) -> bool:
    """A sentence that changes somebody's mind puts something else where an old rule, which forbids nothing, has its choice."""
    thing, told = thought_over(new), named(old)
    if not thing or not thing <= told or not is_most(thing, old):
        return False
    chosen = named(new) - thing
    left = told - thing
    return bool(chosen - told) and (not left or not left <= chosen)
