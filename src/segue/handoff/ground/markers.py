"""What words say of a run or a speaker, from one table: `markers.tsv` holds a role and a pattern a line, with a sentence
that has it and one that has not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Literal

from segue.handoff import ground

Verdict = Literal["pass", "fail", "unknown"]
Role = Literal[
    "pass",
    "fail",
    "unknown",
    "well",
    "ill",
    "not",
    "person",
    "agent",
    "replaced",
    "now",
    "telling",
    "about",
    "label",
    "hedge",
]

_TABLE = f"{ground.__path__[0]}/markers.tsv"
_LETTER = r"[\w-](?<![\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af])"
_BEFORE = 24
"""Characters before a word in which it may be negated."""
_CONDITION = re.compile(r"\s+(?:if|when|unless|until|whenever|wenn|falls|bis)\b", re.I)
_NOTHING = re.compile(r"\b(?:nothing|nobody|none)\b[^.;:!?]{0,16}$", re.I)
"""Where nothing failed so far, nothing may have ended yet."""
_ZERO = re.compile(r"(?<![\d.,])0 (?:\w+ )?$")
_MASKS = re.compile(r"[|;\n]|(?<!&)&(?![&>\d])")


def rows() -> list[list[str]]:
    with open(_TABLE, encoding="utf-8") as file:
        return [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")]


@cache
def marker(*roles: Role) -> re.Pattern[str]:
    """What finds any of these roles in a text."""
    return re.compile("|".join(map(bounded, _patterns(*roles))), re.I | re.M)


def words(role: Role) -> str:
    """The pattern of a role that has no ends of its own."""
    return "|".join(_patterns(role))


def _patterns(*roles: Role) -> list[str]:
    return [pattern for role, pattern, *_ in rows() if role in roles]


def bounded(pattern: str) -> str:
    """Whole words only, in scripts that have ends of words."""
    return f"(?:{pattern})" if pattern.startswith("^") else f"(?<!{_LETTER})(?:{pattern})(?!{_LETTER})"


def verdicts(text: str, evidence: bool = False) -> frozenset[Verdict]:
    """What a text says of how something ended: as a claim, or as `evidence` for one, which may be said in more ways."""
    found: set[Verdict] = set()
    for match in _unconditional(text, "pass"):
        found.add("fail" if _negated(text, match) else "pass")
    for match in _unconditional(text, "fail"):
        if not _NOTHING.search(text[: match.start()]):
            found.add("pass" if _negated(text, match) else "fail")
    if marker("unknown").search(text):
        found.add("unknown")
    if evidence:
        found |= {"pass"} if marker("well").search(text) else set()
        found |= {"fail"} if marker("ill").search(marker("well").sub(" ", text)) else set()
    return frozenset(found)


def _negated(text: str, match: re.Match[str]) -> bool:
    place = match.end() - len(match[0].split()[-1])
    before = text[max(0, place - _BEFORE) : place].rpartition("\n")[2]
    before = re.split(r"[.;:!?]\s", before)[-1]
    return bool(marker("not").search(before) or _ZERO.search(before))


def _unconditional(text: str, role: Role) -> Iterator[re.Match[str]]:
    return (match for match in marker(role).finditer(text) if not _CONDITION.match(text, match.end()))


def attributes(text: str, role: Literal["person", "agent"]) -> bool:
    """Whether a text gives something as the words of this one, and not as a condition or a time."""
    return any(not marker("hedge").search(text[: match.start()]) for match in marker(role).finditer(text))


def compound(command: str) -> bool:
    """Whether it is more than one program."""
    return bool(re.search(r"[|;&\n]", command.strip()))


def masked(command: str) -> bool:
    """Whether another program may have given the exit status."""
    return bool(_MASKS.search(command.strip()))
