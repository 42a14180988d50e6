"""One pass over the text, then a look at each place that could begin a secret.

All anchors of all rules stand in one automaton over the lowercased bytes (`bytes.lower` keeps every
offset, `str.lower` does not); a rule's pattern is tried at its anchors only. So the cost is one scan
plus a little per hit, whatever the number of rules. Bytes in, spans out; nothing here changes text.

Work grows with the length of the text, whatever it holds: a row is not tried again inside what it has found or
refused, and a line on which rows still look at too many bytes is withheld from there to its end.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import partial

from ahocorasick_rs import BytesAhoCorasick, Implementation, MatchKind

from segue.model.patterns import compiled
from segue.model.value import NamedTuple
from segue.redaction import escapes
from segue.redaction.checks import opaque, random_key
from segue.redaction.rule import REACH, WIDE_MARKS, Rule
from segue.redaction.rules import RULES

LITERAL = "known-value"
"""The kind of a secret that is known because somebody said so, not by a rule."""

_MARK = b"[redacted:"
_MARKER = compiled(rb"\[redacted:[a-z0-9-]{1,32}\]")
_LONGEST_MARKER = 48
_LONGEST_NAME = 64
_CHARACTER = rb"[\x80-\xbf]*+"
"""The rest of a character of several bytes, should a pattern's reach end inside one."""
_WIDE_MARK = compiled(WIDE_MARKS)
_WORD = compiled(rb"[A-Za-z0-9_\x80-\xff]")
_PATIENCE = 2
"""Refusals of one row inside one run of text, after which the row waits for the end of the run. Without
it a megabyte of `token=token=…` would be weighed at every word."""

WITHHELD = "too-dense"
"""The kind of what was not gone through, because it would have taken more work than any honest text."""
_BEST = -1


_WRAPPED_FROM = 48
_CONTINUED_FROM = 16
"""Characters from which on a value may go on in the next line: by its length alone, and where the text says so."""
_LINE = rb"(?P<line>[A-Za-z0-9+/_=-]{1,512}+)"
_WRAP = compiled(
    rb"(?P<mark>\\?)\r?\n(?P<margin>[ \t]{0,32})"
    + _LINE
    + rb"(?=(?P<q>[\"'`]?)[,;)\]}]{0,3}[ \t]{0,4}(?:\\?\r?\n|\Z))"
)
_NEXT_STRING = compiled(
    rb"(?P<q>[\"'`])[ \t]{0,4}(?:(?P<joint>[+.])|\\)?[ \t]{0,4}\r?\n[ \t]{0,32}[bBrRuUfF]{0,2}(?P=q)"
    + _LINE
    + rb"(?=(?P=q))"
)
_OPENING = 48
_QUOTES = (b'"', b"'", b"`")
_BEFORE_LINE_END = frozenset((b"\\", b"\r", b"\n", *_QUOTES))


class Budget(NamedTuple):
    """Bytes that rows may look at in a text: `at_once`, and then so many for each byte that one of them has reached."""

    at_once: int
    per_byte: int


BUDGET = Budget(64 * 1024, 32)
"""Session text needs less than one for each byte, a line of nothing but names of passwords some ten."""


class Span(NamedTuple):
    """Bytes that must go. `rank` orders kinds where spans overlap: the lowest names the whole."""

    start: int
    end: int
    rank: int
    kind: str


class _Row(NamedTuple):
    match: Callable[[bytes, int], re.Match[bytes] | None]
    back: int
    after: bool
    rank: int
    of_match: tuple[Rule, str | int, tuple[bytes, ...], bytes]
    """What only a match needs: the rule, the group that vanishes, what is spared, and how a value goes on."""


def _rows_by_anchor() -> tuple[list[bytes], list[list[int]]]:
    rows: dict[str, list[int]] = {}
    for rank, rule in enumerate(RULES):
        for anchor in rule.anchors:
            rows.setdefault(anchor, []).append(rank)
    return [anchor.encode() for anchor in rows], list(rows.values())


_ANCHORS, _RANKS = _rows_by_anchor()
_FIRST_VEIL = len(_ANCHORS)
_ANCHORS += [anchor.encode() for anchor in escapes.ANCHORS]
_compiled: list[_Row | None] = [None] * len(RULES)
_ready: list[tuple[_Row, ...]] = [()] * len(_ANCHORS)
"""Of the anchors of veils it stays empty."""


def _make_ready(anchor: int) -> tuple[_Row, ...]:
    """The rows of an anchor, compiled at its first hit: all of them at once cost 58 ms."""
    _ready[anchor] = rows = tuple(_row(rank) for rank in _RANKS[anchor])
    return rows


