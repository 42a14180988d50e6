"""The person's words: every rule, correction, preference, answer and refusal, verbatim.

What the person only showed (code, logs, quotes, a plan the agent wrote, what the agent had said before)
is not the person's word.
Of a long paste the beginning and the end are spoken and the middle is mostly shown, so there only
what must not be broken counts.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from itertools import accumulate, zip_longest
from typing import TypeVar

from msgspec.structs import replace

from segue.extract.text.prose import (
    FENCE,
    clipped,
    flat,
    line_sentences,
    phrases,
    plainly,
    unwrapped,
    word_set,
)
from segue.extract.text.relevance import terms
from segue.extract.words.assent import REACH, leans, referred
from segue.extract.words.fixed import is_same_for, labels
from segue.extract.words.neighbours import apart_at_smileys, whole_brackets, with_neighbours, within
from segue.extract.words.shown import is_review
from segue.extract.words.shown import shown as others
from segue.extract.words.signals import WISH, Signal, heard, is_finding, is_of_a_review
from segue.extract.words.stated import states
from segue.extract.words.supersede import superseded
from segue.extract.words.supersede_subject import names_in
from segue.extract.words.supersede_turn import frees_something
from segue.extract.words.supersede_word import prohibits
from segue.extract.words.talk import Said, Spoken, Talk
from segue.extract.words.withdrawn import is_unreal, takes_back, turned_within
from segue.model.facts import Evidence, Quote, Word, WordKind, each_once
from segue.model.patterns import compiled

_CONSENTING = frozenset(("leave", "skip", "ignore", "stop", "instead", "rather"))
"""What a word may be about and say nothing without another."""
_BARE_COMMAND = compiled(r"/[\w:-]{1,40}")
_SENTENCE_LIMIT = 360
_SPOKEN = 800
"""Characters up to which a prompt is all speech."""
_EDGE = 400
_FOR_OTHERS = phrases("weet|post|Post|mail|Mail|ewsletter|nnouncement|eadline|aption|etter|hread|raft")
"""What a person may have written for others, as it is named."""
_OWN, _PASTE = "own", "paste"
_TICKS, _LONGEST_BY_HAND = 12, 6000
"""Backticks and characters up to which a long text may be written by hand."""
_MIDDLE = 12
"""How many rules are taken from the middle of one long prompt."""
_FEW = 4
"""Words up to which something is a label."""
_EARLY = 40
"""Characters before which a label's value that has a verb, and tells what happens, has it."""
_TALKS = 10
"""Lines up to which a prompt is talk."""
_FACTS, _LISTED, _FIRST_FACTS, _LAST_FACTS = 4, 10, 8, 16
"""How many stated facts are taken from one prompt, from one that lists them line by line, and of all of them from the
beginning and the end of a session."""
_ORDER = compiled(
    r"(?:never|always|do not|don'?t|must|keep|only|make sure|ensure|avoid|no \w+|use|be sure|you must|it must|we must|must not|should not)\b"
    r"|.{0,60}\b(?:you must|must not|must never|must be|do not|don'?t ever|never ever|is forbidden|not allowed)\b"
)
_ORDERS_ELSEWHERE = (
    "niemals ", "nie ", "keine ", "kein ", "keinen ", "nur ", "immer ", "bitte ", "ne ", "n'", "jamais ", "toujours ", "pas de ",
    "il faut ", "il ne faut ", "nunca ", "siempre ", "solo ", "não ", "sempre ", "никогда ", "не ", "всегда ", "только ",
    "niente ", "mai ", "sempre ",
)  # fmt: skip
_ORDERS_UNSPACED = (
    "darf nicht", "dürfen nicht", "müssen", "unbedingt", "doit", "doivent", "нельзя", "不要", "必须", "禁止", "务必", "不得", "ないで", "必ず",
    "絶対", "してはいけ", "지 마", "반드시",
)  # fmt: skip
_ORDERING = word_set(
    """
    never always not must keep only sure avoid no use forbidden forbid forbids cannot
    nicht kein keine keinen niemals nur immer bitte pas jamais toujours faut nunca siempre solo sempre mai
    """
)


_CHOSEN = ("answer", "rejection")
"""Ways to speak in which a person may well repeat what the agent offered."""
_ADOPTS = compiled(
    r"(?:(?:ok(?:ay)?|yes|yep|now|please|then|so|great|good|alright|next|let'?s|go ahead(?: and)?)[\s,.:]+)*"
    r"(?:do|implement|fix|add|apply|address|build|start|continue|proceed|go with|take|make|work on|tackle|follow|use)\b"
)
"""How a prompt begins that makes the agent's words the person's own."""
_PASTED = 20
"""Characters from which on the same words are no coincidence."""


_Said = TypeVar("_Said", bound=Quote)


