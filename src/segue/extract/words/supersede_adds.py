"""Additions: `we need to support Python 3.9 as well` leaves `we support Python 3.10` standing.

What is wanted beside something puts nothing in its place, however alike the two sentences read. `Also` at the head of a
sentence mostly means "another thing"; there it adds only where the verb behind it does.
"""

from __future__ import annotations

from functools import lru_cache

from segue.extract.text.prose import phrases, plainly, word_set
from segue.extract.words.supersede_turn import spelled

_BEHIND = phrases(" as well| too| in addition")
_ENDS = phrases(" as well, | as well; | as well: | as well. | as well as | too, | too; | too: ")
"""The same before the end of a sentence, which may go on with what is meant or why."""
_AHEAD = phrases(
    "in the meantime|meanwhile|in addition|on top of that|besides|one more |another wish|another thing|and another |a further "
)
_ALSO = word_set("also additionally")
_ELSEWHERE = word_set(
    """
    auch zusätzlich außerdem ebenfalls también además aussi également também além anche inoltre также тоже również dodatkowo
    """
)
_LEADS = word_set("and oh but ok okay so please")
_ADDING = word_set(
    "use support allow accept run test add include cover target handle log export write send we"
)
_IN_PLACE = phrases(
    "instead|rather than|no longer|not |statt|au lieu|plutôt|en vez|en lugar|em vez|invece|вместо"
)
"""What says that something goes."""


@lru_cache(maxsize=1024)
def adds(sentence: str) -> bool:
    """The sentence wants something beside what was wanted before."""
    plain = plainly(sentence).rstrip(" .!")
    if any(sign in plain for sign in _IN_PLACE):
        return False
    words = spelled(plain)
    if plain.endswith(_BEHIND) or not _ELSEWHERE.isdisjoint(words):
        return True
    if any(sign in plain for sign in _ENDS) or plain.startswith(_AHEAD):
        return True
    place = next((n for n, word in enumerate(words) if word in _ALSO), -1)
    if place < 0:
        return False
    return not _LEADS.issuperset(words[:place]) or not _ADDING.isdisjoint(words[place + 1 : place + 2])