def _row(rank: int) -> _Row:
    row = _compiled[rank]
    if row is None:
        rule = RULES[rank]
        pattern = compiled(rule.pattern.encode())
        spares = tuple("\0".join(rule.spares).encode().split(b"\0")) if rule.spares else ()
        rest = _rest(rule.rest.encode(), rule.bare) if rule.rest else _CHARACTER
        part = "secret" if "secret" in pattern.groupindex else 0
        row = _Row(pattern.match, rule.back, rule.after, rank, (rule, part, spares, rest))
        _compiled[rank] = row
    return row


def _rest(characters: bytes, bare: bool) -> bytes:
    """The pattern of how a value goes on, up to a marker, and outside quotes up to a wide mark. Few values are so long."""
    ends = _MARKER.pattern + b"|" + WIDE_MARKS if bare else _MARKER.pattern
    return rb"(?:(?!" + ends + rb")" + characters + rb")*+"


class _Search:
    """Every anchor in a text as (anchor, start, end), in the order of their ends.

    The first megabytes are searched with what is made in 2 ms, all that follows with what is made in 15 ms
    and more than twice as fast.
    """

    def __init__(self) -> None:
        self._find = BytesAhoCorasick(
            _ANCHORS, implementation=Implementation.ContiguousNFA
        ).find_matches_as_indexes
        self._left = 3 * 1024 * 1024

    def __call__(self, data: bytes) -> list[tuple[int, int, int]]:
        if self._left > 0:
            self._left -= len(data)
            if self._left <= 0:
                self._find = BytesAhoCorasick(
                    _ANCHORS, implementation=Implementation.DFA
                ).find_matches_as_indexes
        found: list[tuple[int, int, int]] = self._find(data.lower(), overlapping=True)
        return found


hits = _Search()


class Scan(NamedTuple):
    """What one scan found: spans in no particular order, possibly overlapping, whether something in the text may hide
    more, and the bytes that rows looked at."""

    spans: list[Span]
    veiled: bool
    work: int


def spans(data: bytes) -> list[Span]:
    """What the rules say must go, in no particular order, possibly overlapping."""
    return scanned(data).spans


def scanned(data: bytes, budget: Budget = BUDGET) -> Scan:
    """The scan of a text as it stands and as a reader sees it."""
    plain = _scanned(data, budget)
    found, veiled, work = plain
    if not veiled:
        return plain
    found = [span for span in map(partial(_before_escape, data), found) if span.start < span.end]

    def find(view: bytes) -> list[Span]:
        nonlocal work
        scan = _scanned(view, budget)
        work += scan.work
        return scan.spans

    found += through_veils(data, find)
    return Scan(found, veiled, work)


def through_veils(data: bytes, find: Callable[[bytes], list[Span]]) -> list[Span]:
    """What `find` finds in the text as a reader sees it, by its place in the text."""
    return [
        Span(*view.placed(start, end), rank, kind)
        for view in escapes.views(data)
        for start, end, rank, kind in find(view.data)
    ]


def _scanned(data: bytes, budget: Budget) -> Scan:
    """The scan of a text as it stands."""
    places, veiled = hits(data), escapes.of_terminal(data)
    found: list[Span] = []
    if not places:
        return Scan(found, veiled, 0)
    at_once, per_byte = budget
    first = last = name = work = reached = withheld = 0
    refused: dict[int, tuple[int, int]] = {}
    settled: dict[int, tuple[int, int]] = {}
    """By row, from where to where it need not be tried again."""
    for anchor, start, stop in places:
        if start < withheld:
            continue
        rows = _ready[anchor]
        if not rows:
            if anchor >= _FIRST_VEIL:
                veiled = True
                continue
            rows = _make_ready(anchor)
        for match, back, after, rank, of_match in rows:
            # Inside what goes anyway, only a row that would name it better is worth a look.
            if first <= start < last and rank >= name:
                continue
            if settled and rank in settled and settled[rank][0] <= start < settled[rank][1]:
                continue
            at = stop if after else max(0, start - back)
            seen = match(data, at)
            work += 1
            if seen is None or _in_marker(data, start):
                continue
            rule, part, spares, rest = of_match
            if spares and data[max(0, stop - _LONGEST_NAME) : stop].lower().endswith(spares):
                continue
            begin, end = seen.span(part)
            work += seen.end() - at
            reached = max(reached, seen.end())
            if work > at_once + per_byte * reached:
                withheld = _end_of_line(data, start)
                found.append(Span(start, withheld, _BEST, WITHHELD))
                break
            if rule.within is not None:
                for begin, end in rule.within(seen):
                    if begin < end <= _before_marker(data, begin, end) and rule.check(
                        _text(data, begin, end)
                    ):
                        if rest is not _CHARACTER:
                            end = _whole(data, begin, end, rest)
                        found.append(Span(begin, end, rank, rule.kind))
                settled[rank] = start, max(stop, end)
                work += abs(end - at)
                continue
            end = begin if _in_marker(data, begin) else _before_marker(data, begin, end)
            if rule.bare:
                end = _before_wide_mark(data, begin, end)
            text = _text(data, begin, end)
            if not text or not rule.check(text) or not (rule.judge is None or rule.judge(seen, text)):
                run, times = refused.get(rank, (0, 0))
                refused[rank] = run, times = max(run, end), times + 1 if start < run else 1
                if times >= _PATIENCE:
                    settled[rank] = start, run
                continue
            if end - begin >= _CONTINUED_FROM:
                judged, end = end, _whole(data, begin, end, rest)
                work += end - judged
                reached = max(reached, end)
            settled[rank] = start, end
            if not (first <= begin and end <= last and name <= rank):
                first, last, name = begin, end, rank
                found.append(Span(begin, end, rank, rule.kind))
    return Scan(found, veiled, work)


