"""A no with another choice in it, right after a decision: `No, use Postgres.`

It names nothing of what was decided, so it is taken for an answer to the last decision of the turn before it only where
nothing else was put to the person there, where it sets a thing of the same sort, and where the agent takes it up.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from segue.extract.text.prose import phrases, plainly, sentences, word_set
from segue.extract.text.relevance import terms
from segue.extract.text.unspaced import spaced
from segue.model.facts import Decision
from segue.model.turn import Turn

_NO = word_set("no nope nah nein non нет")
_CHOOSES = phrases(
    "use |take |go with |go for |switch to |let's use |let's go with |let's take |please use |please take |make it |pick |"
    "nimm |nehmen wir |verwende |bitte nimm |utilise |prends |usa |utiliza |toma |используй |возьми "
)
_LONGEST = 10
"""Words of a sentence that only chooses."""


def overruled(decisions: Sequence[Decision], turns: Sequence[Turn]) -> dict[int, int]:
    """The places of the decisions that such a no answers, with the line of each."""
    found: dict[int, int] = {}
    for before, turn in pairwise(turns):
        chosen = _chosen(turn.prompt)
        if not chosen or before.closing.rstrip().endswith("?") or not _taken_up(chosen, turn):
            continue
        last = _last_in(before, decisions)
        if last is not None and _of_one_sort(chosen, decisions[last].text):
            found[last] = turn.first_line
    return found


def _chosen(prompt: str) -> str:
    """What a prompt that begins with a no chooses instead."""
    first, _, rest = prompt[:80].partition(" ")
    no = first.rstrip(",.!;:-")
    if not rest or no == first or no.lower() not in _NO:
        return ""
    said = next(iter(sentences(rest)), "")
    sign = next((sign for sign in _CHOOSES if plainly(said).startswith(sign)), "")
    return said[len(sign) :] if sign and len(said.split()) <= _LONGEST and not said.endswith("?") else ""


def _taken_up(chosen: str, turn: Turn) -> bool:
    """The agent names it in what it says next, or has said nothing yet."""
    if not turn.opening:
        return True
    return not _things(chosen).isdisjoint(_things(f"{turn.opening} {turn.closing}"))


def _last_in(turn: Turn, decisions: Sequence[Decision]) -> int | None:
    said = [
        (decision.evidence[0].line, place)
        for place, decision in enumerate(decisions)
        if not decision.origin and turn.first_line <= decision.evidence[0].line <= turn.last_line
    ]
    return max(said)[1] if said else None


def _of_one_sort(chosen: str, decided: str) -> bool:
    """A number stands for a number; what names the same thing again only adds to it."""
    numbers = any(map(str.isdigit, chosen)), any(map(str.isdigit, decided))
    return numbers[0] <= numbers[1] and _things(chosen).isdisjoint(_things(decided))


def _things(text: str) -> frozenset[str]:
    return frozenset(terms(spaced(text)))
