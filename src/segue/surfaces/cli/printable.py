"""Words of others on a terminal: shown, never obeyed, and nothing in them hidden."""

from __future__ import annotations

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
