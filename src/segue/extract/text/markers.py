"""Markers: the few words that say what a sentence may speak of, by language.

Each row of `languages/*.tsv` is a role, the words, a sentence in which they must be found and one in which they must
not. A marker decides nothing; it only makes a sentence weigh more. Languages are looked for all at once, word by
word, so that a mixed text needs no guess which one it is in.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from segue import extract
from segue.model.facts import Role
from segue.model.patterns import compiled

LANGUAGES = ("de", "en", "es", "fr", "it", "ja", "ko", "pl", "pt", "ru", "zh")
_WORD = compiled(r"[^\W_]+(?:['’-][^\W_]+)*")
_APART = bytes(byte if chr(byte).isalnum() else 32 for byte in range(128)).lower().ljust(256)
"""Blanks for what no word of ASCII holds, and small letters: most words need no pattern."""
_UNSPACED = (("\u3040", "\u30ff"), ("\u3400", "\u9fff"), ("\uac00", "\ud7af"))
"""Scripts that do not put spaces between words, or glue endings to them."""
_ORDER: tuple[Role, ...] = ("rule", "failed", "cause", "decision", "open")


def words_of(text: str) -> list[str]:
    """The words of a text in small letters: the one tokenizer."""
    if text.isascii() and "'" not in text and "-" not in text:
        return text.encode().translate(_APART).decode().split()
    return _WORD.findall(text.lower().replace("’", "'"))


@cache
def _rows() -> list[tuple[str, str]]:
    rows: list[tuple[str, str]] = []
    for language in LANGUAGES:
        with open(f"{extract.__path__[0]}/languages/{language}.tsv", encoding="utf-8") as file:
            for line in file:
                if line[0] != "#":
                    role, marker, _ = line.split("\t", 2)
                    rows.append((role, marker))
    return rows


def has_marker(role: str, text: str) -> bool:
    """Whether a text in small letters holds a marker of a role. What one begins with is asked for first: that takes a
    fifth of the time of the pattern, and few texts have it."""
    return any(head in text for head in _heads(role)) and finder(role).search(text) is not None


@cache
def _heads(role: str) -> frozenset[str]:
    return frozenset(marker.partition(" ")[0] for its, marker in _rows() if its == role)


@cache
def finder(role: str) -> re.Pattern[str]:
    """Finds markers of a role that are asked for where they stand; `…` in one is for up to three words."""
    apart: list[str] = []
    glued: list[str] = []
    for its, marker in sorted(_rows(), key=lambda row: -len(row[1])):
        if its == role:
            words = re.escape(marker).replace(r"\ …\ ", r"\s(?:\S+\s){0,3}?")
            (glued if _is_unspaced(marker) else apart).append(words)
    return compiled(rf"(?:(?<!\w)(?:{'|'.join(apart)})(?!\w)|{'|'.join(glued)})", re.IGNORECASE)


@cache
def _table() -> tuple[dict[str, list[tuple[tuple[str, ...], Role]]], list[tuple[str, Role]]]:
    """By their first word the markers of languages with spaces, and those of the others."""
    spaced: dict[str, list[tuple[tuple[str, ...], Role]]] = {}
    unspaced: list[tuple[str, Role]] = []
    for role, marker in _rows():
        if role not in _ORDER:
            continue
        if _is_unspaced(marker):
            unspaced.append((marker, role))
        else:
            first, *rest = words_of(marker)
            spaced.setdefault(first, []).append(((first, *rest), role))
    return spaced, unspaced


def roles(text: str, words: Sequence[str] | None = None) -> tuple[Role, ...]:
    """The roles that markers in a sentence give it, those that matter most to a reader first."""
    spaced, unspaced = _table()
    words = words_of(text) if words is None else words
    found: set[Role] = set()
    for place, word in () if spaced.keys().isdisjoint(words) else enumerate(words):
        for marker, role in spaced.get(word, ()):
            if tuple(words[place : place + len(marker)]) == marker:
                found.add(role)
    if _is_unspaced(text):
        found.update(role for marker, role in unspaced if marker in text)
    return tuple(role for role in _ORDER if role in found) if found else ()


def _is_unspaced(text: str) -> bool:
    """Asked without a pattern: one of these ranges takes 2 ms to compile."""
    if text.isascii() or max(text) < _UNSPACED[0][0]:
        return False
    return any(first <= character <= last for character in text for first, last in _UNSPACED)
