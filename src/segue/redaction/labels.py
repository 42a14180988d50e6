"""Secrets that a label tells: in whatever Markdown sets a name and its value, in blocks, lists and strings of several lines.

One place takes the decoration off. What is left is a name and candidates, each of them a word or what one quotation
holds, and all forms are judged alike: what can be read stays. Behind the name of a password, where the form gives it
nothing but that value, only the words of reports and settings stay.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from segue.model.patterns import compiled
from segue.redaction.assignments import OPENS_NOTHING, PASSWORDS, SECRETS, ending
from segue.redaction.checks import numeric
from segue.redaction.layouts import items
from segue.redaction.loose_names import LOOSE_NAME, OTHER_KEY_NAMES
from segue.redaction.random_values import chosen, drawn_key, readable, spoken
from segue.redaction.rule import Rule, Span

_BEFORE = 80
"""Bytes before the end of a label in which it begins."""
_MOST_LINES = 64
_LONGEST_LINE = 512
_SHORTEST = 6
_FORM = (
    # Most of these names stand in prose, which is sent away first.
    r"(?![ \t][A-Za-z0-9]|[A-RT-Za-rt-z0-9.,;])[sS]?(?P<close>[\"'`*_)\]]{0,5})(?:[ \t]\([\w .,/-]{1,24}\)[*_`]{0,3})?"
    r"(?P<link>[ \t]{1,40}\|(?=[ \t])|[ \t]{0,3}(?:=>|->|[:=]|：|→|—|–|-(?=[ \t]))[*_]{0,3}(?=[\s`\"'\[(|>*_])|(?=[ \t]{0,4}\r?\n))[ \t]{0,40}"
)
_LABEL = (
    rb"(?:(?P<line>[\n|]|\\n)(?P<margin>[ \t>#+-]{0,24}(?:[*][ \t]|\d{1,3}[.)][ \t])?)|(?<=[\s(]))"
    rb"(?P<open>[*_`]{0,4})(?:[A-Za-z][\w./'-]{0,24} ){0,4}[\w./-]{0,48}\Z"
)
_WORD = rb"[^\s`*\"'|<>#]"
_BESIDE = (
    rb"(?P<open>[*_]{0,3}`[*_]{0,3})(?P<quoted>[^`\s][^`\n]{4,128}+(?<! ))`|"
    rb"(?P<bold>[*_\"']{0,3})(?P<bare>"
    + _WORD
    + rb"{6,512}?)[*_\"']{0,3}(?=[.,;]?[ \t]{0,80}(?P<cell>\|)|[.,;]?[ \t]{0,8}(?:\\n|\r?\n|\Z))"
)
_LINE = rb"[ \t]{0,32}[`*_\"']{0,4}(?P<bare>" + _WORD + rb"{1,512}?)[`*_\"']{0,4}[ \t]{0,8}(?:\r?\n|\\n|\Z)"
_BELOW = (
    rb"(?:[ \t]{0,8}(?:\r?\n|\\n)){1,2}(?P<fence>[ \t]{0,8}(?:```|~~~)[\w-]{0,16}[ \t]{0,4}(?:\r?\n|\\n))?"
)
_BLOCK = rb"[|>][-+1-9]{0,2}[ \t]{0,4}\r?\n(?P<margin>[ \t]{1,32})(?=\S)"
_STRING = rb"[bBrRuUfF]{0,2}(?P<q>\"\"\"|''')\\?(?:\r?\n)?"
_LIST = rb"\r?\n(?=[ \t]{0,32}-[ \t])|\[|\((?=\s{0,24}[\"'])"
_LAST_CELL = rb"[`*_]{0,4}[ \t]{0,80}\|[ \t]{0,8}(?:\r?\n|\\n|\Z)"
_HEAD = rb"[^\n]{0,400}\n[ \t>]{0,8}\|?[ \t]{0,8}:?-{2,}"


def value_finder(of_password: bool) -> Callable[[re.Match[bytes]], Iterator[Span]]:
    """What finds and judges the values that a label tells."""

    def values(found: re.Match[bytes]) -> Iterator[Span]:
        data = found.string
        for begin, end, is_sole in _candidates(found):
            value = data[begin:end].decode("utf-8", "replace")
            if len(value) >= _SHORTEST and _is_secret(value, of_password, is_sole):
                yield begin, end

    return values


def _is_secret(value: str, of_password: bool, is_sole: bool) -> bool:
    if " " in value:
        return of_password and is_sole and spoken(value)
    if not of_password or not is_sole or (value.isalpha() and value[0].isupper() and readable(value)):
        return chosen(value) or (of_password and value.isdigit() and numeric(value))
    return spoken(value) or (value.isdigit() and numeric(value))


def _candidates(found: re.Match[bytes]) -> Iterator[tuple[int, int, bool]]:
    """Where the values of a label stand, and whether the form gives it nothing but that value."""
    data, at, link = found.string, found.end(), found["link"].strip(b" \t*_")
    if link in (b"=", b":") and (opened := compiled(_STRING).match(data, at)):
        end = data.find(opened["q"], opened.end(), opened.end() + _MOST_LINES * _LONGEST_LINE)
        yield from _lines(data, opened.end(), end)
    elif link == b":" and (opened := compiled(_BLOCK).match(data, at)):
        yield from _lines(data, opened.start("margin"), len(data), opened["margin"])
    elif link in (b"=", b":") and (opened := compiled(_LIST).match(data, at)):
        yield from ((*span, False) for span in items(opened))
    elif opened := compiled(_BELOW).match(data, at):
        label = _label(data, found.start("close")) if link in (b"", b":") else None
        if label and label["line"] == b"\n" and (link or _is_marked(found, label)):
            yield from _below(data, opened)
    elif (value := compiled(_BESIDE).match(data, at)) and (label := _label(data, found.start("close"))):
        begin, end = value.span("bare" if value["bare"] else "quoted")
        if link == b"|":
            # Reports have a cell for the verdict, and wide tables one for a kind.
            in_doubt = found[0].startswith(b"PASS") or not compiled(_LAST_CELL).match(data, end)
            is_told = not in_doubt or drawn_key(data[begin:end].decode("utf-8", "replace"))
            if is_told and label["line"] == b"|" and not compiled(_HEAD).match(data, at):
                yield begin, end, False
        elif _is_marked(found, label) or (
            link == b":" and label["line"] and (value["open"] or value["bold"].strip(b"\"'"))
        ):
            yield begin, end, True


def _is_marked(found: re.Match[bytes], label: re.Match[bytes]) -> bool:
    """Whether a label is a heading, or stands in marks that are closed behind it."""
    marks = found["close"] + found["link"]
    return b"#" in (label["margin"] or b"") or bool(label["open"] and label["open"][-1:] in marks)


def _label(data: bytes, end: int) -> re.Match[bytes] | None:
    """The label that ends at a place: words behind a mark, or behind the beginning of a line or a cell."""
    start = max(0, end - _BEFORE)
    return compiled(_LABEL).search(data[start:end] if start else b"\n" + data[:end])


def _below(data: bytes, opened: re.Match[bytes]) -> Iterator[tuple[int, int, bool]]:
    """What stands alone on the line below, or in the lines of a fence."""
    if opened["fence"]:
        end = data.find(opened["fence"].strip()[:3], opened.end(), opened.end() + _MOST_LINES * _LONGEST_LINE)
        yield from _lines(data, opened.end(), end)
    elif line := compiled(_LINE).match(data, opened.end()):
        yield *line.span("bare"), False


def _lines(data: bytes, at: int, end: int, margin: bytes = b"") -> Iterator[tuple[int, int, bool]]:
    """The words of a block that has one on each line; none of any other block."""
    spans: list[tuple[int, int, bool]] = []
    while at < end and len(spans) < _MOST_LINES and data.startswith(margin, at):
        line = compiled(_LINE).match(data, at, end)
        if line is None:
            if data[at:end].strip():
                return
            break
        spans.append((*line.span("bare"), True))
        at = line.end()
    yield from spans


LABELS: tuple[Rule, ...] = (
    Rule(
        "assignment",
        PASSWORDS,
        _FORM,
        ("**Password** — ", "kitchenradio", "\n"),
        "**Password**: required\n| password | VARCHAR |\n### Password\n\nkitchenradio\npassword: |\n  the words of the day\n",
        after=True,
        within=value_finder(True),
    ),
    Rule(
        "assignment",
        SECRETS,
        _FORM,
        ("### API token\n\n```\n", "qzkfwmra", "\n```\n"),
        'TOKEN = """\nof the session\n"""\ntokens: [identifier2]\n| Token | Meaning |\n|---|---|\n| Token | lexeme |\n**Token** — kitchenradio\n',
        after=True,
        spares=OPENS_NOTHING,
        within=value_finder(False),
    ),
    Rule(
        "assignment",
        ending(("auth", "seed", "pass", "key"), "*", "__", "_:", "`", '"', ":", " =", " |", "\n"),
        rf"(?:{LOOSE_NAME}|(?<![\w.-])PASS){_FORM}",
        ('TOTP_SEED = """\n', "qzkfwmra", '\n"""\n'),
        "| PASS | qzkfwmra |\n**AUTH**: enabled\n| CACHE_KEY | zq81hdkw93hfLm20 |",
        spares=ending(OTHER_KEY_NAMES, "*", "__", "_:", "`", '"', ":", " =", " |", "\n"),
        within=value_finder(False),
    ),
)
