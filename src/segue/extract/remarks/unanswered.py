"""Questions that the agent put to the person in its prose: at the end, or passed over by the person's next words.

A reply answers if it says yes or no, picks, or speaks of what was asked; `keep going` answers only whether to go on.
A question is forgotten once the person comes back to its subject, and one whether to do something once they ask back.
One that the agent goes on after in the same turn counts only where it is plainly put to somebody: agents also ask
themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from segue.extract.text.prose import clipped, finish, flat, phrases, plainly, sentences, start, word_set
from segue.extract.text.relevance import terms
from segue.extract.text.unspaced import spaced
from segue.model.facts import Evidence, Quote

_MARKS = ("?", "？")
_CLOSING = 500
"""Characters of a message's end in which it asks."""
_ASKING = 1200
"""The same of the last message, of which more is looked at."""
_ADDRESSED = word_set("you your i me we us let lets should shall ok okay")
_POINTING = 10
_POINTS = word_set("it this that these those them one")
"""A question of no more words than that, with one of these, says nothing by itself."""
_MOST, _TOLD = 60, 3
"""Questions that are kept, and that are told: the latest."""
_REPLY = 600
_ANSWERS = word_set(
    """
    yes yeah yep yup y ok okay sure no nope nah na naw not neither none both either right correct exactly agreed fine
    don't dont never nevermind later absolutely definitely maybe
    ja nein doch oui non si sí sim não да нет 是 不 对 好 はい いいえ 네 아니
    """
)
_GOES_ON = word_set(
    "go going ahead carry on keep continue proceed next now then start please with weiter jetzt continúa ahora maintenant"
)
_PICKS = phrases(
    "go with|go for|keep the|start with|leave it|leave that|leave them|rather not|skip it|skip that|"
    "forget it|forget that|drop it|drop that|do it|do that|do both|i'd rather|please do|lieber nicht|"
    "lass es|lass das|plutôt pas|mejor no|melhor não|лучше не"
)
_PERMISSION = phrases(
    "shall i|should i|may i|can i|could i|want me|do you want me|would you like me|ok to|okay to|"
    "ready to|proceed|go ahead|soll ich|darf ich|dois-je|debo|devo|要我|需要我|しましょうか"
)
_VIEWS = phrases(
    "does that match|does this match|make sense|sound good|sound right|sounds good|sound reasonable|what do you think|"
    "your thoughts|do you agree|look right|look good|is that right|is this right|is that ok|works for you|work for you|"
    "passt das|macht das sinn|was meinst du|was denkst du|einverstanden|qu'en penses|d'accord|qué te parece|"
    "de acuerdo|o que acha|что думаешь|что думаете|согласны|怎么样|どう思"
)
"""Whether the person sees it so too: whatever they say next is said to that."""
_CHOICES = phrases(
    "prefer|which |rather|would you like|how should|how shall|bevorzug|lieber|welche|préfère|prefieres|prefere"
)
_CHOOSING = phrases(
    "let's |lets |let us |i'd |i would |i'll take|i want|i prefer|we should|we'd |ich würde|ich nehme|lass uns|je préfère|prefiero|prefiro"
)
"""How one chooses who was asked to."""
_OFFERS = phrases(
    "anything else|what's next|what next|me to continue|shall i continue|should i continue|"
    "ready for the next|ready for next|next task|move on|how would you like to proceed|"
    "what would you like|what should i do next|want me to do next"
)
_PUT_TO_SOMEBODY = phrases(
    "should |shall |do you|do we|would you|which |who |can you|are you|is it ok|may |sollen |soll |"
    "möchte|wollen |dürfen |¿|faut-il|voulez|doit-on|deve |нужно ли|хотите|ますか|ですか|吗|呢|까요"
)
_OPENS = ("¿", '"', "`", "(")
"""How a line begins that is no row of a list, if not with a letter."""
_MARK_ENDS = frozenset(".):")
_PLACES = word_set(
    "first second third last former latter 1st 2nd 3rd erste zweite premier deuxième primera segunda"
)
_WANTS = phrases(
    "please provide|please share|please send|please paste|please specify|please clarify|please tell me|please confirm|please give me|"
    "could you provide|could you share|could you send|could you paste|could you clarify|can you share|can you send|can you provide|"
    "send me |let me know which|let me know what |let me know how |let me know whether|tell me which|tell me what |i need more |"
    "bitte gib |bitte schick|bitte nenn|merci de |pourriez-vous|peux-tu |por favor, env|por favor, comp|por favor, ind|indícame|"
    "envíame|por favor, envie|пришлите|уточните|пожалуйста, |podaj |proszę o |请提供|请告诉|请确认|请发"
)
"""How a sentence begins that asks the person for something, in small letters."""
_LACKS = phrases(
    " when you have |i need more information|i need more detail|i need more context|i need your |i need you to |i'm waiting for your|"
    "i'm waiting for you|brauche ich noch|ich brauche noch|brauche ich von dir|j'ai besoin de plus|j'ai besoin que|necesito que|"
    "necesito más|preciso de mais|preciso que|мне нужн|нужна ваша|potrzebuję od|potrzebuję więcej|教えてください|共有してください|"
    "お知らせください|需要更多|需要您|알려주세요|공유해 주세요"
)
"""How it says that it lacks something."""
_OFFERS_MORE = phrases(
    "if you|if there|anything else|any other|any question|wenn du|wenn sie|falls du|si tu |si vous|si quieres|si necesitas|se quiser|"
    "если |jeśli |必要なら|もし|如果|필요하시면|if anything|how it goes|how it went|what you think"
)
_LEADS = phrases("however, |so |but |then |and |also, |before i go on, |to go on, ")
_ABBREVIATION = 6
"""Characters of a word whose full stop ends no sentence where the next word is small."""
_BEGINNING = 3
"""Letters of a term that every form of it begins with: to look for them is cheaper than to take a text apart."""
_SMALL = word_set("the a an to and or of in it is for on with be")
_ALIKE = 3
"""Words of an option, however common, that only one who picks it says again."""
_SHORT, _WORD = 3, 6
"""Words up to which a reply that names nothing is taken for an answer, and letters of one: some scripts have no spaces."""


