"""Settings whose names end in a word of many meanings: `STRIPE_KEY`, `redis.auth`, `totpSeed`, `PASS`.

The rows say in which forms such a name is given a value; whether it is a secret, `setting_lines.py` decides for all of
them.
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
from segue.redaction.rule import Rule
from segue.redaction.setting_lines import setting

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
        DRAWN,
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
