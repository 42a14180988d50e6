"""How a dead end is told in ordinary words: taken back by whoever did it, ruled out, or come to nothing.

Each row has the stems that the scan looks for, separated by `|`, and the pattern of a sentence with one of
them, in small letters. The rows are small because a pattern is compiled when the first stem of its row is
met: all of them take 6 ms, and most sessions need few.
"""

from __future__ import annotations

_IT = r"(?:it|that|this|them)"
_IS_NOT = r"(?:is|are|was)(?:n't| not)"

TAKEN_BACK = (
    ("undid|scrapped|ditched", rf"(?:undid|scrapped|ditched) (?:{_IT}|the)\b"),
    (
        "took it|took that|took this|took them|pulled |ripped |threw ",
        rf"(?:took|pulled|ripped) {_IT} (?:back )?out\b|threw {_IT} (?:away|out)\b",
    ),
    (
        "put it back|put that back|put them back|set it back|moved it back|switched it back|changed it back",
        rf"(?:put|set|moved|switched|changed) {_IT} back\b",
    ),
    (
        "d again|d it again|d that again",
        rf"(?:removed|dropped|reverted|restored|undone)(?: {_IT})? again\b",
    ),
    (
        "; reverted|, reverted|; restored|, restored|; dropped|, dropped|; removed|, removed|; undone|, undone",
        rf"(?<=[;,] )(?:reverted|restored|dropped|removed|undone)(?: {_IT}| the [\w ]+| for now)?[.!]?$",
    ),
    (
        "it's back|that's been|that's out|that is out|this is out|it's gone|that's gone|got removed|got reverted|got dropped",
        rf"so {_IT}(?:'s| is| has| got| was)(?: been| now)? (?:back(?:ed out)?|reverted|removed|dropped|gone|out)\b",
    ),
    (
        "so i moved|so i took|so i put|so i pulled|so i switched|so i brought|so i set|so i turned"
        "|so we moved|so we took|so we put|so we pulled|so we switched|so we brought|so we set|so we turned",
        r"so (?:i|we) \w+ (?:[\w-]+ ){1,3}(?:back|out|off)\b",
    ),
    ("went back to", r"(?<=[;,] )(?:so )?(?:i |we )?went back to\b"),
    (
        "been backed|t fly|not worth it|forget about|rules out|down that road|of the question|had to go",
        r"been backed out|won't fly|not worth it|can forget about|which rules out|down that road|out of the question|had to go\b",
    ),
    (
        "off the table|non-starter|nonstarter|hopeless|no good",
        r"(?:is|are|was) (?:off the table|a non-?starter|hopeless|no good)\b",
    ),
    (
        "t an option|t feasible",
        rf"{_IS_NOT} (?:an option|feasible)(?= (?:because|since|here|on|as|behind|under|with)\b|[:;,.]|$)",
    ),
    ("t usable|t worth the|t going to", rf"{_IS_NOT} (?:usable|worth the|going to (?:happen|work|fly))\b"),
    ("t do it|t do:|t do,|t do;|t do because", r"won't do(?: it)?(?=[:;,.]| because)"),
    ("t do that|cannot do that", r"so (?:we|i) can(?:'t|not) do that\b"),
    (" is out", r"^[\w-]+ing [^,;.]{3,60} is out\b"),
    ("so no ", r"so no [\w-]+ing(?= (?:here|there|for)\b|[.,;:!]|$)"),
    ("so don't|so do not|so never", r"(?<=, )so (?:don't|do not|never) \w+"),
    ("would have ", r"would have \w+ .{3,60}, so (?:i|we) (?:kept|left|stayed|stuck)\b"),
    ("not doing ", rf"not doing {_IT} again\b"),
    ("looked at |considered |evaluated ", r"(?:looked at|considered|evaluated) [^,;]{3,60}, but\b"),
    ("a try|a shot|a go,", r"gave .{3,60}? a (?:try|shot|go)\b.{0,20}\bbut\b"),
    (
        "had a go at|experimented with|attempted",
        r"(?:had a go at|experimented with|attempted) .{3,120}?\b(?:but|however)\b",
    ),
)
"""What says so by itself, whoever or whatever it is about."""

CAME_TO_NOTHING = (
    ("made no|makes no|gained no|gains no", r"(?:made|makes|gained|gains) (?:no|nothing)\b"),
    (
        "worse|slower|bigger|larger|flakier|harder",
        r"(?:made|makes) [\w ]{3,50}(?:worse|slower|bigger|larger|flakier|harder)\b",
    ),
    (
        "ly delay|st delay|ly mov|st mov|ly hid|ly mask|ly fill",
        r"(?:only|just|merely) (?:delay|mov|hid|mask|fill)\w*",
    ),
    (
        "slowed|slows |starve|corrupt|mangle|leaked|leaks|missed|misses|hides",
        r"(?:slow(?:ed|s)|starv(?:ed|es)|corrupt(?:ed|s)|mangle[ds]|leak(?:ed|s)|miss(?:ed|es)|hides) ",
    ),
    ("doubled|tripled", r"(?:doubled|tripled) [\w ]{0,24}(?:memory|latency|time|size|cost)\b"),
    (
        "useless|unreliable|pointless|unusable|far too|way too|much too",
        r"(?:is|was|are|were) (?:useless|unreliable|pointless|unusable|(?:far|way|much) too \w+)\b",
    ),
    (
        "i dropped|we dropped|i removed|we removed|i reverted|we reverted",
        r"so (?:i|we) (?:dropped|removed|reverted) (?:it|that|this|to)\b",
    ),
)
"""What says so only of something that was tried."""
