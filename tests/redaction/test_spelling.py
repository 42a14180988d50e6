"""Random letters are told from names and words by their spelling alone."""

from __future__ import annotations

import ast
import asyncio
import email.message
import logging.handlers
import random
import string
import unittest.mock
from types import ModuleType

import pytest

from segue.redaction.redact import Redactor
from segue.redaction.spelling import SHORTEST, unspeakable

TIMES = 2000
ALPHABETS = {
    "letters": string.ascii_letters,
    "letters and digits": string.ascii_letters + string.digits,
    "base64": string.ascii_letters + string.digits + "+/",
}
MOST_LEFT = {16: TIMES // 200, 20: TIMES // 500, 24: TIMES // 1000}
"""By length, fewer values than this may be left."""
NAMES = ("AES_KEY", "STRIPE_KEY", "REDIS_AUTH", "TOTP_SEED", "paymentKey")
FORMS = {
    "environment": "{name}={value}\n",
    "json": '{{"{name}": "{value}"}}',
    "yaml": "{name}: {value}\n",
    "xml": "<{name}>{value}</{name}>",
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS.keys())
@pytest.mark.parametrize("alphabet", ALPHABETS.values(), ids=ALPHABETS.keys())
@pytest.mark.parametrize("length", MOST_LEFT)
def test_nearly_no_random_value_is_left_behind_a_loose_name(length: int, alphabet: str, form: str) -> None:
    source = random.Random(f"{length} {alphabet}")
    left = []
    for number in range(TIMES):
        value = "".join(source.choices(alphabet, k=length))
        text = form.format(name=NAMES[number % len(NAMES)], value=value)
        if Redactor().redact(text) == text:
            left.append(value)
    assert len(left) < MOST_LEFT[length], left


def test_a_random_value_that_begins_with_a_slash_is_no_path() -> None:
    source = random.Random(44)
    alphabet = ALPHABETS["base64"]
    values = ["/" + "".join(source.choices(alphabet, k=42)) + "=" for _ in range(TIMES)]
    left = [value for value in values if value in Redactor().redact(f"AES_KEY: {value}\n")]
    assert len(left) < TIMES // 100, left


@pytest.mark.parametrize(
    "text",
    [
        "token: {}\n",
        "client_secret = {}\n",
        'config.set("api_key", "{}")',
        "| DB_PASSWORD | {} |",
        "API key:\n{}\n",
        '"api_keys": ["{}"]',
    ],
)
def test_random_letters_vanish_behind_the_name_of_a_secret_too(text: str) -> None:
    source = random.Random(text)
    values = ["".join(source.choices(string.ascii_letters, k=20)) for _ in range(200)]
    left = [value for value in values if value in Redactor().redact(text.format(value))]
    assert len(left) <= 1, left


def test_random_letters_seen_behind_a_name_vanish_everywhere() -> None:
    redactor = Redactor()
    redactor.learn_from("STRIPE_KEY: KqzRtWvbMnXyPlTrQs2\n")
    assert (
        redactor.redact("it says KqzRtWvbMnXyPlTrQs2 is wrong") == "it says [redacted:known-value] is wrong"
    )


_NAMES_OF_THINGS = """getUserByName XMLHttpRequest HTTPServerConfig camelCaseIdentifierName NSURLSessionConfiguration
UITableViewCellStyleSubtitle getElementsByTagNameNS OpenSSLEVPDigestCtx AbstractSingletonProxyFactoryBean
encodeURIComponent createDocumentFragment dangerouslySetInnerHTML setUpClassMethod assertRaisesRegex isInstanceOfType
JSONDecodeError SQLAlchemyUserDatastore WebGLRenderingContext OAuth2AuthorizationCodeBearer
sha256WithRSAEncryption Http2ServerRequestHandler utf8DecoderStreamFactory parseInt32LittleEndian
benutzerSchluesselWert ZahlungsSchnittstelle claveDeAccesoPrincipal numeroDeCompteClient przedsiebiorstwoKlucz
sleutelVoorBetalingen CorrectHorseBatteryStaple internationalization Donaudampfschifffahrtsgesellschaft
user_profile_settings billing-service-production com.example.payments.StripeKeyProvider
src/components/UserProfile/AvatarUpload /srv/Keys/K8sProd/MyTLSKeyV2 /Users/dev/Library/Keychains/AppleRootCA
keys/Production/Payments/StripeLiveKey ./config/Keys/PaymentProvider
DATABASE_CONNECTION_STRING PyCF_ALLOW_TOP_LEVEL_AWAIT"""


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS.keys())
@pytest.mark.parametrize("value", _NAMES_OF_THINGS.split())
def test_a_name_behind_a_loose_name_stays(value: str, form: str) -> None:
    for name in NAMES:
        text = form.format(name=name, value=value)
        assert Redactor().redact(text) is text


@pytest.mark.parametrize("form", [form for kind, form in FORMS.items() if kind != "environment"])
@pytest.mark.parametrize(
    "value", ["9f86d081884c7d659a2feaa0c55ad015a3bf4f1b", "123e4567-e89b-42d3-a456-426614174000"]
)
def test_an_id_behind_a_loose_name_stays(value: str, form: str) -> None:
    text = form.format(name="DEPLOY_KEY", value=value)
    assert Redactor().redact(text) is text


@pytest.mark.parametrize("module", [ast, asyncio, email.message, logging.handlers, unittest.mock])
def test_the_names_of_the_standard_library_are_spelled_like_names(module: ModuleType) -> None:
    members = (getattr(module, name) for name in dir(module))
    names = {*dir(module), *(name for member in members for name in dir(member))}
    assert [name for name in sorted(names) if unspeakable(name)] == []


@pytest.mark.parametrize(
    "value", ["", "İ" * SHORTEST + "aB", "日本" * 10 + "aB", "1234567890123456aB", "_" * 20 + "aB"]
)
def test_whatever_is_no_letter_says_nothing(value: str) -> None:
    assert not unspeakable(value)
