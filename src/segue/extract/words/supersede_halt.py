"""What a person stops: `Stop, legal says we must not assume a location` right after `assume Europe/Berlin for those`,
and `scratch that, …` after whatever was ordered last.

A halt is about the prompt before it. Where it refuses an act of any object, the order to do just that may be meant; where
it only says "that", the last order is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from segue.extract.text.prose import phrases, plainly, word_set
from segue.extract.words.conduct import LEADS
from segue.extract.words.stated import passes
from segue.extract.words.supersede_choice import prompt_before
from segue.extract.words.supersede_turn import clauses, spelled
from segue.model.facts import Word

_HALTS = word_set("stop halt wait no hold whoa stopp halte arrête espera para стой стоп")
_NOT_TO = word_set("not never mustn't can't cannot shouldn't don't dont")
_ANY = word_set("a an any anything anyone anybody something one")
"""What stands before any object, and not before a certain one."""
_ONE_THING = 2
"""Words of an object of which nothing else is said."""
_TAKES_BACK = phrases(
    "scratch that|scrap that|strike that|forget that|forget what i just said|disregard that|never mind that|"
    "vergiss das|oublie ça|olvida eso|esquece isso|lascia perdere|забудь это"
)
_ORDERS = ("constraint", "preference", "correction", "allowed")


@lru_cache(maxsize=1024)
def halted(sentence: str) -> str:
    """The verb of what a sentence stops altogether; empty if it stops nothing."""
    if sentence.partition(" ")[0].strip(",.;:!").lower() not in _HALTS:
        return ""
    for words in map(spelled, clauses(plainly(sentence))):
        place = next((n for n, word in enumerate(words) if word in _NOT_TO), len(words))
        verb, *what = words[place + 1 :] or [""]
        if what and what[0] in _ANY and len(what) <= _ONE_THING:
            return verb
    return ""


def may_be_halted(verb: str, old: str) -> bool:
    """The old sentence orders the act."""
    words = [word for word in spelled(plainly(old)) if word not in LEADS]
    return words[:1] == [verb]


@lru_cache(maxsize=1024)
def takes_that_back(sentence: str) -> bool:
    """It begins with `scratch that`, and `that` is all that was said; `scratch that bug` names something."""
    plain = plainly(sentence)
    if not plain.startswith(_TAKES_BACK):
        return False
    said = next(said for said in _TAKES_BACK if plain.startswith(said))
    return not plain[len(said) :].lstrip()[:1].isalpha()


def taken_back(words: Sequence[Word], marks: Mapping[int, int], later: int) -> int | None:
    """The last order of the prompt before one that begins with `scratch that`."""
    if words[later].kind != "correction" or not takes_that_back(words[later].text):
        return None
    before = prompt_before(words, later)
    if not before or words[before[-1]].origin:
        return None
    prompt = [n for n in before if n not in marks]
    orders = [n for n in prompt if words[n].strength and words[n].kind in _ORDERS]
    if orders:
        return orders[-1]
    only = words[prompt[0]].text if len(prompt) == 1 else "?"
    return None if only.endswith("?") or passes(only) else prompt[0]
