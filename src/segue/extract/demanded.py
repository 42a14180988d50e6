"""What of a prompt asks for work. A person who says while the agent works what it must leave alone, sends a picture or
takes a question back goes on wanting what was asked for before.

What is given is a part of the prompt as it was written, so that it can be quoted.
"""

from __future__ import annotations

from segue.extract.text.prose import phrases, plainly, sentences, word_set, words_of
from segue.extract.undemanding import asks_nothing
from segue.model.facts import Quote

_LONGEST = 600
"""Characters up to which a prompt may be nothing but an aside."""
_BANS = phrases(
    "don't |do not |dont |never |no |nicht |kein|ne |n'|pas de |no toques |no cambies |não |nada de |не |nie |不要|别|请勿"
)
_NO_BANS = phrases(
    "don't forget|do not forget|dont forget|don't stop|do not stop|don't worry|do not worry|don't hesitate|never mind|nevermind|no, |no. |no that|no it|no i |no we "
)
_ALSO_ASKS = phrases(
    " but | instead| rather |; |, just |, only |please build|sondern|stattdessen|mais |sino | а "
)
"""How a ban goes on to what is to be done."""
_LEADS = phrases(
    "ok, |ok. |okay, |oh and |oh, |and |also |please |btw |btw, |by the way |by the way, |fyi |fyi: |und |bitte |et |y |e "
)
_VERBS = word_set(
    "write use do make add put take run fix build create move rename implement solve set start show"
)
_POINTS = word_set("it that this them these those so")
_CALLS = word_set("hmm wait stop ok okay oh hey hi well so right sorry back i m im am hold on hello again")
_TAKES_BACK = phrases(
    "never mind|nevermind|scratch that|forget it|forget that|forget i |ignore that|vergiss es|vergiss das|egal|laisse tomber|"
    "oublie|olvídalo|esquece|забудь|算了|忘れて"
)
_KEEPS = phrases("keep |leave |stay |behalte |lass |garde |laisse |mantén |deja |mantém |deixa |оставь ")
"""How a person says what is to stay as it is; beside a ban that is no work."""
_KEEPS_ON = ("keep going", "keep on ", "keep working")
_GOES_ON = word_set(
    "go on continue carry keep going proceed resume weiter mach ok okay yes please now then continuez sigue continua"
)
_ALONE = word_set("image images img screenshot picture photo pasted attached file")
_SAYS_LITTLE = 24
"""Characters of a part that says nothing without the rest."""
_FEW = 4
"""Words of a sentence that only takes something back."""
_LEAD = 40
"""Characters of what may stand before a ban and a colon."""


def demanded(prompt: Quote) -> str:
    """The part of a prompt that asks for work, empty where none does."""
    said = " ".join(prompt.text.split())
    if asks_nothing(prompt.text, answering=bool(prompt.to)) or _is_picture(said):
        return ""
    if prompt.to or len(said) > _LONGEST:
        return said
    parts = sentences(said)
    kept = list(_kept(parts))
    if len(kept) == len(parts) or all(map(_goes_on, parts)):
        return said
    while len(kept) > 1 and len(parts[kept[0]].split()) < 3:
        kept.pop(0)
    if all(_goes_on(parts[place]) or _stays(parts[place]) for place in kept):
        return ""
    first = last = kept[0]
    while last + 1 in kept:
        last += 1
    begin = said.find(parts[first])
    end = said.find(parts[last], begin) + len(parts[last])
    return said[begin:end] if begin >= 0 and end > begin + _SAYS_LITTLE else said


def takes_back(prompt: Quote) -> bool:
    """It begins by taking back what was asked before."""
    return _plain(prompt.text[:_LEAD]).startswith(_TAKES_BACK)


def _kept(parts: list[str]) -> list[int]:
    kept: list[int] = []
    for place, part in enumerate(parts):
        plain = _plain(part)
        asked = [other for other in kept if parts[other].endswith("?")]
        if plain.startswith(_TAKES_BACK) and (asked or len(plain.split()) <= _FEW):
            kept = [other for other in kept if other not in asked]
        elif not _forbids(plain) and not asks_nothing(part, answering=False) and not _only_calls(part):
            kept.append(place)
    return kept


def _forbids(plain: str) -> bool:
    return (
        plain.startswith(_BANS)
        and not plain.startswith(_NO_BANS)
        and not plain.endswith("?")
        and not any(sign in plain for sign in _ALSO_ASKS)
        and not any(map(_orders, plain.split(", ")[1:]))
    )


def _orders(clause: str) -> bool:
    """It tells what to do with something else than what was spoken of."""
    verb, *rest = clause.split() or [""]
    return verb in _VERBS and _POINTS.isdisjoint(rest[:1])


def _only_calls(part: str) -> bool:
    """It only gets the agent's ear."""
    return _CALLS.issuperset(words_of(part))


def _stays(part: str) -> bool:
    """It says what is to stay as it is."""
    plain = _plain(part)
    return plain.startswith(_KEEPS) and not plain.startswith(_KEEPS_ON)


def _goes_on(part: str) -> bool:
    return _GOES_ON.issuperset(words_of(part))


def _is_picture(said: str) -> bool:
    return said[:1] in ("[", "<") and said[-1:] in ("]", ">") and _ALONE.issuperset(words_of(said))


def _plain(said: str) -> str:
    plain = plainly(said)
    while lead := next((lead for lead in _LEADS if plain.startswith(lead)), ""):
        plain = plain[len(lead) :]
    before, colon, behind = plain.partition(": ")
    return behind if colon and len(before) < _LEAD and behind.startswith(_BANS) else plain
