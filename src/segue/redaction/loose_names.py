"""Settings whose names end in a word of many meanings: `STRIPE_KEY`, `redis.auth`, `totpSeed`, `PASS`.

`key` also ends names of what may be seen by everybody (`cache_key`, `publicKey`), so that only a value that looks
drawn at random, and is no id, is a secret here. The others end names of secrets, of switches and of kinds: there a value
may be short, as long as it is no word, number or name.
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
from segue.redaction.random_values import chosen, drawn_key
from segue.redaction.records import FIELDS, VALUE
from segue.redaction.rule import Check, Rule

_ALONE = r"(?:(?<![\w.-])|(?<=[ \t]--))"
_KEY = rf"(?:(?<=[A-Za-z0-9][_.-])(?i:key)|(?<=[a-z0-9])Key|{_ALONE}KEY)"
"""Ends names of secrets (`STRIPE_KEY`) and of much else, so that only what was drawn at random is one."""
_SECRET = (
    r"(?:(?<=[A-Za-z0-9][_.-])(?i:auth|seed|pass)|(?<=[a-z0-9])(?:Auth|Seed|Pass)|(?<=(?i:priv))(?i:key)|(?<=(?i:key))(?i:pass)"
    rf"|{_ALONE}(?:AUTH|SEED|PASS(?![ \t]{{0,3}}:(?!=|[ \t]?\w{{1,12}}[ \t]?=))))"
)
"""Ends names of nothing but secrets, of switches and of kinds (`REDIS_AUTH`, `totpSeed`): also what is short and no word is
one. `PASS:` stands in reports of tests, too: `pass_lines.py` tells them apart."""
_ENDINGS = {_KEY: ("key",), _SECRET: ("auth", "seed", "pass", "key")}
_ANY = f"(?:{_KEY}|{_SECRET})"
_MARK = r"[A-Za-z0-9!#$%*+/=?@^_~.-]|&(?![\s&#]|\w+[=;])"
_IN_QUOTES = ("=", " =", ":", " :", '"', "'", '\\"', "`", "**")
_OUTSIDE = ("=", " =", ":", "\\=", "\\:", "：", "＝", "`", "**")
_OTHER = """public primary foreign cache sort partition object data host group row route dedup dedupe unique idempotency hash
range lookup index storage item entity message verify"""
OTHER_KEYS = _OTHER.split()


def _loose(
    form: str,
    ends: tuple[str, ...],
    example: tuple[str, str, str],
    lookalike: str,
    rest: str = INSIDE_QUOTES,
    name: str = _ANY,
    check: Check = drawn_key,
) -> Rule:
    """A row for names that end in a word of many meanings, set in one form."""
    other_keys = tuple(f"{other}{joint}key" for other in OTHER_KEYS for joint in ("", "_", "-", "."))
    return Rule(
        "assignment",
        ending(_ENDINGS.get(name, _ENDINGS[_SECRET]), *ends),
        name + form,
        example,
        lookalike,
        check,
        spares=ending((*other_keys, "publickey"), *ends),
        rest=rest,
        bare=rest == OUTSIDE_QUOTES,
    )


LOOSE_NAMES: tuple[Rule, ...] = (
    _loose(
        CLOSE + SET + QUOTE + QUOTED % 12,
        _IN_QUOTES,
        ('{"STRIPE_KEY": "', "zq81hdkw93hfLm20", '"}'),
        'cacheKey: "zq81hdkw93hfLm20", SORT_KEY = "created_at_2024_desc", "key": "zq81hdkw93hfLm20", SSH_KEY: "ssh-ed25519 AAAAC3Nz"',
        name=_KEY,
    ),
    _loose(
        CLOSE + SET + QUOTE + QUOTED % 8,
        _IN_QUOTES,
        ('{"REDIS_AUTH": "', "aK7pQ2xZ", '"}'),
        'proxyAuth: "oauth2-proxy", "http_auth": "HTTPBasicAuth", REDIS_AUTH = "${REDIS_AUTH}", renderPass: "shadowMap2"',
        name=_SECRET,
        check=chosen,
    ),
    _loose(
        CLOSE + BARELY_SET + rf"(?P<secret>(?:{_MARK}){{12,128}}+)" + ENDS,
        _OUTSIDE,
        ("STRIPE_KEY=", "Wq7!kZp2RmT9", "\n"),
        "turkey: 12ab34cd56ef cache_key: zq81hdkw93hfLm20, KEY=deploy-$CI_COMMIT_SHA-v2, KEY: dev42@mail.example.org",
        rest=OUTSIDE_QUOTES,
        name=_KEY,
    ),
    _loose(
        CLOSE + BARELY_SET + rf"(?P<secret>(?:{_MARK}|:(?=\S)){{8,128}}+)" + ENDS,
        _OUTSIDE,
        ("BASIC_AUTH=", "admin:Kd83jfPq2hhW", "\n"),
        "userAuth = settings.auth_v2, random_seed: 20240501, PROXY_AUTH=oauth2-proxy:4180, http_auth = HTTPBasicAuth",
        rest=OUTSIDE_QUOTES,
        name=_SECRET,
        check=chosen,
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
