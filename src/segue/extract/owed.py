"""What the person asked to have done with the work, and nobody saw happen: a commit, a push, a request, a last command.

It is told by the order in a prompt and by the lack of any sign of it afterwards, so a step made of it
says that none was seen. Who forbids it later takes the order back.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from segue.extract.prose import sentences, word_set
from segue.model.facts import NextStep, Quote
from segue.model.turn import Index


class _Act(NamedTuple):
    order: str
    verb: str
    objects: frozenset[str]
    """What the verb must be followed by; empty for a verb that says it all."""
    ran: tuple[str, ...]
    """Commands that do it."""
    shown: tuple[str, ...]
    """How a claim begins that shows it."""
    sign: str
    """What is missing while it was not done."""


_REQUESTS = word_set("pr prs mr pull merge request")
_ACTS = (
    _Act("Commit the work", "commit", frozenset(), ("git commit",), ("commit ",), "no commit"),
    _Act("Push the work", "push", frozenset(), ("git push",), ("pushed ",), "no push"),
    *(
        _Act("Open the pull request", verb, _REQUESTS, ("pr create", "mr create"), ("opened ",), "none")
        for verb in ("open", "create", "make", "raise", "file", "submit")
    ),
)
_LEADS = word_set("and then please also lets now ahead just finally afterwards")
_ASKS = word_set("can could please should must would will to")
_NO = word_set("not dont never without no cannot cant")
_FOLLOWS = word_set(
    "it them this that these those the to and then when changes everything your all my our up as now with once for"
    " please after before in on at so if again what only both"
)
"""What may follow the verb; anything else makes it a noun, as in `commit message` or `push side`."""
_DESCRIBES = word_set("they people users tools youll assume assumes usually normally typically")
"""What tells how things are done elsewhere."""
_GOES_ON = word_set(
    "for with from against to on and then when as in so please that once of if after upstream"
)
"""What may follow the object of an order."""
_REACH = 6
"""How many words before a verb may deny it, and how many after it may be its object."""
_LAST_COMMAND = (
    r"\b(?:by|finally|then)\b[^.\n]{0,20}\brun(?:ning)? (?:the )?[`'\"]?([a-z][a-z_-]+)[`'\"]? command\b"
)
"""`submit your changes by running the submit command`: what ends the work."""
_LONG, _EDGE = 2400, 1000


def owed(index: Index) -> Iterator[NextStep]:
    """An order for each act that was asked for and not seen since; the last asking of each."""
    asked: dict[str, tuple[_Act, Quote]] = {}
    for prompt in index.prompts:
        for sentence in _spoken(prompt.text):
            words = "".join(c if c.isalnum() or c in " ,;" else "" for c in sentence.lower()).split()
            for act in _ACTS:
                wanted = _wanted(act, words)
                if wanted:
                    asked[act.order] = act, prompt
                elif wanted is False:
                    asked.pop(act.order, None)
        if "command" in prompt.text and (last := re.search(_LAST_COMMAND, prompt.text.lower())):
            name = last[1]
            asked[name] = _Act(f"Run `{name}`", name, frozenset(), (name,), (), "no run of it"), prompt
    for act, prompt in asked.values():
        if not _seen(act, index, prompt.evidence[0].line):
            text = f"{act.order} when it is ready, as the person asked: {act.sign} was seen since."
            yield NextStep(text=text, basis="owed", evidence=prompt.evidence)


def _spoken(text: str) -> list[str]:
    return sentences(text if len(text) <= _LONG else f"{text[:_EDGE]}\n{text[-_EDGE:]}")


def _wanted(act: _Act, words: list[str]) -> bool | None:
    """True where the words order the act, False where they forbid it, None where they do neither."""
    for i, word in enumerate(words):
        if word.rstrip(",;") != act.verb:
            continue
        following = [w.rstrip(",;") for w in words[i + 1 : i + 1 + _REACH]]
        if act.objects and not _has_object(following, act.objects):
            continue
        if not _NO.isdisjoint(w.rstrip(",;") for w in words[max(0, i - _REACH) : i]):
            return False
        if not act.objects and following and following[0] not in _FOLLOWS:
            continue
        if _is_ordered(words[:i]) and _DESCRIBES.isdisjoint(words[:i]):
            return True
    return None


def _has_object(following: list[str], objects: frozenset[str]) -> bool:
    """One of these is what the verb is about, and not the first half of something else."""
    at = next((i for i, word in enumerate(following[:4]) if word in objects), None)
    rest = [word for word in following[at:] if word not in objects] if at is not None else []
    return at is not None and (not rest or rest[0] in _GOES_ON)


def _is_ordered(before: list[str]) -> bool:
    """The verb after these words is an order, not a noun or a condition."""
    if not before or before[-1].endswith((",", ";")) or before[-1] in _LEADS:
        return True
    return before[-1] == "you" and len(before) > 1 and before[-2] in _ASKS


def _seen(act: _Act, index: Index, since: int) -> bool:
    if any(c.text.startswith(act.shown) for c in index.claims if act.shown and c.evidence[0].line > since):
        return True
    if any(name in turn.tools for turn in index.turns if turn.last_line > since for name in act.ran):
        return True
    return any(
        name in run.command or run.key.startswith(name)
        for run in index.commands
        if run.last_ok and run.last_ok.evidence.line > since and not run.origin
        for name in act.ran
    )
