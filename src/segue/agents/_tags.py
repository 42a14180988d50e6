"""Tagged sections in text, `<tag>…</tag>`, found in time linear in the text.

Session text is hostile: ten thousand tags that nobody closes must cost no more than one. So the
sections are found by searching for each closing tag once, not by a backtracking pattern.
"""

from __future__ import annotations

from collections.abc import Iterator

from segue.model.patterns import compiled
from segue.model.value import NamedTuple

_OPENING = compiled(r"<([\w:.-]+)( [^<>\n]{0,500})?>")


class Section(NamedTuple):
    """A tagged stretch of a text. `start` and `end` include the tags, `inner` does not."""

    tag: str
    attributes: str
    inner: str
    start: int
    end: int


def sections(text: str, tags: tuple[str, ...], whole_lines: bool = False) -> Iterator[Section]:
    """The sections of some tags in order; sections inside a section are part of it. With `whole_lines`
    only those whose tag opens a line."""
    unclosed: set[str] = set()
    position = 0
    while opening := _OPENING.search(text, position):
        tag, start = opening[1], opening.start()
        position = opening.end()
        if tag not in tags or tag in unclosed or (whole_lines and start and text[start - 1] != "\n"):
            continue
        close = text.find(f"</{tag}>", position)
        if close < 0:
            unclosed.add(tag)
            continue
        inner, position = text[position:close], close + len(tag) + 3
        yield Section(tag, (opening[2] or "").strip(), inner, start, position)


def without(text: str, found: list[Section]) -> str:
    """The text with sections of it taken out."""
    kept, position = [], 0
    for section in found:
        kept.append(text[position : section.start])
        position = section.end
    kept.append(text[position:])
    return "".join(kept)
