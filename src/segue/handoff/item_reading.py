"""A line of a packet or document read back as the fact that it tells.

Reading is tolerant of what people type: other list marks, a state in bold or in parentheses. In a line
with quotation marks only the pointer behind them counts, because what stands between them is
somebody's text.
"""

from __future__ import annotations

import re

import msgspec

from segue.handoff.items import ASIDES
from segue.model.claim import CLAIM_STATES, ClaimState
from segue.model.patterns import compiled

_MARK = compiled(r"[ \t]*(?:[-*+•]|\d{1,4}[.)])(?:[ \t]+|$)(?:\[([ xX~-])\](?:[ \t]+|$))?")
_PLACES = r"\[(#\d{1,12}(?:[ ,]+#\d{1,12})*)(?: of ([\w.:-]+))?\]"
_ANYWHERE = compiled(rf" ?{_PLACES}")
_BEHIND = compiled(rf" ?{_PLACES}(?=\.?$)")
_ASIDE = compiled(f"(?P<aside>{'|'.join(map(re.escape, ASIDES))})")
_POINTED_ASIDE = compiled(_PLACES + _ASIDE.pattern)
"""Session text has no pointers, so what follows one is ours, whatever the text says."""
_STATES = "|".join(sorted(CLAIM_STATES, key=len, reverse=True))
_STATE = compiled(rf"(?:\*\*({_STATES})\*\*:?|\(({_STATES})\):?|({_STATES}):)(?:[ \t]+|$)", re.I)


class ParsedItem(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A line of a section, or a paragraph of prose where `listed` is false."""

    text: str
    state: ClaimState | None = None
    evidence: tuple[int, ...] = ()
    """The lines of the session it points to."""
    origin: str = ""
    """The earlier session whose lines these are; empty for the session handed off."""
    line: int = 0
    group: str = ""
    """The label, sub-heading or directory it stands under."""
    listed: bool = False
    done: bool = False
    """It carries a ticked box."""


def read(line: str, number: int = 0, group: str = "", stated: bool = True) -> ParsedItem:
    """The item on this line. Where `stated` is false no claim state is looked for: the text is somebody's."""
    mark = _MARK.match(line)
    text = (line[mark.end() :] if mark else line).strip()
    if text.endswith(")"):
        text = apart(text)[0]
    pattern = _BEHIND if '"' in text else _ANYWHERE
    pointers = pattern.findall(text)
    text = pattern.sub("", text).strip()
    text, state = _state(text) if stated else (text, None)
    return ParsedItem(
        text=text,
        state=state,
        evidence=tuple(int(n) for found, _ in pointers for n in re.findall(r"\d+", found)),
        origin=next((origin for _, origin in pointers if origin), ""),
        line=number,
        group=group,
        listed=mark is not None,
        done=bool(mark and mark[1] and mark[1] in "xX"),
    )


def apart(text: str) -> tuple[str, str]:
    """The text, and what follows its pointer in parentheses."""
    found = _POINTED_ASIDE.search(text) or _ASIDE.search(text)
    return (text[: found.start("aside")], text[found.start("aside") :]) if found else (text, "")


def _state(text: str) -> tuple[str, ClaimState | None]:
    match = _STATE.match(text)
    if match is None:
        return text, None
    word = next(group for group in match.groups() if group).lower()
    return text[match.end() :], next(known for known in CLAIM_STATES if known == word)
