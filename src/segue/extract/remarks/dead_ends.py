"""Whether a sentence that sounds like failure tells of a dead end, and whether it still is one.

A dead end is something that was tried or ruled out and not done afterwards. Agents use the same words
for what a program does ("the client falls back"), for the cause of a failure that they go on to mend
and for what they only doubt; and what was doubted is often done in the end.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from segue.extract.remarks.taken_back import CAME_TO_NOTHING
from segue.extract.text.prose import phrases, word_set
from segue.extract.text.relevance import terms
from segue.model.facts import DeadEnd

_GOES_BACK = r"^(?:i'm |so i'm |so )?(?:going|switching|falling|reverting|back)(?: back)? to\b"
FAILS = (
    r"(?:breaks|broke|fails|failed|hangs|hung|deadlock(?:s|ed)|crash(?:es|ed))\b"
    r"|(?:(?:does|did|do|can|could|wo|ca)(?:n'?t| not)|cannot|will not) (?:work|help|link|compile|build|scale|fit|support|handle|survive)\b"
    r"|(?:is|was|are|were)(?:n'?t| not) (?:possible|feasible|an option|supported|enough)\b"
    r"|(?:is|was|are|were) (?:impossible|infeasible|too (?:slow|heavy|large|big|fragile|expensive|brittle|coarse))\b"
    rf"|{_GOES_BACK}"
)
"""How something is told that fails, or what one goes back to; in lower case. Like all patterns here it is compiled
when the first sentence needs it."""
STEMS = (
    "breaks|broke|fails|failed|hangs|hung|deadlock|crashe|t link|t compile|t build|t scale|t fit|t support|t handle"
    "|t survive|t work|t help|possible|feasible|an option|t supported|t enough|too slow|too heavy|too large|too big"
    "|too fragile|too expensive|too brittle|too coarse|going back|switching|falling back|reverting to|back to"
)
NEEDS_AN_ATTEMPT = frozenset((FAILS, *(pattern for _, pattern in CAME_TO_NOTHING)))
"""Patterns that tell of a dead end only where their subject is something tried."""
_WAYS = word_set("approach attempt workaround trick hack route strategy option idea variant technique")
"""What one tries."""
_UNTRIED = word_set(
    "nothing something anything everything during string according including regarding existing remaining missing"
    " pending following building running waiting looking checking investigating fixing testing compiling debugging"
    " reading reviewing inspecting installing linting"
)
"""Words in -ing that are no attempt, or one that only looks: whether that fails the ledger of commands tells."""
_ASIDE = word_set("that which why where whether what how when if who because since")
_BLANK = (
    r"(?:(?:ok(?:ay)?|so|but|hmm|and|now|unfortunately),? )*(?:(?:that|this|it|which|(?:the|my|this|that) (?:fix|change|command|attempt|call|edit|approach))"
    r"(?: still| also| just| really| alone)? )?$"
)
"""A subject that says nothing without what was said before."""
_SLIPPED = r"(?:(?:ok(?:ay)?|so|but|hmm|and|now|unfortunately),? |the (?:issue|problem) is that )*(?:the|my|this|that) (?:\w+ )?(?:sed|edit|command|patch|call|grep|heredoc|replacement) (?:\w+ )?$"
"""A subject that is only a tool that was held wrong; what it was for goes on."""
_AHEAD = ("'ll ", " will ", " to ", " can ", " should ", " would ", " could ", " let's ", " please ")
"""What comes before a verb that tells of nothing that has happened."""
_POINTS = word_set("it it's this that that's they them these those which")
_REASON = r"(?:: |; | - |\b(?:because|since|but) )\S.{10,}"
_SAYS_OF = ("did", "does", "do", "wo", "will", "is", "was", "are")
"""How a phrase begins that needs a subject."""
VERDICT_STEMS = "sackgasse|impasse|sans issue|sin salida|sem saída|vicolo cieco|тупик|ślepy zaułek|死路|死胡同|行き止まり|막다른"
VERDICT = (
    r"sackgasse|impasse\b|voie sans issue|callejón sin salida|beco sem saída|vicolo cieco|тупик|ślepy zaułek"
    r"|\w*(?:死路|死胡同|行き止まり|막다른)"
)
"""How a dead end is called one in other languages."""
_ABROAD = phrases("sackgasse|impasse|voie|callejón|beco|vicolo|тупик|ślepy")
_VERDICTS = ("dead", "no luck", "red herring", *_ABROAD)
_ARTICLES = ("", "a", "another", "eine", "une", "un", "um", "so", "also a", "also")
"""All that stands before such a verdict where the sentence before says on what."""
_PREDICATES = ("", "eine", "une", "un", "um", "en", "in", "это", "ist", "war", "est", "es", "é", "to")
"""What stands right before the word where it is a verdict."""
_TELLS_ON = word_set(
    "got gets is was are were would will makes made helps helped fixes fixed works worked should"
)
"""What follows where going back is only what a sentence is about."""
_SLIP = ("only failed because", "only fails because")
_DOUBT = r"\b(?:probably|maybe|perhaps|likely|i doubt|not sure)\b"
_MODAL = r"\b(?:would|wo|will)(?:n't| not)\b"
_MENDED = r"\b(?:to revert|now that|after we)\b"
_SWITCHED = (
    r"(?:i|we)(?:'ve| have)? (?:switched|moved|went)(?: over| back)? to\b.{3,90}? (?:because|since|as) "
)
_TURN = r"[,;:] |\b(?:but|because|since|so)\b"
_AGAINST = r"\b(?:instead|rather|without|replac\w*|drop\w*|remov\w*|revert\w*|no longer|avoid\w*|delet\w*|stop\w*|not)\b"
_VAGUE = _WAYS | word_set(
    "propos other first second fix solution help tri tried trying chang whole original ruled rule gave"
)
_FEWEST = 3
"""Words that a sentence must have to be what the next one points to."""
_SHARE, _SHARED = 0.5, 2
"""How much of what was tried must be in what was done."""


def told(found: re.Match[str], sentence: str, before: str, *, plainly: bool) -> str:
    """The dead end as it is told, with the sentence before it where it points there; empty for none.
    `found` is what sounds like failure in the sentence, in lower case; `plainly` if it says so by itself."""
    lower, subject = found.string, found.string[: found.start()]
    if re.search(_MENDED, lower) or any(slip in lower for slip in _SLIP):
        return ""
    if re.search(_DOUBT, lower) and (re.search(_MODAL, lower) or found[0].startswith("not worth")):
        return ""
    if subject.endswith(_AHEAD) or lower.startswith(" by ", found.end()) or re.match(_SLIPPED, subject):
        return ""
    before = before if can_be_meant(before) else ""
    if not plainly:
        if re.match(_GOES_BACK, lower):
            if fails_itself := re.search(FAILS, lower[found.end() :]):
                between = lower[found.end() : found.end() + fails_itself.start()]
                return sentence if _ASIDE.isdisjoint(between.replace(",", " , ").split()) else ""
            goes_back = _TELLS_ON.isdisjoint(lower.split())
            return f"{before} {sentence}" if goes_back and before and _fails(before) else ""
        return sentence if _is_tried(subject) or re.match(_SWITCHED, lower) else ""
    named = any(map(str.isalpha, subject))
    if found[0].startswith(_SAYS_OF) and (not named or re.match(_BLANK, subject)):
        if before:
            return f"{before} {sentence}"
        return sentence if named and re.search(_REASON, lower[found.end() :]) else ""
    if found[0].startswith(_VERDICTS) and subject.strip(" *_") in _ARTICLES:
        if before:
            return f"{before} {sentence}"
        return sentence if lower.startswith((": ", "; "), found.end()) else ""
    if found[0].startswith(_ABROAD) and subject.rstrip(" *_:;,-").rpartition(" ")[2] not in _PREDICATES:
        return sentence if subject.endswith((": ", "; ", ", ")) else ""
    about = [*found[0].split(), _object(lower[found.end() :])]
    if points_back(lower) or (len(subject.split()) < _FEWEST and not _POINTS.isdisjoint(about)):
        return f"{before} {sentence}" if before else sentence if points_back(lower) else ""
    return sentence


def can_be_meant(before: str) -> bool:
    """A sentence says enough to be what the next one points to."""
    return len(before.split()) >= _FEWEST and not before.endswith(("?", ":"))


def _object(rest: str) -> str:
    """The first word after a verb, where that may be all it is about; `that` may also begin a clause."""
    first = next(iter(rest.split(None, 1)), "")
    word = first.rstrip(".,;!")
    return word if word != first or word in ("it", "them") else ""


def points_back(sentence: str) -> bool:
    """The sentence, in small letters, says nothing without the one before."""
    return sentence.partition(" ")[0] in _POINTS


def _fails(sentence: str) -> bool:
    lower = sentence.lower()
    return re.search(FAILS, lower) is not None or "n't" in lower or " not " in lower


def _is_tried(subject: str) -> bool:
    """The subject is something one does or did on purpose: `sorting on the client`, `the first approach`."""
    words = subject.replace("`", "").split()
    if not words or "," in subject or not _ASIDE.isdisjoint(words):
        return False
    doing = next((word for word in words if word not in ("so", "but", "and", "also", "just", "simply")), "")
    return (doing.endswith("ing") and doing not in _UNTRIED) or not _WAYS.isdisjoint(words)


def still_dead(
    ends: Iterable[DeadEnd], commits: Sequence[tuple[int, str]], chosen: Sequence[tuple[int, str]]
) -> list[DeadEnd]:
    """Those that were not done after all, by what was committed or chosen later; each of these has its line. Where
    somebody says why a thing failed, no commit tells that it was done, and only a choice that names all of it does."""
    return [end for end in ends if not _was_done(end, commits, chosen)]


def _was_done(end: DeadEnd, commits: Sequence[tuple[int, str]], chosen: Sequence[tuple[int, str]]) -> bool:
    reasoned = bool(end.why) or re.search(_REASON, end.tried) is not None
    tried = frozenset(terms(_tried(end.tried))) - _VAGUE
    said = 0 if end.origin else end.evidence[0].line
    least = max(_SHARED, len(tried) if reasoned else _SHARE * len(tried))
    return any(
        len(tried.intersection(terms(re.split(_AGAINST, text.lower(), maxsplit=1)[0]))) >= least
        for line, text in (*(() if reasoned else commits), *chosen)
        if line > said
    )


def _tried(text: str) -> str:
    """The part of a dead end that names what was tried."""
    lower = text.lower()
    if switched := re.match(_SWITCHED, lower):
        return lower[switched.end() :]
    failing = re.search(rf"{FAILS}|\b(?:would|did|does)(?:n't| not)\b", lower)
    if failing:
        return lower[: failing.start()]
    turn = re.search(_TURN, lower)
    return lower[: turn.start()] if turn else lower
