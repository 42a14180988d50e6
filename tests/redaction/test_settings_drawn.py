"""Short values, wrapped values and labelled values that were drawn at random vanish; what programs write there stays."""

from __future__ import annotations

import random
import string

import pytest

from segue.redaction.redact import Redactor

ALNUM = string.ascii_letters + string.digits
SYMBOLS = ALNUM + "!@#$%^*"
KINDS = (string.ascii_lowercase, string.ascii_uppercase, string.digits, "!@#$%^*")
DRAWS = 200


def drawn(source: random.Random, alphabet: str, length: int) -> str:
    """A value of two kinds of characters at least."""
    while True:
        value = "".join(source.choices(alphabet, k=length))
        if sum(bool(set(kind) & set(value)) for kind in KINDS) > 1:
            return value


def share_left(form: str, alphabet: str, *lengths: int) -> float:
    """Of many texts of a form, the share that still tells the beginning or the end of a value."""
    source = random.Random(20240501)
    left = 0
    for _ in range(DRAWS):
        values = [drawn(source, alphabet, length) for length in lengths]
        text = Redactor().redact(form.format(*values))
        left += any(value[:6] in text or value[-6:] in text for value in values)
    return left / DRAWS


SETTINGS = {
    "environment": "{name}={{}}\n",
    "YAML": "  {name}: {{}}\n",
    "JSON": '{{{{"{name}": "{{}}"}}}}',
    "a prompt": "Set {name}={{}} in the compose file and restart.",
}
OF_SECRETS = ("BASIC_AUTH", "REDIS_AUTH", "PRIVKEY", "TOTP_SEED", "STOREPASS", "redis_auth", "totpSeed")


@pytest.mark.parametrize("form", SETTINGS.values(), ids=SETTINGS.keys())
@pytest.mark.parametrize("name", OF_SECRETS)
@pytest.mark.parametrize(
    ("alphabet", "length", "most"),
    [(ALNUM, 8, 0.2), (ALNUM, 10, 0.15), (ALNUM, 12, 0.05), (SYMBOLS, 8, 0.2), (SYMBOLS, 12, 0.06)],
)
def test_few_short_values_are_left_behind_a_name_of_secrets(
    name: str, form: str, alphabet: str, length: int, most: float
) -> None:
    assert share_left(form.format(name=name), alphabet, length) <= most


@pytest.mark.parametrize("form", SETTINGS.values(), ids=SETTINGS.keys())
def test_a_password_behind_who_logs_in_vanishes(form: str) -> None:
    text = form.format(name="BASIC_AUTH").replace("{}", "admin:{}")
    assert share_left(text, ALNUM, 12) <= 0.03


@pytest.mark.parametrize("name", ["KEY", "STRIPE_KEY"])
@pytest.mark.parametrize("form", SETTINGS.values(), ids=SETTINGS.keys())
def test_a_value_with_symbols_vanishes_behind_a_key_from_twelve_characters_on(name: str, form: str) -> None:
    assert share_left(form.format(name=name), SYMBOLS, 12) <= 0.06


@pytest.mark.parametrize("form", ["PASS={}\n", "export PASS='{}'\n", "run with PASS={} once"])
@pytest.mark.parametrize("length", [8, 10])
def test_few_short_values_are_left_behind_pass_and_an_equals_sign(form: str, length: int) -> None:
    assert share_left(form, ALNUM, length) <= 0.16


GOING_ON = {
    "a shell's string": 'TOKEN="{}\\\n{}"\n',
    "a shell's word": "export API_KEY={}\\\n{}\nPORT=80\n",
    "a loose name's word": "export REDIS_AUTH={}\\\n{}\n",
    "a string of YAML": 'api_key: "{}\n  {}"\n',
    "a password of YAML": "password: '{}\n  {}'\nport: 80\n",
    "strings in brackets": 'token = (\n    "{}"\n    "{}"\n)\n',
    "strings behind a bracket": "token = ('{}'\n         '{}')\n",
    "a sum of strings": 'const token = "{}" +\n  "{}";\n',
    "strings behind a mark": 'token = "{}" \\\n    "{}"\n',
    "a block of YAML": "token: >-\n  {}\n  {}\nport: 80\n",
}


