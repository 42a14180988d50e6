"""Secrets whose name stands in a field of its own: `{"name": "DB_PASSWORD", "value": "…"}`.

Settings of containers, parameters of stacks, outputs of plans: a record says in one field what it is about, in another
what the value is, in whatever order, on one line or several. Only the value goes. A record that calls itself
sensitive needs no name.
"""

from __future__ import annotations

from segue.redaction import checks
from segue.redaction.assignments import INSIDE_QUOTES, OPENS_NOTHING, QUOTE, QUOTED, assignment, ending
from segue.redaction.rule import Check, Rule

_MARK = r"\\{0,3}[\"'`]"
GAP = r"(?:\s|\\{1,3}[nrt]){0,64}+"
_IS = rf"{GAP}(?:=>?|:){GAP}"
_SCALAR = rf"(?:{_MARK}[^\"'`\n\\]{{0,200}}+{_MARK}|[\w.+-]{{1,40}}+|\[[^\[\]]{{0,80}}+\])"
_FIELD = rf"(?:{_MARK})?[A-Za-z_][\w.-]{{0,40}}+(?:{_MARK})?{_IS}{_SCALAR}{GAP}(?:[,;]{GAP})?"
_OTHERS = rf"(?:{_FIELD}){{0,8}}?"
FIELDS = rf"(?:{GAP}[,;]|[ \t]{{0,8}}\r?\n){GAP}{_OTHERS}"
"""What ends a field, and the other fields of the record before the one that is meant."""
VALUE = rf"(?:{_MARK})?\w{{0,20}}?(?i:value)(?:{_MARK})?{_IS}"
_VALUE_OR_DEFAULT = rf"(?:{_MARK})?(?:\w{{0,20}}?(?i:value)|[Dd]efault)(?:{_MARK})?{_IS}"
_CLOSED = ""

# Few, and ends of names: every literal makes the automaton larger, and all text is searched with it.
_PASSWORDS = ("password", "passwd", "passphrase", "passcode", "pwd", "_pass", "_pw")
_OF_KEYS = "_key -key apikey accesskey secretkey privatekey authkey signingkey encryptionkey"
_SECRETS = ("secret", "token", "credential", "credentials", *_OF_KEYS.split())
_OTHER_KEYS = "public primary foreign cache sort partition object"
_OPEN_NOTHING = (*OPENS_NOTHING, *ending(tuple(_OTHER_KEYS.split()), "_key", "-key"))
_ENDS = ('"', "'", '\\"')
_OPENS = ('": {', '":{', "': {", ": {", " = {", '\\": {', '\\":{')
_BEGINS = (
    'value": "',
    'value":"',
    'value\\": \\"',
    'value\\":\\"',
    "value': '",
    "value: '",
    'value: "',
    'value = "',
)
_FLAGS = "sensitive masked issecret is_secret isencrypted secured httponly"
_FLAGGED = ending(tuple(_FLAGS.split()), *_ENDS)
_IS_FLAGGED = rf"(?i:{'|'.join(_FLAGS.split())})(?:{_MARK})?{_IS}(?i:true)\b"
_FIRST = rf"(?P<secret>{INSIDE_QUOTES}{{5,4096}}+)(?={_MARK}{FIELDS}(?:{_MARK})?"
_ENDS_NAME = rf"(?:{_MARK}|[ \t]{{0,8}}(?:\r?\n|\Z))"
_TYPED = r"(?:[ \t]{1,32}[\w-]{1,32}:[ \t]{0,3}[^\n]{0,80}\n){0,4}?"


def _one_of(names: tuple[str, ...]) -> str:
    return f"(?i:{'|'.join(names)})"


def _record(
    anchors: tuple[str, ...],
    pattern: str,
    check: Check,
    example: tuple[str, str, str],
    lookalike: str,
    spares: tuple[str, ...] = (),
    rest: str = INSIDE_QUOTES,
) -> Rule:
    return assignment(anchors, pattern, check, example, lookalike, rest, spares)