def literals(values: Iterable[str], alone: bool = False) -> Callable[[bytes], list[Span]]:
    """A scan for exact values, whatever surrounds them, or only where each stands `alone`, as a word does."""
    encoded = [value.encode("utf-8", "surrogatepass") for value in values]
    automaton = BytesAhoCorasick(encoded, matchkind=MatchKind.LeftmostLongest)

    def scan(data: bytes) -> list[Span]:
        found = []
        for _, start, end in automaton.find_matches_as_indexes(data):
            if alone and (_WORD.match(data, start - 1, start) or _WORD.match(data, end, end + 1)):
                continue
            if not _in_marker(data, start) and _before_marker(data, start, end) == end:
                found.append(Span(start, end, len(RULES), LITERAL))
        return found

    return scan


def merged(found: list[Span]) -> list[Span]:
    """Disjoint spans in text order: overlapping ones become one, named by the lowest rank."""
    result: list[Span] = []
    for span in sorted(found):
        if result and span.start < result[-1].end:
            last = result[-1]
            named = min(last, span, key=lambda s: s.rank)
            result[-1] = Span(last.start, max(last.end, span.end), named.rank, named.kind)
        else:
            result.append(span)
    return result


def _in_marker(data: bytes, at: int) -> bool:
    """Kinds are made of words that rules look for; a marker must not be read as text."""
    near = data.rfind(_MARK, max(0, at - _LONGEST_MARKER), at + len(_MARK))
    marker = _MARKER.match(data, near) if near >= 0 else None
    return marker is not None and near <= at < marker.end()


def _before_marker(data: bytes, start: int, end: int) -> int:
    marker = _MARKER.search(data, start, end + _LONGEST_MARKER)
    return min(end, marker.start()) if marker is not None else end


def _before_escape(data: bytes, span: Span) -> Span:
    """The span up to a terminal's code: whether the secret goes on behind it, a view tells."""
    end = data.find(b"\x1b", span.start, span.end)
    return span if end < 0 else span._replace(end=end)


def _before_wide_mark(data: bytes, start: int, end: int) -> int:
    mark = _WIDE_MARK.search(data, start + 1, end)
    return mark.start() if mark is not None else end


def _text(data: bytes, begin: int, end: int) -> str:
    return data[begin:end].decode("utf-8", "replace")


def _whole(data: bytes, begin: int, end: int, rest: bytes) -> int:
    """The end of a value that was judged by its beginning, on its own line and in the next ones."""
    if end - begin >= REACH and (more := re.compile(rest).match(data, end)):
        end = more.end()
    if end - begin >= _CONTINUED_FROM and data[end : end + 1] in _BEFORE_LINE_END:
        end = _through_wraps(data, begin, end)
    return end


def _through_wraps(data: bytes, begin: int, end: int) -> int:
    """The end of a value that goes on in the next lines, in a string of its own on each or with nothing else there."""
    opening = data[max(0, begin - _OPENING) : begin]
    width = end - data.rfind(b"\n", max(0, begin - _LONGEST_NAME), begin) - 1
    is_long = end - begin >= _WRAPPED_FROM
    while True:
        if more := _NEXT_STRING.match(data, end):
            goes_on = opening.endswith(more["q"]) and (more["joint"] or opaque(more["line"].decode()))
        elif more := _WRAP.match(data, end):
            goes_on = _is_inside(more, opening) or (
                (is_long or more["mark"]) and len(more["line"]) <= width and random_key(more["line"].decode())
            )
        if more is None or not goes_on:
            return end
        end = more.end("line")


def _is_inside(line: re.Match[bytes], opening: bytes) -> bool:
    """True for a line inside quotes that were opened before the value, or one that a mark joins to the line above."""
    if line["q"]:
        return opening.endswith(line["q"])
    return bool(line["mark"]) and (not line["margin"] or opening.endswith(_QUOTES))


def _end_of_line(data: bytes, start: int) -> int:
    end = data.find(b"\n", start)
    return end if end >= 0 else len(data)
