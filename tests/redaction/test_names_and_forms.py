"""Names of secrets in every form of settings, labels and blocks, given values drawn at random and values that can be spoken.

Each class of names and forms tells how many values in a thousand may be left. Reports, switches and kinds, which use the
same names and forms, stay whole.
"""

from __future__ import annotations

import random
import string

import pytest

from segue.redaction.redact import Redactor

LOWER, LETTERS = string.ascii_lowercase, string.ascii_letters
ALPHABETS = {
    "small letters": LOWER,
    "letters": LETTERS,
    "small letters and digits": LOWER + string.digits,
    "letters and digits": LETTERS + string.digits,
    "capitals and digits": string.ascii_uppercase + string.digits,
}
LENGTHS = (8, 10, 12, 16, 24)
PART = 5
"""Characters of a value in a row that count as a leak."""

LOOSE = ("AUTH", "REDIS_AUTH", "BASIC_AUTH", "SEED", "TOTP_SEED", "PASS", "KEYPASS", "PRIVKEY", "KEY")
SETTINGS = {
    "environment": "{name}={value}\n",
    "environment, among others": "HOST=db\n{name}={value}\nPORT=5432\n",
    "environment, quoted": '{name}="{value}"\n',
    "YAML, among others": "app:\n  HOST: db\n  {name}: {value}\n  PORT: 5432\n",
    "YAML, quoted": "app:\n  {name}: '{value}'\n",
    "JSON": '{{"{name}": "{value}"}}',
    "JSON, among others": '{{\n  "HOST": "db",\n  "{name}": "{value}",\n  "PORT": 5432\n}}\n',
    "Python": '{name} = "{value}"\n',
    "a shell": "export {name}={value}\n",
    "a shell, quoted": "export {name}='{value}'\n",
    "XML": "<{name}>{value}</{name}>",
    "a container": "environment:\n  - {name}={value}\n  - PORT=80\n",
    "a sentence": "Set {name}={value} in the compose file.",
}
LABELS = ("Password", "API key", "Token", "DB_PASSWORD", "Secret", "REDIS_AUTH", "API_KEY", "Passphrase")
MARKDOWN = (
    "**{name}:** {value}",
    "- **{name}**: {value}",
    "- **{name}:** `{value}`",
    "| {name} | {value} |",
    "| **{name}** | `{value}` |",
    "| Name | Value |\n|---|---|\n| {name} | {value} |\n",
    "`{name}`: `{value}`",
    "`{name}` = `{value}`",
    "__{name}__ — {value}",
    "**{name}** - {value}",
    "**{name}** → `{value}`",
    "*{name}*: *{value}*",
    "_{name}_: {value}",
    "{name}: **{value}**",
    "**{name}** (prod): `{value}`",
    "**{name}:**\n{value}\n",
    "**{name}**\n\n`{value}`\n",
    "**{name}:**\n```\n{value}\n```\n",
    "{name}:\n\n```text\n{value}\n```\n",
    "### {name}\n\n```\n{value}\n```\n",
    "> **{name}:** {value}",
    "1. **{name}**: {value}",
    "- {name}:\n  `{value}`\n",
)
NAMES = (
    "password",
    "DB_PASSWORD",
    "api_key",
    "token",
    "client_secret",
    "REDIS_AUTH",
    "PASS",
    "TOTP_SEED",
    "tokens",
)
BLOCKS = (
    '{name} = """\n{value}\n"""\n',
    "{name} = '''{value}'''\n",
    '{name} = """\\\n{value}\n{other}\n"""\n',
    "{name}: |\n  {value}\n  {other}\nport: 80\n",
    "app:\n  {name}: >-\n    {value}\n  port: 80\n",
    "{name}:\n  - {value}\n  - '{other}'\nport: 80\n",
    "{name}: [{value}, {other}]\n",
    '{{"{name}": ["{value}", "{other}"]}}',
    '{{\n  "{name}": [\n    "{value}"\n  ]\n}}\n',
)


def drawn(source: random.Random, alphabet: str, length: int) -> str:
    while True:
        value = "".join(source.choices(alphabet, k=length))
        if not any(map(str.isdigit, alphabet)) or (not value.isdigit() and not value.isalpha()):
            return value


def left(names: tuple[str, ...], form: str, alphabet: str, times: int = 6) -> list[str]:
    """The texts that still tell a part of a value."""
    source = random.Random(f"{form} {alphabet}")
    texts = []
    for name in names:
        for length in LENGTHS * times:
            value, other = drawn(source, alphabet, length), drawn(source, alphabet, length)
            text = Redactor().redact(form.format(name=name, value=value, other=other))
            told = (value, other) if "{other}" in form else (value,)
            if any(one[at : at + PART] in text for one in told for at in range(length - PART + 1)):
                texts.append(text)
    return texts


def most(names: tuple[str, ...], alphabet: str, per_cent: float, times: int = 6) -> float:
    """Small letters alone are soon spelled like a word: of those three times as many."""
    return len(names) * len(LENGTHS) * times * per_cent / 100 * (3 if alphabet == LOWER else 1)


@pytest.mark.parametrize("alphabet", ALPHABETS.values(), ids=ALPHABETS.keys())
@pytest.mark.parametrize("form", SETTINGS.values(), ids=SETTINGS.keys())
def test_nearly_no_random_value_is_left_behind_a_loose_name(form: str, alphabet: str) -> None:
    assert len(found := left(LOOSE, form, alphabet)) <= most(LOOSE, alphabet, 1), found


