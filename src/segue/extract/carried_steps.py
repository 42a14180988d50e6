"""The next steps of an earlier packet that no other fact of it tells, and the questions among them.

1. Settle what the agent asked and nobody answered: "Which queue?" [#41]
2. Push the work when it is ready, as the person asked: no push was seen since. [#3 of 0199aa…]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from segue.extract.carried_places import PLACES, origin_of, seen_at
from segue.extract.owed import AS_ASKED, OWED
from segue.extract.steps import HANDED_OVER
from segue.model.facts import NextStep, Quote
from segue.model.patterns import compiled

_STEP = compiled(r"\d{1,3}[.)] (?P<text>.*?)" + PLACES + "$")
_ASKED = compiled(r'Settle what the agent asked and nobody answered: "(.*)"$')
_PROPOSED = compiled(r'(?:Weigh what the agent proposed|See whether this was done): "(.*)"$')
_DERIVED = compiled(
    r"Make `|Get `|Finish: |Do: |Begin with |Verify with `|Run `|Check the last edits|Take (?:the last turn |up (?:what |\"|the goal))"
    r"|Go on (?:from |with \"|with the goal)|Settle what the agent asked |Find out how far |See w(?:hich to-dos|hether [`\"])|Treat the work as finished"
    r"|Ask what comes next|Commit and push what "
)
"""Steps that follow from other facts of the packet, or are settled by going on."""


def steps_of(rows: Sequence[str], session: str) -> Iterator[NextStep]:
    """What the agent proposed, what the person asked for and nobody saw, and what somebody wrote in."""
    for item in filter(None, map(_STEP.match, rows)):
        text, basis = item["text"], HANDED_OVER
        if proposed := _PROPOSED.match(text):
            text, basis = proposed[1], "said"
        elif AS_ASKED in text:
            basis = OWED
        elif _DERIVED.match(text):
            continue
        yield NextStep(text=text, basis=basis, evidence=seen_at(item), origin=origin_of(item, session))


def questions_of(rows: Sequence[str], session: str) -> Iterator[Quote]:
    for item in filter(None, map(_STEP.match, rows)):
        if asked := _ASKED.match(item["text"]):
            yield Quote(text=asked[1], evidence=seen_at(item), origin=origin_of(item, session))
