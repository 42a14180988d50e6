"""To-dos that the person spoke of after the list was last kept: who goes on by the list must know what was said since.

A to-do and a prompt speak of the same work where they name the same things. A prompt that forbids it outright takes the
to-do away; whatever else it says of it, such as when or how, is pointed at.
"""

from __future__ import annotations

from collections.abc import Sequence

from segue.extract.text.prose import phrases, plainly, sentences, word_set
from segue.extract.text.relevance import stem, terms
from segue.extract.text.unspaced import spaced
from segue.model.facts import Quote, TodoFact
from segue.model.value import NamedTuple

_LONG, _BEGINS = 2400, 80
"""Characters of a prompt that are looked at."""
_VAGUE = word_set(
    "test tests file fix fixed add updat chang code doc docs docs/ src readme check implement write pass support new md step final"
    " review commit push report issu task run bump upgrad remov delet rename renam move port creat build improv refactor clean"
)
_NO = phrases(
    "don't |do not |dont |please don't |please do not |no need to |never |nicht |ne |no |não |не |nie "
)
_DROPS = phrases(
    "skip |forget |drop |cancel |scratch |leave out |never mind |nevermind |lass |vergiss |oublie |olvida |esquece |забудь |zapomnij "
)
_LEADS = phrases(
    "ok, |ok. |okay, |oh and |and |also |but |please |actually, |actually |wait, |no, |y |und |et |bitte "
)
_DOES = word_set(
    "do start begin make write build bother work touch implement add create continue bother with"
    " hagas empieces escribas mach fang schreib fais commence"
)
_UNTIL = word_set(
    "until till before unless yet now once when after bis bevor solange erst avant jusqu'à tant hasta antes todavía aún até пока"
)
"""What makes a ban one for a while."""


_BANS = phrases(
    "don't |do not |dont |never |nicht |ne touch|ne modif|ne chang|no toques |no cambies |não mexa |não toque |не трогай |не меняй |nie ruszaj "
)
_NO_BANS = phrases(
    "never mind|don't forget|do not forget|dont forget|don't hesitate|do not hesitate|don't stop|do not stop|don't worry|do not worry|nicht vergessen"
)
_ALSO_ASKS = phrases(" but | instead| rather |; |, just |, only |sondern|stattdessen|mais |sino |mas sim| а ")
"""How a ban goes on to what is to be done."""


class Overruling(NamedTuple):
    by: Quote
    forbids: bool


def spoken_of(todo: TodoFact, prompts: Sequence[Quote]) -> Overruling | None:
    """The last prompt after the to-do's list that speaks of it."""
    at = todo.evidence[0].line if todo.evidence else 0
    later = [
        prompt for prompt in prompts if prompt.evidence and prompt.evidence[0].line > at and not prompt.origin
    ]
    own = frozenset(terms(spaced(todo.text))) - _VAGUE if later else frozenset()
    for prompt in reversed(later):
        about = [said for said in sentences(prompt.text[:_LONG]) if _shares(own, said)]
        if about:
            return Overruling(prompt, any(_forbids(own, said) for said in about))
    return None


def _shares(own: frozenset[str], said: str) -> bool:
    shared = own.intersection(terms(spaced(said)))
    return len(shared) > 1 or (len(own) < 3 and bool(shared)) or any(not term.isalpha() for term in shared)


def only_forbids(prompt: str) -> bool:
    """It says what is not to be done, and nothing else."""
    if not _without_leads(prompt[:_BEGINS]).startswith(_BANS):
        return False
    said = [_without_leads(sentence) for sentence in sentences(prompt[:_LONG])]
    return bool(said) and all(
        plain.startswith(_BANS)
        and not plain.startswith(_NO_BANS)
        and not plain.endswith("?")
        and not any(sign in plain for sign in _ALSO_ASKS)
        for plain in said
    )


def _without_leads(said: str) -> str:
    plain = plainly(said)
    while lead := next((lead for lead in _LEADS if plain.startswith(lead)), ""):
        plain = plain[len(lead) :]
    return plain


def _forbids(own: frozenset[str], said: str) -> bool:
    plain = _without_leads(said)
    words = plain.replace(",", " ").replace(".", " ").split()
    if not _UNTIL.isdisjoint(words):
        return False
    if plain.startswith(_DROPS):
        return True
    no = next((no for no in _NO if plain.startswith(no)), "")
    verb = next(iter(plain[len(no) :].split()), "") if no else ""
    return bool(no) and (verb in _DOES or stem(verb) in own)
