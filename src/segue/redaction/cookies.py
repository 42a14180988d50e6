"""Cookies: what keeps somebody logged in, in headers, calls, lists and jars.

The name of a cookie and what limits it (`Path`, `HttpOnly`) stay, its value goes.
"""

from __future__ import annotations

from segue.model.patterns import compiled
from segue.redaction import checks
from segue.redaction.assignments import FIELDS, GAP, QUOTE, QUOTED, VALUE, ending
from segue.redaction.random_values import made_at_random
from segue.redaction.rule import Rule

_NAME = r"[\w.\[\]-]{1,80}="
_COOKIES = (
    rf"(?:{_NAME}[^\s\"'`;\\]{{0,3}};[ ]?){{0,16}}+{_NAME}"
    r"(?P<secret>[^\s\"'`;\\]{4,128}+(?:;[ ]?[^\s\"'`;=\\]{1,80}=[^\s\"'`;\\]*+){0,64})"
)
_AT_RANDOM = r"(?=[^\s0-9]{0,64}+[0-9])"
_OPEN = r"b?(?:\\{0,3}[\"'`])?"
_LISTED = r"[^;\s\"'`,\\]{1,1024}+"
_OF_SESSIONS = ("sessionid", "session_id", "session", "sessid", ".sid", "_sid", '"sid', "'sid")
_COLUMN = r"(?:\t|\\t|[ ]{1,8})"
_UUID = r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$"


def drawn(value: str) -> bool:
    """Drawn at random, but no id that may be seen by everybody."""
    return made_at_random(value) and compiled(_UUID).match(value) is None


