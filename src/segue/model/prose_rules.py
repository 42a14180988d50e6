"""Rules for one sentence of a handoff: is it concrete, is it an order, is it in the way at all?

Each rule looks at a single text and is deliberately shy: what names a file, a command, a number or an
identifier is taken as concrete. They know English; a text mostly in other letters passes every rule.
"""

from __future__ import annotations

import re

_ANCHOR = re.compile(
    r"`|\d|[\w.-]+/[\w.-]+|\w+\.[a-z]{1,5}\b|\w_\w|\w\(\)|[a-z][A-Z]|\b(?!TODO\b|TBD\b|WIP\b|FIXME\b)[A-Z]{2,}\b|#\w|\"[^\"]+\"|'[^']{3,}'"
)
_WORD = re.compile(r"[A-Za-z][A-Za-z'’]*")
_SENTENCE_END = re.compile(r"[.!?…]+(?:[\"')\]]*)(?=\s+[\"'(`A-Z]|\s*$)")


def _bag(words: str) -> frozenset[str]:
    return frozenset(words.split())


_FILLER = _bag(
    "a an the this that these those it its my our your their all any some more most much many rest of on with for to in "
    "and up out so then now just also again still please next things thing stuff work working task tasks job feature "
    "features implementation code coding project everything something anything remaining other others bugs bug issues "
    "issue problems problem tests test testing better good nice done properly correctly finally rest bit bunch lot "
    "lots progress fixes fix changes change session here there is be as needed necessary possible usual before "
    "todo tbd wip fixme"
)
_VAGUE_VERBS = _bag(
    "continue finish complete make do keep go going proceed resume improve polish handle fix clean cleanup refactor "
    "test try check review work start implement address look wrap get carry push move investigate debug wrote write "
    "worked made did started writing doing fixed tried changed updated update various several"
)
_NOT_AN_ORDER = _bag(
    "i i'm i'll we we're we'll you he she it it's they there the a an this that these those my our should must need "
    "needs needed would could might may maybe perhaps probably todo tbd want wants let's someone somebody hopefully "
    "also then still not next"
)
_ING_VERBS = _bag("bring ping string sing ring spring swing sting cling fling sling wring")
_IRREGULAR_PAST = _bag(
    "wrote built made ran found set put did got took went began chose broke kept left met sent split cut gave saw "
    "rewrote rebuilt brought bought caught came drew drove fell felt grew held hid hit knew laid led let lost meant "
    "paid read said shut spent stood swapped taught thought threw told understood won bound bred was were had has "
    "done written been gone shown proven undid redid reran rewrote reset"
)
_COMPLAINT = re.compile(
    r"\b(?:hard|difficult|tired|exhausted|complicated|complex|boring|annoying|stuck|no time|don'?t know|unsure|"
    r"confus\w+|frustrat\w+|slow|ugly|mess|messy|sucks|impossible)\b",
    re.I,
)
_WARNING_WORDS = re.compile(
    r"\b(?:be careful|careful|watch out|might be|may be|could be|be aware|good luck|take care|keep in mind|"
    r"complicated|complex|tricky|fragile|messy|important|some bugs|bugs?)\b",
    re.I,
)
_DECISION = re.compile(
    r"\bdecisions?\s*:|\b(?:we|i|team)\s+(?:have\s+)?(?:decided|chose|agreed|settled|opted)\b|\bdecided (?:to|on|against)\b"
    r"|\b(?:going|went) with\b.+\binstead of\b|\bopted for\b",
    re.I,
)
_BLOCKER = re.compile(
    r"\bblockers?\s*:|\bblocked (?:by|on|until)\b|\bwaiting (?:for|on)\b|\b(?:cannot|can'?t|unable to) (?:proceed|continue)\b"
    r"|\bstuck (?:on|because|until)\b",
    re.I,
)
_CLAUSE = re.compile(r";|,?\s+(?:and then|then|and also|and)\s+|,\s+(?=[a-z]+ )", re.I)

STEP_LIMIT = 220
_CLAUSES = 4


def is_foreign(text: str) -> bool:
    """Mostly in letters the rules cannot judge."""
    letters = [ch for ch in text if ch.isalpha()]
    return bool(letters) and sum(ch.isascii() for ch in letters) < 0.7 * len(letters)


def is_concrete(text: str) -> bool:
    """Names something one could look up: a file, a command, a number, an identifier, a quoted text."""
    return _ANCHOR.search(text) is not None


def sentence_count(text: str) -> int:
    stripped = text.strip()
    return max(1, len(_SENTENCE_END.findall(stripped))) if stripped else 0


def is_vague(text: str) -> bool:
    """Says that there is work without saying which: "continue", "finish the feature", "working on auth"."""
    if is_foreign(text) or is_concrete(text):
        return False
    words = _words(text)
    telling = [word for word in words if word not in _FILLER and word not in _VAGUE_VERBS]
    return len(telling) == 0 or (len(words) <= 4 and len(telling) <= 1 and words[0] in _VAGUE_VERBS | _FILLER)


def is_imperative(text: str) -> bool:
    """An order to whoever reads it: begins with what looks like a verb in its base form."""
    if is_foreign(text):
        return True
    words = _words(text)
    if not words:
        return text.strip().startswith("`")
    first = words[0]
    if text.strip()[0] == "`":
        return True
    return first not in _NOT_AN_ORDER and not (first.endswith("ing") and first not in _ING_VERBS)


def is_too_much(text: str) -> bool:
    """More than one sitting of a quarter of an hour: very long, or a chain of several steps."""
    return len(text) > STEP_LIMIT or len(_CLAUSE.split(text.strip())) > _CLAUSES


def is_past(text: str) -> bool:
    """Tells of something done."""
    words = _words(text)
    return is_foreign(text) or any(
        (word.endswith("ed") and len(word) > 3) or word in _IRREGULAR_PAST for word in words
    )


def is_complaint(text: str) -> bool:
    """A mood rather than an obstacle somebody could remove: "It's hard"."""
    if is_foreign(text) or is_concrete(text):
        return False
    return len(_words(text)) <= 3 or (len(_words(text)) <= 8 and _COMPLAINT.search(text) is not None)


def is_empty_warning(text: str) -> bool:
    """A warning that warns of nothing: "Be careful", "There might be bugs"."""
    if is_foreign(text) or is_concrete(text):
        return False
    return len(_words(text)) <= 2 or (len(_words(text)) <= 7 and _WARNING_WORDS.search(text) is not None)


def tells_decision(text: str) -> bool:
    """Free text that records a decision."""
    return _DECISION.search(text) is not None


def tells_blocker(text: str) -> bool:
    """Free text that records an obstacle."""
    return _BLOCKER.search(text) is not None


def _words(text: str) -> list[str]:
    return [word.lower().replace("’", "'") for word in _WORD.findall(text)]
