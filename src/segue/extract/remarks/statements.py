"""What the agent said on the way, in whatever words: told where a packet has room for it.

`remarks.py` hears decisions, dead ends and findings by how they are usually put, in some languages. Much of what
matters is put otherwise. So the paragraphs of the agent's prose are weighed by what they are: a reason, a contrast,
a measure, a name weigh for a paragraph; saying what it does next, or that all is well, weighs against it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import ClassVar

from msgspec.structs import replace

from segue.extract.text.all_well import says_all_is_well
from segue.extract.text.prose import FENCE, clipped, flat, phrases, plainly, sentences, start, word_set
from segue.model.facts import Evidence, Note
from segue.model.value import NamedTuple

_TEXTS, _OF_MANY = 240, 16
"""Messages that are looked at; and how many of the last ones, where there were more: such a session fills a packet."""
_TEXT = 2400
_MOST = 60
_LITTLE = 6
"""Paragraphs below which an agent said so little that what it thought is told, too."""
_LONGEST = 340
_MOST_OF_IT = 0.6
_SHORTEST, _SHORTEST_UNSPACED = 36, 14
_REASONS = word_set(
    """
    because since so but not instead rather than over only without unless except never cannot can't don't doesn't didn't
    isn't wasn't won't wouldn't couldn't aren't no nor neither however although though too either would lose loses lost
    avoid avoids means needs requires breaks broke mistake wrong broken deadlock deadlocks leak leaks slower faster worse better fails failed turned turns keeps chose chosen
    weil denn nicht statt sondern aber ohne kein keine zu deshalb damit sonst nur
    parce car pas mais sans sinon plutôt donc porque pero no sino sin para que nao não mas sem
    потому что но не без чтобы вместо
    """
)
_REASONS_UNSPACED = phrases("ので|ため|ない|けれど|だから|代わり|因为|所以|但|不|而是|因為|때문|하지만|않")
_NARRATES = word_set(
    """
    let let's lets now next first then checking looking reading running opening searching starting continuing moving
    going okay ok great good perfect excellent done here here's jetzt zuerst als schauen ich maintenant d'abord ahora
    primero vamos voy
    """
)
_SPEAKER = word_set("i'll i'm i we'll we're i've")
_DOES = word_set(
    """
    check look see read run start open search grep find verify inspect try begin update add write implement fix create
    now also going need want can have will check checking looking reading running opening searching starting adding
    updating writing fixing creating continuing moving investigating taking digging
    """
)
_WILL = word_set("i'll we'll")
_CHOOSES = word_set(
    "keeping using storing treating choosing sticking leaving dropping keep use store treat leave drop stick"
)
_LEADS = word_set("right wait ah oh hmm hm actually okay ok yes yeah so and great good perfect understood")
_DID = word_set(
    "added updated fixed removed created implemented wired committed pushed renamed moved changed refactored cleaned ran"
    " rewrote staged merged opened hinzugefügt"
)
_OFFERS = phrases("want me|shall i|should i|do you want|would you like|ready for|anything else|soll ich")
_WHY = word_set(
    "because since instead rather so otherwise but not without avoid avoids weil statt sondern sonst damit porque pero"
    " parce mais потому вместо"
)
_GROUNDS = word_set(
    "because since cause rejected otherwise reason weil grund ursache verworfen sonst porque parce causa motivo потому причина"
)
"""Words of a sentence that is told though the one beside it is told already."""
_RAN_WELL = word_set("pass passes passed passing green succeed succeeds clean cleanly fine ok")


class _Message(NamedTuple):
    text: str
    line: int
    id: str


class Listener:
    """Keeps the agent's latest messages; nothing is read in them before the end."""

    REMEMBERS: ClassVar = {"_spoken": list[_Message], "_thought": list[_Message], "_heard": int}

    def __init__(self) -> None:
        self._spoken: list[_Message] = []
        self._thought: list[_Message] = []
        """What it thought, for agents that say little."""
        self._heard = 0

    def hear(self, text: str, line: int, native_id: str) -> None:
        self._heard += 1
        _keep(self._spoken, _Message(start(text, _TEXT), line, native_id))

    def think(self, text: str, line: int, native_id: str) -> None:
        if self._heard < _TEXTS:
            _keep(self._thought, _Message(start(text, _TEXT), line, native_id))

    def close(self, clean: Callable[[str], str], told: Collection[str], last_line: int) -> list[Note]:
        """The weightiest paragraphs in order, without those that are `told` already, and without the message at
        `last_line`, which is told at length."""
        spoken = [message for message in self._spoken if message.line != last_line]
        found = _weighed(spoken[-_OF_MANY:] if self._heard > _TEXTS else spoken, told)
        if len(found) < _LITTLE:
            found = sorted(
                [*found, *_weighed(self._thought[-_OF_MANY:], told)], key=lambda note: note.evidence[0].line
            )
        return [replace(note, text=clipped(clean(note.text), _LONGEST)) for note in found]


def _keep(messages: list[_Message], new: _Message) -> None:
    if len(new.text) >= _SHORTEST_UNSPACED:
        messages.append(new)
        if len(messages) > 2 * _TEXTS:
            del messages[:-_TEXTS]


