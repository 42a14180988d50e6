"""Decisions that the person changed later, without a word against them.

"So v2 of the target, the old machines need it": nobody objects, and the choice of v3 is one no more. A prompt changes a
decision where it asks for something instead of what was decided, or for what was rejected then, sets an amount of it
otherwise, or names another one of the same kind of name and the agent takes that name up.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from segue.extract.remarks import instead
from segue.extract.remarks.amounts import Amount, set_otherwise
from segue.extract.text.named import as_path
from segue.extract.text.prose import phrases, plainly, sentences, word_set
from segue.extract.text.relevance import terms
from segue.extract.text.unspaced import spaced
from segue.model.facts import Decision, Evidence
from segue.model.turn import Turn
from segue.model.value import NamedTuple

CHANGED = "changed by the person since: "
"""How such a decision is told."""
_RATHER = phrases(
    " instead of | rather than | anstatt | statt | au lieu de | en vez de | en lugar de | вместо "
)
_CONTRASTS = (*_RATHER, *phrases(", not | and not | no longer "))
_REFUSES = ("not ", "nicht ", "kein ", "keine ", "pas de ", "не ")
"""How a sentence begins that names what it refuses first: `Not Redis, take Memcached`."""
_BIDS = word_set(
    "use take switch make go want need wants needs should must please change set move let's put keep"
    " nimm nehmt bitte soll sollen muss wechsle utilise prends usa cambia pon"
)
"""Words of a sentence that asks for the one instead of the other."""
_BIDS_NOW = _BIDS | word_set("write build implement add do schreib baue écris escribe напиши")
_FORBIDS = word_set("not no don't never nicht kein keine pas jamais nunca не ни without")
_OVER = " over "
_PREFERS = phrases(
    "chose |choose |prefer|pick|decided on |go with |going with |went with |go for |favor|favour"
)
"""What stands before `over` where that is no place."""
_BESIDE = word_set(
    "add also another second too both additional extra more besides auch zusätzlich weitere aussi también"
)
"""Words of a sentence that asks for one more, and not for another one."""
_JOINS = word_set("because since so as and for in on from with at by weil für im auf")
"""Words with which a sentence goes on after what it names."""
_ENDS = ".,;:!?()"
_NAMED = 4
"""Words in which the other is named."""
_LEAST = 4
"""Characters of a name that others can be of the same kind with."""


class _Change(NamedTuple):
    line: int
    refused: tuple[frozenset[str], ...]
    """The terms of each thing that something else is asked for instead of."""
    bids: tuple[frozenset[str], ...]
    """The terms of each clause that asks for something."""
    names: dict[str, str]
    """The names with numbers that the prompt gives and the agent takes up, by their kind."""


def since(
    decisions: Sequence[Decision], turns: Sequence[Turn], asked: Mapping[str, Amount]
) -> list[Decision]:
    """The decisions, those that were changed told as such, with the place of the change. `asked` are the amounts that
    the person set."""
    own = [decision for decision in decisions if not decision.origin]
    if not own:
        return list(decisions)
    first = min(decision.evidence[0].line for decision in own)
    named = any(_names(_chosen(decision.text)) for decision in own)
    rejecting = any(map(_rejected, (decision.text for decision in own)))
    later = [turn for turn in turns if turn.first_line > first]
    changes = [change for turn in later if (change := _change(turn, named=named, rejecting=rejecting))]
    overruled = instead.overruled(decisions, turns)
    if not changes and not asked and not overruled:
        return list(decisions)
    return [
        _changed(decision, overruled[place]) if place in overruled else _judged(decision, changes, asked)
        for place, decision in enumerate(decisions)
    ]


def _judged(decision: Decision, changes: Sequence[_Change], asked: Mapping[str, Amount]) -> Decision:
    said = 0 if decision.origin else decision.evidence[0].line
    chosen = _chosen(decision.text)
    about = frozenset(terms(spaced(chosen)))
    own = _names(chosen)
    rejected = _rejected(decision.text) if said else frozenset()
    for change in changes if said else ():
        other = any(name != own[kind] for kind, name in change.names.items() if kind in own)
        picked = bool(rejected) and any(rejected <= bid for bid in change.bids)
        if said < change.line and (other or picked or any(refused <= about for refused in change.refused)):
            return _changed(decision, change.line)
    line = set_otherwise(chosen, said, asked) if said else 0
    return _changed(decision, line) if line else decision


def _changed(decision: Decision, line: int) -> Decision:
    return replace(decision, text=CHANGED + decision.text, evidence=(*decision.evidence, Evidence(line)))


def _change(turn: Turn, *, named: bool, rejecting: bool) -> _Change | None:
    """What a prompt changes; its names are looked at only where a decision is `named`, too, and what it asks for only
    where one is `rejecting` something."""
    prompt = plainly(turn.prompt)
    contrasts = prompt.startswith(_REFUSES) or any(sign in prompt for sign in _CONTRASTS)
    named = named and bool(_names(turn.opening))
    if not contrasts and not named and not rejecting:
        return None
    spoken = sentences(turn.prompt)
    answered = turn.opening.lower()
    names = {
        kind: name
        for said in (spoken if named else ())
        if not said.endswith("?") and _BESIDE.isdisjoint(said.lower().replace(",", " ").split())
        for kind, name in _names(said).items()
        if name in answered
    }
    refused = tuple(filter(None, map(_refused, spoken))) if contrasts else ()
    bids = tuple(filter(None, map(_bid, _clauses(spoken)))) if rejecting else ()
    return _Change(turn.first_line, refused, bids, names) if refused or bids or names else None


def _clauses(spoken: Sequence[str]) -> Iterator[str]:
    for said in spoken:
        if not said.endswith("?"):
            yield from plainly(said).replace(";", ",").replace(":", ",").split(",")


def _bid(clause: str) -> frozenset[str]:
    """What a clause asks for, where it begins with that and forbids nothing."""
    words = clause.split()
    if _BIDS_NOW.isdisjoint(words[:2]) or not _FORBIDS.isdisjoint(words):
        return frozenset()
    return frozenset(terms(spaced(clause)))


def _rejected(text: str) -> frozenset[str]:
    """What a decision names as not chosen."""
    lower = plainly(text)
    sign = next((sign for sign in (*_RATHER, _OVER) if sign in lower), _OVER)
    chosen, _, other = lower.partition(sign)
    if sign == _OVER and not any(word in chosen for word in _PREFERS):
        return frozenset()
    return _named_first(other)


def _refused(sentence: str) -> frozenset[str]:
    """What a sentence asks to have something else instead of."""
    plain = plainly(sentence)
    if plain.startswith(_REFUSES):
        after, _, before = plain.partition(" ")[2].partition(",")
    else:
        sign = next((sign for sign in _CONTRASTS if sign in plain), "")
        before, _, after = plain.partition(sign) if sign else (plain, "", "")
    if not after or plain.endswith("?") or _BIDS.isdisjoint(before.replace(",", " ").split()):
        return frozenset()
    return _named_first(after)


def _named_first(text: str) -> frozenset[str]:
    """The terms of the thing that a text begins with."""
    named: list[str] = []
    for word in text.split():
        if word in _JOINS:
            break
        named.append(word)
        if word[-1] in _ENDS:
            break
    return frozenset(terms(spaced(" ".join(named)))) if len(named) <= _NAMED else frozenset()


def _chosen(text: str) -> str:
    """The part of a decision before what it was preferred to, and before its reasons."""
    lower = text.lower()
    ends = [
        at
        for sign in (*_CONTRASTS, " over ", " because ", " since ", " weil ")
        if (at := lower.find(sign)) > 0
    ]
    return text[: min(ends)] if ends else text


def _names(text: str) -> dict[str, str]:
    """Names that begin with a letter and hold a number, by what they are without it: `x86-64-v3`."""
    found: dict[str, str] = {}
    for word in text.split():
        if word.isalpha():
            continue
        name = word.strip(_ENDS + "`'\"").rpartition("=")[2].lower()
        if name[:1].isalpha() and len(name) >= _LEAST and any(map(str.isdigit, name)) and not as_path(name):
            kind = "".join("0" if letter.isdigit() else letter for letter in name)
            while "00" in kind:
                kind = kind.replace("00", "0")
            found[kind] = "" if kind in found and found[kind] != name else name
    return {kind: name for kind, name in found.items() if name}