class Listener:
    """Collects questions with the replies they got, bounded."""

    REMEMBERS: ClassVar = {
        "_line": int,
        "_pending": list[tuple[str, int]],
        "_asked": list[tuple[str, int, str, bool]],
        "_replies": list[tuple[str, int]],
    }

    def __init__(self) -> None:
        self._line = 0
        self._pending: list[tuple[str, int]] = []
        self._asked: list[tuple[str, int, str, bool]] = []
        self._replies: list[tuple[str, int]] = []

    def says(self, text: str, line: int) -> None:
        self._line = line
        if text.find("?", -_CLOSING) >= 0 or text.find("？", -_CLOSING) >= 0:
            self._pending.append((finish(text, _ASKING), line))
            del self._pending[:-_TOLD]

    def acts(self) -> None:
        """It went on by itself: what it asked before was not the end of its words."""
        self._line = 0

    def replies(self, text: str, line: int) -> None:
        reply = start(text, _REPLY)
        self._asked += [(tail, at, reply, at == self._line) for tail, at in self._pending]
        self._pending.clear()
        del self._asked[:-_MOST]
        if self._asked:
            self._replies.append((reply, line))
            del self._replies[:-_MOST]

    def close(self, clean: Callable[[str], str]) -> list[Quote]:
        """The latest questions that nobody answered, in order."""
        found: list[Quote] = []
        for tail, line, reply, closing in reversed(self._asked):
            question = _question(clean(finish(tail, _CLOSING)), closing)
            later = [said for said, at in self._replies if at > line and said != reply]
            if question and not _answers(question, clean(reply), tail) and not _comes_back(question, later):
                found.append(Quote(text=clipped(question, 300), evidence=(Evidence(line),)))
            if len(found) == _TOLD:
                break
        return [*found[::-1], *self._last_asked(clean)]

    def _last_asked(self, clean: Callable[[str], str]) -> list[Quote]:
        """The question that a session ends with, where nothing but its place tells that it is put to the person."""
        if not self._pending or self._pending[-1][1] != self._line:
            return []
        last = clean(self._pending[-1][0]).replace("**", "").rstrip().rpartition("\n")[2]
        spoken = _whole(sentences(last)) if last[:1].isalpha() or last[:1] in _OPENS else []
        question = _question(spoken[-1], closing=True) if spoken else ""
        if not question or _asks(question) or question.count('"') % 2:
            return []
        return [Quote(text=clipped(question, 300), evidence=(Evidence(self._line),))]


def asked_at_the_end(closing: str, line: int) -> list[Quote]:
    """What the last message of a session, at this line, asks."""
    spoken = _whole(sentences(finish(closing, _ASKING).replace("**", "")))
    asked = [_with_subject(i, spoken) for i, sentence in enumerate(spoken) if _asks(sentence)]
    if not asked:
        asked = [" ".join([sentence for sentence in spoken if _wants(sentence)][-2:])]
    return [
        Quote(text=clipped(question, 300), evidence=(Evidence(line),)) for question in asked[-2:] if question
    ]


def each_once(questions: Sequence[Quote]) -> list[Quote]:
    """The questions without those that a later one asks again: it has two of their terms, and half of them."""
    kept: list[Quote] = []
    later: list[set[str]] = []
    for question in reversed(questions):
        about = _content(question.text)
        if not any(len(about & other) >= max(2, len(about) / 2) for other in later):
            kept.append(question)
        later.append(about)
    return kept[::-1]


def still_open(question: Quote, replies: Sequence[str], aims: Sequence[str]) -> bool:
    """A question of an earlier session that neither the person's words since answer nor one of the `aims` speaks of."""
    said = [reply for reply in replies if reply.strip()]
    answered = bool(said) and _answers(question.text, said[0], question.text)
    return not answered and not _comes_back(question.text, [*aims, *said[1:]])


