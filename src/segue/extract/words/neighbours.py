"""Sentences that say nothing alone: `no, that's horrible.` is told with the list that follows it, `should be dimmer` with
the question before it.

A sentence leans on a neighbour when it has no noun of its own. Nothing is taken in halves: a neighbour is one sentence, or
whole lines, and what is too long for that is left.
"""

from __future__ import annotations

from msgspec.structs import replace

from segue.extract.text.prose import flat, line_sentences, phrases, plainly, word_set
from segue.extract.text.relevance import terms
from segue.model.facts import Word

_LONGEST, _ROOM = 120, 360
"""Characters up to which a sentence may lean, and of it with its neighbour."""
_REFUSES = word_set("not no nope nah wrong wait stop nein non нет")
_BACK = word_set(
    "should shouldn't must mustn't needs need has can't cannot same it it's its that that's this these those they them"
)
_POINTS = word_set("it it's that that's thats this those these them ça cela eso esto isso isto это")
_DISMISSES = phrases(
    "never mind|nevermind|forget it|doesn't matter|egal|laisse tomber|da igual|déjalo|deixa pra lá"
)
"""What dismisses the sentence before it."""
_SAYS_LITTLE, _CURT = 1, 5
_FILLING = word_set(
    "no yes want dont like think need make should must never always please leave keep stop use change horrible wrong bad ugly"
)
_LEADS_ON = word_set("with like run use by via as to using call type execute say mit wie avec comme con como")
_COMMANDS = ("./", "/", "`", "$", "http")
_LIST_MARKS = " -*•0123456789.)"
_ENDS = (".", "!", "?", ":", ";", ",", "。", "！", "？", "…", ")")


def whole_brackets(sentences: list[str]) -> list[str]:
    """The sentences of a line, those together that one pair of brackets holds."""
    if len(sentences) < 2 or not any("(" in sentence for sentence in sentences):
        return sentences
    joined = sentences[:1]
    for sentence in sentences[1:]:
        if ")" in sentence and joined[-1].count("(") > joined[-1].count(")"):
            joined[-1] += f" {sentence}"
        else:
            joined.append(sentence)
    return joined


_SMILEYS = (
    " :) ",
    " :-) ",
    " ;) ",
    " ;-) ",
    " :D ",
    " :-D ",
    " :P ",
    " 🙂 ",
    " 😀 ",
    " 😅 ",
    " 😄 ",
    " 😉 ",
    " 👍 ",
)


def apart_at_smileys(sentence: str) -> list[str]:
    """`the kids love him :-) You may use 2 cores`: a smiley ends a sentence as a full stop does."""
    if sentence.isascii() and " :" not in sentence and " ;" not in sentence:
        return [sentence]
    smiley = next((smiley for smiley in _SMILEYS if smiley in sentence), "")
    if not smiley:
        return [sentence]
    before, _, after = sentence.partition(smiley)
    return [f"{before}{smiley.rstrip()}", *apart_at_smileys(after.strip())]


