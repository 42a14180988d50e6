"""How a decision is told without anybody who decides: by its verb alone, or as how things are and why.

"Picked zstd over gzip", "the state lives in Redis, not in memory, because two workers share it". The
same form tells of a fault ("the value is null instead of empty because …"), which was nobody's choice.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from segue.extract.remarks.choices import chooses
from segue.extract.text.prose import phrases, plainly, word_set
from segue.extract.text.relevance import terms

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
_LABELS = "decision|decided|decisión|décision|decisão|decisione|entscheidung|decyzja|besluit|決定|决定|결정|방침|方針|chosen"
LABEL_STEMS = _LABELS.replace("|chosen", "|chosen: ")
LABELLED = "^"
"""Every sentence that is labelled as a decision, which `is_labelled` tells."""
_BEFORE_LABEL = word_set("my our the final design key la mi die meine notre")
_NO_LABEL = word_set(
    "you needed required pending open log record records tree table point points matrix request by"
)
_LABEL_LENGTH = 60
ABROAD_STEMS = (
    "entschieden|entscheidung|décidé|choisi|opté|on part sur|decidí|decidido|decidimos|elegí|elegim|elegid|optamos|optado|quedamos con|decidi |optei|escolh|scelto"
    "|deciso|zdecydowa|wybra|gekozen|besloten|решил|выбрал|决定|选择了|采用|选用|採用|方針|ことにしました|決め|を選|결정|기로 했|선택했"
)
ABROAD = (
    r"(?:uns |mich )?(?:\w+ )?entschieden|entscheidung|décidé|choisi|j'ai opté|on part sur|decidí|decidido|decidimos|elegí|elegimos|he elegido"
    r"|(?:he|hemos) optado|optamos por|nos quedamos con|decidi |optei|escolhi |escolhemos|(?:ho|abbiamo) (?:scelto|deciso)|zdecydowa[łl]\w+|wybra[łl]\w+"
    r"|gekozen voor|besloten|решил\w*|выбрал\w*|\w*(?:选择了|我决定|们决定|此决定|终决定|以决定|终采用|们采用|我采用|定采用|终选用|们选用)|决定"
    r"|\w*(?:採用し|採用する|方針(?:に|と|で)|ことにしました|決め(?:まし|た)|を選びま|を選択しま|결정(?:했|하였|:)|기로 했|선택했)"
)
"""How a choice is told in other languages. Before a word of a script without spaces stands another."""
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
_WHY_BEGINS = " because | since | so that |: |; "
_FAULTS = word_set(
    "fail fails failed failing failure bug bugs broken breaks wrong wrongly missing null none nil undefined"
    " crash crashes currently actually still mistake unexpectedly apparently should expected got returns"
    " problem issue cause caused reason"
)
_OF_CHOICE = word_set(
    "with on for chose picked selected do use keep take add leave doing using keeping taking adding leaving"
)
_POINTED = word_set("it that this them those these")
_KINDS = word_set(
    "one ones approach option way route design plan idea solution direction path variant method strategy"
    " now here then too first"
)
_GOES_ON = word_set("because since so rather instead as over and here for")
_OWN = 3
"""Terms that a sentence must have to say something, though its verb only points."""
_POINTS = word_set("it it's this that that's they these those")
_WAITS = (" it time", " them time", " more time ")
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
_FOLLOWS = phrases(
    "so |so, |therefore|thus |hence |that's why |that is why |deshalb |daher |darum |donc |por eso |поэтому |dlatego "
)
_SPEAKS = word_set("i'll i'm let now next first then")
_REJECTED = word_set(
    "rejected discarded alternatives considered ruled verworfen abgelehnt rejeté rejetés écarté descartado descartados rechazado"
    " descartei отклонено odrzucone"
)
"""How a sentence begins that tells what was not chosen."""
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
    if " should now " in sentence or any(sign in sentence for sign in _WAITS):
        return True
    return told and not any(sign in sentence for sign in _REASONS)


def is_labelled(sentence: str) -> bool:
    """The sentence, in small letters, begins by calling itself a decision, and on what."""
    label, colon, rest = sentence[:_LABEL_LENGTH].partition(":")
    words = label.split()
    while words and words[0] in _BEFORE_LABEL:
        del words[0]
    return bool(colon and rest and words) and words[0] in _LABELS.split("|") and _NO_LABEL.isdisjoint(words)


def points_elsewhere(sentence: str) -> bool:
    """What the sentence, in small letters, chooses is only pointed at: without the one before it says nothing."""
    if not _names_none(sentence.split()):
        return False
    begins = sentence.partition(" ")[0] in _POINTS
    return begins or len(set(terms(re.split(_WHY_BEGINS, sentence, maxsplit=1)[0]))) < _OWN


def follows(sentence: str) -> bool:
    """The sentence, in small letters, begins with what tells that the one before gives its reason, or ends with what
    tells that it names the other choice."""
    return sentence.startswith(_FOLLOWS) or (
        sentence.rstrip(".!").endswith(" instead") and "; " not in sentence and _lacks_why(sentence)
    )


def _names_none(words: Sequence[str]) -> bool:
    """The object of a verb of choice is a word that points, and nothing more."""
    for verb, place in zip(words, range(1, len(words)), strict=False):
        if verb in _OF_CHOICE and words[place].rstrip(".,;:!") in _POINTED:
            while (
                place + 1 < len(words)
                and words[place + 1].rstrip(".,;:!") in _KINDS
                and words[place][-1].isalpha()
            ):
                place += 1
            if place + 1 == len(words) or not words[place][-1].isalpha() or words[place + 1] in _GOES_ON:
                return True
    return False


def reason_at(sentence: str, chosen: int) -> int:
    """Where, behind what is chosen, the reasons begin: what they call likely is no doubt about the choice."""
    return min(
        (at for sign in _MAY_GIVE_WHY if (at := sentence.find(sign, chosen)) >= 0), default=len(sentence)
    )


def _lacks_why(sentence: str) -> bool:
    return not any(sign in sentence for sign in _REASONS)


def told_with(sentence: str, after: str) -> str:
    """The sentence after a choice, where it tells why, or what was rejected for it; empty where it goes on with
    something else."""
    words = plainly(after).replace(",", " ").replace(";", " ").replace(":", " ").split()
    if not words or len(after) > _REASON_LONGEST or after.endswith(("?", ":")) or words[0] in _SPEAKS:
        return ""
    if words[0] in _REJECTED:
        return after
    if not _lacks_why(sentence):
        return ""
    return after if words[0] in _REASON_BEGINS or not _GIVES.isdisjoint(words) else ""
