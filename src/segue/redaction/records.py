"""Secrets whose name stands in a field of its own: `{"name": "DB_PASSWORD", "value": "…"}`.

Settings of containers, parameters of stacks, outputs of plans: a record says in one field what it is about, in another
what the value is, in whatever order, on one line or several. Only the value goes. A record that calls itself
sensitive needs no name.
"""

from __future__ import annotations

from segue.redaction import checks
from segue.redaction.assignments import INSIDE_QUOTES, OPENS_NOTHING, QUOTE, QUOTED, assignment, ending
from segue.redaction.rule import Check, Rule

MARK = r"\\{0,3}[\"'`]"
GAP = r"(?:\s|\\{1,3}[nrt]){0,64}+"
IS = rf"{GAP}(?:=>?|:){GAP}"
_SCALAR = rf"(?:{MARK}[^\"'`\n\\]{{0,200}}+{MARK}|[\w.+-]{{1,40}}+|\[[^\[\]]{{0,80}}+\])"
_FIELD = rf"(?:{MARK})?[A-Za-z_][\w.-]{{0,40}}+(?:{MARK})?{IS}{_SCALAR}{GAP}(?:[,;]{GAP})?"
OTHERS = rf"(?:{_FIELD}){{0,8}}?"
FIELDS = rf"(?:{GAP}[,;]|[ \t]{{0,8}}\r?\n){GAP}{OTHERS}"
"""What ends a field, and the other fields of the record before the one that is meant."""
VALUE = rf"(?:{MARK})?\w{{0,20}}?(?i:value)(?:{MARK})?{IS}"
VALUE_OR_DEFAULT = rf"(?:{MARK})?(?:\w{{0,20}}?(?i:value)|[Dd]efault)(?:{MARK})?{IS}"
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
_IS_FLAGGED = rf"(?i:{'|'.join(_FLAGS.split())})(?:{MARK})?{IS}(?i:true)\b"
_FIRST = rf"(?P<secret>{INSIDE_QUOTES}{{5,4096}}+)(?={MARK}{FIELDS}(?:{MARK})?"
_ENDS_NAME = rf"(?:{MARK}|[ \t]{{0,8}}(?:\r?\n|\Z))"
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
        _BEGINS,
        _FIRST + _IS_FLAGGED + ")",
        checks.credential,
        ('{"key": "RELAY", "value": "', "k2j9x81m44pq", '", "protected": true, "masked": true}'),
        '{"name": "theme", "value": "dark", "httpOnly": true}, {"value": "k2j9x81m44pq", "masked": false}',
        rest=_CLOSED,
    ),
    _record(
        _FLAGGED,
        rf"{IS}(?i:true)\b{FIELDS}{VALUE}{QUOTE}{QUOTED % 5}",
        checks.credential,
        ('"relay": {\n  "sensitive": true,\n  "type": "string",\n  "value": "', "k2j9x81m44pq", '"\n}'),
        '{"sensitive": true, "type": "string", "value": "eu-west"}, {"sensitive": false, "value": "k2j9x81m44pq"}',
    ),
)
