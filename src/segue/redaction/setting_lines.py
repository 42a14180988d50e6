"""Settings whose names end in a word of many meanings (`STRIPE_KEY`, `redis.auth`, `PASS`): whether a line sets a secret or says
something else, `AUTH=…` against `AUTH: enabled`, `PASS: …` before the name of a test.

Behind names of many meanings the same judge decides in every form. A name in capitals that is given a value as settings are
(quotes, `=` without blanks, `:` and nothing behind the value) is a setting's: there goes whatever is no word of reports and
switches, no number and no notation, also what can be spoken. Elsewhere code may stand, and only what cannot be read goes.
Of a `KEY`, which has the most meanings, that is so everywhere.

`PASS` is also a verdict. The lines next to it tell which of the two it is; the more they say, the less the value must
look like a secret:

| next to it | what goes |
|---|---|
| who logs in (`USER: bob`), directly or before it on the same line | whatever is no label, blank or name of a test |
| another verdict (`FAIL: …`, a second `PASS: …`, `ok 3`), a duration | nothing |
| who logs in, one line further | as in the first row |
| another setting (`HOST: db`), or `=` or quotes instead of a verdict's colon | as behind any other setting's name |
| nothing | what was drawn at random |

Lines are looked at up to the next empty one, two on each side. Behind a small `pass` that code may hold (`user: smtpUser,
pass: smtpPass`), letters alone are a name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from segue.model.patterns import compiled
from segue.redaction import checks
from segue.redaction.assignments import (
    BARELY_SET,
    CLOSE,
    CLOSED,
    DRAWN,
    ENDS,
    INSIDE_QUOTES,
    NO_VALUE,
    OUTSIDE_QUOTES,
    QUOTE,
    QUOTED,
    SET,
    ending,
)
from segue.redaction.random_values import chosen, drawn_key, nameless, spoken
from segue.redaction.rule import Rule, Span

_NEAR = 200
"""Bytes on each side in which the lines next to it stand."""
_LINES = 2
_LONGEST_NAME = 64
_SECTION = 600
_SECTION_HEAD = (
    rb"[ \t]*(?:\[[\w.: /-]+\]|[\w.-]+[ \t]=[ \t](?:[\w.-]*[./:-])+[\w.-]*|(?!self|this)[\w-]+(?:\.[\w-]+)+=(?:\d+|true|false|\S*[:/]\S*)"
    rb"|(?:env|environment|stringData|data|vars|variables|secrets):)[ \t]*\r?\Z"
)
OF_NAMES = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-"
_QUOTES = (b'"', b"'", b"`", b">")
_LINE_END = compiled(rb"\r?\n|\\r\\n|\\n")
_MARGIN = r"(?!\s*(?:--|==))[\s>#+*|-]{0,16}(?:\d{1,6}[:\t|][ \t]?)?(?:(?:export|set|ENV)[ ])?[\"'`]?"
"""Indentation, a list's dash, a quotation's or a difference's mark, the number of a line, a shell's word."""
_ONLY_MARGIN = compiled(rf"{_MARGIN}\Z".encode())
_ENVIRONMENT = compiled(rb".*\b(?:export|env|ENV|setenv|set)[ \t]+\w*\Z|[ \t]*-[ \t]+\w*\Z")
_ENDS_LINE = compiled(rb"[ \t]{0,8}(?:\\[rn]|[\r\n]|\Z|(?<=[ \t])#)")
_SETTING = (
    rf"{_MARGIN}[\"']?(?P<name>[A-Za-z_][\w.-]{{0,40}})[\"']?[ \t]{{0,3}}[:=][ \t]{{0,8}}"
    r"(?P<value>\"[^\"]{1,80}\"|'[^']{1,80}'|[^\s,]{1,80})?(?P<more>[ \t]{0,8}[^\s#])?".encode()
)
_LOGINS = b"user username usr login account acct email mail"
_LOGIN = rb"(?i)(?:^|.*[_.-]|db|smtp|my|pg)(?:" + b"|".join(_LOGINS.split()) + rb")\Z"
_LOGIN_BEFORE = compiled(
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
_REPORT = compiled(
    rb"[ \t]{0,8}(?:--- |=== |(?:not )?ok\b|\xe2\x9c[\x93-\x98])"
    rb"|.*(?:[(\[]\d[\d.]{0,8}[ \t]?m?s(?:ec[a-z]*)?[)\]]|\b\d+ (?:passed|failed|skipped|tests?)\b)"
)
_NAME_OF_TEST = r"(?:.*[_./:-])?(?i:tests?|specs?)(?:[_./:-].*)?$|Test[A-Z]|.*::|.*\.(?:[cm]?[jt]sx?|py|sh|go|rs|rb|c|cc|cpp|java|t)$"


def setting(found: re.Match[bytes]) -> Iterator[Span]:
    """The value, if name, form and the lines next to it say that it is a secret that is set."""
    data, start, end = found.string, found.start(), found.end()
    before, joint = data[max(0, start - _LONGEST_NAME) : start], data[start : found.start("secret")]
    if before.rstrip(OF_NAMES).endswith(b"\\"):  # a line end that is written out
        before = before[len(before.rstrip(OF_NAMES)) + 1 :]
    name = before[len(before.rstrip(OF_NAMES)) :] + joint[: len(joint) - len(joint.lstrip(OF_NAMES))]
    begin, stop = found.span("secret")
    if joint.endswith(b"="):  # of a shell: what follows a blank is the command
        stop = begin + len(found["secret"].split()[0])
    value = data[begin:stop].decode("utf-8", "replace")
    of_key = name.lower().endswith(b"key") and not name.lower().endswith(b"privkey")
    if name.lower().endswith(re.sub(rb"[^a-z0-9]", b"_", data[begin:stop].lower())):
        return
    if "set" in found.re.groupindex:  # `PASS` without quotes
        is_secret = _is_set_pass(value, found, name != b"PASS" and not joint.endswith(_QUOTES))
    elif of_key:
        is_secret = " " not in value and (drawn_key(value) or (name.isupper() and chosen(value)))
    else:
        is_secret = (" " not in value and chosen(value)) or (
            _is_set(name, joint, data, end)
            and (name.endswith(b"PASS") or among_settings(data, start, end))
            and spoken(value)
        )
    if is_secret:
        yield begin, stop


def _is_set(name: bytes, joint: bytes, data: bytes, end: int) -> bool:
    """True where a value is given as settings are, given its name, what stands before it and where it ends."""
    if not name.isupper():
        return False
    if joint.endswith(_QUOTES):
        return True
    if b"=" in joint:
        return re.search(rb"\s=", joint) is None
    return _ENDS_LINE.match(data, end) is not None


def among_settings(data: bytes, start: int, end: int) -> bool:
    """True where a shell's word or a line next to it says that it is one of several settings."""
    above = _LINE_END.split(data[max(0, start - _NEAR) : start])
    below = _LINE_END.split(data[end : end + _NEAR])
    if _ENVIRONMENT.match(above[-1]):
        return True
    return any(map(_is_setting_in_capitals, (*_block(above[-2::-1])[:1], *_block(below[1:])[:1])))


