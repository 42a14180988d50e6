"""What a prompt says beyond asking for a handoff, where its turn did nothing but make one.

The turn shows that the prompt asks for it. What goes is the clause that names the handoff, in any language of the tables;
every other clause stays said. So does that one where a rule is marked in it, or where it names something that segue was not
given: a line too much is a smaller fault than a lost rule.
"""

from __future__ import annotations

import re
from functools import cache

from segue.agents import own
from segue.model.patterns import compiled

_NAMES = ("segue", "handoff")
_SENTENCE = compiled(
    r"(\s*)(.+?)((?:(?<!\b\d)\.|[!?;:…])+[\"')\]]*(?=\s|\Z)|[。！？；：]+|\s[-–—]+(?=\s)|(?=\n)|\Z)",
    re.DOTALL,
)
"""What is before it, a sentence or what stands before a colon, a semicolon or a dash, and its end."""
_COMMA = "[,，、،]"
_NAME = compiled(r"[`@#/\\\d]|\w[._]\w")
"""In a word that is a path, an identifier or a number."""
_GOAL = compiled(
    r"(?:^GOAL[^:\n]*: |in my words:\n|\A[/$]\S+\s)(.*?)(?=\n\n1\. Call|\Z)", re.DOTALL | re.MULTILINE
)
"""What a person wrote behind a command of ours, or where it was put in a template of ours."""
_WIDE, _COURTESY = "\u3000", 3
"""Where scripts begin that put no spaces between words, and letters of a word of thanks in them."""


def names_us(text: str) -> bool:
    """True for words that name us or a handoff."""
    from segue.extract.text.markers import has_marker  # 2 ms

    words = text.lower()
    return any(name in words for name in _NAMES) or has_marker("handoff", words)


def beyond(prompt: str, given: str) -> str:
    """The prompt without the request for a handoff; `given` is what the calls of segue in its turn were given. Of what
    follows a command of ours, which is the goal, the sentences with a rule."""
    if own.is_template(prompt) or own.is_command(prompt):
        goal = _GOAL.search(prompt)
        return "".join(
            part[0] for part in _SENTENCE.finditer(goal[1] if goal else "") if _rules(part[0])
        ).strip()
    found = _SENTENCE.findall(prompt.strip())
    rests = ((before, _without_request(said, given), end) for before, said, end in found)
    return "".join(before + rest + end for before, rest, end in rests if rest).strip()


def _without_request(sentence: str, given: str) -> str:
    clauses = _connected().findall(sentence) if names_us(sentence) else [("", sentence)]
    kept = [link + clause for link, clause in clauses if _stays(clause, given)]
    return _connected().sub(r"\2", kept[0], 1) + "".join(kept[1:]) if kept else ""


def _stays(clause: str, given: str) -> bool:
    if names_us(clause):
        return _rules(clause) or _names_more(clause, given)
    return len(clause.split()) > 1 or sum(letter > _WIDE for letter in clause) > _COURTESY


@cache
def _connected() -> re.Pattern[str]:
    """What connects a clause with the one before it, and the clause."""
    from segue.extract.text.markers import finder

    link = rf"(?:\s*{_COMMA}\s*|\s*{finder('link').pattern}\s*)"
    return re.compile(rf"((?:{link})*)(.+?)(?={link}|\Z)", re.DOTALL | re.IGNORECASE)


def _rules(part: str) -> bool:
    from segue.extract.text.markers import roles

    return "rule" in roles(part)


def _names_more(clause: str, given: str) -> bool:
    words = clause.replace('\\"', '"').split()  # of a prompt that is a text of JSON
    names = (word.strip("\"'`,.;:!?()[]{}") for word in words if _NAME.search(word))
    return any(name not in given and not names_us(name) for name in names)
