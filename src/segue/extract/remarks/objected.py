"""Decisions that did not survive the person's next words.

An agent tells what it chose; the person reads it and objects; mostly the agent gives in and does something else. What
it had chosen is then a thing not to do again. Where nobody saw it give in, the choice stands with the objection beside
it: who goes on decides. An objection is one to a decision only where both name the same things. One that the person
only changed is told as such.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from segue.extract.remarks import changed
from segue.extract.remarks.amounts import Amount
from segue.extract.text.prose import phrases, plainly, word_set
from segue.extract.text.relevance import terms
from segue.extract.text.unspaced import spaced
from segue.model.facts import DeadEnd, Decision, Evidence
from segue.model.turn import Turn

DROPPED, OBJECTED = "dropped by the person: ", "the person objected: "
"""How a decision is told that was taken back, and one that may have been."""
_SAID = 400
"""Characters of a prompt in which it objects."""
_REACH = 3
"""How many prompts later an objection may come that the agent gave in to."""
_LEADS = word_set("ah oh hm hmm yes yeah okay ok right well so sorry wait ach ja ah, oh")
_NO = word_set("no nope nah wait wtf stop nein non нет")
_REFUSES = (
    "why would|why did you|why are we|why are you|why do we|why not just|not right|look right|is wrong|was wrong|s wrong|no sense"
    "|n't make sense|n't want|not want|not what i|shouldn't|should not|undo|revert|take that back|take it back|overkill"
    "|overcomplicat|overengineer|over-engineer|too complicated|too complex|rather not|i'd rather|n't like|not a fan|please don't"
    "|bad idea|i hate|not happy|falsch|warum|wieso|nicht so|lieber nicht|pourquoi|pas bon|por qué|no quiero|está mal|зачем|почему"
    "|不对|不要|为什么|違|なぜ|ではなく|아니|왜"
)
"""How a prompt objects, in small letters; a sign ends at `|`."""
_GIVES_IN = phrases(
    "you're right|you are right|you're absolutely right|you are absolutely right|you're correct|"
    "good catch|good point|good call|fair point|fair enough|great point|great catch|my mistake|my bad|"
    "apologies|i apologize|i overcomplicated|i overengineered|i was wrong|i misunderstood|i misread|"
    "that was wrong|agreed|understood|you have a point|that's fair|du hast recht|sie haben recht|stimmt|"
    "mein fehler|tu as raison|vous avez raison|en effet|tienes razón|tiene razón|tem razão|вы правы|"
    "ты прав|你说得对|您说得对|抱歉|确实|おっしゃる|ご指摘|申し訳|確かに|맞습니다|죄송"
)
_CONCEDES = tuple(
    sign for sign in _GIVES_IN if sign not in ("agreed", "understood", "apologies", "抱歉", "죄송")
)
"""Those that by themselves tell that the prompt objected."""
_APPROVES = word_set("fine good great nice lgtm perfect works love cool thanks")
_ACCEPTS = word_set("ok okay fine good yes sure great perfect agreed ja gut oui sí да 好 はい 네")
_VAGUE = word_set(
    "chang simpl approach option way better later code file thing actual instead rather decid decision"
)


def weighed(
    decisions: Sequence[Decision], turns: Sequence[Turn], asked: Mapping[str, Amount]
) -> tuple[list[Decision], list[DeadEnd]]:
    """The decisions that stand, one that was objected to with the objection, and those that were taken back. `asked`
    are the amounts that the person set."""
    signs = _REFUSES.split("|")
    starts = [turn.first_line for turn in turns]
    soon = {
        place
        for decision in decisions
        if not decision.origin
        for place in range(len(turns))[_next_turn(decision, starts) :][:_REACH]
    }
    objecting = [
        (place, turn)
        for place, turn in ((place, turns[place]) for place in sorted(soon))
        if _objects(turn.prompt, signs) or (gave_in(turn, _CONCEDES) and not approves(turn.prompt))
    ]
    if not objecting:
        return changed.since(decisions, turns, asked), []
    standing: list[Decision] = []
    dropped: list[DeadEnd] = []
    for decision in decisions:
        against = (
            None if decision.origin else _against(decision, _next_turn(decision, starts), turns, objecting)
        )
        if against is None:
            standing.append(decision)
            continue
        at = (*decision.evidence, Evidence(against.first_line))
        if gave_in(against):
            text = DROPPED + decision.text
            dropped.append(DeadEnd(tried=text, why=decision.why, evidence=at, score=decision.score + 1))
        else:
            standing.append(replace(decision, text=OBJECTED + decision.text, evidence=at))
    return changed.since(standing, turns, asked), dropped


def _next_turn(decision: Decision, starts: Sequence[int]) -> int:
    """The place of the turn after the one in which it was said."""
    return bisect_right(starts, decision.evidence[0].line)


def _against(
    decision: Decision, first: int, turns: Sequence[Turn], objecting: Iterable[tuple[int, Turn]]
) -> Turn | None:
    """The turn, from the `first` after it on, that begins with an objection to the decision."""
    about = frozenset(terms(spaced(decision.text))) - _VAGUE
    for place, turn in objecting:
        if not first <= place < first + _REACH:
            continue
        shared = len(about.intersection(terms(spaced(turn.prompt[:_SAID]))))
        if shared >= 2 and gave_in(turn):
            return turn
        accepted = place + 1 < len(turns) and _first_word(turns[place + 1].prompt) in _ACCEPTS
        if place == first and shared >= 2 and not accepted:
            return turn
    return None


def _objects(prompt: str, signs: Sequence[str]) -> bool:
    lower = plainly(prompt[:_SAID])
    return _first_word(lower) in _NO or any(sign in lower for sign in signs)


def approves(prompt: str) -> bool:
    return not _APPROVES.isdisjoint(prompt[:_SAID].lower().replace(",", " ").replace(".", " ").split())


def gave_in(turn: Turn, signs: tuple[str, ...] = _GIVES_IN) -> bool:
    """The agent's first words say that the person is right."""
    lower = plainly(turn.opening[:120]).lstrip("*_ ")
    while (lead := lower.split(" ", 1))[0].rstrip(",.!-") in _LEADS and len(lead) > 1:
        lower = lead[1].lstrip(",;- ")
    return lower.startswith(signs) and " right to " not in lower


def _first_word(text: str) -> str:
    return next(iter(text[:40].lower().split()), "").rstrip(",.!?;:")
