"""Values drawn at random vanish from every form they are written in, not only most of them.

Each form is tried with the same seeded values; none of them, nor a part of one, may be left.
"""

from __future__ import annotations

import base64
import json
import random
import string
from collections.abc import Callable

import pytest

from segue.redaction.redact import Redactor

TIMES = 40
PART = 5
"""Characters of a value in a row that count as a leak."""

Draw = Callable[[random.Random], str]


def drawn(alphabet: str, shortest: int, longest: int = 0) -> Draw:
    def draw(source: random.Random) -> str:
        while True:
            length = source.randint(shortest, longest or shortest)
            value = "".join(source.choices(alphabet, k=length))
            # No word that begins with a capital, as letters alone might be.
            if not value.isalpha() or not (value[1:].islower() or value.isupper()):
                return value

    return draw


LETTERS = drawn(string.ascii_letters, 10, 18)
PASSWORD = drawn(string.ascii_letters + string.digits * 2, 10, 20)
TOKEN = drawn(string.ascii_letters + string.digits * 2, 32)
HALF = drawn(string.ascii_letters + string.digits + "+/", 40)
HEX = drawn("0123456789abcdefabcdef", 64)
NUMBER = drawn("123456789", 8)
CODE = drawn("13579", 6)
PIN = drawn("1379", 4)
LINE = drawn(string.ascii_letters + string.digits + "+/", 64)


def around(mark: str) -> Draw:
    return lambda source: PASSWORD(source)[:6] + mark + PASSWORD(source)[:7]


def settings(source: random.Random) -> str:
    text = {"auths": {"r.test": {"username": "bob", "password": PASSWORD(source)}}}
    return base64.b64encode(json.dumps(text).encode()).decode()


IDENTITY = "AKIA" + "Q7ZK2M5XRB4TWL3H"
JOINTS = ("/", "+", "=", "%2F", "\\n", "\\t", "\\r\\n")
"""What stands between the halves of a key pair, though a half may hold it, or begin with its letter."""
EXPLAINED = "the id of the user that the nightly job uploads with " * 5
_NAMED = tuple(
    form.replace("NAME", name)
    for name in ("AES_KEY", "STRIPE_KEY", "REDIS_AUTH", "TOTP_SEED", "PRIVKEY", "KEYPASS")
    for form in (
        "NAME={}\n",
        "NAME: {}\n",
        '{{"NAME": "{}"}}',
        'NAME = "{}"\n',
        "<key>NAME</key>\n<string>{}</string>",
        'buildConfigField "String", "NAME", "\\"{}\\""',
    )
)
FORMS: dict[str, tuple[Draw, tuple[str, ...]]] = {
    "the secret half of a key pair": (
        HALF,
        (
            "AWS: ID {} ok",
            "AWS keys: ID / {}",
            "ID\n{}\n",
            '["ID", "{}"]',
            "| ID | {} |",
            "- ID\n- {}\n",
            "bob,ID,{}\n",
            "the id is ID and the other half {}.",
            "ID:{}",
            "{} (ID)",
            "id: ID\nval: {}\n",
            *(f"ID{joint}{{}}" for joint in (*JOINTS, " /", " =", "//", "/ci/")),
            *(f"{{}}{joint}ID" for joint in JOINTS),
            "creds=ID/{}",
            "ID {}=",
            "ID {}/",
            "ID/{}/ID",
            f"ID, {EXPLAINED}: {{}}",
        ),
    ),
    "letters alone behind the name of a password": (
        LETTERS,
        (
            "deploy --db-password {} --region eu",
            "deploy --password={} --region eu",
            "https://x.test/a?user=b&password={}&c=d",
            "helm upgrade --set db.password={} --wait",
            'variable "db_password" {{\n  type = string\n  default = "{}"\n}}',
            "Key         Value\n---         -----\npassword    {}\n",
            '{{"password": "{}"}}',
            "password: {}\n",
            "password：{}\n",
            "密码：{}\n",
            "Password:\n{}\n",
        ),
    ),
    "passwords": (
        PASSWORD,
        (
            "user,password,role\nbob,{},admin\n",
            "user\tpassword\nbob\t{}\n",
            "| user | password |\n|---|---|\n| bob | {} |\n",
            " id | username | password \n----+----------+----------\n  1 | bob | {}\n",
            "old_password,new_password\nKr4ken_tide-9917,{}\n",
            "passwords:\n  - Kr4ken_tide-9917\n  - {}\nother: 1\n",
            '{{"passwords": [\n  "Kr4ken_tide-9917",\n  "{}"\n]}}',
            "lftp -u bob,{} sftp://host",
            "cqlsh -u cassandra -p {} db",
            "mosquitto_pub -h broker -u bob -P {} -t x",
            "net use Z: \\\\srv\\share {} /user:bob",
            "net use \\\\srv\\share /user:DOM\\bob {}",
            "sqlplus scott/{}@//db:1521/X",
            'expect "assword:"\nsend "{}\\r"\n',
        ),
    ),
    "tokens and keys": (
        TOKEN,
        (
            *_NAMED,
            "redis.auth={}\n",
            'stripeKey: "{}",',
            "PASS={}\n",
            "KEY={}\n",
            'secretKeyForPayments: "{}"',
            "api.key\\={}\n",
            '{{"api_keys": ["Zq81hdKw93hfLm20xVb7Tn5R", "{}"]}}',
            "TOKENS = ['Zq81hdKw93hfLm20xVb7Tn5R', '{}']",
            "id;name;api_token\n1;bob;{}\n",
            "API_TOKEN=" + "Zq81hdKw93hfLm20xVb7Tn5R" * 3 + "\n{}\nPORT=80\n",
        ),
    ),
    "keys in hexadecimal digits": (HEX, ("AES_KEY: {}\n", '{{"signing_seed": "{}"}}')),
    "numbers": (
        NUMBER,
        ('{{"password": {}}}', '{{"password": "{}"}}', "password: {}\n", "the password is {}."),
    ),
    "one-time codes": (
        CODE,
        ("2FA code: {}\n", "OTP: {}", "Your verification code is {}", '{{"otp": "{}"}}'),
    ),
    "the end of a private key": (LINE, ("{}\nabcd==\n-----END " + "OPENSSH PRIVATE KEY-----\n",)),
    "settings in base64": (settings, ("  .dockerconfigjson: {}\n", "echo {} | base64 -d")),
    "hashes": (TOKEN, ("bob:$apr1$Zq81hdKw${:.22}\n", "userPassword: {{SSHA}}{}\n")),
    **{
        f"a password with {mark!r} in an address": (
            around(mark),
            ("amqp://svc:{}@mq.internal:5672/app", "see https://svc:{}@git.internal/x.git now"),
        )
        for mark in "/\"'\\<>{}` "
    },
    "a password with a blank": (around(" "), ('{{"password": "{}"}}', "DB_PASSWORD = '{}'\n")),
}
CASES = [
    pytest.param(draw, form, id=f"{what}: {form[:40]!r}")
    for what, (draw, forms) in FORMS.items()
    for form in forms
]


