"""What a record is made of, and the secrets of records that call themselves sensitive and need no name.

`{"name": "DB_PASSWORD", "value": "…"}` and its like are pairs: `pairs.py` finds them by what is described here.
"""

from __future__ import annotations

from segue.redaction import checks
from segue.redaction.assignments import CLOSED, INSIDE_QUOTES, QUOTE, QUOTED, assignment, ending
from segue.redaction.rule import Rule

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
_FLAGS = "sensitive masked issecret is_secret isencrypted secured httponly"
_FLAGGED = ending(tuple(_FLAGS.split()), '"', "'", '\\"')
_IS_FLAGGED = rf"(?i:{'|'.join(_FLAGS.split())})(?:{MARK})?{IS}(?i:true)\b"
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

RECORDS: tuple[Rule, ...] = (
    assignment(
        _BEGINS,
        rf"(?P<secret>{INSIDE_QUOTES}{{5,4096}}+)(?={MARK}{FIELDS}(?:{MARK})?{_IS_FLAGGED})",
        checks.credential,
        ('{"key": "RELAY", "value": "', "k2j9x81m44pq", '", "protected": true, "masked": true}'),
        '{"name": "theme", "value": "dark", "httpOnly": true}, {"value": "k2j9x81m44pq", "masked": false}',
        rest=CLOSED,
    ),
    assignment(
        _FLAGGED,
        rf"{IS}(?i:true)\b{FIELDS}{VALUE}{QUOTE}{QUOTED % 5}",
        checks.credential,
        ('"relay": {\n  "sensitive": true,\n  "type": "string",\n  "value": "', "k2j9x81m44pq", '"\n}'),
        '{"sensitive": true, "type": "string", "value": "eu-west"}, {"sensitive": false, "value": "k2j9x81m44pq"}',
    ),
)
