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
    lead = _leads().search(text.lower()) if ":" in text else None
    if lead is None or not text[lead.end() :].strip() or _adopts(lead[0]):
        return Shown(text)
    before, after = text[: lead.end()], text[lead.end() :].lstrip()
    text = f"{before}\n{after}"
    end = len(text)
    last = text.rstrip().rfind("\n\n", lead.end())
    if last > 0 and len(text) - last <= _OWN and _TO_THE_AGENT.search(text[last:].lower()):
        end = last
    return Shown(text, lead.end() + 1, end)


def _adopts(lead: str) -> bool:
    """`do what the review says: …` makes it the person's own."""
    return not _DOING.isdisjoint(lead.removeprefix("please ").split()[:1])


@cache
def _leads() -> re.Pattern[str]:
    """Compiled where a prompt has a colon at all."""
    thing = (
        r"(?:tweet|post|e-?mail|mail|message|comments?|thread|article|blog|quote|reply|replies|transcript|review|feedback"
        r"|(?:github|gitlab|jira|linear|support|bug) (?:issue|ticket|report))"
    )
    return re.compile(
        rf"^(?=[^\n:]{{0,160}}(?:\b(?:this|these|the following|following) (?:\w+ ){{0,3}}{thing}\b"
        rf"|\b{thing} (?:\w+ )?(?:from|by|of|on|in) \w"
        r"|\b(?:what|how) (?!i\b|we\b|you\b)(?:[\w@.-]+ ){1,4}(?:said|says|wrote|writes|thinks?|replied|answered|posted|suggest\w*|told me)\b"
        r"|^(?!i |we |you )(?:the |my |our |a )?(?:[\w@.-]+ ){1,3}(?:said|says|wrote|writes|replied|commented|answered|posted|tweeted|emailed|complained)\b"
        r"|\b(?:from|according to) the (?:docs|documentation|readme|manual|website|changelog)\b"
        r"|\b(?:pasted|copied|forwarded|quoting|quoted)\b))[^\n:]{1,160}:(?!//|\d)",
        re.M,
    )
