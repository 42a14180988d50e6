"""Names and values, in whatever layout they are written, and whether a value is the secret that its name speaks of.

One place finds the pairs: on one line (`name = value`), aligned by blanks, in the cells of a table, in the fields of a
record, as the default of a variable, below a label. Each pair says how much its layout proves, and one judge decides:

| the layout | behind the name of a password | behind another secret's, in capitals | behind any other |
|---|---|---|---|
| gives the name just this value: a record, JSON, an environment | whatever is no label, blank or reference | no words of reports and switches | what cannot be read |
| is one of documents, too: aligned, a cell, a line of settings | no words of reports and switches | the same | what cannot be read |

A value that repeats its name (`ACCESS_TOKEN: "accessToken"`) tells nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from segue.model.patterns import compiled
from segue.redaction import checks
from segue.redaction.assignments import (
    FIELDS,
    GAP,
    IS,
    KEYS,
    MARK,
    OPENS_NOTHING,
    OTHERS,
    PASSWORDS,
    SECRETS,
    TAIL,
    VALUE,
    VALUE_OR_DEFAULT,
    ending,
)
from segue.redaction.layouts import items
from segue.redaction.random_values import chosen, drawn_key, made_up, readable, spoken
from segue.redaction.rule import WIDE_MARKS, Rule, Span
from segue.redaction.setting_lines import (
    LOOSE_NAME,
    OF_NAMES,
    OTHER_KEY_NAMES,
    among_settings,
    in_section,
    margin_before,
)

_BEFORE = 80
"""Bytes before the end of a name in which its line or its label begins."""
_MOST_LINES = 64
_LONGEST_LINE = 512
_SHORTEST_LABELLED, _SHORTEST_PASSWORD, _SHORTEST = 6, 4, 8
_PROOFS = "setting row label words call listed tag markup"
SETTING, ROW, LABEL, WORDS, CALL, LISTED, TAG, MARKUP = _PROOFS.split()
"""What a layout proves: just this value is given to the name; words of a document may stand there, too; a label says
what one value is; a label stands among words."""
Candidate = tuple[int, int, str]
Pair = tuple[bytes, int, int, str]
_OF_PASSWORD = rb"(?i)pass|pwd|pw(?:[^a-z]|\Z)"
_MOST_ROWS, _MOST_COLUMNS = 256, 32
_SEPARATORS = (rb"\|", rb"\t", rb";", rb",", rb" {2,}")
_OF_HEADINGS = OF_NAMES + b" \t\r\"'`*#()/|;,"
_HEADING = rb"[\"'`* \t]{0,4}[A-Za-z_#][\w .()/#-]{0,40}[\"'`* \t]{0,4}|[ \t]*"
_RULED = rb"[-:=+| \t]+$"
_AROUND = b" \t\r\"'`*"
_FORM = (
    # Most of these names stand in prose, which is sent away first.
    rf"(?! [A-Za-z0-9]|[A-RT-Za-rt-z0-9.]|[,;] )(?:[sS](?![a-z]))?{TAIL}(?P<close>\\{{0,3}}[\"'`*_)\]]{{0,5}})(?:[ \t]\([\w .,/-]{{1,24}}\)[*_`]{{0,3}})?"
    rf"(?:(?P<field>{FIELDS}{VALUE})|(?P<inner>[ \t]{{0,3}}(?:[:=]|=>)[ \t]?\{{{GAP}{OTHERS}{VALUE_OR_DEFAULT})"
    r"|(?P<default>[ \t]\{[^{}]{0,400}?(?<=[\s{])default[ \t]{0,16}=[ \t]{0,8})"
    r"|(?P<nested>:[ \t]{0,4}\r?\n(?:[ \t]{1,32}[\w-]{1,32}:[ \t]{0,3}[^\n]{0,80}\n){0,4}?[ \t]{1,32}(?:value|default):[ \t]{1,3})"
    r"|(?P<call>\([ \t]{0,2}|,[ \t]{0,3}|[ \t]value=)(?=\\{0,3}[\"'])"
    r"|(?P<tag>>|</key>\s{0,64}<string>)(?=[^\s<>]{4,1024}</)"
    r"|(?P<gap>[ \t]{2,40}|\t)(?=[^\s|=:])|(?P<ends>[,;]|[ \t]{0,80}\|(?=[ \t]{0,8}\r?\n))"
    r"|(?P<link>[ \t]{1,40}\|(?=[ \t])|[ \t]{0,3}(?:=>|->|[:=]|：|→|—|–|-(?=[ \t]))[*_]{0,3}|(?=[ \t]{0,4}\r?\n))[ \t]{0,40})"
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
_OPENERS = b"bBrRuUfF\"'|>\r\n[("
_CELL = rb"[`*_]{0,4}(?P<value>[^\s|`][^\s|]{0,511}?)[`*_]{0,4}[ \t]{0,80}(?:\||[ \t]*(?:\r?\n|\Z))"
_LAST_CELL = rb"[`*_]{0,4}[ \t]{0,80}\|[ \t]{0,8}(?:\r?\n|\\n|\Z)"
_HEAD = rb"[^\n]{0,400}\n[ \t>]{0,8}\|?[ \t]{0,8}:?-{2,}"
_VALUE = (
    rb"(?P<q>\\{0,3}[\"'`])(?P<quoted>(?:(?!(?P=q))[^\n]){4,4096}+)(?P=q)"
    rb"|(?P<bare>[^\s\"'`{}<>,\[\]$&*|][^\s\"'`{}<>]{3,4095}+)"
)
_ARGUMENT = rb"(?:[\"'](?=\\{1,3}[\"']))?(?P<q>\\{0,3}[\"'])(?P<bare>(?!))?(?P<quoted>[^\s\"'`\\]{4,4096}+)(?P=q)(?!\s{0,2}:)"
_WHOLE = (
    rb"(?:(?P<q>\\{0,3}[\"'])(?P<quoted>(?:(?!(?P=q))[^\n]){4,4096}+)(?P=q)|(?P<bare>[^\s\"'`{}<>\[\]|,;](?:[^\s\"'`,;\\]|[,;](?![\s\"']|\Z)|\\(?![nr])){3,4095}+))"
    rb"[\"']?(?P<ends>[,;]?)[ \t]{0,8}(?:[\r\n}]|\\[rn]|\Z|[ \t]\#)"
)


def values(found: re.Match[bytes]) -> Iterator[Span]:
    """The values that belong to a name, if they are secrets."""
    name = _name(found)
    beside = ((name, *candidate) for candidate in _beside(found, name))
    for of, begin, end, form in (*_columns(found), *beside):
        if is_secret(of, found.string[begin:end].decode("utf-8", "replace"), form):
            yield begin, end


_LOOSE_END = rf"(?i)(?<!{')(?<!'.join(name[:-3] for name in KEYS if name.endswith('key'))})(?:auth|seed|key)\Z".encode()
_BY_FORM = {CALL: checks.mixed, LISTED: checks.opaque, MARKUP: made_up}


def is_secret(name: bytes, value: str, form: str) -> bool:
    """The judge of all pairs."""
    if len(value) < _SHORTEST_PASSWORD:
        return False
    of_password = compiled(_OF_PASSWORD).search(name) is not None
    if len(value) < _SHORTEST_LABELLED and not (of_password and form in (SETTING, TAG, LISTED)):
        return False
    if name.lower().endswith(re.sub(r"[^a-z0-9]", "_", value.lower()).encode()):
        return False
    if form in (LABEL, WORDS):
        return _is_labelled(value, of_password, form == LABEL)
    if form in _BY_FORM:
        if form == LISTED and name.isupper() and b"_" in name:  # a constant that is defined
            return (checks.password if of_password else spoken)(value)
        return _BY_FORM[form](value)
    is_loose = not of_password and compiled(_LOOSE_END).search(name) is not None
    if form == TAG:
        return (chosen if is_loose else checks.plain)(value)
    if of_password:
        is_given = form == SETTING and checks.password(value) and " " not in value
        return is_given or spoken(value)
    if " " in value or len(value) < _SHORTEST:
        return False
    if _is_whole(name) and (form == SETTING or _in_capitals(name)):
        return spoken(value) and (not is_loose or value.islower() or not readable(value))
    return chosen(value) if _is_whole(name) else drawn_key(value)


def _is_whole(name: bytes) -> bool:
    """True for the name of a setting: of several parts, or in capitals; one word may be a heading."""
    return (name.isupper() and name != b"PASS") or re.search(rb"[a-z][A-Z]|\w[_.-]\w", name) is not None


def _in_capitals(name: bytes) -> bool:
    return name.rpartition(b".")[2].isupper()


def _is_labelled(value: str, of_password: bool, is_sole: bool) -> bool:
    if " " in value:
        return of_password and is_sole and spoken(value)
    if not of_password or not is_sole or (value.isalpha() and value[0].isupper() and readable(value)):
        return chosen(value) or (of_password and value.isdigit() and checks.numeric(value))
    return spoken(value) or (value.isdigit() and checks.numeric(value))


def _name(found: re.Match[bytes]) -> bytes:
    """The whole name, of which a rule knows the end."""
    end = found.start("close")
    before = found.string[max(0, end - _BEFORE) : end]
    return before[len(before.rstrip(OF_NAMES)) :]


def _beside(found: re.Match[bytes], name: bytes) -> Iterator[Candidate]:
    """Where the values of a name stand, and what the layout proves."""
    data, at = found.string, found.end()
    if found["link"] is None:
        if found["gap"] is not None:
            if margin_before(data, found.start("close") - len(name)) is not None:
                yield from _at(compiled(_WHOLE).match(data, at), ROW)
        elif found["tag"]:
            end = data.find(b"</", at)
            yield at, end, MARKUP if found["close"] else TAG
        elif found["call"]:
            yield from _at(compiled(_ARGUMENT).match(data, at), CALL if found["call"][:1] != b"," else LISTED)
        elif found["ends"] is None and (found["default"] is None or found["close"].endswith(b'"')):
            yield from _at(compiled(_VALUE).match(data, at), SETTING)
        return
    link = found["link"].strip(b" \t*_")
    if link not in (b"=", b":"):
        yield from _labelled(found, name, link)
        return
    if data[at : at + 1] in _OPENERS:
        if opened := compiled(_STRING).match(data, at):
            end = data.find(opened["q"], opened.end(), opened.end() + _MOST_LINES * _LONGEST_LINE)
            return (yield from _lines(data, opened.end(), end))
        if link == b":" and (opened := compiled(_BLOCK).match(data, at)):
            return (yield from _lines(data, opened.start("margin"), len(data), opened["margin"]))
        if opened := compiled(_LIST).match(data, at):
            return (yield from ((*span, WORDS) for span in items(opened)))
    yield from _set(found, name)
    yield from _labelled(found, name, link)


def _columns(found: re.Match[bytes]) -> Iterator[Pair]:
    """The cells below every column that is named like a secret, as long as rows with as many cells follow."""
    if found["inner"] or found["nested"] or (found["link"] or b"").strip(b" \t|"):
        return
    data, at = found.string, found.start("close")
    start = data.rfind(b"\n", max(0, at - _LONGEST_LINE), at) + 1
    end = _end_of_line(data, at)
    head = data[start:end]
    if data[end : end + 1] != b"\n" or head.translate(None, _OF_HEADINGS):
        return
    for mark in map(compiled, _SEPARATORS):
        names = mark.split(head.strip(b" \r") if mark.pattern == _SEPARATORS[-1] else head)
        if len(names) > 1:
            break
    if not 1 < len(names) <= _MOST_COLUMNS or not all(map(compiled(_HEADING).fullmatch, names)):
        return
    names = [name.strip(_AROUND) for name in names]
    which = [number for number, name in enumerate(names) if _names_secret(name)]
    for _ in range(_MOST_ROWS if which and sum(map(bool, names)) > 1 else 0):
        start, end = end + 1, _end_of_line(data, end + 1)
        row = data[start:end]
        if compiled(_RULED).match(row) and row.strip():
            continue
        cells = _cells(mark, row)
        if start >= len(data) or len(cells) != len(names):
            return
        yield from ((names[n], start + cells[n][0], start + cells[n][1], ROW) for n in which)


def _names_secret(name: bytes) -> bool:
    whole = name.lower().decode("utf-8", "replace")
    forms = (whole, re.sub(rf"{TAIL}\Z", "", whole))
    return " " not in whole and any(n.endswith(_COLUMNS) and not n.endswith(_NO_COLUMNS) for n in forms)


def _cells(mark: re.Pattern[bytes], row: bytes) -> list[Span]:
    """Where the cells of a row stand, without what is around them."""
    ends = [(seen.start(), seen.end()) for seen in mark.finditer(row.rstrip(b" \r"))]
    if ends and mark.pattern == _SEPARATORS[-1] and not ends[0][0]:
        ends = ends[1:]
    begins = [0, *(end for _, end in ends)]
    spans = zip(begins, [*(start for start, _ in ends), len(row)], strict=True)
    return [
        (end - len(row[begin:end].lstrip(_AROUND)), begin + len(row[begin:end].rstrip(_AROUND)))
        for begin, end in spans
    ]


def _end_of_line(data: bytes, at: int) -> int:
    end = data.find(b"\n", at, at + _LONGEST_LINE)
    return end if end >= 0 else min(len(data), at + _LONGEST_LINE)


def _at(seen: re.Match[bytes] | None, form: str) -> Iterator[Candidate]:
    if seen is not None:
        begin, end = seen.span("bare" if seen["bare"] else "quoted")
        mark = compiled(WIDE_MARKS).search(seen.string, begin, end) if seen["bare"] else None
        yield begin, mark.start() if mark else end, form


def _set(found: re.Match[bytes], name: bytes) -> Iterator[Candidate]:
    """The value that a line of settings gives, if it holds nothing else."""
    data, at, start = found.string, found.end(), found.start("close") - len(name)
    margin = margin_before(data, start)
    if margin is None or name.lower() == b"pass":
        return
    seen = compiled(_WHOLE).match(data, at)
    if seen is None or (seen["bare"] and seen["ends"] == b";"):
        return
    if found["close"] and seen["quoted"]:  # JSON
        yield from _at(seen, SETTING if found["link"].strip() == b":" else ROW)
        return
    is_exported = margin.split()[-1:] in ([b"export"], [b"ENV"])
    is_set = _in_capitals(name) and among_settings(data, start, seen.start("ends"))
    if is_exported or is_set or in_section(data, start):
        yield from _at(seen, SETTING if is_exported or data[at - 1 : at] == b"=" else ROW)


def _labelled(found: re.Match[bytes], name: bytes, link: bytes) -> Iterator[Candidate]:
    data, at, end = found.string, found.end(), found.start("close")
    marks = found["close"] + found["link"]
    may_be_marked = b"#" in data[max(0, end - _BEFORE) : end] or marks.translate(None, b"*_`") != marks
    if not may_be_marked and link not in (b":", b"|"):
        return
    opened = compiled(_BELOW).match(data, at)
    beside = None if opened else compiled(_CELL if link == b"|" else _BESIDE).match(data, at)
    if not (beside or (opened and link in (b"", b":"))) or not (label := _label(data, end)):
        return
    is_marked = b"#" in (label["margin"] or b"") or (label["open"] and label["open"][-1:] in marks)
    if opened:
        if label["line"] == b"\n" and (link or is_marked):
            yield from _below(data, opened)
    elif (cell := beside) and link == b"|":
        if label["line"] == b"|" and not compiled(_HEAD).match(data, at):
            begin, end = cell.span("value")
            is_last = compiled(_LAST_CELL).match(data, end)
            if _is_whole(name) and (is_last or b"-" not in name):
                yield begin, end, ROW
            # Reports have a cell for the verdict, and wide tables one for a kind.
            elif (is_last and name != b"PASS") or drawn_key(data[begin:end].decode("utf-8", "replace")):
                yield begin, end, WORDS
    elif value := beside:
        begin, end = value.span("bare" if value["bare"] else "quoted")
        if is_marked or (link == b":" and label["line"] and (value["open"] or value["bold"].strip(b"\"'"))):
            yield begin, end, LABEL


def _label(data: bytes, end: int) -> re.Match[bytes] | None:
    """The label that ends at a place: words behind a mark, or behind the beginning of a line or a cell."""
    start = max(0, end - _BEFORE)
    return compiled(_LABEL).search(data[start:end] if start else b"\n" + data[:end])


def _below(data: bytes, opened: re.Match[bytes]) -> Iterator[Candidate]:
    """What stands alone on the line below, or in the lines of a fence."""
    if opened["fence"]:
        end = data.find(opened["fence"].strip()[:3], opened.end(), opened.end() + _MOST_LINES * _LONGEST_LINE)
        yield from _lines(data, opened.end(), end)
    elif line := compiled(_LINE).match(data, opened.end()):
        yield *line.span("bare"), WORDS


def _lines(data: bytes, at: int, end: int, margin: bytes = b"") -> Iterator[Candidate]:
    """The words of a block that has one on each line; none of any other block."""
    spans: list[tuple[int, int, str]] = []
    while at < end and len(spans) < _MOST_LINES and data.startswith(margin, at):
        line = compiled(_LINE).match(data, at, end)
        if line is None:
            if data[at:end].strip():
                return
            break
        spans.append((*line.span("bare"), LABEL))
        at = line.end()
    yield from spans


_LOOSE = ("auth", "seed", "pass", "key")
_COLUMNS = (*PASSWORDS, *SECRETS, *(f"{joint}{name}" for name in _LOOSE for joint in "_-."), "pass", "pw")
_NO_COLUMNS = (*OPENS_NOTHING, *OTHER_KEY_NAMES)
_LOOSE_ENDS = (
    *["*", "__", "_:", "`", '"', "'", '\\"', ":", "=", ">", "</key>"],
    " =",
    " |",
    "\n",
    "\r\n",
    "  ",
    "\t",
)
_ENDS_NAME = (
    "".join(
        f"(?<!{other}[_-])"
        for other in ["next", "page", "public", "cache", "primary", "foreign", "sort", "partition", "object"]
    )
    + f"(?i:{'|'.join(map(re.escape, (*PASSWORDS, *SECRETS, '_auth', '_key', '_seed')))})"
)


def _value_first(found: re.Match[bytes]) -> Iterator[Span]:
    is_verdict = found["name"].strip(b"\"'").lower() == b"pass"
    if not is_verdict and is_secret(found["name"], found["secret"].decode("utf-8", "replace"), SETTING):
        yield found.span("secret")


PAIRS: tuple[Rule, ...] = (
    Rule(
        "assignment",
        PASSWORDS,
        _FORM,
        ("**Password** — ", "kitchenradio", "\n"),
        "**Password**: required\n| password | VARCHAR |\n### Password\n\nkitchenradio\npassword: |\n  the words of the day\n",
        after=True,
        within=values,
    ),
    Rule(
        "assignment",
        SECRETS,
        # Sessions are full of counts of tokens.
        rf"(?!s\\{{0,3}}\":[ \t]?[0-9]{{1,9}}[,}}]){_FORM}",
        ("### API token\n\n```\n", "qzkfwmra", "\n```\n"),
        'TOKEN = """\nof the session\n"""\ntokens: [identifier2]\n| Token | Meaning |\n|---|---|\n| Token | lexeme |\n**Token** — kitchenradio\n',
        after=True,
        spares=OPENS_NOTHING,
        within=values,
    ),
    Rule(
        "assignment",
        (*ending(_LOOSE, *_LOOSE_ENDS), *ending(tuple(f"_{name}" for name in _LOOSE), ",", ";")),
        rf"(?:{LOOSE_NAME}|(?<![\w.-])PASS|_(?i:auth|seed|key|pass)(?=[,;])){_FORM}",
        ('TOTP_SEED = """\n', "qzkfwmra", '\n"""\n'),
        "| PASS | qzkfwmra |\n**AUTH**: enabled\n| CACHE_KEY | zq81hdkw93hfLm20 |",
        spares=ending(OTHER_KEY_NAMES, *_LOOSE_ENDS),
        within=values,
    ),
    Rule(
        "assignment",
        ('value":', 'value\\":', "value':", "value:", "value ="),
        rf"[ \t]{{0,3}}(?P<q>\\{{0,3}}[\"'])?(?P<secret>[^\s\"'`{{<$]{{4,4096}}+)(?(q)(?P=q)){FIELDS}(?:{MARK})?"
        rf"[A-Za-z_]\w{{0,40}}(?:{MARK})?{IS}(?:{MARK})?(?P<name>[\w./-]{{0,80}}{_ENDS_NAME}{TAIL})(?:{MARK}|[ \t]{{0,8}}(?:\r?\n|\Z))",
        ('{"value": "', "letmein", '", "type": "PLAINTEXT", "name": "DB_PASSWORD"}'),
        '{"value": "red", "name": "color"}, {"value": "Password", "name": "password"}, {"value": "letmein2", "name": "hint"}, {"old_value": "pending", "new_value": "pass"}',
        after=True,
        within=_value_first,
    ),
)
