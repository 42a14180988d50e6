"""A line of a packet or document read back as the fact that it tells.

Reading is tolerant of what people type: other list marks, a state in bold or in parentheses. The pointer at the end of a
line is where its fact was seen; session text holds no pointers, so what follows one is ours, whatever the text says.
"""

from __future__ import annotations

import re

import msgspec

from segue.handoff.items import ASIDES
from segue.model.facts import CLAIM_STATES, ClaimState, PromptKind
from segue.model.value import NamedTuple

_MARK = re.compile(r"[ \t]*(?:[-*+•]|\d{1,4}[.)])(?:[ \t]+|$)(?:\[([ xX~-])\](?:[ \t]+|$))?")
_PLACES = r"\[(#\d{1,12}(?:[ ,]+#\d{1,12})*)(?: of ([\w.:-]+))?\]"
_ANYWHERE = re.compile(rf" ?{_PLACES}")
_BEHIND = re.compile(rf" ?{_PLACES}(?=\.?$)")
_ASIDE = re.compile(f"(?P<aside>{'|'.join(map(re.escape, ASIDES))})")
_POINTED_ASIDE = re.compile(_PLACES + _ASIDE.pattern)
_STATES = "|".join(sorted(CLAIM_STATES, key=len, reverse=True))
_STATE = re.compile(rf"(?:\*\*({_STATES})\*\*:?|\(({_STATES})\):?|({_STATES}):)(?:[ \t]+|$)", re.I)
_PROMPT = re.compile(
    r"(?:(\d{1,9})× )?(?:(rejected) `([^`]*)`: |(answered): |(answer) to \"(.*?)\": )?(?:\"(.*)\"|\(no words\))"
)
_LAST = '" … the last: "'
_CODES = re.compile(r"`[^`]*`(?:, `[^`]*`)*")


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
    box: str = ""
    """What stands in its box: a blank, `x`, `~` or `-`; empty without one."""
    below: tuple[str, ...] = ()
    """The lines quoted below it, or above a pointer that stands alone."""
    aside: ParsedItem | None = None
    """What it answers, where that is told behind its pointer."""

    @property
    def done(self) -> bool:
        return self.box == "x"


class Said(NamedTuple):
    """A prompt as a packet tells it. `to` is the question answered or the call rejected."""

    text: str
    kind: PromptKind = "prompt"
    times: int = 1
    last: str = ""
    to: str = ""


def read(line: str, number: int = 0, group: str = "", stated: bool = True) -> ParsedItem:
    """The item on this line. Where `stated` is false no claim state is looked for: the text is somebody's."""
    mark = _MARK.match(line)
    text = (line[mark.end() :] if mark else line).strip()
    text, behind = apart(text) if text.endswith(")") else (text, "")
    aside = read(behind[: -len(")")].partition("agent's ")[2], number, group, False) if behind else None
    pattern = _BEHIND if '"' in text or _BEHIND.search(text) else _ANYWHERE
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
        box=(mark[1] or "").lower() if mark else "",
        aside=aside,
    )


def apart(text: str) -> tuple[str, str]:
    """The text, and what follows its pointer in parentheses."""
    found = _POINTED_ASIDE.search(text) or _ASIDE.search(text)
    return (text[: found.start("aside")], text[found.start("aside") :]) if found else (text, "")


def places(text: str) -> list[int]:
    """Every line of this session that a text points to."""
    return [
        int(n) for found, origin in _ANYWHERE.findall(text) if not origin for n in re.findall(r"\d+", found)
    ]


def said(text: str) -> Said | None:
    """The person's words on the line of a prompt; None where it is not written as one."""
    match = _PROMPT.fullmatch(text)
    if match is None:
        return None
    count, rejected, call, answered, answer, question, words = match.groups()
    first, parted, last = (words or "").rpartition(_LAST) if count else ("", "", words or "")
    kind: PromptKind = "rejection" if rejected else "answer" if answered or answer else "prompt"
    return Said(
        first if parted else last, kind, int(count or 1), last if parted else "", call or question or ""
    )


def codes(text: str) -> list[str]:
    """The commands of a row that lists nothing but commands; empty for any other."""
    return re.findall(r"`([^`]*)`", text) if _CODES.fullmatch(text) else []


def _state(text: str) -> tuple[str, ClaimState | None]:
    match = _STATE.match(text)
    if match is None:
        return text, None
    word = next(group for group in match.groups() if group).lower()
    return text[match.end() :], next(known for known in CLAIM_STATES if known == word)
