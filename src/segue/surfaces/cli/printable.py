"""Words of others on a terminal: shown on one line, never obeyed."""

from __future__ import annotations


def printable(text: str) -> str:
    """The text with a space for every character that could drive a terminal, end the line or turn it round."""
    return text if text.isprintable() else "".join(c if c.isprintable() else " " for c in text)


def squeezed(text: str) -> str:
    """The same without indentation and double spaces."""
    return " ".join(printable(text).split())
