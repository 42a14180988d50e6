"""Texts that a person wrote for others to read, shown to the agent: a tweet, a post, a mail.

What stands in a draft is said to its readers and rules nothing. A label (`Tweet 1:`) or a line that breaks off before it
(`… a thread that says this`) introduces it; it ends where the person talks again. A paragraph that was a draft
once is one wherever it is shown again.
"""

from __future__ import annotations

from segue.extract.text.prose import flat, plainly, word_set
from segue.extract.words.conduct import TASKS

_NOUNS = word_set(
    """
    tweet tweets post posts mail email e-mail newsletter announcement headline caption letter thread draft toot
    """
)
_FOR_OTHERS = word_set("tweet tweets newsletter announcement draft toot")
"""What is always written for others: a post or a mail may be a thing of the program."""
_LABEL, _BROKEN_OFF = 6, 12
"""Words of a label, and at the end of a line that breaks off."""
_CUES = word_set("this says say wrote draft following here's here reads goes")
_TALK = word_set(
    """
    i i'm i'd it it's or also ok okay please can could should must never always don't do not no yes let's use keep only make
    what how why is are does
    """
)
"""How a paragraph begins in which the person speaks to the agent."""


def without_drafts(text: str, known: set[str]) -> str:
    """The text without the paragraphs that are drafts, which are added to the known ones."""
    kept, introduced = [], False
    for paragraph in text.split("\n\n"):
        told = flat(paragraph)
        if not told or told in known:
            continue
        if introduced and not _introduces(paragraph) and not _talks(told):
            known.add(told)
            continue
        kept.append(paragraph)
        introduced = _introduces(paragraph)
    return "\n\n".join(kept)


def _introduces(paragraph: str) -> bool:
    line = plainly(paragraph.rstrip().rpartition("\n")[2])
    words = line.replace(":", " ").replace("..", " ").split()
    if _NOUNS.isdisjoint(words) or line.endswith((".", "!", "?")):
        return False
    numbered = words[-1].isdigit() and words[-2] in _NOUNS
    if line.endswith(":") and len(words) <= _LABEL:
        return numbered or not _FOR_OTHERS.isdisjoint(words)
    broken_off = words[-1] in _CUES or (words[-1] in _NOUNS and not _CUES.isdisjoint(words[-_BROKEN_OFF:]))
    return numbered or broken_off


def _talks(paragraph: str) -> bool:
    """The person speaks to the agent, or of the draft."""
    words = plainly(paragraph).replace(",", " ").split()
    return words[0] in _TALK or words[0] in TASKS or not _NOUNS.isdisjoint(words)
