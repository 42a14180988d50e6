"""Where a person shows what somebody else said: a tweet, an email, a comment, a page of the docs.

"check this tweet: …" and "here is what support wrote: …" introduce material. What follows rules nothing
unless the person says so; a short last paragraph that speaks to the agent is the person's again.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from segue.extract.prose import word_set

_DOING = word_set("do follow apply address implement fix use make add obey")
_LONGEST_LEAD = 160
_HINTS = word_set(
    """
    tweet post email e-mail mail message comment comments thread article blog quote reply replies transcript review
    feedback issue ticket report said says wrote writes think thinks replied answered posted suggest suggests suggested
    told commented tweeted emailed complained docs documentation readme manual website changelog
    pasted copied forwarded quoting quoted
    """
)
"""One of these stands in every introduction; to look for a word is cheaper than for a phrase."""
_OWN = 240
"""Characters of a last paragraph that may be the person's again."""
_TO_THE_AGENT = re.compile(
    r"\b(?:you|your|please|i|we|let's|can|should|what|do|don't|only|fix|add|make|use)\b"
)


class Shown(NamedTuple):
    """A text in which what introduces stands on a line of its own, and where in it somebody else speaks."""

    text: str
    begin: int = 0
    end: int = 0


def shown(text: str) -> Shown:
    begin = _introduced(text) if ":" in text else 0
    if not begin or not text[begin:].strip():
        return Shown(text)
    text = f"{text[:begin]}\n{text[begin:].lstrip()}"
    end = len(text)
    last = text.rstrip().rfind("\n\n", begin)
    if last > 0 and len(text) - last <= _OWN and _TO_THE_AGENT.search(text[last:].lower()):
        end = last
    return Shown(text, begin + 1, end)


def _introduced(text: str) -> int:
    """Where the first line ends its introduction with a colon and somebody else's words begin; 0 if none does."""
    at = 0
    for line in text.split("\n"):
        head, colon, rest = line.partition(":")
        if colon and 0 < len(head) <= _LONGEST_LEAD and not rest.startswith("//") and not rest[:1].isdigit():
            head = head.lower()
            if not _HINTS.isdisjoint(head.split()) and _leads().search(head):
                return 0 if _adopts(head) else at + len(head) + 1
        at += len(line) + 1
    return 0


def _adopts(lead: str) -> bool:
    """`do what the review says: …` makes it the person's own."""
    return not _DOING.isdisjoint(lead.removeprefix("please ").split()[:1])


@cache
def _leads() -> re.Pattern[str]:
    """What introduces, in the words before a colon; compiled where one might."""
    thing = (
        r"(?:tweet|post|e-?mail|mail|message|comments?|thread|article|blog|quote|reply|replies|transcript|review|feedback"
        r"|(?:github|gitlab|jira|linear|support|bug) (?:issue|ticket|report))"
    )
    return re.compile(
        rf"(?:\b(?:this|these|the following|following) (?:\w+ ){{0,3}}{thing}\b"
        rf"|\b{thing} (?:\w+ )?(?:from|by|of|on|in) \w"
        r"|\b(?:what|how) (?!i\b|we\b|you\b)(?:[\w@.-]+ ){1,4}(?:said|says|wrote|writes|thinks?|replied|answered|posted|suggest\w*|told me)\b"
        r"|^(?!i |we |you )(?:the |my |our |a )?(?:[\w@.-]+ ){1,3}(?:said|says|wrote|writes|replied|commented|answered|posted|tweeted|emailed|complained)\b"
        r"|\b(?:from|according to) the (?:docs|documentation|readme|manual|website|changelog)\b"
        r"|\b(?:pasted|copied|forwarded|quoting|quoted)\b)"
    )