def margin_before(data: bytes, start: int) -> bytes | None:
    """What stands before a name on its line, if a setting may begin behind it."""
    low = max(0, start - _NEAR)
    written_out = data.rfind(b"\\n", low, start)
    before = data[
        max(low, data.rfind(b"\n", low, start) + 1, written_out + 2 if written_out >= 0 else 0) : start
    ]
    return before if _ONLY_MARGIN.match(before) else None


def in_section(data: bytes, start: int) -> bool:
    """True below the head of a section, or beside a line that gives a bare value that no code could."""
    lines = _LINE_END.split(data[max(0, start - _SECTION) : start])[-2::-1]
    return any(compiled(_SECTION_HEAD).match(line) for line in lines)


def _is_set_pass(value: str, found: re.Match[bytes], in_code: bool) -> bool:
    if not checks.password(value) or compiled(_NAME_OF_TEST).match(value):
        return False
    data, start, end = found.string, found.start(), found.end()
    above = _LINE_END.split(data[max(0, start - _NEAR) : start])
    before = above.pop()
    if _LOGIN_BEFORE.search(before):
        return checks.unquoted(value) or not in_code
    if not (_ONLY_MARGIN.match(before) and _ENDS_LINE.match(data, end)):
        told = spoken if found["set"] == b"=" and not in_code else _drawn
        return not _REPORT.match(before) and told(value)
    below = _LINE_END.split(data[end : end + _NEAR])[1:]
    lines = [_block(above[::-1]), _block(below)]
    nearest = [side[0] for side in lines if side]
    around = [line for side in lines for line in side]
    if any(map(_is_report, around)) and not any(map(_is_login, nearest)):
        return False
    if any(map(_is_login, around)):
        return checks.unquoted(value) or not (in_code and found["set"] == b" =")
    if found["q"] or found["set"].endswith(b"=") or any(map(_is_setting, nearest)):
        return nameless(value) or (chosen if in_code else spoken)(value)
    return _drawn(value)


