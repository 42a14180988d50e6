"""How remarks are worded: the table of what an agent says, by kind.

Every pattern has stems, one of which is in every text that it matches, so that a scan finds the few rows a text needs;
a pattern is compiled when the first of its stems is met.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Literal

from segue.extract.remarks import dead_ends, decided, taken
from segue.extract.remarks.taken_back import CAME_TO_NOTHING, TAKEN_BACK
from segue.model.patterns import compiled
from segue.model.value import NamedTuple

Kind = Literal["decision", "dead_end", "finding", "risk", "blocked", "next"]


class Row(NamedTuple):
    kind: Kind
    weight: int
    stems: str
    """What the scan looks for, lower case, separated by `|`; one of them is in every text the pattern matches."""
    pattern: str
    """Lower case, as what it is matched with."""


_GIVEN_UP = (
    ("dead end|dead-end", r"dead.end"),
    (
        "n't work|not work|n't help|not help",
        r"(?:did|does|do|will|would)(?:n'?t| not) (?:work|help)|won'?t work",
    ),
    (
        "viable|no luck|red herring|ruled out|a no-go|to be an option",
        r"(?:is|was|are)(?:n'?t| not) viable|no luck|red herring|ruled out|a no-go\b|not to be an option\b",
    ),
    ("gave up|giving up|abandon", r"(?:gave|giving) up on|abandon(?:ed|ing)"),
    (
        "backed|backing|rolled |reverted",
        r"back(?:ed|ing) (?:it |that |this )?out|rolled (?:it |that |this |them )?back|reverted (?:the|that|this|my|it)",
    ),
    ("ing is out", r"so [\w ]{1,40}ing is out\b"),
    ("t use|not use", r"(?:i|we) (?:can(?:'|no)t|could(?:n'?t| not)) use\b.{3,120}(?:because|since|[:;])"),
)
_CHOSEN = (
    (
        "instead of|rather than|favor of|favour of",
        r"(?:i(?:'ll| will|'m| am|'ve| have)|we(?:'ll| will|'re| are|'ve| have)|let's|use|using|keep|keeping|kept|prefer)\b.{0,160}\b(?:instead of|rather than|in favou?r of)\b",
    ),
    ("trade-off|tradeoff", r"trade-?off (?:is|we accept|here)"),
    (
        "the cleanest|the simplest|the safest|the right ",
        r"the (?:cleanest|simplest|safest|right) (?:fix|approach|way|option|design) is",
    ),
    (
        "m keeping|re keeping|ll keep|ll use|ll make|ll treat|ll leave|will keep|will use|will make|will treat|will leave",
        r"(?:i(?:'ll| will)|we(?:'ll| will)|i'm|we're) (?:keep|use|make|treat|leave)(?:ing)?\b.{0,160}\b(?:because|since|so that)\b",
    ),
)
_REFUSED = (
    "will not use|won't use|ll not use|not going to use|not using",
    r"(?:i|we)(?:'ll not| will not| won't|(?:'m| am|'re| are) not(?: going to)?) us(?:e|ing)\b(?! up\b).{3,200}?(?:\bbecause\b|\bsince\b|[:;] )",
)
_RISKY = (
    (
        "caveat|gotcha|beware|be careful|known issue|known limitation|workaround|flaky|breaking change|achtung|注意|주의",
        r"caveats?:|(?:one|the|a) caveat (?:is|to|here)|gotcha|beware|be careful|known (?:issue|limitation)|workaround|flaky|breaking change|achtung|注意|주의",
    ),
    (
        "untested|t tested|t yet tested|t verified|t yet verified|t covered|t yet covered|t verify|t test|t run",
        r"not (?:yet )?(?:tested|verified|covered)|untested|could(?:n'?t| not) (?:verify|test|run)|(?:did|have)(?:n'?t| not) (?:run|tested|verified)",
    ),
)
_AHEAD = (
    (
        "next step|next up|next i|next we|next, i|next, we",
        r"next steps?\b|next(?: up)?[,:]? (?:i|we)(?:'ll| will|'d| need)|next up\b",
    ),
    ("remaining", r"remaining (?:work|steps?|items?|tasks?)"),
    (
        "still need|still left|still missing|still open|still to do|left to do|not yet |todo:|to-do",
        r"still (?:needs? to|left|missing|open|to do)|left to do|not yet (?:done|implemented|wired|ported|handled)|(?:still )?todo:|to-do",
    ),
)
"""Stems and patterns of one kind and weight. They are apart because each is compiled for itself, and few are needed."""
ROWS = (
    *(Row("dead_end", 3, stems, pattern) for stems, pattern in _GIVEN_UP),
    *(Row("dead_end", 3, stems, pattern) for stems, pattern in TAKEN_BACK),
    Row(
        "dead_end",
        3,
        "funktioniert|funcion|marché|fonctionné|работает|сработало|помогло|行不通|没有用|不管用|うまくいか|안 돼|안됐|ging nicht|klappte nicht"
        "|verworfen|zurückgebaut|nicht infrage|nicht in frage|keine option|écarté|hors de question|descart|отказал|не вариант|不可行|走不通|路不通|放弃了|断念|見送|포기했",
        r"(?:hat|haben) nicht funktioniert|(?:ging|klappte) nicht(?=[,;:] )|no funcionó|n'a pas (?:marché|fonctionné)|не (?:работает|сработало|помогло)|うまくいか|안 돼|안됐"
        r"|verworfen|zurückgebaut|(?:kommt|kam) .{0,40}nicht in ?frage|keine option|écarté|hors de question|(?:descart[éa]|descartado|descartamos)|отказал\w*|не вариант"
        r"|\w*(?:行不通|走不通|路不通|没有用(?![到过户于])|不管用|不可行|放弃了|うまくいかなかった|断念|見送|포기했)",
    ),
    Row(
        "dead_end",
        2,
        "tried|reverting |approach was wrong|attempt was wrong|false lead|false start|t retry|t redo|t try ",
        r"(?:i|we) tried\b.{0,120}\b(?:but|however|fail|error)|tried .{0,80} but\b|reverting (?:the|that|this|my)\b.{3,}(?:because|since|fail|br[eo]ak|n't|[:;])"
        r"|(?:approach|attempt) was wrong|false (?:lead|start)|do(?:n'?t| not) (?:retry|redo|try) ",
    ),
    Row("dead_end", 3, dead_ends.VERDICT_STEMS, dead_ends.VERDICT),
    Row("dead_end", 2, dead_ends.STEMS, dead_ends.FAILS),
    *(Row("dead_end", 2, stems, pattern) for stems, pattern in CAME_TO_NOTHING),
    Row("decision", 3, decided.LABEL_STEMS, decided.LABELLED),
    Row(
        "decision",
        3,
        "decided|decision|opted|chose|we picked|i picked|we selected|i selected|settled on|going with|go with|went with|went for|design choice|sticking with|stuck with",
        r"decided (?:to|on|against|not|that)|decision(?:(?: is| was) (?:to|that|not|made)\b|:)|opted (?:for|to)|(?:we|i|i've|we've) (?:chose|picked|selected)\b(?! (?:up|is|was|were|wasn't|isn't|are|has|had|does|did)\b)|chose (?:to|the|a|not)|(?:was|were|have|i'?ve) chosen|settled on|go(?:ing)? with|went with|(?:i|we|i've|we've) went for|(?:sticking|stuck) with|design choice(?:[:,]| is| was)",
    ),
    Row("decision", 3, *_REFUSED),
    Row("decision", 3, decided.ABROAD_STEMS, decided.ABROAD),
    *(Row("decision", 2, stems, pattern) for stems, pattern in _CHOSEN),
    Row("decision", 2, decided.STEMS, decided.SETTLED),
    Row("decision", 3, decided.VERDICT_STEMS, decided.VERDICT),
    Row("decision", 3, taken.STEMS, taken.TAKEN),
    Row("decision", 3, taken.ASIDE_STEMS, taken.ASIDE),
    Row("decision", 3, taken.MOVES_STEMS, taken.MOVES),
    Row("decision", 3, taken.ABROAD_STEMS, taken.TAKEN_ABROAD),
    Row(
        "finding",
        3,
        "root cause|turns out|turned out|the real |the actual |the underlying |caused by|the bug |culprit|the cause |cause: ",
        r"root cause|turns out|turned out|the (?:real|actual|underlying) (?:problem|issue|cause|bug|reason)|caused by|the (?:bug|culprit|cause) (?:is|was)|cause: ",
    ),
    Row("finding", 3, "ursache|cause racine|causa raíz|причина|原因|원인", r"ursache|cause racine|causa raíz|причина|根本原因|原因(?:是|は)|원인"),
    Row(
        "finding",
        2,
        "the problem |the issue |the failure |the reason |fails because|failed because|breaks because|happens because|happened because|confirmed th",
        r"the (?:problem|issue|failure|reason) (?:is|was) |(?:this|that|it) (?:fails|failed|breaks|happens|happened) because|confirmed (?:that|the)",
    ),
    Row(
        "finding",
        2,
        " ms|%| mb| gb| kb|seconds|minutes| rps| qps|latency|throughput|req/s",
        r"(?:from|to|is|was|takes?|took|dropped|rose|reached|measured|averages?|at|in|of|under|over)\b[^.;]{0,40}?\d[\d.,]*\s?"
        r"(?:%|ms\b|s\b|seconds|minutes|[kmg]i?b\b|req/s|rps|qps)[^.;]{0,60}",
    ),
    Row(
        "blocked",
        3,
        "blocked on|blocked by|waiting for|waiting on|t proceed|need your|needs your|require your|requires your|require manual|requires manual",
        r"blocked (?:on|by)|waiting (?:for|on) (?:you|your|the user|approval|review)|can(?:no|')t proceed"
        r"|needs? your (?:input|approval|decision|confirmation)|requires? (?:your|manual) ",
    ),
    *(Row("risk", 2, stems, pattern) for stems, pattern in _RISKY),
    *(Row("next", 3, stems, pattern) for stems, pattern in _AHEAD),
    Row(
        "next",
        3,
        "nächste|prochaine|próximo|следующ|下一步|次は|다음",
        r"nächste\w* schritte?|prochaines? étapes?|próximos? pasos?|следующ\w+ шаг|下一步|次は|다음 단계",
    ),
)  # fmt: skip


@cache
def stems_of(row: int) -> list[str]:
    return ROWS[row].stems.split("|")


@cache
def pattern_of(row: int) -> re.Pattern[str]:
    """Compiled when the first stem of a row is met: all of them take 8 ms, and most sessions need half."""
    return compiled(rf"(?<![\w-])(?:{ROWS[row].pattern})")
