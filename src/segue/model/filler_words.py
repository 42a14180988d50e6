"""Words that say nothing by themselves: those that fit into any sentence, and keys hit at random.

A text made of nothing else cannot be acted on, whatever its form. Only English words are known, so a word of
another language always counts as saying something.
"""

from __future__ import annotations

import re

_FITS_ANYWHERE = re.compile(
    r"an?|the|this|that(?:'s)?|these|those|its?|it's|i(?:'m|'ll)?|we(?:'ll|'re)?|you|he|she|they|me|us|them|my|our|your|his|her|their"
    r"|some\w*|any\w*|every\w*|all|each|both|few|lots?|bunch|bit|more|less|much|other|another|same|such|one|next|first|various|misc|etc"
    r"|about|above|again|also|as|at|back|before|below|by|down|for|from|here|in|into|like|now|of|off|on|only|or|out|over|so|soon|still|then|there"
    r"|to|today|tomorrow|too|up|very|with|yet|and|but|just|later|maybe|please|no|not|yes|ok|okay|when|what|whatever|which"
    r"|am|are|is|was|were|be|been|being|can|could|may|might|must|shall|should|will|would|do|does|did|doing|done|ha[sd]|have|got|going|gonna|go"
    r"|let|lets|let's|look|see|say|try|want|needs?|plan|makes?|made|making|work(?:s|ed|ing)?|writ(?:e|ing)|wrote|cod(?:e|ing)|fix(?:e[sd]|ing)?"
    r"|finish|continue|changes?|changed|good|better|fine|nice|usual|kind|sort|stuff|things?|nothing|parts?|progress|steps?|tasks?|chat"
    r"|bla|blah|foo|bar|baz|dunno|idk|hello|hi"
)
_MASHED = re.compile(r"([a-z])\1*|[b-df-hj-np-tv-xz]{6,}")
_ROWS = "qwertyuiop asdfghjkl zxcvbnm qwertz"
_RUN = 4


def says_nothing(word: str) -> bool:
    """For a word in lower case."""
    return _FITS_ANYWHERE.fullmatch(word) is not None or mashed(word)


def mashed(word: str) -> bool:
    """Neighbouring keys, one letter over and over, or more consonants than any word has."""
    runs = (word[:_RUN], word[-_RUN:])
    return (len(word) >= _RUN and any(run in _ROWS for run in runs)) or _MASHED.fullmatch(word) is not None
