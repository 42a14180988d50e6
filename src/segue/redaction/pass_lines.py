"""Passwords behind `PASS:`, which reports of tests write before the names of tests.

The lines next to it tell which of the two it is. The more they say, the less the value must look like a secret:

| next to it | what goes |
|---|---|
| who logs in (`USER: bob`), directly or before it on the same line | whatever is no label, blank or name of a test |
| another verdict (`FAIL: …`, a second `PASS: …`, `ok 3`), a duration | nothing |
| who logs in, one line further | as in the first row |
| another setting (`HOST: db`), or `=` or quotes instead of a verdict's colon | what nobody writes by chance |
| nothing | what was drawn at random |

Lines are looked at up to the next empty one, two on each side. Behind a small `pass` that code may hold (`user: smtpUser,
pass: smtpPass`), letters alone are a name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from segue.redaction import checks
from segue.redaction.assignments import ending
from segue.redaction.random_values import chosen, drawn_key, nameless
from segue.redaction.rule import Rule, Span

_NEAR = 200
"""Bytes on each side in which the lines next to it stand."""
_LINES = 2
_LINE_END = re.compile(rb"\r?\n|\\r\\n|\\n")
_MARGIN = r"(?!\s*(?:--|==))[\s>#+*|-]{0,16}(?:\d{1,6}[:\t|][ \t]?)?(?:(?:export|set|ENV)[ ])?"
"""Indentation, a list's dash, a quotation's or a difference's mark, the number of a line, a shell's word."""
_ONLY_MARGIN = re.compile(rf"{_MARGIN}\Z".encode())
_ENDS_LINE = re.compile(rb"[ \t]{0,8}(?:\\[rn]|[\r\n]|\Z|(?<=[ \t])#)")
_SETTING = (
    rf"{_MARGIN}[\"']?(?P<name>[A-Za-z_][\w.-]{{0,40}})[\"']?[ \t]{{0,3}}[:=][ \t]{{0,8}}"
    r"(?P<value>\"[^\"]{1,80}\"|'[^']{1,80}'|[^\s,]{1,80})?(?P<more>[ \t]{0,8}[^\s#])?".encode()
)
_LOGINS = b"user username usr login account acct email mail"
_LOGIN = rb"(?i)(?:^|.*[_.-]|db|smtp|my|pg)(?:" + b"|".join(_LOGINS.split()) + rb")\Z"
_LOGIN_BEFORE = re.compile(
    rb"(?i)(?:^|[\s,;])(?:[\w.-]{0,24}[_.-])?(?:"
    + b"|".join(_LOGINS.split())
    + rb")[ \t]{0,3}[:=][ \t]{0,3}[\"']?[^\s,;\"']{1,64}[\"']?[ \t]{0,3}[ \t,;/|][ \t]{0,3}\Z"
)
_OF_REPORTS = frozenset(
    b"""pass passed passes fail failed fails failure failures xfail xpass skip skipped skips error errors unresolved
    untested unsupported ok total summary result results verdict status test tests testing suite case spec check step
    stage run running file time duration elapsed expected actual got info debug warn warning note trace""".split()
)
"""Names that lines of a report begin with."""
_REPORT = re.compile(
    rb"[ \t]{0,8}(?:--- |=== |(?:not )?ok\b|\xe2\x9c[\x93-\x98])"
    rb"|.*(?:[(\[]\d[\d.]{0,8}[ \t]?m?s(?:ec[a-z]*)?[)\]]|\b\d+ (?:passed|failed|skipped|tests?)\b)"
)
_NAME_OF_TEST = r"(?:.*[_./:-])?(?i:tests?|specs?)(?:[_./:-].*)?$|Test[A-Z]|.*::|.*\.(?:[cm]?[jt]sx?|py|sh|go|rs|rb|c|cc|cpp|java|t)$"


def no_test_name(value: str) -> bool:
    """Looks like a password, and not like the name of a test."""
    return checks.password(value) and re.match(_NAME_OF_TEST, value) is None


def setting(found: re.Match[bytes]) -> Iterator[Span]:
    """The value, if its own look and the lines next to it say that it is set, not reported."""
    value = found["secret"].decode("utf-8", "replace")
    if _is_set(value, found):
        yield found.span("secret")


def _is_set(value: str, found: re.Match[bytes]) -> bool:
    data, start, end = found.string, found.start(), found.end()
    above = _LINE_END.split(data[max(0, start - _NEAR) : start])
    before = above.pop()
    in_code = found["name"] != b"PASS" and not found["q"]
    if _LOGIN_BEFORE.search(before):
        return checks.unquoted(value) or not in_code
    if not (_ONLY_MARGIN.match(before) and _ENDS_LINE.match(data, end)):
        told = chosen if found["name"] == b"PASS" and found["set"] == b"=" else drawn_key
        return not _REPORT.match(before) and told(value)
    below = _LINE_END.split(data[end : end + _NEAR])[1:]
    lines = [_block(above[::-1]), _block(below)]
    nearest = [side[0] for side in lines if side]
    around = [line for side in lines for line in side]
    if any(map(_is_report, around)) and not any(map(_is_login, nearest)):
        return False
    if any(map(_is_login, around)):
        return checks.unquoted(value) or not (in_code and found["set"] == b" =")
    plainly_set = found["q"] or found["set"].endswith(b"=")
    if plainly_set or any(map(_is_setting, nearest)):
        return nameless(value) or chosen(value)
    return drawn_key(value)


def _block(lines: list[bytes]) -> list[bytes]:
    """The first lines, up to an empty one."""
    near = lines[:_LINES]
    return next((near[:at] for at, line in enumerate(near) if not line.strip()), near)


def _is_setting(line: bytes) -> bool:
    seen = re.match(_SETTING, line)
    return seen is not None and seen["value"] is not None and seen["more"] is None


def _is_login(line: bytes) -> bool:
    seen = re.match(_SETTING, line)
    if seen is None or seen["value"] is None or seen["more"] is not None:
        return False
    return re.match(_LOGIN, seen["name"]) is not None and not seen["value"].isdigit()


def _is_report(line: bytes) -> bool:
    seen = re.match(_SETTING, line)
    return (seen is not None and seen["name"].lower() in _OF_REPORTS) or _REPORT.match(line) is not None


PASS_LINES: tuple[Rule, ...] = (
    Rule(
        "assignment",
        ending(("pass",), ":", "=", " :", " ="),
        r"(?:(?<![\w.$-])|(?<=\\[nrt]))(?P<name>PASS|[Pp]ass)(?P<set>[ \t]?[:=])(?![:=])[ \t]{0,8}(?P<q>[\"']?)"
        r"(?P<secret>(?:[^\s\"'`,;\\]|[,;](?!\s|\w+[:=]|\Z)|\\(?![nrt\"'])){4,512}+)(?P=q)",
        ("USER: bob\nPASS: ", "hunter2xyz", "\nHOST: db\n"),
        "PASS: test_login (0.3 s)\nFAIL: test_x\nPASS: hunter2xyz\n",
        no_test_name,
        within=setting,
    ),
)