def _whole(spoken: list[str]) -> list[str]:
    """The sentences, those made one again that an abbreviation parted: `soll die MwSt. vor dem Abzug stehen?`"""
    found: list[str] = []
    for sentence in spoken:
        last = found[-1].rsplit(None, 1)[-1] if found else ""
        if sentence[0].islower() and last.endswith(".") and len(last) <= _ABBREVIATION:
            found[-1] += f" {sentence}"
        else:
            found.append(sentence)
    return found


def _with_subject(i: int, spoken: list[str]) -> str:
    """A question, with the sentence before it where it only points there."""
    words = spoken[i].lower().rstrip("?").split()
    points = len(words) <= _POINTING and not _POINTS.isdisjoint(words)
    before = spoken[i - 1] if points and i and not _asks(spoken[i - 1]) else ""
    return f"{before} {spoken[i]}" if before else spoken[i]


def _asks(sentence: str) -> bool:
    """A question put to somebody: not one that is quoted, nor one that a report only raises."""
    if not sentence.rstrip().endswith(_MARKS) or sentence.count('"') % 2:
        return False
    words = plainly(sentence).replace("'", " ").replace(",", " ").replace("?", " ").split()
    return not sentence.isascii() or not _ADDRESSED.isdisjoint(words) or "go ahead" in sentence.lower()


def _wants(sentence: str) -> bool:
    """It asks the person for something without which the agent does not go on; it offers nothing."""
    plain = plainly(sentence)
    if any(sign in plain for sign in _OFFERS_MORE):
        return False
    for lead in _LEADS:
        plain = plain.removeprefix(lead)
    return plain.startswith(_WANTS) or any(sign in plain for sign in _LACKS)


def _question(tail: str, closing: bool) -> str:
    """What a message asks; empty where that only offers to go on, or is said to nobody."""
    spoken = _whole(sentences(tail.replace("**", "")))
    asked = [flat(s) for s in spoken if s.rstrip(' *_`")').endswith(_MARKS)][-1:]
    lower = plainly(asked[0]) if asked else ""
    if not lower or any(offer in lower for offer in _OFFERS):
        return ""
    return asked[0] if closing or any(words in lower for words in _PUT_TO_SOMEBODY) else ""


def _answers(question: str, reply: str, tail: str) -> bool:
    lower = plainly(reply)
    told = lower.replace(",", " ").replace(".", " ").replace("!", " ").replace(":", " ").split()
    if not told or told[0] in _ANSWERS or len(told[0]) == 1 or told[0].rstrip(")").isdigit():
        return True
    if lower.startswith(_PICKS):
        return True
    asked = plainly(question)
    if any(words in asked for words in _VIEWS):
        return True
    if lower.startswith(_CHOOSING) and any(words in asked for words in _CHOICES):
        return True
    goes_on = told[0] in _GOES_ON
    if (goes_on or lower.rstrip().endswith("?")) and any(words in asked for words in _PERMISSION):
        return True
    few = not goes_on and len(told) <= _SHORT and len(reply) <= _SHORT * _WORD
    if few or _content(question) & _content(reply) or _numbered(question) & _numbered(reply):
        return True
    offered = _offered(tail)
    return bool(offered) and _speaks_of(offered, reply)


def _offered(tail: str) -> dict[str, str]:
    """The options that a message lists, by their marks: `B. …`, `2) …`, `- **Option C:** …`."""
    found: dict[str, str] = {}
    for line in tail.split("\n"):
        row = line.lstrip(" \t-*•#(|").removeprefix("Option ").removeprefix("option ")
        if row[1:2] in _MARK_ENDS and row[:1].isalnum() and len(row) > 3:
            found[row[0].upper()] = row[2:]
    return found if len(found) > 1 else {}


def _speaks_of(offered: dict[str, str], reply: str) -> bool:
    """The reply names an option, by its mark or its place, or something that is in one."""
    words = [word.strip(".,;:!?()\"'") for word in reply.split()]
    if not offered.keys().isdisjoint(words) or not _PLACES.isdisjoint(map(str.lower, words)):
        return True
    if not _content(" ".join(offered.values())).isdisjoint(_content(reply)):
        return True
    said = frozenset(map(str.lower, words)) - _SMALL
    return any(
        len(said.intersection(plainly(row).replace(",", " ").split())) >= _ALIKE for row in offered.values()
    )


def _comes_back(question: str, later: list[str]) -> bool:
    about = _content(question)
    beginnings = {term[:_BEGINNING] for term in about}
    return any(
        sum(beginning in said.lower() for beginning in beginnings) >= 2 and len(about & _content(said)) >= 2
        for said in later
    )


def _numbered(text: str) -> set[str]:
    """Names with a number in them: `v2`, `p99`."""
    words = (word.strip(".,;:!?()\"'`") for word in plainly(text).split())
    return {word for word in words if word[:1].isalpha() and word[-1:].isdigit()}


def _content(text: str) -> set[str]:
    return set(terms(spaced(text)))
