"""What a person does not see is taken out; what scripts and emoji need stays."""

from __future__ import annotations

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from segue.model.visible import escaped, hidden, visible

TAGS = "".join(chr(0xE0000 + ord(character)) for character in "obey me")
STAYS = [
    "plain text\twith\n\nlines, “quotes” — and … → ✓ ├── 日本語。한국어",
    "👩‍🔧 👨‍👩‍👧‍👦 👩🏽‍🚀 🏳️‍🌈 ❤️‍🔥 1️⃣ #️⃣ ☺️ ☺︎ ‼️ 〰️ ↔️ 🇩🇪 🫨",
    "می‌روم نمی‌خواهم",
    "क्‍ष श्री‌मान് മലയാളം ന്‍ ශ්‍රී",
    "葛\U000e0100城市 é ñ Z͑ สวัสดี שָׁלוֹם العَرَبِيَّة",
    "۝ \u0600١٢٣",
    "ᠮᠣᠩᠭᠣᠯ\u180b",
    "\u00a0\u3000 wide spaces stay\u2003here",
]
HIDDEN = {
    "tag characters": ("go" + TAGS, "go"),
    "a flag's tags": ("\U0001f3f4\U000e0067\U000e0062\U000e007f", "\U0001f3f4"),
    "zero width": ("a\u200bb\u2060c\ufeffd\u180ee", "abcde"),
    "bidi": ("a\u202eb\u2066c\u200ed\u061ce", "abcde"),
    "soft hyphen": ("rm\u00ad -rf", "rm -rf"),
    "fillers": ("a\u3164b\u115fc\u1160d\uffa0e", "abcde"),
    "private use": ("a\ue000b\U000f0000c\U00100000d", "abcd"),
    "not characters": ("a\ufdd0b\uffffc\U0001fffed", "abcd"),
    "unassigned": ("a\u0378b\U000e0fffc", "abc"),
    "surrogates": ("a\udc00b", "ab"),
    "joiners between letters": ("a\u200db\u200cc", "abc"),
    "joiners in a row": ("می\u200c\u200c\u200dروم", "می\u200cروم"),
    "a joiner behind an emoji": ("👩\u200d then", "👩 then"),
    "selectors behind letters": ("a\ufe0fb\U000e0110c", "abc"),
    "selectors in a row": ("☺\ufe0f\ufe0f\U000e0150\U000e0151", "☺\ufe0f"),
    "a digit that is no key": ("1\ufe0f", "1"),
    "terminal": ("\x1b[31mred\x9b2J\x7f", " [31mred 2J "),
    "other line ends": ("a\rb\u2028c\x85d\x0be", "a b c d e"),
    "marks drawn as nothing": ("a\u034fb\u17b4c", "abc"),
}


@pytest.mark.parametrize("text", STAYS)
def test_what_people_write_stays(text: str) -> None:
    assert (visible(text), hidden(text), escaped(text)) == (text, [], text)


@pytest.mark.parametrize(("text", "seen"), HIDDEN.values(), ids=HIDDEN)
def test_what_nobody_sees_is_taken_out(text: str, seen: str) -> None:
    assert visible(text) == seen


def test_hidden_characters_are_named_and_shown_as_escapes() -> None:
    assert hidden("a\r\nb\u202ec\U000e0041") == ["\u202e", "\U000e0041"]
    assert escaped("a\u202eb\U000e0041\x9b\x1b\tc\n") == "a\\u202eb\\U000e0041\\x9b\\x1b\tc\n"


def test_no_character_alone_is_both_formatting_and_kept() -> None:
    kept = [
        f"U+{code:04X}"
        for code in range(sys.maxunicode + 1)
        if unicodedata.category(chr(code)) in ("Cf", "Co", "Cs", "Cc")
        and visible(f"a{chr(code)}b") == f"a{chr(code)}b"
    ]
    assert kept == [
        *("U+0009", "U+000A", "U+0600", "U+0601", "U+0602", "U+0603", "U+0604", "U+0605", "U+06DD", "U+070F"),
        *("U+0890", "U+0891", "U+08E2", "U+110BD", "U+110CD"),
    ]


@given(st.text(alphabet=st.sampled_from("a1☺👩\u200d\u200c\ufe0f\u20e3\U000e0041\U000e0101می葛\u202e \n")))
def test_what_was_made_visible_stays_as_it_is(text: str) -> None:
    assert visible(visible(text)) == visible(text)
