"""What a reply says yes to: `yep`, `let's do 2` and `do B instead` mean nothing without the message before them.

A reply that only consents is told with the end of what the agent had said, where it asked or proposed; one
that names options is told with these, and a word or two with the question that wanted them: `JSON.`, `8080`, `not yet`.
What names something itself needs no such help.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from segue.extract.text.prose import clipped, flat, phrases, word_set
from segue.extract.text.relevance import terms
from segue.model.value import NamedTuple

_LONGEST = 160
"""Characters up to which a reply may say nothing by itself."""
_ROOM = 360
_SHORT = 160
"""Characters up to which a closing question leans on the paragraph before it."""
_CONSENT = word_set(
    """
    yes yeah yep yup ya y ok okay k sure right correct exactly agreed alright fine good great perfect nice cool awesome
    sounds looks lgtm go ahead do it that this them those these so let's lets let us please then now just and with for
    both all everything the a plan ship proceed continue implement apply start begin try again fix patch make build add
    happen want i like your you suggested proposed suggestion proposal recommendation recommended as said we can
    no not none neither nope carry on keep going
    ja genau mach das weiter bitte klar oui vas-y d'accord continue sí si dale adelante claro sim pode sì vai va bene
    nein non não нет nie 不 不是 いいえ 아니
    да давай хорошо 好 好的 可以 行 继续 是 对 はい お願いします 続けて 네 응 좋아 계속
    """
)
_POINTS = (
    "you suggested",
    "you proposed",
    "your suggestion",
    "your proposal",
    "your plan",
    "you recommended",
    "as you said",
)
_ANSWERS = phrases("yes, |yes |yep, |yeah, |yeah |no, |nope, |ja, |nein, |oui, |non, |sí, |да, |нет, ")
_POINTING = word_set("it that this them one those these es das ihn sie ça lo его")
_BRIEF = 8
"""Words up to which a yes or no with something behind it leans on the question."""
_LONGEST_NAME, _NAME = 40, 4
"""Characters and words up to which a reply may be no more than what was asked for."""
_INTERROGATIVES = word_set(
    """
    which what where who whom whose when how welche welcher welches welchen was wo wer wann wie quel quelle quels où qui quand
    comment cuál cuáles qué dónde quién cuándo cómo qual quais onde quem quando como quale dove chi какой какая какие где кто когда как
    """
)
_YES_OR_NO = word_set(
    """
    shall should do does did can could may might is are was will would has have want ok okay soll sollen darf kann möchtest willst
    dois-je puis-je est-ce veux-tu debo puedo quieres devo posso quer mogę мне
    """
)
"""How a question begins that wants no name."""
_PUTS_OFF = word_set(
    "not later never maybe sure definitely absolutely always only noch nicht später pas plus después não потом не"
)
_EITHER = word_set("or oder ou o или lub")
_BEFORE_A_NAME = word_set(
    "in on at to by from under after before every the a an my our im am auf nach das die der le la les dans sur en el los на в"
)
_FOLLOWS = r"(?=$|\s*[.,;:!?+&)]|\s+(?:and|or|then|first|instead|please|now|in|as|for|too|but|next|might|would|easily|we|if)\b)"
_PICKED = (
    r"(?:^(?:for )?|\b(?:do|try|take|pick|choose|prefer|want|options?|number|step|phase|with|yes to|yes|yep|yeah|ok|about|go|fix|skip) #?)"
    rf"(?:option |number |step |phase |#)?([1-9]\d?|[a-h]){_FOLLOWS}"
)
_ALSO = rf"(?<=[\da-h])\s?(?:\+|&|,|and|or)\s?(?:yes )?([1-9]\d?|[b-h]){_FOLLOWS}"
_MARKED = r"^[ \t]*(?:[-*•#|]+[ \t]+)?(?:\*\*|__|`)?(?:option |step |phase )?\(?([1-9]\d?|[a-h])(?:\*\*|__|`)?(?:[.):]|[ \t][|—–-])(?:\*\*|__|`)?[ \t]+(\S.*)$"
"""An option as agents list them: `2. …`, `**B)** …`, `| B | … |`. Few sessions need these patterns, so none is compiled
before it is used."""
REACH = 4
"""How many messages back an option may have been offered."""


class Referent(NamedTuple):
    """What a reply speaks of, and the line of the message it stands in."""

    text: str
    line: int


def referred(reply: str, told: Sequence[tuple[int, str]], *, spoken: bool = True) -> Referent | None:
    """What of the agent's messages, the last of which comes last, a reply speaks of; None where it speaks for itself. One
    that was not `spoken` right after them may be a name of its own."""
    marks, consents, picks = _leans_on(reply)
    for line, message in reversed(told[-REACH:]) if marks else ():
        if options := _options(marks, message):
            return Referent(options, line)
    if consents and told:
        line, message = told[-1]
        return Referent(_closing(message), line)
    if (picks or (spoken and _is_a_name(reply))) and told and (asked := _question(told[-1][1])):
        return Referent(asked, told[-1][0]) if picks or _names(reply, asked) else None
    return None


def leans(reply: str) -> bool:
    """The reply may need what was said before it to be understood."""
    return any(_leans_on(reply)) or _is_a_name(reply)


def answers(reply: str, question: str) -> bool:
    """The reply says nothing by itself and may well be said to this question."""
    return any(_leans_on(reply)) or _names(reply, question)


def _names(reply: str, question: str) -> bool:
    """A few words that give what a question wants: a name for its `which`, one of what it offers, or when."""
    if not _is_a_name(reply):
        return False
    said, asked = (flat(text).lower().translate(_PUNCTUATION).split() for text in (reply, question))
    if not said or not asked:
        return False
    named = not set(terms(reply)).isdisjoint(terms(question))
    if asked[0] in _YES_OR_NO or _INTERROGATIVES.isdisjoint(asked):
        return said[0] in _PUTS_OFF or (named and not _EITHER.isdisjoint(asked))
    numbered = len(said) < _NAME - 1 and (said[0][0].isdigit() or said[-1][-1].isdigit())
    return named or len(said) == 1 or numbered or (said[0] in _BEFORE_A_NAME and len(said) < _NAME)


def _is_a_name(reply: str) -> bool:
    return len(reply) <= _LONGEST_NAME and 0 < len(reply.split()) <= _NAME and "?" not in reply


@lru_cache(maxsize=512)
def _leans_on(reply: str) -> tuple[tuple[str, ...], bool, bool]:
    """The options that a reply names, whether it only consents beside that, and whether it begins with a yes or no to
    what was asked."""
    if len(reply) > _LONGEST:
        return (), False, False
    lower = flat(reply).lower().replace("’", "'")
    words = lower.translate(_PUNCTUATION).split()
    marks: tuple[str, ...] = ()
    if any(word[0].isdigit() or len(word) == 1 for word in words):
        marks = tuple(dict.fromkeys([*re.findall(_PICKED, lower), *re.findall(_ALSO, lower)]))
    words = [word for word in words if word not in marks]
    consents = bool(words or marks) and _CONSENT.issuperset(words)
    consents = consents or any(phrase in lower for phrase in _POINTS)
    answers = not consents and lower.startswith(_ANSWERS) and len(words) <= _BRIEF
    return marks, consents, answers and (lower[0] in "yjosд" or not _POINTING.isdisjoint(words))


_PUNCTUATION = str.maketrans(dict.fromkeys('.,;:!?…。！？、，()"', " "))


def _options(marks: Iterable[str], message: str) -> str:
    """The options of a message that go by these marks, in its order."""
    offered = {found[1].lower(): found for found in re.finditer(_MARKED, message, re.I | re.M)}
    named = sorted((offered[mark] for mark in marks if mark in offered), key=lambda found: found.start())
    return " ".join(
        clipped(f"{found[1]}. {_plain(found[2]).rstrip(' |')}", _ROOM // len(named)) for found in named
    )


def _closing(told: str) -> str:
    """The last paragraph, with the one before it where it only asks whether to go on."""
    paragraphs = [flat(part) for part in told.split("\n\n") if part.strip()]
    if not paragraphs:
        return ""
    last = _plain(paragraphs[-1])
    if len(last) <= _SHORT and len(paragraphs) > 1:
        before = _plain(paragraphs[-2])
        return f"{clipped(before, _ROOM - len(last))} {last}"
    return last if len(last) <= _ROOM else _end(last)


def _question(told: str) -> str:
    """The question that a message ends with; empty if it ends with none."""
    last = _plain(told.rstrip().rpartition("\n")[2])
    if not last.endswith(("?", "？")) or len(last) > _ROOM:
        return ""
    begin = last.rfind(". ") + 1
    return last[begin:].strip()


def _end(text: str) -> str:
    """The last sentences of a text that fit."""
    tail = text[-_ROOM:]
    start = tail.find(". ")
    return tail[start + 2 :] if 0 <= start < _ROOM // 2 else "…" + tail[tail.find(" ") :]


def _plain(text: str) -> str:
    return flat(text.replace("**", "").replace("__", ""))