class _Told:
    """What the agent had said, without the marks that a terminal does not show, as one text."""

    def __init__(self, told: list[tuple[int, str]]) -> None:
        self._lines = [line for line, _ in told]
        plain = [_unmarked(text) for _, text in told]
        self._text = "\n".join(plain)
        self._ends = list(accumulate((len(text) + 1 for text in plain), initial=0))

    def before(self, line: int, sentence: str) -> bool:
        """The agent said this, word by word, before that line."""
        sought = flat(_unmarked(sentence)).rstrip(" .…")
        end = self._ends[bisect_left(self._lines, line)]
        return len(sought) >= _PASTED and self._text.find(sought, 0, end) >= 0


def _unmarked(text: str) -> str:
    return text.replace("`", "").replace("*", "").replace("_", "")


def spoken(talk: Talk, earlier: list[Word], clean: Callable[[str], str]) -> Spoken:
    """What the person said in a session, on top of their words before it."""
    prompts, words = _understood(talk, clean)
    return Spoken(prompts, superseded(each_once(lambda word: word.text, earlier, words), talk.changes()))


def _understood(talk: Talk, clean: Callable[[str], str]) -> tuple[list[Quote], list[Word]]:
    """The prompts, and the words before any replaced another. A sentence said again is one word with two
    places, and stronger."""
    prompts: dict[str, Quote] = {}
    words: dict[tuple[bool | str, ...], Word] = {}
    told = _Told(talk.told)
    drafts: set[str] = set()
    for said, then in zip_longest(talk.said, talk.said[1:]):
        text = clean(said.text)
        place = Evidence(said.line, said.id)
        before_it = _before(talk, said, clean)
        for_the_program = _BARE_COMMAND.fullmatch(text) and not _acted_on(talk, said, then)
        if said.via not in _CHOSEN and not for_the_program:
            prompt = _answering(Quote(text=text, evidence=(place,)), before_it)
            prompts.pop(flat(text + prompt.to), None)
            prompts[flat(text + prompt.to)] = prompt
        for word in _words_of(_spoken_to_the_agent(text, drafts), place, said.via):
            key = (
                prohibits(word),
                *sorted(names_in(word.text)),
                *(dict.fromkeys(terms(word.text)) or (word.text,)),
            )
            if (said_so := words.get(key)) and frees_something(word.text) != frees_something(said_so.text):
                key = (*key, "freed")
            before = words.pop(key, None)
            quotes = word.strength and said.via not in _CHOSEN and not _ADOPTS.match(text[:_EDGE].lower())
            if quotes and before is None and told.before(said.line, word.text):
                continue
            word = _answering(word, before_it) if word.strength else word
            words[key] = word if before is None else _repeated(before, word)
    return list(prompts.values()), _few_facts(list(words.values()))


def _acted_on(talk: Talk, said: Said, then: Said | None) -> bool:
    """The agent spoke before the person did again: `/review` asks for work, `/exit` does not."""
    after = bisect_left(talk.told, (said.line, ""))
    return after < len(talk.told) and (then is None or talk.told[after][0] < then.line)


def _before(talk: Talk, said: Said, clean: Callable[[str], str]) -> list[tuple[int, str]]:
    """The last messages of the agent that a short reply may speak of."""
    if said.via in _CHOSEN or not leans(said.text):
        return []
    end = bisect_left(talk.told, (said.line, ""))
    return [(line, clean(text)) for line, text in talk.told[max(0, end - REACH) : end] if text.strip()]


def _few_facts(words: list[Word]) -> list[Word]:
    """The words without the stated facts between the first and the last: a person may talk all day."""
    stated = [n for n, word in enumerate(words) if word.kind == "stated"]
    middle = frozenset(stated[_FIRST_FACTS:-_LAST_FACTS])
    return [word for n, word in enumerate(words) if n not in middle] if middle else words


def _answering(said: _Said, before: list[tuple[int, str]]) -> _Said:
    """What was said, with what it answers where it cannot be understood without."""
    found = referred(said.text, before)
    return replace(said, to=found.text, to_line=found.line) if found else said


def _spoken_to_the_agent(text: str, drafts: set[str]) -> str:
    """The text without what the person wrote for others; the drafts of all prompts are collected."""
    if "\n\n" not in text or not (drafts or any(noun in text for noun in _FOR_OTHERS)):
        return text
    from segue.extract.words.drafts import without_drafts  # few sessions have any

    return without_drafts(text, drafts)


def _words_of(text: str, place: Evidence, via: str) -> list[Word]:
    if via == "answer":
        return [Word(text=clipped(flat(text), _SENTENCE_LIMIT), kind="answer", strength=2, evidence=(place,))]
    kind: WordKind | None = "rejection" if via == "rejection" else None
    found: list[Word] = []
    facts = 0 if len(text) > _SPOKEN else _LISTED if text.count("\n") >= _FACTS else _FACTS
    middle = _MIDDLE
    for sentence, shown, pasted in _spoken(text):
        signal = heard(sentence)
        if facts and not (signal or shown or pasted) and (form := _by_its_form(plainly(sentence))):
            signal = form if _converses(text) and not is_unreal(plainly(sentence)) else None
            facts -= 1
        if signal and found and not found[-1].strength and _is_same_as(sentence, found[-1].text):
            signal = None
        if pasted:
            signal = Signal("pasted", 1) if signal and signal.strength else None
        if found and _is_taken_back(found[-1], sentence):
            del found[-1]
            continue
        if shown:
            if not (signal and signal.strength > 1 and middle and (shown is _OWN or _orders(sentence))):
                continue
            middle -= 1
        strength = signal.strength - bool(shown) if signal and _says_something(sentence, signal) else 0
        found.append(
            Word(
                text=within(flat(sentence), _SENTENCE_LIMIT),
                kind=kind or (signal.kind if signal else "constraint"),
                strength=max(strength, 2) if kind else strength,
                evidence=(place,),
            )
        )
    return with_neighbours(found, text) if len(text) <= _SPOKEN else found


