"""Where the password ends in an address: `scheme://user:PASSWORD@host`, whatever characters it has.

An address ends at a blank, a quote or a slash, and so may a password hold one. So every `@` with a host behind it, on the
same line and inside what encloses the address, may end the password, and the last one that can does. What stands before it
is none where it reads as something else: a port with its path, prose, or what is filled in later.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from segue.model.patterns import compiled
from segue.redaction import checks
from segue.redaction.rule import Span
from segue.redaction.spelling import speakable, unspeakable

_REACH = 256
"""Bytes before the address, and from the first character that may end it to the host."""
_MOST_HOSTS, _MOST_PIECES, _MOST_FOLDERS = 8, 4, 3
PATTERN = r"://(?!\[)[^\s/:@\"'`<>?#\\]{0,128}+:(?=[^\s/\"'`<>\\@]{0,4096}+[^\n@]{0,256}@)"
_MARK = r"[\s/\"'`<>\\]"
_PLAIN = r"[^\s/\"'`<>\\@]{0,4096}+"
_HOST = r"@(?!sha\d{3}:)(?=[\w\[$.{-])"
_HOST_AND_END = r"@[A-Za-z0-9_\[][\w.:\]-]{0,128}(?:[/?#\s\"'`),;\\<>}]|\Z)"
_SCHEME = rb"[A-Za-z][A-Za-z0-9+.-]{0,31}\Z"
_CLOSERS = {b"(": rb"\)", b"[": rb"\]", b"<": b">", b"{": b"}", b">": b"(?=</)"}
_QUOTES = (b'"', b"'", b"`")
_CLOSED = rb"(?=[\s,:;.()\[\]{}<>+|]|\\[nrt]|\Z)"
_END = r"[\s/\"'`<>\\?#]"
_PORT = rf"(?!0)\d{{2,5}}(?={_END})"
_BLANKS = r"(?:\s|\\[nrt])+"
_JOINTS = r"(?:\\[nrt](?=[a-z])|[\s/@._+\"'`<>(){}\[\],:;=&?#\\-]|!(?=\s))+"
_WORD = r"[A-Z]?[a-z]+\d{0,4}|[A-Z]?[a-z]{2,}(?:[A-Z][a-z]{2,})*\d{0,4}|[A-Z]{2,}|v?\d{1,5}|[A-Za-z]"
_LIKELY = -2
"""What the letters of a word sum up to at least."""
_FORM = (
    r"\$\{[^{}]*\}|\{\{[^{}]*\}\}|[$#]?\{[A-Za-z_][\w.]*(?:\([^()]*\))?(?:[!:][^{}]*)?\}|\{\d?\}|<[A-Za-z][\w -]*>"
    r"|\$\([^()]*\)|%\(\w+\)s|%[sdrv]|%[A-Z_]+%|(?<![A-Za-z0-9])\$[A-Za-z_]\w*|`[^`]*`"
)
"""What is filled in later: the whole of such a form, for its first characters alone may be a password's."""
_WORDS = r"(?:[A-Z]?[a-z]+|[A-Z]+|\d{1,3})?"
_AROUND_FORMS = rf"{_WORDS}(?:[-_.:/+]+{_WORDS})*"
_SHORTEST_DRAWN = 6
_FILLING = frozenset("xX*.0-_#•/")


def passwords(found: re.Match[bytes]) -> Iterator[Span]:
    """The password of the address that a match of `PATTERN` begins, if it has one."""
    data, begin = found.string, found.end()
    run = compiled(_PLAIN.encode()).match(data, begin)
    first = run.end() if run else begin
    most = min(len(data), first + 2 * _REACH)
    line = data.find(b"\n", begin, most)
    end = _enclosed(data, found.start(), begin, line if line >= 0 else most)
    best = None
    for number, at in enumerate(compiled(_HOST.encode()).finditer(data, begin, end)):
        if number == _MOST_HOSTS or at.start() > first + _REACH:
            break
        value = _text(data, begin, at.start())
        if compiled(_MARK).search(value) and not compiled(_HOST_AND_END.encode()).match(data, at.start()):
            continue
        if best is not None and not _goes_on(_text(data, best + 1, at.start())):
            break
        if is_password(value):
            best = at.start()
    if best is not None:
        yield begin, best


def is_password(value: str) -> bool:
    """Between `user:` and `@host` anything is a password but a blank, a variable, a port and its path, or prose."""
    if value.lower() in ("", "pass", "password", "passwd", "pwd", "pw") or _FILLING.issuperset(value):
        return False
    if checks.blank(value) or _filled_in(value):
        return False
    if port := compiled(_PORT).match(value):
        return value.count("/") <= _MOST_FOLDERS and _drawn(value[port.end() :])
    pieces = compiled(_BLANKS).split(value)
    return len(pieces) == 1 or (not value[0].isspace() and len(pieces) <= _MOST_PIECES and _drawn(value))


def _filled_in(value: str) -> bool:
    """Nothing but variables, with words and joints around them."""
    rest = compiled(_FORM).sub(lambda form: form[0] if _is_drawn_name(form[0]) else "", value)
    return rest != value and compiled(_AROUND_FORMS).fullmatch(rest) is not None


def _is_drawn_name(form: str) -> bool:
    """Whether what looks like a variable is part of a password."""
    name = form.strip("$#{}<>%")
    return (
        len(name) >= _SHORTEST_DRAWN
        and name.isalnum()
        and not form.startswith("${")
        and checks.scrambled(name)
    )


def _drawn(value: str) -> bool:
    """Whether anything between its joints is no word, name or number, and nothing is said."""
    parts = [part for part in compiled(_JOINTS).split(value) if part]
    return checks.several_words(" ".join(part for part in parts if len(part) > 2)) and not all(
        map(_is_word, parts)
    )


def _is_word(part: str) -> bool:
    letters = part.rstrip("0123456789")
    return compiled(_WORD).fullmatch(part) is not None and (
        len(letters) < 4 or (speakable(letters.removeprefix("v"), _LIKELY) and not unspeakable(part))
    )


def _goes_on(text: str) -> bool:
    """Whether what stands between two possible ends of a password is part of it, and no host with its path."""
    return compiled(_END).search(text) is None or ("." not in text and _drawn(text))


def _enclosed(data: bytes, mark: int, begin: int, end: int) -> int:
    """Where that ends which the address stands in (quotes, brackets, an element), or another address begins."""
    line = data[max(0, mark - _REACH) : mark].rpartition(b"\n")[2]
    before = compiled(_SCHEME).sub(b"", line)
    closers = [closer for opener, closer in _CLOSERS.items() if before.endswith(opener)]
    for quote in _QUOTES:
        if before.endswith(quote) or before.count(quote) % 2:
            escape = rb"\\" if before.endswith(b"\\" + quote) else b""
            closers.append(rb"(?<!\\)" + escape + quote)
    if (following := data.find(b"://", begin, end)) >= 0:
        end = begin + len(compiled(_SCHEME).sub(b"", data[begin:following]))
    stops = (compiled(closer + _CLOSED).search(data, begin, end) for closer in closers)
    return min((stop.start() for stop in stops if stop), default=end)


def _text(data: bytes, begin: int, end: int) -> str:
    return data[begin:end].decode("utf-8", "replace")