def within(text: str, limit: int) -> str:
    """The text, or as many of its clauses as fit."""
    if len(text) <= limit:
        return text
    cut = text[: limit - 1]
    end = max(cut.rfind(mark, limit // 3) for mark in (", ", "; ", ". ", ": ", " - ", "，", "。", "、"))
    end = end if end > 0 else cut.rfind(" ", limit // 2)
    return cut[: end if end > 0 else len(cut)].rstrip(" ,;:-") + "…"


def with_neighbours(words: list[Word], text: str) -> list[Word]:
    """The words of a short prompt, each that says nothing alone with what it leans on; a fact told so is not told again."""
    if not any(word.strength and len(word.text) <= _LONGEST for word in words):
        return words
    wholes = [
        _whole(words, n, text) if word.strength and len(word.text) <= _LONGEST else ""
        for n, word in enumerate(words)
    ]
    if not any(wholes):
        return words
    told = [n for n, whole in enumerate(wholes) if whole and _is_told_without(words, n, whole)]
    if told:
        words = [replace(word, strength=0) if n in told else word for n, word in enumerate(words)]
        wholes = ["" if n in told else whole for n, whole in enumerate(wholes)]
    return [
        replace(word, whole=whole)
        if whole
        else replace(word, strength=0)
        if word.strength == 1 and any(word.text in other for other in wholes)
        else word
        for word, whole in zip(words, wholes, strict=True)
    ]


def _is_told_without(words: list[Word], n: int, whole: str) -> bool:
    """All that follows a bare `No!` are rules by themselves, one of them firm."""
    behind = [word for word in words[n + 1 :] if word.text in whole]
    left = whole.removeprefix(words[n].text)
    for word in behind if all(word.strength for word in behind) else ():
        left = left.replace(word.text, "", 1)
    return any(word.strength > 1 for word in behind) and not left.strip(_LIST_MARKS)


def _whole(words: list[Word], n: int, text: str) -> str:
    said = words[n].text
    plain = plainly(said).replace(",", " ").split()
    first = plain[0].rstrip(".!:") if plain else ""
    about = set(terms(said)) - _FILLING
    points = not _POINTS.isdisjoint(word.rstrip(".!?") for word in plain)
    little = not about or (points and len(about) <= _SAYS_LITTLE and not any(map(str.isdigit, said)))
    if first in _REFUSES:
        if little or (len(plain) <= _CURT and _lists(said, text)):
            return _with_what_follows(said, text)
        return _with_the_next(words, n, text) if "not" in plain else ""
    if n and plainly(said).startswith(_DISMISSES):
        return f"{words[n - 1].text} {said}" if _goes_on(words[n - 1].text, said, text) else ""
    leans = first in _BACK or (little and points) or not _POINTS.isdisjoint(plain[1:2])
    before = words[n - 1] if n else None
    if leans and before and (not before.strength or before.kind == "stated" or first == "same"):
        return f"{before.text} {said}" if _goes_on(before.text, said, text) else ""
    return "" if said.endswith(_ENDS) else _with_what_is_shown(said, text)


def _goes_on(before: str, said: str, text: str) -> bool:
    """One sentence follows the other in the same paragraph."""
    if not before.endswith((".", "!", "?", "。", "！", "？")) or len(before) + len(said) >= _ROOM:
        return False
    return "\n\n" not in text.partition(before)[2].partition(said)[0]


def _with_what_follows(said: str, text: str) -> str:
    """With the lines after it, as many as there is room for; what asks something ends them."""
    told = said
    for line in _after(said, text):
        if len(told) + len(line) >= _ROOM or line.endswith("?"):
            break
        told += f" {line}"
    return told if told != said else ""


def _lists(said: str, text: str) -> bool:
    return next(iter(_after(said, text)), "").startswith(("- ", "* ", "• ", "1"))


def _with_the_next(words: list[Word], n: int, text: str) -> str:
    """What is not wanted, with the sentence after it, which says what is."""
    after = words[n + 1] if n + 1 < len(words) else None
    if after and not after.strength and _goes_on(words[n].text, after.text, text):
        return f"{words[n].text} {after.text}"
    return ""


def _with_what_is_shown(said: str, text: str) -> str:
    """With the command or name on the next line, where the sentence breaks off before it."""
    line = next(iter(_after(said, text)), "")
    leads = plainly(said).rsplit(None, 1)[-1] in _LEADS_ON
    shows = leads or line.startswith(_COMMANDS) or " --" in line or not line_sentences(line)
    return f"{said} {line}" if line and shows and len(said) + len(line) < _ROOM else ""


def _after(said: str, text: str) -> list[str]:
    _, found, rest = text.partition(said)
    if not found or rest[:1] not in ("", "\n", " "):
        return []
    return [flat(line) for line in rest.split("\n") if line.strip()]
