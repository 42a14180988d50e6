"""The redactor as its callers use it: literals, learning, receipts, markers."""

from __future__ import annotations

import base64
import json
from urllib.parse import quote

import pytest

from segue.redaction.redact import Redactor
from segue.redaction.rules import RULES_VERSION

ENV = """# settings
DATABASE_URL=postgres://app:s3cr3t-horse-77@db.internal:5432/app
export API_TOKEN="zq81-hdkw-93hf"
SESSION_KEY='Zq81hdKw93hfLm20'
PASSPHRASE=orbitlemonquiltvivid
DEBUG=true
PORT=80808080
LOG_LEVEL=information
BASE_URL=https://api.test/v1/items
DATA_DIR=/var/lib/app/data
REGION=eu-central-1
OWNER=dev@example.test
GIT_SHA=9fceb02d0ae598e95dc970b74767f19372d61af8
TENANT=7c9e6679-7425-40de-944b-e07fc1f90ae7
IMAGE=registry.test/app:1.24.3
STARTED=2026-01-15T09:41:22
PASSWORD=postgres
API_KEY=your-api-key-here
SHORT_TOKEN=ab12
"""


def test_text_without_a_secret_is_returned_as_the_same_object() -> None:
    text = "Ran 12 tests, the token bucket still leaks. " * 20
    assert Redactor().redact(text) is text


def test_a_receipt_counts_by_kind_over_all_calls() -> None:
    redactor = Redactor()
    redactor.redact("DB_PASSWORD=hunter2")
    redactor.redact("redis://:hunter2@cache and redis://:hunter3@cache")
    assert redactor.receipt() == (RULES_VERSION, 3, {"assignment": 1, "url-credential": 2})


def test_a_receipt_is_a_snapshot() -> None:
    redactor = Redactor()
    before = redactor.receipt()
    redactor.redact("DB_PASSWORD=hunter2")
    assert before.total == 0


def test_an_extra_value_vanishes_wherever_it_stands() -> None:
    redactor = Redactor(extra=["orange-walrus"])
    assert redactor.redact("xorange-walrusx ORANGE-WALRUS") == "x[redacted:known-value]x ORANGE-WALRUS"


def test_extra_values_too_short_to_be_told_apart_are_not_taken() -> None:
    assert Redactor(extra=["", " ", "abc", "   a "]).redact("abc a b") == "abc a b"


def test_an_extra_value_never_eats_a_marker() -> None:
    redactor = Redactor(extra=["redacted", "assignment"])
    once = redactor.redact("DB_PASSWORD=hunter2 was redacted")
    assert once == "DB_PASSWORD=[redacted:assignment] was [redacted:known-value]"
    assert redactor.redact(once) is once


def test_a_text_found_clean_is_looked_at_again_once_a_secret_was_learnt() -> None:
    redactor, said = Redactor(), "the value is zq81-hdkw-93hf"
    assert redactor.redact(said) is said
    redactor.learn(ENV, ".env")
    assert redactor.redact(said) == "the value is [redacted:known-value]"


def test_learning_takes_the_secrets_of_a_settings_file_and_nothing_else() -> None:
    redactor = Redactor()
    redactor.learn(ENV, ".env")
    assert redactor.learned == {
        "s3cr3t-horse-77",
        "zq81-hdkw-93hf",
        "Zq81hdKw93hfLm20",
        "orbitlemonquiltvivid",
        "ab12",
    }


@pytest.mark.parametrize(
    ("line", "secret"),
    [
        ("DB_PASSWORD=swordfish", "swordfish"),
        ("ADMIN_TOKEN=hunter2", "hunter2"),
        ("export PGPASSWORD='letmein'", "letmein"),
        ('{"client_secret": "walrus"}', "walrus"),
        ("REDIS_URL=redis://:hunter2@cache:6379", "hunter2"),
    ],
)
def test_a_short_value_or_a_word_under_a_secret_name_vanishes_where_it_stands_alone(
    line: str, secret: str
) -> None:
    redactor = Redactor()
    redactor.learn(line, ".env")
    assert redactor.redact(f"log in with {secret}, or '{secret}'.") == (
        "log in with [redacted:known-value], or '[redacted:known-value]'."
    )
    inside = f"{secret}ing {secret}_id x{secret} ü{secret}"
    assert redactor.redact(inside) is inside


@pytest.mark.parametrize("value", ["blueberryPancake77", "Summer2024!x", "Tr0ub4dor&three"])
def test_what_a_person_made_up_as_a_password_is_learnt_under_any_name(value: str) -> None:
    redactor = Redactor()
    redactor.learn(f"PLAIN={value}", ".env")
    assert redactor.redact(f"it is {value} there") == "it is [redacted:known-value] there"


