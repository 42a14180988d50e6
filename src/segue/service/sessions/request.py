"""What a prompt says beyond asking for a handoff, where its turn did nothing but make one.

The turn shows that the prompt asks for a handoff; no words have to. The request is the first part that names us, or the
only one with room for a statement; other parts with room stay. Whatever the room, a part stays that has a marker of a rule,
or names something that segue was not given: a line too much is a smaller fault than a lost rule.
"""

from __future__ import annotations

import re

from segue.agents import own
from segue.model.patterns import compiled

_ASKED_BY = ("segue", "handoff")
"""Words by which a prompt may name us."""
_ASKS = compiled(r"\bhand(?:ing)?\b(?:[ -]\w+){0,3}?[ -](?:off|over)\b")
_PART = compiled(r".+?(?:[.!?;:…][\"')\]]*+(?=\s|\Z)|[。！？；：]|\s[-–—]+(?=\s)|\n|\Z)", re.DOTALL)
"""A sentence, or what stands before a colon, a semicolon or a dash. A comma parts no statements."""
_NAMES = compiled(r"[`@#/\\\d]|\w[._]\w")
"""In a word that is a path, an identifier or a number."""
_GOAL = compiled(
    r"(?:^GOAL[^:\n]*: |in my words:\n|\A[/$]\S+\s)(.*?)(?=\n\n1\. Call|\Z)", re.DOTALL | re.MULTILINE
)
"""What a person wrote behind a command of ours, or where it was put in a template of ours."""
_ROOM = 3
"""Words of a demand, at least."""
_SHORT = 4
"""Bytes of words that stand in many texts."""
_ENDS = "stop"
"""A marker of a rule that demands nothing of the next session where nothing follows it."""


def names_us(prompt: str) -> bool:
    """True for a prompt that names us or says to hand off."""
    words = prompt.lower()
    return any(sign in words for sign in _ASKED_BY) or _ASKS.search(words) is not None


def beyond(prompt: str, given: str) -> str:
    """The prompt without the request for a handoff; `given` is what the calls of segue in its turn were given. Of what
    follows a command of ours, which is the goal, the rules."""
    if own.is_template(prompt) or own.is_command(prompt):
        goal = _GOAL.search(prompt)
        return "".join(part for part in _PART.findall(goal[1] if goal else "") if _rules(part)).strip()
    if not names_us(prompt) and _is_goal(prompt, given):
        return prompt
    parts = _PART.findall(prompt)
    free = [not _rules(part) and not _names(part, given) for part in parts]
    room = [n for n, part in enumerate(parts) if free[n] and _has_room(part)]
    asks = [n for n, part in enumerate(parts) if names_us(part)] or (room if len(room) == 1 else [])
    rest = [n for n in range(len(parts)) if asks[:1] != [n] or not free[n]]
    return "".join(parts[n] for n in rest).strip() if any(n in room or not free[n] for n in rest) else ""


def _is_goal(prompt: str, given: str) -> bool:
    """True for an order that an agent did not begin and handed over instead: segue was given most of its words."""
    words = [word for word in re.findall(r"\w+", prompt.lower()) if len(word.encode()) > _SHORT]
    return 2 * sum(word in given.lower() for word in words) > len(words)


def _rules(part: str) -> bool:
    from segue.extract.text.markers import roles, words_of  # 5 ms, and few sessions ask for it

    words = words_of(part)
    return "rule" in roles(part, words[:-1] if words[-1:] == [_ENDS] else words)


def _names(part: str, given: str) -> bool:
    words = (word.strip("\"'`,.;:!?()") for word in part.split() if _NAMES.search(word))
    return any(word not in given and not names_us(word) for word in words)


def _has_room(part: str) -> bool:
    """True for some words, and for any in a script of three bytes a character: few of those put spaces between words."""
    return len(part.split()) >= _ROOM or len(part.encode()) > 2 * len(part)