@pytest.mark.parametrize("draw, form", CASES)
def test_no_value_drawn_at_random_is_left(draw: Draw, form: str) -> None:
    source = random.Random(form)
    for _ in range(TIMES):
        value = draw(source)
        shown = Redactor().redact(form.replace("ID", IDENTITY).format(value))
        core = value.rstrip("=")[:22]
        assert not any(core[at : at + PART] in shown for at in range(max(1, len(core) - PART + 1))), shown


@pytest.mark.parametrize("several", [2, 3, 5])
@pytest.mark.parametrize("joint", [", ", "; ", "\n- ", " | ", "\\n", "\n\n", "="])
@pytest.mark.parametrize("order", ["ids first", "secrets first", "in pairs"])
def test_as_many_secret_halves_go_as_stand_near_ids(several: int, joint: str, order: str) -> None:
    source = random.Random(f"{several}{joint}{order}")
    draw = drawn(string.ascii_uppercase + "234567", 16)
    for _ in range(TIMES // 4):
        ids = ["AKIA" + draw(source) for _ in range(several)]
        halves = [HALF(source) for _ in range(several)]
        pairs = [half for pair in zip(ids, halves, strict=True) for half in pair]
        told = {"ids first": ids + halves, "secrets first": halves + ids, "in pairs": pairs}[order]
        shown = Redactor().redact(joint.join(told))
        assert not [half for half in ids + halves if half[8:30] in shown], shown


def test_what_is_no_secret_half_stays_beside_an_id() -> None:
    digest = "wZ4Vp0Kd/mB8eXq2+LtN6cRy1SgJ9uHaT3fQ5oEiD7k="
    for beside in (
        "3f9a0c7e51b2d8463f9a0c7e51b2d8463f9a0c7e",
        "3F9A0C7E51B2D8463F9A0C7E51B2D8463F9A0C7E",
        f"sha256-{digest}",
        f"sha512-{digest[:43]}{digest[:43]}==",
        "/home/Bob/projects/uploads/src/Nightly/jobs",
        "uploads/Nightly/jobs/of/the/Platform/team",
        "/var/folders/61/8t4pzlqd59x0ggxkn1rjnfr00000gn/T//git-sync",
        "TheNightlyUploadJobOfThePlatformTeamRuns",
    ):
        for form in ("ID {}", "ID/{}", "ID={}", "ID\\n{}", "{}/ID"):
            assert beside in Redactor().redact(form.replace("ID", IDENTITY).format(beside)), (form, beside)


def test_every_password_of_a_list_and_a_table_goes_and_its_layout_stays() -> None:
    one, two = "Kr4ken_tide-9917", "Zq81hdKw93hf"
    table = f"| host | password |\n|------|----------|\n| a    | {one} |\n| b    | `{two}` |\n"
    mark = "[redacted:assignment]"
    assert Redactor().redact(table) == table.replace(one, mark).replace(two, mark)
    listed = f'{{"passwords": ["{one}", "{two}"], "host": "a"}}'
    assert Redactor().redact(listed) == listed.replace(one, mark).replace(two, mark)