@pytest.mark.parametrize(
    "line",
    [
        "REGION=us-east-1",
        "MODEL=claude-sonnet-4-5-20250929",
        "IMAGE=Registry/Base2:latest",
        "APP=MyShop2",
        "PASSWORD_POLICY=strictly",
        "TOKEN_TYPE=macaroon",
        "AUTH_MODE=kerberos",
        "SESSION_STORE=dynamo",
        "SECRET_NAME=billing",
        "MAX_TOKEN=4096",
        "CSRF_TOKEN=true",
        "DB_PASSWORD=postgres",
        "API_TOKEN=required",
        "API_TOKEN=retry",
    ],
)
def test_settings_about_a_secret_and_everyday_words_teach_nothing(line: str) -> None:
    redactor = Redactor()
    redactor.learn(line, ".env")
    assert redactor.learned == frozenset()


def test_a_learnt_value_vanishes_without_any_context() -> None:
    redactor = Redactor()
    redactor.learn(ENV, ".env")
    assert redactor.redact("sent zq81-hdkw-93hf twice") == "sent [redacted:known-value] twice"


@pytest.mark.parametrize(
    "disguise",
    [
        lambda value: json.dumps(value)[1:-1],
        lambda value: quote(value, safe=""),
        lambda value: base64.b64encode(value.encode()).decode().rstrip("="),
    ],
    ids=["in JSON", "in an address", "in base64"],
)
def test_a_learnt_value_vanishes_in_disguise(disguise) -> None:  # type: ignore[no-untyped-def]
    redactor = Redactor()
    redactor.learn("ADMIN_SECRET='k2j9\"x81m/44pq'")
    assert redactor.redact(f"got {disguise(next(iter(redactor.learned)))}.") == "got [redacted:known-value]."


def test_learning_takes_what_the_rules_find_in_any_format() -> None:
    redactor = Redactor()
    token = "gh" + "p_" + "a8Kd02mZq7Rt5Yw1Xc9Ve3Bn6Hj4Gfa8Kd02"
    redactor.learn(f"github.com:\n    user: dev\n    oauth_token: {token}\n", "hosts.yml")
    assert redactor.learned == {token}


def test_an_example_file_teaches_nothing() -> None:
    redactor = Redactor()
    redactor.learn("API_TOKEN=zq81-hdkw-93hf", "config/.env.example")
    assert redactor.learned == frozenset()


def test_learning_counts_nothing() -> None:
    redactor = Redactor()
    redactor.learn(ENV)
    assert redactor.receipt().total == 0


def test_line_ends_and_indentation_stay() -> None:
    text = "a:\r\n  password: hunter2\r\n  token: k2j9x81m44pq\n\n\tend"
    expected = "a:\r\n  password: [redacted:assignment]\r\n  token: [redacted:assignment]\n\n\tend"
    assert Redactor().redact(text) == expected


def test_redacted_json_is_still_json() -> None:
    settings = {"user": "dev", "password": "hunter2", "nested": {"api_key": "k2j9x81m44pq", "list": [1, 2]}}
    redacted = json.loads(Redactor().redact(json.dumps(settings)))
    marker = "[redacted:assignment]"
    assert redacted == {"user": "dev", "password": marker, "nested": {"api_key": marker, "list": [1, 2]}}


def test_letters_before_a_secret_do_not_shift_it() -> None:
    """İ grows by a code point when lowercased, and each of these letters takes several bytes."""
    assert (
        Redactor().redact("İİ ß 日本 😀 DB_PASSWORD=hunter2 é")
        == "İİ ß 日本 😀 DB_PASSWORD=[redacted:assignment] é"
    )


def test_the_more_telling_kind_names_the_whole() -> None:
    token = "gh" + "p_" + "a8Kd02mZq7Rt5Yw1Xc9Ve3Bn6Hj4Gfa8Kd02"
    assert Redactor().redact(f"TOKEN=prefix-{token}") == "TOKEN=[redacted:github-token]"


def test_a_marker_is_never_read_as_a_name() -> None:
    text = "[redacted:github-token]: Zq81hdKw93hfLm20xVb7Tn5RyC4s [redacted:assignment]=[redacted:jwt]"
    assert Redactor().redact(text) is text


def test_a_value_that_is_none_does_not_hide_the_secret_inside_it() -> None:
    outer = "token=alpha/beta/gamma/delta/epsilon/zeta/theta/iota/kappa/lambda/token="
    assert Redactor().redact(f"{outer}k2j9x81m44pq") == f"{outer}[redacted:assignment]"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("数据库密码: Hunter2xx9，只能在本机用。", "数据库密码: [redacted:assignment]，只能在本机用。"),
        ("API_KEY=zq81hdkw93hf9。以后不要提交", "API_KEY=[redacted:assignment]。以后不要提交"),
        ("token: zq81hdkw93hf9、次は一覧", "token: [redacted:assignment]、次は一覧"),
        ('password: "Hunter2，x9"', 'password: "[redacted:assignment]"'),
    ],
)
def test_a_bare_value_ends_at_the_punctuation_of_any_script(text: str, left: str) -> None:
    assert Redactor().redact(text) == left