def _weighed(messages: Sequence[_Message], told: Collection[str]) -> list[Note]:
    """The weightiest paragraphs of these messages, in order; of two that weigh the same the later is weightier."""
    known = [(text[:_SHORTEST], text) for text in map(flat, told)]
    found: dict[str, Note] = {}
    for place, message in enumerate(messages):
        for paragraph in _paragraphs(message.text):
            again = [text for begin, text in known if begin in paragraph]
            if again:
                most = any(len(text) > _MOST_OF_IT * len(paragraph) for text in again)
                paragraph = _beside(paragraph, again, grounds=most)
            if weight := _weight(paragraph):
                at = Evidence(message.line, message.id)
                score = weight + place / (len(messages) + 1)
                found[paragraph] = Note(text=paragraph, kind="said", evidence=(at,), score=score)
    best = sorted(found.values(), key=lambda note: -note.score)[:_MOST]
    return sorted(best, key=lambda note: note.evidence[0].line)


def _beside(paragraph: str, told: Sequence[str], *, grounds: bool) -> str:
    """A paragraph up to the last of its sentences that is not told yet: what comes before may be what that speaks of.
    With `grounds` only those that are not told and give a reason; empty for none."""
    spoken = sentences(paragraph)
    new = [not any(said[:_SHORTEST] in text for text in told) for said in spoken]
    if not grounds:
        return " ".join(spoken[: len(new) - new[::-1].index(True)] if any(new) else ())
    return " ".join(
        said
        for said, is_new in zip(spoken, new, strict=True)
        if is_new and not _GROUNDS.isdisjoint(plainly(said).replace(",", " ").replace(":", " ").split())
    )


def _paragraphs(text: str) -> list[str]:
    """What the lines of prose say, without the sentences that only say what comes next."""
    if "```" in text or "~~~" in text:
        text = FENCE.sub("\n", text)
    found = []
    for line in text.split("\n"):
        if len(line) < _SHORTEST_UNSPACED or _only_names(line) or _lists_a_change(line):
            continue
        kept = [s for s in sentences(line) if not (_narrates(s) or says_all_is_well(s) or _ran_well(s))]
        if kept:
            found.append(" ".join(kept).replace("**", ""))
    return found


def _only_names(line: str) -> bool:
    """A path, a link or a directive to the agent's own program, and nothing said of it."""
    row = line.lstrip("-*• ")
    return row.startswith("::") or (" " not in row.rstrip() and row.isascii())


def _narrates(sentence: str) -> bool:
    """It only says what the agent does next, has done or offers, or was asked for, and gives no reason."""
    words = plainly(sentence).replace(",", " ").split()
    while len(words) > 2 and words[0].rstrip(".!") in _LEADS:
        del words[0]
    first, second = [*words[:2], "", ""][:2]
    if sentence.endswith(":") or first.rstrip(".!:") in _NARRATES:
        return True
    if sentence.endswith("?") and " ".join(words[:3]).startswith(_OFFERS):
        return True
    if first in _SPEAKER and second in _DOES and "not" not in words[2:3]:
        return True
    does = first in _SPEAKER and second not in _CHOOSES and (second.endswith("ing") or first in _WILL)
    retells = "user" in words[:2]
    return (does or retells or first in _DID) and _WHY.isdisjoint(words)


def _ran_well(sentence: str) -> bool:
    """It says of something quoted, a command as a rule, that it went well: of that only its output tells."""
    if sentence.count("`") < 2:
        return False
    words = plainly(sentence).replace(",", " ").replace(".", " ").split()
    return not _RAN_WELL.isdisjoint(words) and "not" not in words


def _lists_a_change(line: str) -> bool:
    """A row of a report that says what was done to a file, which the files tell."""
    row = line.lstrip("-*•0123456789.) ")
    if not row.startswith(("`", "**`")):
        return False
    name, _, rest = row.strip("*").lstrip("`").partition("`")
    rest = rest.lstrip("* ")
    told = rest.startswith(("—", "-", "–", ":", "(")) and ("." in name or "/" in name)
    return told and _WHY.isdisjoint(plainly(rest).replace(",", " ").split())


def _weight(paragraph: str) -> float:
    """How much a paragraph says that its doings do not; 0 for nothing."""
    words = plainly(paragraph).replace(",", " ").replace(".", " ").replace(";", " ").replace(":", " ").split()
    unspaced = len(words) * 8 < len(paragraph) and not paragraph.isascii()
    if len(paragraph) < (_SHORTEST_UNSPACED if unspaced else _SHORTEST):
        return 0
    reasons = len(_REASONS.intersection(words)) + ("(not " in paragraph)
    if unspaced:
        reasons += sum(mark in paragraph for mark in _REASONS_UNSPACED)
    names = "`" in paragraph or "_" in paragraph or any(map(str.isdigit, paragraph))
    joints = any(mark in paragraph for mark in (": ", "; ", " – ", " — ", "、", "："))
    return min(reasons, 3) + names + 0.5 * joints + (0.5 if len(paragraph) > 80 else 0)