@pytest.mark.parametrize("alphabet", ALPHABETS.values(), ids=ALPHABETS.keys())
@pytest.mark.parametrize("form", MARKDOWN)
def test_nearly_no_random_value_is_left_behind_a_label(form: str, alphabet: str) -> None:
    assert len(found := left(LABELS, form, alphabet)) <= most(LABELS, alphabet, 0.9), found


@pytest.mark.parametrize("alphabet", ALPHABETS.values(), ids=ALPHABETS.keys())
@pytest.mark.parametrize("form", BLOCKS)
def test_nearly_no_random_value_is_left_in_a_block_or_a_list(form: str, alphabet: str) -> None:
    assert len(found := left(NAMES, form, alphabet)) <= most(NAMES, alphabet, 0.9), found


SPOKEN = (
    "Sunflower-Harbor7 kitchenradio BlueMountain winter_garden Thunderbird42 maple-river-stone velvetmonkey"
)
AMONG = ("environment, among others", "YAML, among others", "JSON, among others", "a shell", "a container")


@pytest.mark.parametrize("value", SPOKEN.split())
@pytest.mark.parametrize("form", [SETTINGS[form] for form in AMONG], ids=AMONG)
@pytest.mark.parametrize("name", ["PASS", "KEYPASS", "DB_PASS", "REDIS_AUTH", "SMTP_AUTH", "TOTP_SEED"])
def test_what_can_be_spoken_vanishes_among_settings(name: str, form: str, value: str) -> None:
    text = form.format(name=name, value="{}")
    assert Redactor().redact(text.replace("{}", value)) == text.replace("{}", "[redacted:assignment]")


@pytest.mark.parametrize("name", ["PASS", "KEYPASS", "DB_PASS", "REDIS_AUTH"])
@pytest.mark.parametrize(
    "form", ["HOST = 'db'\n{} = '{}'\n", "HOST: db\n{}: {}\nPORT: 80\n", '"A": "b",\n"{}": "{}"\n']
)
def test_a_password_of_several_words_vanishes_whole_among_settings(name: str, form: str) -> None:
    text = Redactor().redact(form.format(name, "correct horse battery"))
    assert text == form.format(name, "[redacted:assignment]")


def test_behind_an_equals_sign_of_a_shell_the_command_stays() -> None:
    assert (
        Redactor().redact("PASS=kitchenradio make all clean\n")
        == "PASS=[redacted:assignment] make all clean\n"
    )


STAYING = [
    "PASS: test_foo\n",
    "PASS  tests/x.spec.ts\n",
    "HOST: web1\nAUTH: enabled\nSEED: 42\n",
    "SEED=42\nAUTH=none\nAUTH_MODE=oauth2\nPROXY_AUTH=oauth2-proxy\n",
    "ROLE=admin\nBASIC_AUTH=disabled\nSSO_AUTH=keycloak\nDB_AUTH=scram-sha-256\nSEED=deterministic\n",
    'ERROR_AUTH = "authentication_failed"\nOPENAPI_AUTH = "openapi_auth"\n',
    "self.pre_auth = pre_auth\nconnect(wfc_auth=auth_wfc)\n",
    "static constexpr default_seed = 19780503u;\n",
    "**Password:** required\n- **Token**: expired\n- **API key**: `OPENAI_API_KEY`\n**Secret:** none\n",
    "**Password:** Keycloak\n**Token:** kubernetes\n",
    "**Token:**\nThe token of the session.\n\n**Password**\n\nIt is never shown.\n",
    "| Token | Meaning |\n|---|---|\n| Token | lexeme |\n| Password | VARCHAR |\n| PASS | ntp-running |\n",
    "| command-password | `rabbitmqctl` | `rabbitmqctl add_user` |\n",
    "(?:context|tokens|motivation)|hard\n",
    "### Token\n\nkitchenradio\n",
    "# define SYS_add_key __NR_add_key\n#endif\n",
    "_CASSETTE_KEY: pytest.StashKey[dict]\n__token__ = getTokenOf(x)\n",
    "_tokens = (SYNTAX, ARGUMENT)\nconst hasAuth = (regKey, opts) => {\n",
    'PASSWORD = """\nThe password of the day.\n"""\n',
    "password: |\n  at least eight letters\ntoken: >-\n  required\n",
    "password: ['required', 'min-length']\ntokens: [identifier2, RightParen]\nsecrets:\n  - db-credentials-2024\n",
    " * @NFTA_SOCKET_KEY: socket key to match\n * @NFTA_SOCKET_DREG: destination\n",
    'see `MissingKey` → `"Missing key"`\n',
]


@pytest.mark.parametrize("text", STAYING, ids=[repr(text[:32]) for text in STAYING])
def test_what_reports_tables_and_code_say_under_the_same_names_stays(text: str) -> None:
    assert Redactor().redact(text) is text


@pytest.mark.parametrize(("prefix", "length"), [("GOOG1E", 55), ("GOOG", 20), ("GOOG", 57)])
@pytest.mark.parametrize(
    "form",
    [
        "{0} {1}",
        "access id {0}\nsecret {1}\n",
        "{0}:{1}",
        "{1} ({0})",
        "| {0} | {1} |",
        '["{0}", "{1}"]',
        "{0}/{1}",
    ],
)
def test_the_secret_half_of_a_google_key_vanishes(form: str, prefix: str, length: int) -> None:
    source = random.Random(form)
    for _ in range(40):
        identity = prefix + "".join(source.choices(string.ascii_uppercase + "234567", k=length))
        half = "".join(source.choices(LETTERS + string.digits + "+/", k=40))
        assert half[8:20] not in Redactor().redact(form.format(identity, half))
