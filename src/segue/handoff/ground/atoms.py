"""The atoms of a statement: what it names exactly, and what therefore has to stand in the evidence.

Atoms know no language: quotations, code, paths, addresses, ids, symbols, and numbers with the word that says what they count.
Everything else is paraphrase, and free.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import zip_longest
from typing import Literal

from segue.handoff.ground.markers import bounded, marker, words
from segue.handoff.wording import says, spelled
from segue.model.prose import says_nothing
from segue.model.value import NamedTuple

Kind = Literal["quotation", "code", "path", "address", "id", "symbol", "number", "label"]
"""A label is the number that something has in a list: finding 2."""

_MARKED = re.compile(
    r"`+([^`]+)`+|\"([^\"]+)\"|“([^”]+)”|„([^“”]+)[“”]|«([^»]+)»|「([^」]+)」|(?<!\w)'([^'\s]+)'(?!\w)|(?<!\w)‘([^’\s]+)’(?!\w)"
)
_ADDRESS = re.compile(r"https?://[^\s\"'<>)\]`,;]*[\w/]")
_PATH = re.compile(
    r"(?<![\w/@.-])(?:~?\.{0,2}/)?(?:[\w.@()\[\]+-]+/)*[\w.@()\[\]+-]*\w\.[a-z][a-z0-9]{0,9}(?::\d+)*(?![\w/])"
    r"|(?<![\w/@.-])(?:~?\.{0,2}/)?(?:[\w.@+-]+/){2,}[\w.@+-]*|(?<![\w/.])~?/(?:[\w.@+-]+/)*[\w.@+-]*\w"
)
_ID = re.compile(
    r"(?<![\w-])(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40}|(?=[0-9]*[A-Z])(?=[A-Z]*\d)[0-9A-Z]{12,}"
    r"|TC-[\w-]*\d[\w-]*)(?![\w-])"
)
_HEX = re.compile(r"[0-9a-f]{7,40}")
_REFERENCE = re.compile(r"(?<![\w#&])#\d{3,9}(?!\w)")
"""An issue, a pull request, or a line of the session."""
_SYMBOL = re.compile(
    r"(?<![\w-])(?:--[a-z][\w-]+|\w*[^\W_]_+[^\W_]\w*|[a-z]+[A-Z]\w*[a-z]\w*|[A-Z][a-z0-9]+[A-Z]\w*)(?:\(\))?(?![\w-])"
)
_VERSION = re.compile(
    r"(?<![\w.])v?\d+(?:\.\d+){2,}(?:[-_][\w.]*\w)?(?!\w)|(?<![\w.])v\d+(?:\.\d+)*(?:-[\w.]*\w)?(?!\w)"
)
_NUMBER = re.compile(
    r"(?<![\w.:/-])\d{4}-\d\d-\d\d(?!\d)|(?<![\w.,])\d{1,3}(?:[,_]\d{3})+(?:\.\d+)?(?!\d)|(?<![\w^#])(?<!\w~)(?<!(?<!\.)\.)(?<!\D/)\d+(?:\.\d+)?(?=[^\W\d_]{0,5}(?!\w)|×)"
)
_WORD = re.compile(r"[^\W\d_]{2,}")
_THOUSANDS = re.compile(r"[kK](?!\w)| ?s(?!\w)| sec(?:ond)?s?\b")
"""Thousands, and seconds, which code counts in thousandths."""
_PHRASE_END = re.compile(r"[.;:!?()\[\],`\"\d/]")
_BEFORE = re.compile(r"([^\W\d_]{2,})[ =:#]{1,2}$")
_CLOCK = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?|\d\d:\d\d:\d\d(?:\.\d+)?")
_LISTED = re.compile(r"^[ \t]*(\d+)(?=[:\t|→.-]|\)\s)", re.M)
_GAPS = re.compile(r"…|\.{3,}|\*+|\{[^{}]*\}|<[^<>]*>")
_ENDING = re.compile(r"(?<=\w{3})(?:ies|ions?|ings?|ments?|ers?|e[snd]|ly|[sye])+$")
_QUALIFIED = re.compile(r"[^\W\d]\w*(?:(?:\.|::|#|->)[^\W\d]\w*)+(?:\(\))?")
_JOINTS = re.compile(r"\W+")
_JOINED = re.compile(r"(?:[ ,]+(?:and|to|und|bis|et|y|e)?)*$")
_ITEM = re.compile(
    rf"^\W{{0,6}}(\d{{1,2}})[.):*]|(?:#|{bounded(words('label'))}s? )(\d{{1,2}})(?!\w)", re.M | re.I
)
"""How a list gives an item its number, and how it is called by it."""
_ITEM_LENGTH = 600
_SEVERAL = re.compile(r"\((?:\d{1,2}, )*\d{1,2},? (?:and|und|et|y|e) \d{1,2}\)")
"""Several items by their numbers alone."""
_STEM = 6
_FEW = 2
"""Numbers at the beginning of lines that do not make a listing yet."""
_LINES = frozenset(("lin", "zeil", "lign", "línea", "linha", "riga", "строка"))


class Atom(NamedTuple):
    """`near` are the words around a number, which say what it counts. It may stand as so many of its `unit`: 20k as 20,000."""

    kind: Kind
    text: str
    near: tuple[str, ...] = ()
    rounded: bool = False
    unit: int = 1


def stem(word: str) -> str:
    """What the forms of a word have in common, roughly; a stem is its own."""
    return _ENDING.sub("", _ENDING.sub("", word.casefold())[:_STEM])


def atoms(text: str) -> tuple[list[Atom], str]:
    """What a text names, and the prose that is left of it."""
    found: list[Atom] = []

    def taken(match: re.Match[str]) -> str:
        code, *quotes = match.groups()
        if code is not None:
            found.append(Atom(_kind_of(code), code))
            return " ` "
        quote = next(filter(None, quotes), "")
        found.append(Atom("quotation" if len(quote.split()) > 1 else "code", quote))
        return ' " '

    prose = _MARKED.sub(taken, text)
    for kind, pattern in (
        ("address", _ADDRESS),
        ("path", _PATH),
        ("id", _ID),
        ("id", _REFERENCE),
        ("code", _VERSION),
        ("symbol", _SYMBOL),
    ):
        prose = _take(prose, pattern, kind, found)  # type: ignore[arg-type]
    found += _numbers(prose)
    return found, _NUMBER.sub(" ", prose)


def unnamed(text: str) -> str:
    """A text without its code and quotations."""
    return _MARKED.sub(" ` ", text)


def _take(prose: str, pattern: re.Pattern[str], kind: Kind, found: list[Atom]) -> str:
    def taken(match: re.Match[str]) -> str:
        text = match[0].rstrip(".")
        if kind == "path" and not _is_path(text):
            return match[0]
        found.append(Atom(kind, text))
        return " ` "

    return pattern.sub(taken, prose)


def _is_path(text: str) -> bool:
    name = text.rpartition("/")[2]
    return "/" in text.strip("/") or (name.count(".") > 0 and len(name.partition(".")[0]) != 1)


def _kind_of(code: str) -> Kind:
    if _HEX.fullmatch(code) and re.search(r"\d", code):
        return "id"
    if not re.search(r"\s", code) and (
        _PATH.fullmatch(code) or ("/" in code and re.fullmatch(r"[\w.@()/+-]+", code))
    ):
        return "path"
    return "code"


def _numbers(prose: str) -> Iterator[Atom]:
    several = [match.span() for match in _SEVERAL.finditer(prose)]
    for match in _NUMBER.finditer(prose):
        before = _BEFORE.findall(prose[max(0, match.start() - 40) : match.start()])
        unit = _THOUSANDS.match(prose, match.end())
        after = _WORD.findall(
            _PHRASE_END.split(prose[unit.end() if unit else match.end() : match.end() + 40])[0]
        )[:2]
        near = (*(word for word in after if not says_nothing(word.casefold())), *before)
        near = tuple(stem(word) for word in near if len(word) > 2)
        if len(match[0]) <= 2 and (
            any(begin < match.start() < end for begin, end in several) or _is_label(prose[: match.start()])
        ):
            yield Atom("label", match[0])
            continue
        rounded = bool(marker("about").search(prose[: match.start()].rstrip()))
        yield Atom("number", _plain(match[0]), near, rounded, 1000 if unit else 1)


def _is_label(before: str) -> bool:
    """What stands before a number calls it that of an item, or of one after others."""
    last = _JOINED.split(_NUMBER.sub("", before[-60:]).rstrip(" ,"))[0].rstrip(" ,(")
    return bool(re.search(rf"{bounded(words('label'))}s?$", last, re.I))


def stands(atom: Atom, text: str, plain: str) -> bool:
    """The atom is in this text; `plain` are the letters and digits of it between blanks."""
    if atom.kind == "number":
        return _figure_stands(atom, text)
    if atom.kind == "label":
        return any(number == atom.text for number, _ in items(text))
    if atom.kind == "id" and _HEX.fullmatch(atom.text):
        return any(same_id(atom.text, known) for known in _HEX.findall(text))
    if _VERSION.fullmatch(atom.text):
        return bool(re.search(rf"(?<![\d.])v?{re.escape(atom.text.lstrip('v'))}(?![\w])", text))
    if atom.kind == "quotation":
        return f" {spelled(atom.text)} " in plain or says(text, atom.text)
    spelt = [spelled(piece) for piece in _GAPS.split(atom.text)]
    spelt = spelt if any(spelt) else [spelled(atom.text)]
    if not any(spelt):
        return True
    if len(spelt) == 1:
        return f" {spelt[0]} " in plain or (atom.kind in ("symbol", "code") and _begins_name(atom.text, text))
    place = 0
    for piece in filter(None, spelt):
        place = plain.find(piece, place) + 1
        if not place:
            return False
    return True


def akin(atom: Atom, text: str) -> bool:
    """The text names something of the kind of this id: a commit, or a pull request."""
    return bool((_REFERENCE if atom.text.startswith("#") else _ID).search(text))


def items(text: str) -> Iterator[tuple[str, str]]:
    """The items of the lists in a text, by their numbers."""
    begins = list(_ITEM.finditer(text))
    for item, following in zip_longest(begins, begins[1:]):
        yield (
            (item[1] or item[2]),
            text[item.start() : following.start() if following else item.end() + _ITEM_LENGTH],
        )


def parts_of_name(text: str) -> list[str]:
    """The words of a qualified name, as `client.Probe`; none of any other text."""
    return [part for part in _JOINTS.split(text) if part] if _QUALIFIED.fullmatch(text) else []


def _begins_name(name: str, text: str) -> bool:
    """It is a name, and a longer one in the text goes on from it with a word of its own."""
    return bool(
        len(name) > _STEM
        and _SYMBOL.fullmatch(name)
        and re.search(rf"(?<!\w){re.escape(name)}(?:[A-Z]|_[a-z])", text)
    )


def _plain(number: str) -> str:
    return number.replace(",", "").replace("_", "")


def same_id(one: str, other: str) -> bool:
    return one.startswith(other) or other.startswith(one)


def figures(text: str, lines: bool = False) -> Iterator[str]:
    """The numbers in a text; those of its lines, as listings print them, only where asked for."""
    if not lines and len(_LISTED.findall(text)) > _FEW:
        text = _LISTED.sub(" ", text)
    for clock in _CLOCK.findall(text):
        yield clock[:10]
        yield clock[:4]
    for number in _NUMBER.findall(_CLOCK.sub(" ", text)):
        yield _plain(number)


def _figure_stands(atom: Atom, text: str) -> bool:
    of_lines = not _LINES.isdisjoint(atom.near)
    return any(same_figure(atom, known) for known in figures(text, of_lines))


def same_figure(atom: Atom, known: str) -> bool:
    told = atom.text
    if told == known or ("." in told and known.startswith(f"{told}.")):
        return True
    try:
        one, other = float(told), float(known)
    except ValueError:
        return False
    if one == other:
        return True
    decimals = len(told.partition(".")[2])
    if (decimals or atom.rounded) and round(other, decimals) == one:
        return True
    if atom.unit > 1 and round(other / atom.unit, decimals) == one:
        return True
    if atom.rounded and told.endswith("0") and one and abs(one - other) / one < 0.06:
        return True
    return min(one, other) < 1 <= max(one, other) and round(min(one, other) * 100, 6) == max(one, other)


def counted(atom: Atom, text: str) -> set[str]:
    """Other numbers that stand directly beside what this one counts."""
    found: set[str] = set()
    for word in atom.near:
        for match in re.finditer(
            rf"(?<![\w.])(\d[\d,.]*\d|\d) {{0,2}}{re.escape(word)}|\b{re.escape(word)}\w{{0,9}}[:=]? {{0,2}}(\d[\d,.]*\d|\d)(?!\w|\.\d|>)",
            text,
            re.I,
        ):
            found.add((match[1] or match[2]).replace(",", ""))
    return found