def _is_same_as(sentence: str, before: str) -> bool:
    """`Not sure about the colors. Same for the fonts.`: the same is said as before, which is no rule."""
    words = plainly(sentence).split()
    return "same" in words[:2] and is_same_for(words) and bool(terms(before))


def _by_its_form(sentence: str) -> Signal | None:
    if ": " in sentence and labels(sentence):
        value = sentence.partition(": ")[2]
        return Signal("stated" if " can " in value[:_EARLY] or states(value) else "constraint", WISH)
    return Signal("stated", WISH) if states(sentence) else None


def _is_taken_back(before: Word, sentence: str) -> bool:
    if before.text.endswith("?"):
        return False
    return takes_back(sentence, after_a_rule=before.strength > 0 and before.kind != "stated")


def _converses(text: str) -> bool:
    """The short prompt is the person talking: nothing in it was written by a program or a reviewer."""
    lines = text.split("\n")
    if "```" in text or any(map(is_of_a_review, lines)) or sum(map(_is_entry, lines)) > 1:
        return False
    return text.count("\n") < _TALKS and _is_prose(text)


def _is_entry(line: str) -> bool:
    """A line of a form or of settings: `License: Unknown`."""
    label, colon, value = line.partition(": ")
    return bool(colon) and len(label.split()) < _FEW and not value.endswith((".", "!")) and ". " not in value


def _says_something(sentence: str, signal: Signal) -> bool:
    """`let's do that` and `can leave it` consent and rule nothing."""
    if signal.strength > 2 or signal.kind == "correction":
        return True
    return not _CONSENTING.issuperset(terms(sentence))


def _spoken(text: str) -> list[tuple[str, str, bool]]:
    """Sentences, each with what it stands in the middle of, if it does: a long text of the person's, or a paste, where
    only lines that could hold an order are looked at; and whether it is somebody else's: a reviewer's finding, or
    what the person says others said."""
    if "```" in text or "~~~" in text:
        text = FENCE.sub("\n", text)
    text, begin, end = others(unwrapped(text))
    if len(text) > _SPOKEN and not end and is_review(text) and not _ADOPTS.match(text[:_EDGE].lower()):
        begin, end = 0, len(text)
    by_hand = len(text) > _SPOKEN and not end and _written_by_hand(text)
    found, at = [], 0
    for paragraph in text.split("\n\n") if by_hand else (text,):
        kind = _OWN if by_hand and _is_prose(paragraph) else _PASTE
        for line in paragraph.split("\n"):
            shown = kind if len(text) > _SPOKEN and _EDGE < at < len(text) - _EDGE else ""
            pasted = begin <= at < end or is_finding(line)
            at += len(line) + 1
            if shown is not _PASTE or (not pasted and _could_order(line.lower())):
                found += [
                    (half, shown, pasted)
                    for sentence in whole_brackets(line_sentences(line))
                    for said in apart_at_smileys(sentence)
                    for half in turned_within(said)
                ]
        at += 1
    return found


def _written_by_hand(text: str) -> bool:
    """A long text has none of the emphasis that reports of agents and reviewers have."""
    return "**" not in text and text.count("`") <= _TICKS and len(text) <= _LONGEST_BY_HAND


def _is_prose(paragraph: str) -> bool:
    """Nothing in it was written by a program; it may stand under a heading."""
    return all(line_sentences(line) or line[0] == "#" for line in paragraph.split("\n") if line.strip())


def _could_order(line: str) -> bool:
    if not line.isascii() or "n't" in line:
        return True
    return not _ORDERING.isdisjoint(line.replace(",", " ").replace(".", " ").replace(":", " ").split())


def _orders(sentence: str) -> bool:
    """It reads as a rule does inside something longer that was shown."""
    sentence = plainly(sentence)
    if _ORDER.match(sentence) or sentence.startswith(_ORDERS_ELSEWHERE):
        return True
    return not sentence.isascii() and any(sign in sentence for sign in _ORDERS_UNSPACED)


def _repeated(before: Word, again: Word) -> Word:
    """One word for both; what a person says a second time, in another prompt, is meant."""
    strength = max(before.strength, again.strength)
    insisted = strength > 0 and before.evidence[-1].line != again.evidence[-1].line
    return Word(
        text=again.text,
        kind=before.kind if before.kind == "correction" else again.kind,
        strength=min(3, strength + insisted),
        evidence=(before.evidence[0], again.evidence[-1]) if insisted else before.evidence,
        to=again.to,
        to_line=again.to_line,
        whole=again.whole,
    )