def _drawn(value: str) -> bool:
    """Drawn at random, to look at: where nothing but the value itself says that it is no verdict's."""
    return drawn_key(value) or (checks.scrambled(value) and chosen(value))


def _block(lines: list[bytes]) -> list[bytes]:
    """The first lines, up to an empty one."""
    near = lines[:_LINES]
    return next((near[:at] for at, line in enumerate(near) if not line.strip()), near)


def _is_setting(line: bytes) -> bool:
    seen = compiled(_SETTING).match(line)
    return seen is not None and seen["value"] is not None and seen["more"] is None


def _is_setting_in_capitals(line: bytes) -> bool:
    seen = compiled(_SETTING).match(line.rstrip(b", \t\r"))
    return seen is not None and seen["name"].isupper() and seen["value"] is not None and seen["more"] is None


def _is_login(line: bytes) -> bool:
    seen = compiled(_SETTING).match(line)
    if seen is None or seen["value"] is None or seen["more"] is not None:
        return False
    return compiled(_LOGIN).match(seen["name"]) is not None and not seen["value"].isdigit()


def _is_report(line: bytes) -> bool:
    seen = compiled(_SETTING).match(line)
    return (seen is not None and seen["name"].lower() in _OF_REPORTS) or _REPORT.match(line) is not None


_ALONE = r"(?:(?<![\w.-])|(?<=[ \t]--))"
_KEY = rf"(?:(?<=[A-Za-z0-9][_.-])(?i:key)|(?<=[a-z0-9])Key|(?<=(?i:priv))(?i:key)|{_ALONE}KEY)"
_SECRET = (
    r"(?:(?<=[A-Za-z0-9][_.-])(?i:auth|seed|pass)|(?<=[a-z0-9])(?:Auth|Seed|Pass)|(?<=(?i:key))(?i:pass)"
    rf"|{_ALONE}(?:AUTH|SEED|PASS(?=[\"'])))"
)
LOOSE_NAME = f"(?:{_KEY}|{_SECRET})"
_ENDINGS = ("auth", "seed", "pass", "key")
_MARK = r"[A-Za-z0-9!#$%*+/=?@^_~.-]|&(?![\s&#]|\w+[=;])"
_IN_QUOTES = ("=", " =", ":", " :", '"', "'", '\\"', "`", "**")
_OUTSIDE = ("=", " =", ":", "\\=", "\\:", "：", "＝", "`", "**")
_OTHER = """public primary foreign cache sort partition object data host group row route dedup dedupe unique idempotency hash
range lookup index storage item entity message verify"""
OTHER_KEYS = _OTHER.split()
OTHER_KEY_NAMES = (
    "publickey",
    *(f"{other}{joint}key" for other in OTHER_KEYS for joint in ("", "_", "-", ".")),
)


