"""Whether letters spell names and words, or were drawn at random.

Digits and marks betray most random values; letters alone are told by what stands next to what. In names some pairs of
letters are common and most are rare, small letters follow each other, and a capital begins a word; among random
letters every pair is as common as any other and every second letter is a capital. Each pair of neighbours speaks for
or against a name, and the sum decides. One pass, no list of words.
"""

from __future__ import annotations

from itertools import pairwise

from segue.model.patterns import compiled

SHORTEST = 12
"""Characters from which on the sum is sure enough: of 12 random letters one value in seventy is taken for a name, of 16
one in 400."""
_AT_RANDOM = -5
"""Of mixed-case names in Python and JavaScript sources, hardly one in a thousand is below it; of those in C headers, which
nothing here was fitted to, one in eighty: the ones full of acronyms. Of names of 12 to 14 characters it is one in a hundred."""
_SHORTEST_OF_ONE_CASE = 16
_AT_RANDOM_OF_ONE_CASE = -8
"""The same for letters of one case, where none tells where a word begins: one in a thousand names is below it, and one in
fifteen random values of 16 small letters and a few digits above. Constants in capitals have joints, and are too full of
acronyms to be judged."""
_SPEAKABLE = -2
"""Of words of four letters and more in Python sources, one in 25 is below it, of four to six random letters with a vowel three in four."""
_LETTERS = r"[A-Za-z]{2,}"
_NEUTRAL = 5
_PAIRS = {
    "a": "46762361514767162768544454",
    "b": "63336111541623521441511141",
    "c": "61527216516621721647521151",
    "d": "64347331621433541443522141",
    "e": "64775553423667465877355641",
    "f": "51125421711511611434511131",
    "g": "51217144511434411653511131",
    "h": "62116111511231511424311131",
    "i": "66766561123668752577251515",
    "j": "21114111112111411131212111",
    "k": "32126321411323221242312111",
    "l": "63357331712621631355531151",
    "m": "65227211611353661242511141",
    "n": "62666662614445641377551131",
    "o": "55663451525668561756655332",
    "p": "61446224511612651656511151",
    "q": "11111111111311111111611111",
    "r": "72557351715455731666552151",
    "s": "51627435614444653267623141",
    "t": "73538326811433641765514162",
    "u": "55446341411656361666111111",
    "v": "61116111611121441111111111",
    "w": "51114113511214511441112111",
    "x": "31515211511121141115111331",
    "y": "22323121211444261244112132",
    "z": "41115111311111411111111123",
}
"""By letter, how common each letter of the alphabet is behind it: the logarithm of the ratio between the pair's frequency
in words of names (counted over 45,000 names of Python programs) and its frequency among random letters, plus
`_NEUTRAL`."""
_SMALL_LETTERS = 1
_WITH_A_CAPITAL = -1
_NEXT_WORD = -2
"""What each pair of neighbours adds for its case: small letters together, a capital before any letter, a capital behind
a small letter. The last is all such a pair says, as its letters belong to two words. Chosen so that the fewest names of
Python and JavaScript sources fall below the limit."""


def unspeakable(value: str) -> bool:
    """A long value that no name or word is spelled like."""
    of_one_case = value.islower() or (value.isupper() and value.isalnum())
    if of_one_case and len(value) >= _SHORTEST_OF_ONE_CASE:
        pairs = (pair for run in compiled(_LETTERS).findall(value.lower()) for pair in pairwise(run))
        return sum(_neighbours(one, two) for one, two in pairs) < _AT_RANDOM_OF_ONE_CASE
    if of_one_case or value.isupper() or len(value) < SHORTEST:
        return False
    return sum(map(_sum_of_pairs, compiled(_LETTERS).findall(value))) < _AT_RANDOM


def speakable(piece: str, least: int = _SPEAKABLE) -> bool:
    """Letters of one part of a name that may be a word."""
    return sum(_neighbours(one, two) for one, two in pairwise(piece.lower())) >= least


def _sum_of_pairs(letters: str) -> int:
    """What the letters say that stand together; all in capitals, they are spelled like those of a constant."""
    if letters.isupper():
        letters = letters.lower()
    total = 0
    for one, two in pairwise(letters):
        if one.islower() and two.isupper():
            total += _NEXT_WORD
        else:
            total += _neighbours(one.lower(), two.lower())
            total += _SMALL_LETTERS if one.islower() else _WITH_A_CAPITAL
    return total


def _neighbours(one: str, two: str) -> int:
    return int(_PAIRS[one][ord(two) - ord("a")]) - _NEUTRAL
