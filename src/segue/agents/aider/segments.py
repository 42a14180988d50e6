"""A chat history cut into chats, and a chat into who speaks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from segue.agents._jsonl import lines
from segue.agents._record import stem
from segue.agents._toolcall import REPLACE, SEARCH
from segue.model.value import NamedTuple

Voice = Literal["person", "console", "model", "page"]

_STARTED = re.compile(rb"# aider chat started at (.+?)\s*$")
_CERTAIN = re.compile(
    r"> (?:\^C|Tokens:|Applied edit to|Commit [0-9a-f]{7}|Did not apply|The LLM did not conform)"
)
_PAGE = '<div class="chat-transcript"'


class ChatPlace(NamedTuple):
    """A chat: its id, where it begins, where it ends, how many prompts it has."""

    id: str
    line: int
    offset: int
    end: int
    prompts: int


class Segment(NamedTuple):
    """Neighbouring lines of one voice, without the marks that tell it, and where each begins."""

    voice: Voice
    line: int
    offsets: list[int]
    lines: list[str]

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


def chats(path: str) -> list[ChatPlace]:
    """The chats of a file, oldest first; a file without headings is one chat, named after the file."""
    found: list[ChatPlace] = []
    names: set[str] = set()
    current = ChatPlace(stem(path), 1, 0, 0, 0)
    blank = True
    end = 0
    for line, offset, raw in lines(path):
        started = _STARTED.match(raw)
        if started:
            if current.prompts or found or not blank:
                found.append(current._replace(end=offset))
            current = ChatPlace(_unused(started[1].decode("utf-8", "replace"), names), line, offset, 0, 0)
        elif raw.startswith(b"#### "):
            current = current._replace(prompts=current.prompts + 1)
        blank = blank and not raw.strip()
        end = offset + len(raw) + 1
    return [*found, current._replace(end=end)]


def segments(path: str, chat: ChatPlace) -> Iterator[Segment]:
    """The segments of one chat, in order, blank ones left out."""
    current: Segment | None = None
    in_block = begun = False
    for line, offset, raw in lines(path, chat.line, chat.offset):
        if offset >= chat.end:
            break
        text = raw.decode("utf-8", "replace").rstrip("\r")
        if _STARTED.match(raw):
            continue
        if text.startswith(_PAGE):
            if current and not begun:
                current = current._replace(voice="page")
            text, in_block = "", False
        if in_block and _leaves_block(text, current):
            in_block = False
        voice, text = _voice(text) if not in_block else ("model", text)
        if voice == "model":
            in_block = not REPLACE.match(text) if in_block else bool(SEARCH.match(text))
        begun = begun or voice != "model"
        if current and (current.voice == voice or (current.voice == "page" and not text)):
            current.lines.append(text)
            current.offsets.append(offset)
            continue
        if current:
            yield from _trimmed(current)
        current = Segment(voice, line, [offset], [text])
    if current:
        yield from _trimmed(current)


def _leaves_block(text: str, current: Segment | None) -> bool:
    """Whether a line cannot be part of the block above it, which the model never closed."""
    after_blank = current is not None and not current.lines[-1].strip()
    return bool(_CERTAIN.match(text)) or (text.startswith("#### ") and after_blank)


def _voice(text: str) -> tuple[Voice, str]:
    if text.startswith("#### "):
        return "person", text[5:].rstrip()
    if text.startswith("> ") or text.rstrip() == ">":
        return "console", text[2:].rstrip()
    if text.startswith(">") and not text.startswith(">>"):
        return "console", text[1:].rstrip()
    return ("model", "") if text.strip() in ("</div>", "") else ("model", text)


def _trimmed(segment: Segment) -> Iterator[Segment]:
    blank = next((number for number, line in enumerate(segment.lines) if line.strip()), None)
    if blank is not None:
        voice, line, offsets, lines = segment
        yield Segment(voice, line + blank, offsets[blank:], lines[blank:])


def _unused(name: str, names: set[str]) -> str:
    number, unused = 1, name
    while unused in names:
        number += 1
        unused = f"{name} #{number}"
    names.add(unused)
    return unused
