"""Settings whose names end in a word of many meanings: `STRIPE_KEY`, `redis.auth`, `totpSeed`, `PASS`.

The same words end names of what may be seen by everybody (`cache_key`, `publicKey`), so that only a value that looks
drawn at random, and is no id, is a secret here.
"""

from __future__ import annotations

from segue.redaction.assignments import (
    BARELY_SET,
    CLOSE,
    CLOSED,
    DRAWN,
    ENDS,
    INSIDE_QUOTES,
    OUTSIDE_QUOTES,
    QUOTE,
    QUOTED,
    SET,
    ending,
)
from segue.redaction.random_values import drawn_key
from segue.redaction.records import FIELDS, VALUE
from segue.redaction.rule import Rule

_JOINED = r"(?<=[A-Za-z0-9][_.-])(?i:key|auth|seed|pass)|(?<=[a-z0-9])(?:Key|Auth|Seed|Pass)|(?<=(?i:priv))(?i:key)|(?<=(?i:key))(?i:pass)"
_ALONE = r"(?:(?<![\w.-])|(?<=[ \t]--))(?:KEY|AUTH|SEED|PASS(?![ \t]{0,3}:(?!=|[ \t]?\w{1,12}[ \t]?=)))"
"""`PASS:` stands in reports of tests, too: `pass_lines.py` tells them apart."""
_LOOSE = f"(?:{_JOINED}|{_ALONE})"
"""Words that end names of secrets (`STRIPE_KEY`, `redisAuth`) and of much else, so that only what was drawn at random is one."""
_OTHER_KEYS = """public primary foreign cache sort partition object data host group row route dedup dedupe unique idempotency
hash range lookup index storage item entity message verify"""


def _loose(
    form: str, ends: tuple[str, ...], example: tuple[str, str, str], lookalike: str, rest: str = INSIDE_QUOTES
) -> Rule:
    """A row for names that end in a word of many meanings, set in one form."""
    other_keys = tuple(f"{other}{joint}key" for other in _OTHER_KEYS.split() for joint in ("", "_", "-", "."))
    return Rule(
        "assignment",
        ending(("key", "auth", "seed", "pass"), *ends),
        _LOOSE + form,
        example,
        lookalike,
        drawn_key,
        spares=ending((*other_keys, "publickey"), *ends),
        rest=rest,
        bare=rest == OUTSIDE_QUOTES,
    )


LOOSE_NAMES: tuple[Rule, ...] = (
    _loose(
        CLOSE + SET + QUOTE + QUOTED % 12,
        ("=", " =", ":", " :", '"', "'", '\\"'),
        ('{"STRIPE_KEY": "', "zq81hdkw93hfLm20", '"}'),
        'cacheKey: "zq81hdkw93hfLm20", SORT_KEY = "created_at_2024_desc", "key": "zq81hdkw93hfLm20", SSH_KEY: "ssh-ed25519 AAAAC3Nz"',
    ),
    _loose(
        CLOSE + BARELY_SET + r"(?P<secret>[A-Za-z0-9+/_=~.-]{12,128}+)" + ENDS,
        ("=", " =", ":", "\\=", "\\:", "：", "＝"),
        ("redis.auth=", "zq81hdkw93hfLm20", "\n"),
        "turkey: 12ab34cd56ef cache_key: zq81hdkw93hfLm20, userAuth = settings.auth_v2, random_seed: 20240501",
        rest=OUTSIDE_QUOTES,
    ),
    _loose(
        r"(?:[\"'])?(?:>|</key>\s{0,64}<string>)(?P<secret>[^\s<>]{12,1024}+)(?=</)",
        (">", '">', "</key>"),
        ("<key>STRIPE_KEY</key>\n\t<string>", "zq81hdkw93hfLm20", "</string>"),
        "<key>CFBundleKey</key><string>com.example.app</string> <PRIMARY_KEY>zq81hdkw93hfLm20</PRIMARY_KEY>",
        rest=CLOSED,
    ),
    _loose(
        DRAWN,
        (" ", "\n", "\r\n", '"', "'", '\\"', "(", ":", ">"),
        ("- name: STRIPE_KEY\n  value: ", "zq81hdkw93hfLm20", "\n- name: PORT"),
        "ENV CACHE_KEY zq81hdkw93hfLm20, PRIMARY KEY users_pkey_2024\n- name: SSH_KEY\n  value: deploy-key-production\n"
        '["API_AUTH", "auth_version_2"], ("SORT_KEY", "zq81hdkw93hfLm20")',
        rest=r"[A-Za-z0-9+/_=~.-]",
    ),
    _loose(
        rf"\\{{0,3}}[\"'](?:{FIELDS}|\s{{1,16}}){VALUE}{QUOTE}{QUOTED % 12}",
        ('"', "'", '\\"'),
        ('{"name": "REDIS_AUTH", "value": "', "zq81hdkw93hfLm20", '"}'),
        '{"name": "sort_key", "value": "zq81hdkw93hfLm20"}, <add key="HOST_KEY" value="zq81hdkw93hfLm20"/>, {"name": "SSH_KEY", "value": "deploy-key-production"}',
    ),
)
