"""What a redaction rule is: one row that says where to look, what goes and what stays.

A row is found by its anchors (lowercase literals that one automaton looks for in a single pass) and
decided by its pattern, matched at the anchor and nowhere else. The row carries its own proof: an
example in three parts, of which only the middle vanishes, and a look-alike that must stay whole.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache

from segue.model.patterns import compiled
from segue.model.value import NamedTuple
from segue.redaction.checks import paired_key, varied

Check = Callable[[str], bool]
Span = tuple[int, int]

REACH = 128
"""How far a pattern follows a value that has no end of its own: enough to judge it by."""
WIDE_MARKS = b"|".join(mark.encode() for mark in "，。；：！？、）」』】》")
"""Punctuation of scripts without spaces: behind it comes the next clause."""


class Rule(NamedTuple):
    kind: str
    """What the marker says was there: `[redacted:<kind>]`. Several rows may share one."""
    anchors: tuple[str, ...]
    pattern: str
    """Matched at the anchor. The group `secret` vanishes, the rest stays; without one, all of it goes.
    Quantifiers are bounded, or begin at a boundary of the very run they eat, so that no input stalls."""
    example: tuple[str, str, str]
    """Text before the secret, the secret, text after it."""
    lookalike: str
    check: Check = varied
    """The last word, given the secret's text."""
    back: int = 0
    """How far before the anchor the pattern begins, for shapes whose fixed part is in the middle."""
    after: bool = False
    """The pattern begins where the anchor ends: the anchor is a name, and only what follows is in doubt."""
    spares: tuple[str, ...] = ()
    """Endings, in small letters, of longer names that mean something else than the anchor at their end."""
    rest: str = ""
    """What a value may go on with where it fills the pattern's reach, as a character class."""
    bare: bool = False
    """The value has no quotes around it, so that a mark of punctuation of any script ends it."""
    judge: Callable[[re.Match[bytes], str], bool] | None = None
    """Has a say besides the check, where the name or what ends the value counts, too."""
    within: Callable[[re.Match[bytes]], Iterable[Span]] | None = None
    """Where the candidates are, if not in the match itself: cells below a name, items of a list."""


def beginning(left: str = "") -> str:
    """What a token may begin behind. `left` are characters that go on with a run (`+/` in base64), but may also
    begin a line: in a difference, an added one."""
    return r"(?:(?<![A-Za-z0-9])|(?<=\\[nrt]))" + (rf"(?<![A-Za-z0-9{left}][{left}])" if left else "")


def token(
    kind: str, prefixes: str, body: str, sample: str, lookalike: str, check: Check = varied, left: str = ""
) -> Rule:
    """A row for tokens with a literal beginning: `prefixes` (separated by spaces), then `body`.

    No letter or digit stands before it but that of a line's end (`\\n`), nor a character of `left` that goes on
    from one. The sample is a body; the example is made of the first prefix and it, so that no file of ours holds
    a whole token.
    """
    starts = tuple(prefixes.split())
    alternatives = "|".join(start.replace(".", r"\.") for start in starts)
    return Rule(
        kind,
        tuple(start.lower() for start in starts),
        rf"{beginning(left)}(?:{alternatives}){body}(?![A-Za-z0-9])",
        ("", starts[0] + sample, ""),
        lookalike,
        check,
    )


_NEAR = 400
"""Bytes between an id and the next one, or a secret half: a few lines of prose."""
_RUN = "[A-Za-z0-9+/]"
_REST_OF_RUN = compiled(rb"[A-Za-z0-9+/]{0,128}+")
_WORD = "(?:[A-Z]?[a-z]{1,15}+|[A-Z]{1,15}+)"


def pair(
    kind: str, prefixes: str, identity: str, secret: str, sample: tuple[str, str], lookalike: str
) -> Rule:
    """A row for the secret half of a key pair whose id is one of the `prefixes` and `identity`. The sample is a body of
    an id and a secret."""
    starts = tuple(prefixes.split())
    known = rf"{beginning()}(?:{'|'.join(starts)}){identity}(?![A-Za-z0-9])"
    return Rule(
        kind,
        tuple(start.lower() for start in starts),
        rf"{known}(?:[\x00-\xff]{{0,{_NEAR}}}?{known})*+",
        (f"{starts[0]}{sample[0]} / ", sample[1], "\n"),
        lookalike,
        paired_key,
        within=_halves(known, secret),
    )


def _halves(known: str, secret: str) -> Callable[[re.Match[bytes]], Iterator[Span]]:
    """Where around ids something has the length of a secret half. What separates two halves (`/`, `+`) may also be part
    of one: both are tried, where no more than a word is left of the run on either side. Of a path, more is."""

    @cache
    def patterns() -> tuple[re.Pattern[bytes], re.Pattern[bytes]]:
        before = rf"(?<!{_RUN})(?:(?<=\\)[nrt])?[+/]{{0,4}}?(?:{_WORD}[+/]{{1,4}}?)?"
        after = rf"(?:[+/]{{1,4}}+{_WORD}?)?[+/]{{0,4}}+(?!{_RUN})"
        half = rf"{before}(?P<secret>{secret}){after}"
        return re.compile(known.encode()), re.compile(half.encode())

    def halves(found: re.Match[bytes]) -> Iterator[Span]:
        ids, half = patterns()
        data, start = found.string, max(0, found.start() - _NEAR)
        rest = _REST_OF_RUN.match(data, min(len(data), found.end() + _NEAR))
        # An id ends where it ends, though what follows may go on with its letters.
        text = ids.sub(lambda known: b" " * len(known[0]), data[start : rest.end() if rest else len(data)])
        for seen in half.finditer(text, min(start, 1)):
            begin, end = seen.span("secret")
            yield start + begin, start + end

    return halves