@pytest.mark.parametrize("form", GOING_ON.values(), ids=GOING_ON.keys())
@pytest.mark.parametrize("lengths", [(24, 14), (38, 20), (40, 20), (50, 20)])
def test_a_value_that_goes_on_in_the_next_line_vanishes_to_its_end(
    form: str, lengths: tuple[int, int]
) -> None:
    assert share_left(form, ALNUM, *lengths) <= 0.01


@pytest.mark.parametrize("mark", ["|", ">", "|-", ">-", "|+"])
@pytest.mark.parametrize("name", ["password", "api_key", "token", "DB_PASSWORD", "REDIS_AUTH"])
def test_the_line_of_a_block_vanishes(name: str, mark: str) -> None:
    assert share_left(f"{name}: {mark}\n  {{}}\nport: 80\n", ALNUM, 12) <= 0.05


LABELLED = (
    "- **Password**: `{}`",
    "**Password:** {}",
    "**Password**: {}",
    "**API key**: {}",
    "**API key:** `{}`",
    "*Token*: {}",
    "__Password__: {}",
    "**`DB_PASSWORD`**: `{}`",
    "**REDIS_AUTH**: `{}`",
    "| **Password** | `{}` |",
    "<pass>{}</pass>",
    "<user>bob</user><pw>{}</pw>",
    "the cosmos key is {}, keep it",
    "Our cosmos key: `{}`",
)


@pytest.mark.parametrize("form", LABELLED)
def test_what_a_label_tells_vanishes(form: str) -> None:
    assert share_left(form, ALNUM, 12) <= 0.04


ORDINARY = """true enabled required basic_auth oauth2-proxy HTTPBasicAuth utf8Decode getUserAuth client_secret_basic
20240501 3.11.0-beta12 /etc/nginx/htpasswd ./auth/users.txt https://auth.example.test/v2 ${REDIS_AUTH}
$REDIS_AUTH os.environ['REDIS_AUTH'] settings.auth_v2 your-auth-here changeme123 3f9a0c7e nginx:1.25.3
deploy-$CI_COMMIT_SHA dev42@mail.example.org !options.authToken"""


@pytest.mark.parametrize("value", ORDINARY.split())
@pytest.mark.parametrize("form", ["{name}={value}\n", "{name}: {value}\n", '{name} = "{value}"\n'])
@pytest.mark.parametrize("name", ["REDIS_AUTH", "proxy_auth", "randomSeed", "CACHE_VERSION_KEY", "KEY"])
def test_words_numbers_places_and_references_stay(name: str, form: str, value: str) -> None:
    text = form.format(name=name, value=value)
    assert Redactor().redact(text) is text


@pytest.mark.parametrize(
    "text",
    [
        'env=("TOKEN={}"\n  "MODE=production")\n',
        'login --token "{}" \\\n  "registry"\n',
        'TOKEN="{}"\nMODE="production"\n',
        "token: >-\n  {}\nMODE: production\n",
        'keys = ["{}",\n  "production"]\n',
        "export TOKEN={} \\\n  production\n",
    ],
)
def test_what_stands_on_the_line_below_a_whole_value_stays(text: str) -> None:
    value = drawn(random.Random(7), ALNUM, 40)
    tail = text.partition("{}")[2]
    assert Redactor().redact(text.replace("{}", value)).endswith(tail)


@pytest.mark.parametrize(
    "text",
    [
        "- **Password**: required, at least 8 characters",
        "**Token:** a JSON web token (see `auth.md`)",
        "**API key**: `OPENAI_API_KEY`",
        "token: |\n  The token of the session2.\n",
        "password: >-\n  required\n",
        "the cache key is k2J9x81m44pqZt7R, the primary key is user_id_2024",
        "<pass>test_retry_2</pass>",
        'TOKENS = (\n  "identifier2",\n  "RightParen2",\n)',
    ],
)
def test_labels_blocks_and_brackets_without_a_secret_stay(text: str) -> None:
    assert Redactor().redact(text) is text


@pytest.mark.parametrize("mark", "!+_")
@pytest.mark.parametrize(
    "text", ['PASSWORD="{}\\\n{}"\n', "API_KEY={}\\\n{}\n", 'password = "{}" \\\n  "{}"\n']
)
def test_the_second_line_of_a_value_goes_whatever_marks_it_has(text: str, mark: str) -> None:
    rest = f"Qz81{mark}mPl0vXk29f"
    assert rest not in Redactor().redact(text.format("Xk29fLq0vBn38sKd02mZq7Rt5Yw1Xc9Ve3Bn6Hj4GfTq8w", rest))
