"""Texts for a terminal: those of others are shown, never obeyed, with nothing in them hidden; ages and counts in words."""

from __future__ import annotations

import time

from segue.model.visible import escaped, replaced, visible

_JOINERS = "\u200c\u200d"


def shown(text: str) -> str:
    r"""Text for a person, with `\x1b` or `\u202e` for what could drive a terminal, turn a line round or not be seen."""
    return escaped(text)


def shown_json(text: str) -> str:
    """One line of JSON with escapes for the same, which is the same JSON."""
    return replaced(text, _as_json)


def printable(text: str) -> str:
    """The text on one line: a space for every character that ends it, nothing for what is hidden."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in _JOINERS else " " for c in visible(text))


def squeezed(text: str) -> str:
    """The same without indentation and double spaces."""
    return " ".join(printable(text).split())


def _as_json(character: str) -> str:
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[place]:02x}{units[place + 1]:02x}" for place in range(0, len(units), 2))


def age(ms: int) -> str:
    """How long ago an instant was."""
    seconds = max(0, int(time.time() - ms / 1000))
    for unit, size in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= size:
            return f"{seconds // size} {unit} ago"
    return "just now"


def counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
