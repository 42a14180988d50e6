"""How a decision is told without anybody who decides: by its verb alone, or as how things are and why.

"Picked zstd over gzip", "the state lives in Redis, not in memory, because two workers share it". The
same form tells of a fault ("the value is null instead of empty because …"), which was nobody's choice.
"""

from __future__ import annotations

import re

from segue.extract.remarks.choices import chooses
from segue.extract.text.prose import plainly, word_set

STEMS = " over |, not | and not |instead of|rather than"
_CHOSEN = r"(?:picked|chose|selected|took|preferr(?:ed|ing)|kept|used|adopted|using|keeping|picking|choosing)"
_STANDS = r"(?:is|are|lives?|stays?|goes|go|sits?|runs?|uses?|keeps?|stores?)"
_WHY = r"(?:because|since|so)\b"
SETTLED = (
    r"^(?:instead of|rather than) [^,]{3,60}?,? (?:i|we)(?:'m|'re|'ll|'ve)? \w+"
    "|"
    rf"^(?:and |so |also )?{_CHOSEN}\b.{{2,80}}? (?:over|instead of|rather than) .{{2,120}}?(?:{_WHY}|: |; | - )"
    rf"|{_STANDS} .{{2,80}}?(?:,? (?:and )?not | instead of | rather than ).{{2,80}}? {_WHY}"
)
"""Like all patterns of remarks it is compiled when the first sentence needs it, and meets small letters."""
VERDICT_STEMS = "my pick|my choice|my vote|final call|final answer|verdict: |conclusion: | wins|the winner| it is, | it is: |d rather go"
VERDICT = (
    r"^(?:so |and )?(?:my (?:pick|choice|vote)(?: is| would be| goes to|:)|the winner is|final (?:call|answer)[:,])"
    r"|^(?:verdict|conclusion): (?:we |i |let's |i'll |we'll )?(?:use|keep|go|stay|stick|drop|ship|take|switch|leave|build|store|do|don't|no)\b"
    r"|^(?!the last|the lat|the new|the first|last|lat|new|which)[^.,;]{2,60} wins(?:[:;,.]| because| since| here| on|$)|^(?:so )?[^.,;]{2,40} it is[,:]"
)
"""How a choice is announced at the beginning of a sentence."""
_VERBS = word_set(
    "picked chose selected took preferred kept used adopted opted settled went decided sticking using keeping picking choosing"
)
_STANDING = word_set(
    "is are lives live stays stay goes go sits sit runs run uses use keeps keep stores store"
)
_CONTRASTS = (", not ", " and not ", " instead of ", " rather than ")
_REASONS = (" because ", " since ", " so that ", " to avoid ", " to keep ")
_MAY_GIVE_WHY = (" because ", " since ", " so ", ": ", "; ", " - ")
_FAULTS = word_set(
    "fail fails failed failing failure bug bugs broken breaks wrong wrongly missing null none nil undefined"
    " crash crashes currently actually still mistake unexpectedly apparently should expected got returns"
    " problem issue cause caused reason"
)
_LEADS = ("and ", "so ", "also ", "ok, ")
_DID = word_set(
    "fixed updated changed added ran gave waited checked moved rewrote renamed cleaned adjusted tweaked patched bumped"
    " refreshed reran retried pushed committed"
)
_DOING = word_set(
    "giving waiting letting watching polling checking running reading looking trying checked retrying"
    " rerunning monitoring inspecting fixing updating"
)
_REASON_BEGINS = word_set("it that this they those which because since so otherwise")
_GIVES = word_set(
    "because since so avoids avoid needs need would keeps keep lets otherwise without loses break breaks cannot can't means"
    " only one cheaper faster simpler smaller safer costs survives alternative"
)
_REASON_LONGEST = 220
_SPEAKS = word_set("i'll i'm let now next first then")
_INSTEAD = ("instead of ", "rather than ")


def may_be(sentence: str) -> bool:
    """A quick look before the pattern: most sentences with a stem tell of no choice."""
    if sentence.startswith(_INSTEAD):
        return True
    return any(sign in sentence for sign in _MAY_GIVE_WHY) and (
        " over " in sentence or any(sign in sentence for sign in _CONTRASTS)
    )


def by_the_speaker(sentence: str) -> bool:
    """The sentence, in small letters, begins with what its speaker chose, or tells how something is, what it is
    not and why, and speaks of no fault."""
    for lead in _LEADS:
        sentence = sentence.removeprefix(lead)
    if sentence.startswith(_INSTEAD):
        return chooses(re.split(r"(?= (?:i|we)(?:'\w+)? )", sentence, maxsplit=1)[-1].strip())
    words = sentence.replace(",", " ").replace(";", " ").replace(".", " ").split()
    if words and words[0] in _VERBS:
        return True
    if not any(sign in sentence for sign in _CONTRASTS) or not any(sign in sentence for sign in _REASONS):
        return False
    before = sentence[: min(at for sign in _CONTRASTS if (at := sentence.find(sign)) >= 0)].split()
    impersonal = not {"i", "we", "i'm", "i'll", "we'll", "let's", "it", "that", "this"}.intersection(before)
    return impersonal and not _STANDING.isdisjoint(before) and _FAULTS.isdisjoint(words)


def narrates(sentence: str) -> bool:
    """The sentence, in small letters, tells what was done or is being waited for, and gives no reason: whoever goes
    on is bound by neither."""
    words = sentence.split(None, 4)
    told = bool(words) and (words[0] in _DOING or words[0] in _DID)
    if len(words) > 1 and words[0] in ("i've", "we've", "i'm", "i", "we"):
        told = words[1] in _DID or words[1] in _DOING
    if " should now " in sentence:
        return True
    return told and not any(sign in sentence for sign in _REASONS)


def lacks_why(sentence: str) -> bool:
    return not any(sign in sentence for sign in _REASONS)


def reason_in(after: str) -> str:
    """The sentence after a choice, where it tells why; empty where it goes on with something else."""
    words = plainly(after).replace(",", " ").replace(";", " ").split()
    if not words or len(after) > _REASON_LONGEST or after.endswith(("?", ":")) or words[0] in _SPEAKS:
        return ""
    return after if words[0] in _REASON_BEGINS or not _GIVES.isdisjoint(words) else ""