COOKIES: tuple[Rule, ...] = (
    Rule(
        "cookie",
        ("set-cookie:", 'set-cookie":'),
        rf"(?i:set-cookie)\"?:[ \t]{{0,3}}[\"']?{_NAME}(?P<secret>[^;\s\"'`\\]{{4,128}}+)",
        ("Set-Cookie: sid=", "s%3Ak2j9x81m44pq", "; Path=/; HttpOnly"),
        "Set-Cookie: sid=<value>; Path=/",
        checks.plain,
        rest=r"[^;\s\"'`\\]",
    ),
    Rule(
        "cookie",
        ending(("set-cookie",), '"', "'", '\\"', " =", "=", ": [", ":["),
        rf"{GAP}(?:=>|[:=,])?{GAP}(?:\[{GAP})?{_OPEN}{_NAME}"
        rf"(?P<secret>{_LISTED}(?:[^\"'`\]]{{0,200}}(?:\\{{0,3}}[\"'`]),{GAP}{_OPEN}{_NAME}{_LISTED}){{0,16}}+)",
        ("headers: { 'set-cookie': [ 'sid=", "s%3Ak2j9x81m44pq", "; Path=/' ] }"),
        "res.setHeader('Set-Cookie', 'theme=dark; Path=/'), 'set-cookie': [ `sid=${id}` ], ('Set-Cookie', cookie)",
        checks.credential,
        after=True,
    ),
    Rule(
        "cookie",
        (*ending(("cookie",), ": ", ' = "', " = '", '": "', ":'", "='", '="'), "--cookie ", "--cookie="),
        r"(?i:-{0,2}(?<!set-)cookie)[\"']?[ ]?[:= ][ \t]{0,3}[\"']?" + _COOKIES,
        ("Cookie: session=", "k2j9x81m44pq; theme=dark; csrftoken=81m44pq", "\nAccept: */*"),
        "Cookie: session=<id>; theme=dark",
        checks.plain,
        rest=r"[^;\s\"'`\\]",
    ),
    Rule(
        "cookie",
        ("cookie ", "cookies "),
        r"(?:is |to |with |value )?[\"'`]?[\w.\[\]-]{1,64}="
        rf"{_AT_RANDOM}(?P<secret>[^\s\"'`;,&?<>()\\]{{16,128}}+)",
        ("use the cookie sid=", "k2j9x81m44pqZt7R", " for it"),
        "the cookie SameSite=Lax, cookie maxAge=86400000000000000, cookies path=/app/v2/users, cookie sid=${session.id.value.2}",
        checks.opaque,
        after=True,
        rest=r"[^\s\"'`;,&?<>()\\]",
    ),
    Rule(
        "cookie",
        ("curl ",),
        r"curl(?:[^|;\s\\]++|[ \t]++(?!-b)|\\[^|]|;(?!\s)){0,120}+[ \t]{1,8}-b[ \t]{0,2}[\"']?" + _COOKIES,
        ("curl -s -b 'session=", "k2j9x81m44pq", "' https://api.test"),
        "curl -b cookies.txt https://api.test, curl -b session=$SESSION https://api.test",
        checks.plain,
        rest=r"[^;\s\"'`\\]",
    ),
    Rule(
        "cookie",
        ("jsessionid=", "phpsessid=", "asp.net_sessionid=", "connect.sid=", "laravel_session="),
        rf"[\"']?{_AT_RANDOM}(?P<secret>[^\s\"'`;,&?<>()\\]{{16,128}}+)",
        ("/app;jsessionid=", "3F9A0C7E51B2D8463F9A0C7E51B2D846", "?page=2"),
        "JSESSIONID=<id>, PHPSESSID=${session.id.value.2}, connect.sid=none",
        checks.plain,
        after=True,
        rest=r"[^\s\"'`;,&?<>()\\]",
    ),
    Rule(
        "cookie",
        ("cookies={", "cookies = {", "cookies: {", 'cookies": {', 'cookies":{'),
        r"\s{0,12}(?:[\"']?[\w.-]{1,64}[\"']?:\s{0,4}[\"'][^\"'\n]{0,256}[\"'],\s{0,12}){0,8}?[\"']?[\w.-]{1,64}[\"']?:\s{0,4}[\"']"
        rf"{_AT_RANDOM}(?P<secret>[^\s\"'`$<]{{16,256}}+)(?=[\"'])",
        ('requests.get(url, cookies={"theme": "dark", "session": "', "k2j9x81m44pqZt7R", '"})'),
        'cookies={"theme": "dark"}, cookies = {"consent": "accepted-2024"}, cookies={"session": session_id}',
        checks.opaque,
        after=True,
    ),
    Rule(
        "cookie",
        ending(("cookie",), '"', "'", '\\"'),
        FIELDS + VALUE + r"\\{0,3}[\"'`]" + _COOKIES,
        ('{"name": "cookie", "value": "lang=en; sid=', "k2j9x81m44pq; theme=dark", '"}'),
        '{"name": "cookie", "value": "consent"}, {"name": "Set-Cookie", "value": "sid=<value>"}',
        checks.plain,
        after=True,
        rest=r"[^;\s\"'`\\]",
    ),
    Rule(
        "cookie",
        ending(_OF_SESSIONS, '"', "'", '\\"'),
        FIELDS + VALUE + QUOTE + QUOTED % 16,
        ('cookies: [{"name": "sessionid", "value": "', "k2j9x81m44pqZt7R", '"}]'),
        '{"name": "session_id", "value": "7c9e6679-7425-40de-944b-e07fc1f90ae7"}, {"name": "session", "value": "settings-page-2024"}',
        drawn,
        after=True,
        rest=r"[^\s\"'`\\]",
    ),
    Rule(
        "cookie",
        ending(("true", "false"), "\t/", "\\t/", " / "),
        rf"[^\s\\]{{0,80}}+{_COLUMN}(?:TRUE|FALSE){_COLUMN}[0-9]{{1,20}}{_COLUMN}[^\s\\]{{1,128}}+{_COLUMN}(?P<secret>[^\s\\]{{4,128}}+)",
        (".x.test\tTRUE\t/\tTRUE\t1799999999\tsid\t", "k2j9x81m44pq", "\n"),
        ".x.test\tTRUE\t/\tFALSE\t0\ttheme\tdark\n",
        checks.credential,
        after=True,
        rest=r"[^\s\\]",
    ),
)