RECORDS: tuple[Rule, ...] = (
    _record(
        ending(_PASSWORDS, *_ENDS),
        FIELDS + VALUE + QUOTE + QUOTED % 4,
        checks.password,
        ('{"name": "DB_PASSWORD", "slot": false, "value": "', "letmein", '"}'),
        '{"name": "password", "value": "Password"}, {"name": "DB_PASSWORD", "value": "${DB_PASSWORD}"}, {"id": "pwd", "value": true}',
    ),
    _record(
        ending(_SECRETS, *_ENDS),
        FIELDS + VALUE + QUOTE + QUOTED % 8,
        checks.mixed,
        ("{ name: 'session_token', value: '", "k2j9-x81m-44pq", "', domain: 'x.test' }"),
        '{"type": "token", "value": "identifier"}, {"name": "next_page_token", "value": "AbC123dEf456GhI7"}',
        ending(_OPEN_NOTHING, *_ENDS),
    ),
    _record(
        _BEGINS,
        _FIRST
        + rf"[A-Za-z_]\w{{0,40}}(?:{_MARK})?{_IS}(?:{_MARK})?[\w./-]{{0,80}}{_one_of(_PASSWORDS)}{_ENDS_NAME})",
        checks.password,
        ('{"value": "', "letmein", '", "type": "PLAINTEXT", "name": "DB_PASSWORD"}'),
        '{"value": "red", "name": "color"}, {"value": "Password", "name": "password"}, {"value": "letmein2", "name": "hint"}',
        rest=_CLOSED,
    ),
    _record(
        _BEGINS,
        _FIRST
        + rf"[A-Za-z_]\w{{0,40}}(?:{_MARK})?{_IS}(?:{_MARK})?[\w./-]{{0,80}}(?<!next)(?<!page_)(?<!public)(?<!cache)(?<!primary){_one_of(_SECRETS)}{_ENDS_NAME})",
        checks.mixed,
        ('{"value": "', "k2j9-x81m-44pq", '", "name": "API_TOKEN"}'),
        '{"value": "identifier", "type": "token"}, {"value": "AbC123dEf456GhI7", "name": "next_page_token"}',
        rest=_CLOSED,
    ),
    _record(
        _BEGINS,
        _FIRST + _IS_FLAGGED + ")",
        checks.credential,
        ('{"key": "RELAY", "value": "', "k2j9x81m44pq", '", "protected": true, "masked": true}'),
        '{"name": "theme", "value": "dark", "httpOnly": true}, {"value": "k2j9x81m44pq", "masked": false}',
        rest=_CLOSED,
    ),
    _record(
        _FLAGGED,
        rf"{_IS}(?i:true)\b{FIELDS}{VALUE}{QUOTE}{QUOTED % 5}",
        checks.credential,
        ('"relay": {\n  "sensitive": true,\n  "type": "string",\n  "value": "', "k2j9x81m44pq", '"\n}'),
        '{"sensitive": true, "type": "string", "value": "eu-west"}, {"sensitive": false, "value": "k2j9x81m44pq"}',
    ),
    _record(
        ending(_PASSWORDS, *_OPENS),
        GAP + _OTHERS + _VALUE_OR_DEFAULT + QUOTE + QUOTED % 4,
        checks.password,
        ('"db_password": {"sensitive": true, "type": "string", "value": "', "letmein", '"}'),
        '"password": {"type": "string", "value": "Required"}, "password": {"type": "string", "minLength": 8}',
    ),
    _record(
        ending(_SECRETS, *_OPENS),
        GAP + _OTHERS + _VALUE_OR_DEFAULT + QUOTE + QUOTED % 8,
        checks.mixed,
        ('"api_token": {"value": "', "k2j9-x81m-44pq", '"}'),
        '"token": {"type": "string", "default": "identifier"}, "nextToken": {"value": "AbC123dEf456GhI7"}',
        ending(_OPEN_NOTHING, *_OPENS),
    ),
    _record(
        ending((*_PASSWORDS, *_SECRETS), ":\n"),
        _TYPED + r"[ \t]{1,32}value:[ \t]{1,3}[\"']?(?P<secret>[^\s\"'{<$]{6,128}+)",
        checks.unquoted,
        ("db_password:\n  type: string\n  value: ", "letmein99", "\n"),
        "db_password:\n  value: changeme\ntoken:\n  value: required\ntoken:\n  description: x\n",
    ),
    _record(
        ("value: ",),
        r"(?P<secret>[^\s\"'{<$]{6,4096}+)[ \t]{0,8}\r?\n[ \t]{1,32}(?i:name|key):[ \t]{1,3}[\w./-]{0,80}"
        rf"{_one_of((*_PASSWORDS, *_SECRETS))}{_ENDS_NAME}",
        checks.unquoted,
        ("- value: ", "letmein99", "\n  name: DB_PASSWORD\n"),
        "- value: eu-west\n  name: REGION_TOKEN\n- value: k2j9x81m44pq\n  name: BUILD\n",
        rest=_CLOSED,
    ),
)
