"""Secret halves of key pairs: they have no shape of their own, but stand near an id that has one.

Ids and secrets are told in any order: a pair on a line, ids above secrets, one explained before the other. So ids that
stand near each other are found as one, and whatever around them is a secret half goes, however many there are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache

from segue.model.patterns import compiled
from segue.redaction.checks import paired_key
from segue.redaction.rule import Rule, Span, beginning

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
