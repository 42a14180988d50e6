"""Whether a sentence that sounds like a decision chooses anything.

A decision binds whoever goes on. Agents use the same words to tell what they do next ("I'm reading the
tests first rather than the docs") and what something is for ("so the log tells more instead of less"):
there nothing was chosen, and the next agent need not know.
"""

from __future__ import annotations

import re

from segue.extract.text.prose import word_set
from segue.model.patterns import compiled

_CONTRAST = compiled(r"\b(?:instead of|rather than|in favou?r of)\b")
_LED = compiled(
    r"(?<![\w'-])(?:i|we|let)(?:'m|'re|'ll|'d|'ve|'s| am| are| will| would| have| can| could)?"
    r"(?: (?:decided|opted|chose|going) to)?(?: (?:now|first|next|just|also|then|still|only|\w+ly))*"
    r" (?P<verb>[a-z-]+)(?P<rest>[^.;]*)"
)
"""What the speaker does, will do or has done."""
_LOOKS = word_set(
    "read check inspect look see saw wait watch poll monitor request ask scan trace verify verifi run ran try tri do"
    " go pull gather collect search grep open review confirm compare test investigate dig explore study studi examine"
    " list find found figure locate query queri probe sample measure profile summarize summarise report explain reach"
    " notice map start begin continue proceed work need have want think"
)
"""Verbs of whoever looks, waits, runs something or tells of it: nobody else is bound by that."""
_ASIDE = compiled(r"(?: \w+)? (?:where|whether|what|how|which|why|if)\b")
_CHOOSES = word_set(
    "standardize standardise define adopt treat store switch choose chose stick settle make made keep kept use"
    " support leave left move split extract replace return fold put reject narrow separate merge drop inline prefer"
    " model scope pin"
)
_ENDINGS = ("ing", "ed", "es", "s", "d")
_DOUBLED = compiled(r"(\w)\1$")
_ORDERED = compiled(
    r"(?:^(?:actually |instead |simply )?|[:;,(-] |\b(?:to|now|should|must|will|by|is|was|and|then) )"
    r"(?:use|using|keep|keeping|kept|prefer)\b"
)
_PURPOSE = compiled(
    r"\bso (?:that )?(?:i|we|it|they|this|that|those|these|the|an?|our|its|`?\w+`? (?:can|is|are|be|stay))\b"
)
_BEYOND = r"\b(?:instead of|rather than) "
_EMPHASIS = compiled(_BEYOND + r"(?:just|only|merely|simply|purely|being)\b")
_NO_ALTERNATIVE = compiled(
    _BEYOND + r"(?:just )?(?:(?:guess|hand-?wav|assum|speculat)\w*|piecemeal|intuition)\b"
)
_CAUSED = compiled(r"\b(?:caus(?:es?|ed|ing)|leads|led) ")


def chooses(sentence: str) -> bool:
    """False for a sentence, in lower case, that only tells of the next action, a purpose or an effect."""
    contrast = _CONTRAST.search(sentence)
    before = sentence[: contrast.start()] if contrast else sentence
    leading = next(reversed(list(_LED.finditer(before))), None)
    if (
        leading
        and not leading["rest"].startswith(" with ")
        and not _goes_for(leading)
        and _only_looks(leading)
    ):
        return False
    if contrast is None:
        return True
    if _NO_ALTERNATIVE.search(sentence) or before.count("(") > before.count(")"):
        return False
    if leading is None:
        return bool(_ORDERED.search(before)) and not _CAUSED.search(before) and not _PURPOSE.search(before)
    in_passing = _EMPHASIS.search(sentence) or _PURPOSE.search(leading["rest"])
    return not in_passing or _is_of(_CHOOSES, leading["verb"])


def _goes_for(leading: re.Match[str]) -> bool:
    return leading["verb"] in ("go", "going", "went") and leading["rest"].startswith(" for ")


def _only_looks(leading: re.Match[str]) -> bool:
    return _is_of(_LOOKS, leading["verb"]) or bool(_ASIDE.match(leading["rest"]))


def _is_of(verbs: frozenset[str], verb: str) -> bool:
    """The verb, in any of its forms, is one of these."""
    verb = verb.removeprefix("re-")
    stems = [verb, *(verb.removesuffix(ending) for ending in _ENDINGS if verb.endswith(ending))]
    return any(not verbs.isdisjoint((stem, f"{stem}e", _DOUBLED.sub(r"\1", stem))) for stem in stems)