def _loose(
    form: str,
    ends: tuple[str, ...],
    example: tuple[str, str, str],
    lookalike: str,
    rest: str = INSIDE_QUOTES,
    names: tuple[str, ...] = _ENDINGS,
) -> Rule:
    """A row for names that end in a word of many meanings, set in one form."""
    return Rule(
        "assignment",
        ending(names, *ends),
        LOOSE_NAME + form,
        example,
        lookalike,
        spares=ending(OTHER_KEY_NAMES, *ends),
        rest=rest,
        bare=rest == OUTSIDE_QUOTES,
        within=setting,
    )


LOOSE_NAMES: tuple[Rule, ...] = (
    _loose(
        CLOSE + SET + QUOTE + QUOTED % 8,
        _IN_QUOTES,
        ('"PORT": "80",\n"REDIS_AUTH": "', "kitchenradio", '"'),
        'proxyAuth: "oauth2-proxy", "http_auth": "HTTPBasicAuth", REDIS_AUTH = "${REDIS_AUTH}", renderPass: "shadowMap2",'
        ' cacheKey: "zq81hdkw93hfLm20", SORT_KEY = "created_at_2024_desc", "key": "zq81hdkw93hfLm20", SSH_KEY: "ssh-ed25519 AAAAC3Nz"',
    ),
    _loose(
        CLOSE + BARELY_SET + rf"(?P<secret>(?:{_MARK}|:(?=\S)){{8,128}}+)" + ENDS,
        _OUTSIDE,
        ("BASIC_AUTH=", "admin:Kd83jfPq2hhW", "\n"),
        "userAuth = settings.auth_v2, random_seed: 20240501, PROXY_AUTH=oauth2-proxy:4180, http_auth = HTTPBasicAuth,"
        " turkey: 12ab34cd56ef, KEY=deploy-$CI_COMMIT_SHA-v2, KEY: dev42@mail.example.org, AUTH: enabled",
        rest=OUTSIDE_QUOTES,
    ),
    _loose(
        rf"{CLOSE}(?:{SET}{QUOTE}(?=[^\"'`]{{8,80}}(?P=q))|:[ \t](?=[a-z ]{{8,80}}\r?\n))"
        r"(?P<secret>[A-Za-z0-9]{2,16}(?: [A-Za-z0-9]{2,16}){2,7}+)(?=[\"'`\\\r\n])",
        _IN_QUOTES,
        ('HOST = "db"\nDB_AUTH = "', "correct horse battery", '"'),
        'PROXY_AUTH: handled by the gateway\nBASIC_AUTH = "invalid user or password", SHADOW_PASS: "draw the shadow map"',
        rest=CLOSED,
        names=("auth", "seed", "pass"),
    ),
    _loose(
        NO_VALUE + DRAWN,
        (" ", "\n", "\r\n", '"', "'", '\\"', "(", ":", ">"),
        ("- name: STRIPE_KEY\n  value: ", "zq81hdkw93hfLm20", "\n- name: PORT"),
        "ENV CACHE_KEY zq81hdkw93hfLm20, PRIMARY KEY users_pkey_2024\n- name: SSH_KEY\n  value: deploy-key-production\n"
        '["API_AUTH", "auth_version_2"], ("SORT_KEY", "zq81hdkw93hfLm20")',
        rest=r"[A-Za-z0-9+/_=~.-]",
    )._replace(check=drawn_key, within=None),
    Rule(
        "assignment",
        ending(("pass",), ":", "=", " :", " ="),
        r"(?:(?<![\w.$-])|(?<=\\[nrt]))(?:PASS|[Pp]ass)(?P<set>[ \t]?[:=])(?![:=])[ \t]{0,8}(?P<q>[\"']?)"
        r"(?P<secret>[a-z]{2,16}(?: [a-z]{2,16}){2,7}+(?=[ \t]{0,8}(?:[\"'\r\n]|\Z))"
        r"|(?:[^\s\"'`,;\\]|[,;](?!\s|\w+[:=]|\Z)|\\(?![nrt\"'])){4,512}+)(?P=q)",
        ("USER: bob\nPASS: ", "hunter2xyz", "\nHOST: db\n"),
        "PASS: test_login (0.3 s)\nFAIL: test_x\nPASS: hunter2xyz\n",
        within=setting,
    ),
)
