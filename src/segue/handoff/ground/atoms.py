"""The atoms of a statement: what it names exactly, and what therefore has to stand in the evidence.

Atoms know no language: quotations, code, paths, addresses, ids, symbols, and numbers with the word that says what they count.
Everything else is paraphrase, and free.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from segue.handoff.ground.markers import marker
from segue.handoff.wording import says, spelled
from segue.model.prose import says_nothing
from segue.model.value import NamedTuple

Kind = Literal["quotation", "code", "path", "address", "id", "symbol", "number"]

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
_SYMBOL = re.compile(
    r"(?<![\w-])(?:--[a-z][\w-]+|\w*[^\W_]_+[^\W_]\w*|[a-z]+[A-Z]\w*|[A-Z][a-z0-9]+[A-Z]\w*)(?:\(\))?(?![\w-])"
)
_VERSION = re.compile(
    r"(?<![\w.])v?\d+(?:\.\d+){2,}(?:-[\w.]*\w)?(?!\w)|(?<![\w.])v\d+(?:\.\d+)*(?:-[\w.]*\w)?(?!\w)"
)
_NUMBER = re.compile(
    r"(?<![\w.:/-])\d{4}-\d\d-\d\d(?!\d)|(?<![\w.,])\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\d)|(?<![\w.~^])\d+(?:\.\d+)?(?=[^\W\d_]{0,5}(?!\w)|×)"
)
_WORD = re.compile(r"[^\W\d_]{2,}")
_BEFORE = re.compile(r"([^\W\d_]{2,})[ =:#]{1,2}$")
_CLOCK = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?|\d\d:\d\d:\d\d(?:\.\d+)?")
_LISTED = re.compile(r"^[ \t]*(\d+)(?=[:\t|→.-]|\)\s)", re.M)
_GAPS = re.compile(r"…|\.{3,}|\*+|\{[^{}]*\}|<[^<>]*>")
_ENDING = re.compile(r"(?<=\w{3})(?:ies|ions?|ings?|ments?|ers?|e[snd]|ly|[sye])+$")
_STEM = 6
_FEW = 2
"""Numbers at the beginning of lines that do not make a listing yet."""
_LINES = frozenset(("lin", "zeil", "lign", "línea", "linha", "riga", "строка"))


class Atom(NamedTuple):
    """`near` are the words around a number, which say what it counts."""

    kind: Kind
    text: str
    near: tuple[str, ...] = ()
    rounded: bool = False


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
        ("code", _VERSION),
        ("symbol", _SYMBOL),
    ):
        prose = _take(prose, pattern, kind, found)  # type: ignore[arg-type]
    found += _numbers(prose)
    return found, _NUMBER.sub(" ", prose)


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
    for match in _NUMBER.finditer(prose):
        before = _BEFORE.findall(prose[max(0, match.start() - 40) : match.start()])
        after = _WORD.findall(re.split(r"[.;:!?)\]]|[,`\"]", prose[match.end() : match.end() + 40])[0])[:2]
        near = (*(word for word in after if not says_nothing(word.casefold())), *before)
        near = tuple(stem(word) for word in near if len(word) > 2)
        yield Atom(
            "number",
            match[0].replace(",", ""),
            near,
            bool(marker("about").search(prose[: match.start()].rstrip())),
        )


def stands(atom: Atom, text: str, plain: str) -> bool:
    """The atom is in this text; `plain` are the letters and digits of it between blanks."""
    if atom.kind == "number":
        return _figure_stands(atom, text)
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
        return f" {spelt[0]} " in plain
    place = 0
    for piece in filter(None, spelt):
        place = plain.find(piece, place) + 1
        if not place:
            return False
    return True


def same_id(one: str, other: str) -> bool:
    return one.startswith(other) or other.startswith(one)


def figures(text: str, lines: bool = False) -> Iterator[str]:
    """The numbers in a text; those of its lines, as listings print them, only where asked for."""
    if not lines and len(_LISTED.findall(text)) > _FEW:
        text = _LISTED.sub(" ", text)
    for clock in _CLOCK.findall(text):
        yield clock[:10]
    for number in _NUMBER.findall(_CLOCK.sub(" ", text)):
        yield number.replace(",", "")


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
    if atom.rounded and one and abs(one - other) / one < 0.06:
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
