"""Text as a person sees it: characters that show nothing, turn a line round or drive a terminal are found and taken out.

A model reads what a person who reviews a text does not see, so nothing hidden may pass a review. What scripts and emoji
need stays: a joiner inside a word that is written with joiners or between two emoji, and one variation selector behind
a character that has variants. Which these are is decided by their neighbours; what is visible never changes, and what
was made visible once stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from re import Match, Pattern

from segue.model.patterns import compiled

_HIDDEN_LETTERS = "\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0"
"""Letters and marks that are drawn as nothing."""
_SHOWN_FORMATS = "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"
"""Signs around numbers, which Unicode counts among the formatting characters."""
_JOINERS = "\u200c\u200d"
_ZWJ = "\u200d"
_MONGOLIAN_VARIANTS = "\u180b\u180c\u180d\u180f"
_JOINED_SCRIPTS = (
    *((0x0600, 0x08FF), (0x0900, 0x0DFF), (0x0F00, 0x109F), (0x1780, 0x18AF), (0x1A20, 0x1CFF)),
    *((0xA840, 0xABFF), (0xFB50, 0xFDFF), (0xFE70, 0xFEFC), (0x10A00, 0x11FFF), (0x1E900, 0x1E95F)),
)
_IDEOGRAPHS = ((0x3400, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x3FFFD))
_EMOJI = ((0x1F000, 0x1FBFF),)
_GROWING = (*_EMOJI, (0x20000, 0x3FFFD))
"""Where Unicode adds characters that an older Python does not know yet."""


def visible(text: str) -> str:
    """The text without what is hidden; a space for control characters and other line ends than a newline."""
    return replaced(text, lambda character: " " if character < "\xa0" or character.isspace() else "")


def hidden(text: str) -> list[str]:
    """The hidden characters of a text, in order, but for line ends of other systems."""
    found: list[str] = []
    replaced(text, lambda character: found.append(character) or "")  # type: ignore[func-returns-value]
    return [character for character in found if not character.isspace()]


def escaped(text: str) -> str:
    r"""The text with `\x1b` or `\u202e` for what is hidden."""
    return replaced(text, lambda character: character.encode("unicode_escape", "surrogatepass").decode())


def replaced(text: str, put: Callable[[str], str]) -> str:
    """The text with something else for each character that is hidden."""
    is_printable = text.replace("\n", " ").replace("\t", " ").isprintable()
    if is_printable and (text.isascii() or not _printed().search(text)):
        return text
    return _suspect().sub(lambda found: put(found[0]) if _hides(found) else found[0], text)


@cache
def _printed() -> Pattern[str]:
    """What may be hidden and is printable as Python sees it. Made when it is needed: 1 ms, and most texts are ASCII."""
    return compiled(
        r"[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
    )


@cache
def _suspect() -> Pattern[str]:
    """What may be hidden. Blocks in which everything is visible are left out: a look at each character takes its
    time. Made when it is needed: 2 ms."""
    return compiled(
        r"[\x00-\x08\x0b-\x1f\x7f-\xa0\u115f\u1160\u2028\u2029\u3164\uffa0]"
        r"|[^\w\s\x20-\x7e\xa1-\xac\xae-\xbf\u0300-\u034e\u0350-\u036f\u0591-\u05ff\u0610-\u061b\u064b-\u065f\u0900-\u0eff"
        r"\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u2100-\u2bff\u3001-\u303f\u3099\u309a\ufe30-\ufe4f\uff01-\uff60]"
    )


def _hides(found: Match[str]) -> bool:
    from unicodedata import category  # 0.4 ms

    text, at, character = found.string, found.start(), found[0]
    code, kind = ord(character), category(character)
    before, after = text[at - 1 : at], text[at + 1 : at + 2]
    if character in _JOINERS:
        return not (
            _is_joined(before)
            or (character == _ZWJ and _is_drawn(text[max(0, at - 2) : at]) and _is_emoji(after))
        )
    if 0xFE00 <= code <= 0xFE0F or 0xE0100 <= code <= 0xE01EF:
        return not (_is_ideograph(before) or (code in (0xFE0E, 0xFE0F) and _has_variants(before, after)))
    if character in _MONGOLIAN_VARIANTS:
        return not (_within(before, ((0x1800, 0x18AF),)) and category(before) == "Lo")
    if kind == "Cn":
        return not _within(character, _GROWING) or code & 0xFFFE == 0xFFFE
    return character in _HIDDEN_LETTERS or (
        kind in ("Cc", "Cf", "Co", "Cs", "Zl", "Zp") and character not in _SHOWN_FORMATS
    )


def _within(character: str, ranges: tuple[tuple[int, int], ...]) -> bool:
    return character != "" and any(first <= ord(character) <= last for first, last in ranges)


def _is_joined(character: str) -> bool:
    """Whether a character is a letter, or a mark on one, of a script that is written with joiners."""
    from unicodedata import category

    if not _within(character, _JOINED_SCRIPTS) or character in (*_HIDDEN_LETTERS, *_MONGOLIAN_VARIANTS):
        return False
    return category(character)[0] in "LM"


def _is_ideograph(character: str) -> bool:
    from unicodedata import category

    return _within(character, _IDEOGRAPHS) and category(character) == "Lo"


def _is_emoji(character: str) -> bool:
    from unicodedata import category

    return character != "" and (_within(character, _EMOJI) or category(character) in ("So", "Sm"))


def _is_drawn(text: str) -> bool:
    """Whether a text ends with an emoji, a selector of its colours included."""
    return _is_emoji(text[-1:]) or (text[-1:] == "\ufe0f" and _is_emoji(text[-2:-1]))


def _has_variants(character: str, after: str) -> bool:
    """Whether a character is drawn as a text or as an emoji, as a selector behind it says."""
    if not character or character in "0123456789#*":
        return character != "" and after == "\u20e3"
    return character in "\u203c\u2049\u3030" or _is_emoji(character)
