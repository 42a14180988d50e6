"""What one word of the person says: without how a correction begins, whether it forbids, and whether it takes back what was
said in the same breath."""

from __future__ import annotations

from functools import lru_cache

from segue.extract.text.prose import plainly, word_set
from segue.extract.words.supersede_subject import VALUE, about
from segue.model.facts import Word
from segue.model.patterns import compiled

_NEGATED = compiled(
    r"(?<![\w'])(?:(?:do not|don'?t|dont|never)(?! forget)|no|not|must ?n'?t|must not|should ?n'?t|should not|stop|avoid|without|skip|alone|untouched|off.limits|hands off|pas|kein\w*|nicht(?! vergessen)|niemals|jamais|nunca|не|никогда)(?![\w'])|不要|别|禁止|ないで|지\s?마"
)
LEAD = compiled(
    r"\s*(?:(?:and|but|oh|ok|okay|so|well)[\s,]+)?(?:(?:no(?! need| longer| more)|nope|nah|hm+|actually|wait|sorry|nein|non|нет|不对|不是|不|いや|いいえ|やっぱり|아니요?)[\s,.:;!-]+"
    r"|(?:scrap|scratch|strike|forget|revert|undo) that[\s,.:;-]*|(?:i(?:'ve| have)? changed my mind|change (?:of|in) plans?|new plan|on second thought)[\s,.:;-]*(?:let'?s )?"
    r"|(?:let'?s |we(?:'ve|'re| have| are)? )?(?:switch(?:ed|ing)?|chang(?:e|ed|ing)|mov(?:e|ed|ing)|migrat(?:ed|ing))(?: it| that| over| back)* to\s+|(?:用|改用|改成|换成)\s*)+"
)
"""How a correction begins before it says what it is about."""
_DROPPED = word_set("drop remove delete ditch kill")
_NOT_THAT = word_set("no scratch scrap")
_INSISTS = word_set("really seriou serious seriously honest honestly mean")


def stated(word: Word) -> str:
    """What is said, without how a correction begins."""
    return word.text[_lead(word.text) :] if word.kind == "correction" else word.text


@lru_cache(maxsize=1024)
def _lead(text: str) -> int:
    lead = LEAD.match(plainly(text))
    return lead.end() if lead else 0


def prohibits(word: Word) -> bool:
    return negated(stated(word))


def same_breath(old: Word, new: Word) -> bool:
    return old.origin == new.origin and old.evidence[-1:] == new.evidence[-1:]


def turns_at_once(new: Word) -> bool:
    """`Use port 8080. No wait, 9090.`"""
    return new.kind == "correction" and _lead(new.text) > 0


def cancels(new: Word) -> bool:
    """`Halve it.. no, do 2000 per batch.`: what was said a moment ago is not meant; `No, really.` insists."""
    said = stated(new)
    lead = plainly(new.text[: len(new.text) - len(said)]).replace(",", " ").split()
    if (
        _NOT_THAT.isdisjoint(lead)
        or negated(said.partition(", ")[0])
        or said.rstrip(" .!").endswith((" too", " also", " as well"))
    ):
        return False
    return bool(about(said) - _INSISTS or VALUE.search(said))


@lru_cache(maxsize=1024)
def negated(text: str) -> bool:
    """It says what not to do; `why not do it?` does not."""
    plain = plainly(text)
    return bool(_NEGATED.search(plain)) and not (plain.endswith("?") and plain.startswith(("why ", "should")))


def refuses(word: Word) -> bool:
    """It says not to do or to have something; `don't drop it` does not."""
    return prohibits(word) != _drops(word.text.lower())


def _drops(text: str) -> bool:
    return "get rid of" in text or not _DROPPED.isdisjoint(
        part.strip(".,;:!?()\"'`") for part in text.split()
    )
