"""What any text of a session teaches: secrets seen once vanish everywhere, words and names never do.

Values are made up for these tests, and tried in both directions: before and after the text that tells them, and in
every form in which a value may turn up again.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from urllib.parse import quote

import pytest

from segue.model.entry import Edit, Entry
from segue.redaction import text_learning
from segue.redaction.random_values import made_up
from segue.redaction.redact import Redactor, hear_entry, redact_entry, without_sensitive_files

CHOSEN = "Kr4ken_tide-9917zQ"
MARKED = "Zarzuela#1808mole"
NAMED = "puffin-Skarv_7731"
DRAWN = "k2J9x81m44pqZt7R"

SETTINGS = {
    "toml": (f'[redis]\nurl = "redis://match:6379"\npassword = "{CHOSEN}"\n', CHOSEN),
    "yaml": (f'haproxy_stats_user: admin\nhaproxy_stats_password: "{MARKED}"\n', MARKED),
    "yaml, bare": (f"db:\n  password: {NAMED}\n", NAMED),
    "json": (f'{{"db_password": "{NAMED}"}}', NAMED),
    "json in a string": (f'{{\\"password\\": \\"{CHOSEN}\\"}}', CHOSEN),
    "ini": (f"[db]\nuser = app\npass = {CHOSEN}\n", CHOSEN),
    "properties": (f"spring.datasource.password={CHOSEN}\n", CHOSEN),
    "terraform values": (f'db_password = "{MARKED}"\n', MARKED),
    "a terraform default": (f'variable "db_password" {{\n  default = "{CHOSEN}"\n}}\n', CHOSEN),
    "Renviron": (f"GBIF_USER=mh\nGBIF_PWD={NAMED}\n", NAMED),
    "R": (f'gbif_pwd <- "{NAMED}"\n', NAMED),
    "netrc": (f"machine api.test login dev password {CHOSEN}\n", CHOSEN),
    "compose": (f"    environment:\n      POSTGRES_PASSWORD: {CHOSEN}\n", CHOSEN),
    "compose, as a list": (f"      - MYSQL_ROOT_PASSWORD={NAMED}\n", NAMED),
    "php array": (f"    'password' => '{CHOSEN}',\n", CHOSEN),
    "php constant": (f"define('DB_PASSWORD', '{MARKED}');", MARKED),
    "python": (f"DATABASES = {{'default': {{'PASSWORD': '{CHOSEN}'}}}}", CHOSEN),
    "a python secret": (f"SECRET_KEY = '{DRAWN}'\n", DRAWN),
    "javascript": (f"export default {{ apiKey: '{DRAWN}' }}", DRAWN),
    "xml attribute": (f'<property name="password" value="{CHOSEN}"/>', CHOSEN),
    "xml element": (f'<entry key="db.password">{CHOSEN}</entry>', CHOSEN),
    "redis.conf": (f"requirepass {CHOSEN}\n", CHOSEN),
    "make": (f"DB_PASSWORD ?= {CHOSEN}\n", CHOSEN),
    "an address": (f'url = "postgres://app:{NAMED}@db:5432/x"\n', NAMED),
    "a manifest": (f"kind: Secret\nstringData:\n  api-token: {DRAWN}\n", DRAWN),
    "an encoded manifest": (
        f"apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ndata:\n  dsn: {base64.b64encode(CHOSEN.encode()).decode()}\n",
        CHOSEN,
    ),
    "a diff": (f"@@ -1 +1 @@\n-  password: old\n+  password: {CHOSEN}\n", CHOSEN),
    "numbered lines": (f'     3\tpassword = "{CHOSEN}"\n', CHOSEN),
}
SENTENCES = {
    "is": f"the password is {CHOSEN}",
    "with words between": f"the password for the staging db is {CHOSEN}.",
    "pw": f"pw: {CHOSEN}",
    "pw without a verb": f"the redis pw {NAMED} is for eu only btw",
    "pwd": f"my pwd is {CHOSEN}, thanks",
    "without a verb": f"use the password {CHOSEN} for now",
    "in parentheses": f"password (staging): {NAMED}",
    "set to": f"I set the password to {NAMED}",
    "as": f"use {CHOSEN} as the password",
    "before its name": f"{CHOSEN} is the admin password",
    "pword": f"pword: {NAMED}",
    "a pair": f"log in as bob / {CHOSEN}",
    "pass": f"user admin, pass {CHOSEN}",
    "german": f"Das Passwort ist {NAMED}",
    "german, without a verb": f"Passwort {MARKED} bitte",
    "spanish": f"la contraseña {MARKED} es solo para eu",
    "french": f"le mot de passe {CHOSEN}",
    "russian": f"пароль {CHOSEN}",
    "russian, with words between": f"Пароль от базы — {CHOSEN}",
    "chinese": f"密码是{CHOSEN}，请保密",
    "chinese, without a verb": f"密码 {CHOSEN}",
    "japanese": f"パスワードは{CHOSEN}です",
    "portuguese": f"a senha {CHOSEN}",
    "polish": f"hasło {CHOSEN}",
}
DISGUISES: dict[str, Callable[[str], str]] = {
    "as it is": lambda value: value,
    "in JSON": lambda value: json.dumps(value)[1:-1],
    "in an address": lambda value: quote(value, safe=""),
    "in base64": lambda value: base64.b64encode(value.encode()).decode().rstrip("="),
}

ORDINARY = {
    "a database": ("password: postgres", "postgres"),
    "a column": ("primary_key = user_id_2", "user_id_2"),
    "a key": ("key: id", "id"),
    "a type": ("token: string", "string"),
    "a switch": ("secret: true", "true"),
    "a blank": ("password: changeme", "changeme"),
    "another blank": ("api_token = your-token-here", "your-token-here"),
    "a variable": ("password: ${DB_PASSWORD_2}", "${DB_PASSWORD_2}"),
    "angles": ("password = <secret>", "<secret>"),
    "xs": ("token: xxxxxxxxxxxx", "xxxxxxxxxxxx"),
    "a usual password": ("password: admin123", "admin123"),
    "another usual one": ('password = "letmein"', "letmein"),
    "a name": ("secretName: tls-secret-2024", "tls-secret-2024"),
    "a stored secret": ('secret = "db-creds-v2"', "db-creds-v2"),
    "a label": ('{"password": "Passwort:", "token": "Sicherheitstoken"}', "Sicherheitstoken"),
    "a label abroad": ('{"password": "Contraseña", "passwordHint": "mínimo-8"}', "mínimo-8"),
    "a schema": ('{"password": {"type": "string", "minLength": 8}}', "string"),
    "a rule for a form": ("'password' => 'required|string|min:8|confirmed',", "required|string|min:8|confirmed"),
    "a selector": ("const password = '#password-input2'", "#password-input2"),
    "a class": ('token: "UserServiceV2"', "UserServiceV2"),
    "a design token": ('token: "color.primary.500"', "color.primary.500"),
    "a version": ('"simple-token": "4.0.0-beta1"', "4.0.0-beta1"),
    "a digest": (f'"token": "sha512-{DRAWN}{DRAWN}"', f"sha512-{DRAWN}{DRAWN}"),
    "a short commit": ("token: 9fceb02d", "9fceb02d"),
    "a public address": ('token: "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"', "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"),
    "an encoding": ("the password is base64 encoded", "base64"),
    "an algorithm": ("password hashing: bcrypt-12", "bcrypt-12"),
    "a column type": ("password VARCHAR(255) NOT NULL", "VARCHAR(255)"),
    "a model": ("token: claude-sonnet-4-5-20250929", "claude-sonnet-4-5-20250929"),
    "a time": ("the password was changed 2024-05-01T09:41:22", "2024-05-01T09:41:22"),
    "a host": ("password for db.internal:5432", "db.internal:5432"),
    "a test": ("pass: LoginFlow_V2-2024", "LoginFlow_V2-2024"),
    "a file": ("passwords are in config/prod-2024.toml", "config/prod-2024.toml"),
}  # fmt: skip


def heard(text: str, spoken: bool = False) -> Redactor:
    redactor = Redactor()
    redactor.learn_from(text, spoken)
    return redactor


@pytest.mark.parametrize("disguise", DISGUISES.values(), ids=DISGUISES)
@pytest.mark.parametrize(("text", "secret"), SETTINGS.values(), ids=SETTINGS)
def test_what_a_settings_file_of_any_kind_shows_vanishes_everywhere(
    text: str, secret: str, disguise: Callable[[str], str]
) -> None:
    assert heard(text).redact(f"then {disguise(secret)} again") == "then [redacted:known-value] again"
    assert secret not in heard(text).redact(text)


@pytest.mark.parametrize("text", SENTENCES.values(), ids=SENTENCES)
def test_what_a_sentence_tells_vanishes_there_and_everywhere(text: str) -> None:
    secret = next(value for value in (CHOSEN, MARKED, NAMED) if value in text)
    assert secret not in Redactor().redact(text)
    assert heard(text, spoken=True).redact(f"then {secret} again") == "then [redacted:known-value] again"


@pytest.mark.parametrize("spoken", [False, True])
def test_a_phrase_of_joined_words_behind_its_name_vanishes_everywhere(spoken: bool) -> None:
    redactor = heard("passphrase: correct-horse-battery-staple", spoken)
    assert redactor.redact("unlock correct-horse-battery-staple") == "unlock [redacted:known-value]"


@pytest.mark.parametrize("spoken", [False, True])
@pytest.mark.parametrize(("text", "value"), ORDINARY.values(), ids=ORDINARY)
def test_a_word_a_name_or_a_notation_is_not_learnt(text: str, value: str, spoken: bool) -> None:
    redactor = heard(text, spoken)
    assert redactor.learned == frozenset()
    assert redactor.redact(f"then {value} again") == f"then {value} again"


@pytest.mark.parametrize(
    "value", ["s3cr3t-horse-77", "BlueberryPancake77", "Tr0ub4dor&3", "xK#9[p}2Lq", "Eichhörnchen_2023"]
)
def test_behind_the_name_of_a_password_less_proves_it(value: str) -> None:
    assert made_up(value)


@pytest.mark.parametrize(
    "value", ["BlueberryPancake77", "RetryHandler42", "OAuth2Token", "Ctrl+Shift+K", "k8s-secret-2"]
)
def test_behind_another_name_only_what_looks_drawn_at_random_is_one(value: str) -> None:
    assert not made_up(value, password=False)


def entry(**fields: object) -> Entry:
    return Entry(file="session.jsonl", line=1, **{"kind": "agent", **fields})  # type: ignore[arg-type]


TEACHING = {
    "a file read": entry(kind="tool_result", tool_kind="read", text=SETTINGS["toml"][0]),
    "an edit": entry(kind="tool_call", tool_kind="edit", edits=(Edit(path="a.toml", new=SETTINGS["toml"][0]),)),
    "what an edit took away": entry(kind="tool_call", edits=(Edit(path="a.toml", old=SETTINGS["toml"][0]),)),
    "a command": entry(kind="tool_call", tool_kind="shell", command=f"echo 'password = \"{CHOSEN}\"' > prod.toml"),
    "a prompt": entry(kind="user", by="person", text=SENTENCES["with words between"]),
    "the agent's words": entry(text=SENTENCES["without a verb"]),
}  # fmt: skip


@pytest.mark.parametrize("telling", TEACHING.values(), ids=TEACHING)
def test_it_does_not_matter_where_it_is_told_nor_what_came_before(telling: Entry) -> None:
    redactor = Redactor()
    before, after = entry(text=f"I try {CHOSEN} now."), entry(text=f"{CHOSEN} worked.")
    list(without_sensitive_files((before, telling, after), redactor))
    assert redactor.redact(before.text) == "I try [redacted:known-value] now."
    assert redactor.redact(after.text) == "[redacted:known-value] worked."


def test_an_entry_is_redacted_by_what_the_ones_before_it_told() -> None:
    redactor = Redactor()
    redact_entry(TEACHING["a file read"], redactor)
    assert redact_entry(entry(text=f"{CHOSEN} worked."), redactor).text == "[redacted:known-value] worked."


def test_a_name_at_the_end_of_a_text_is_not_that_of_a_value_in_the_next() -> None:
    redactor = Redactor()
    for text in ("Enter the password: ", f'"{CHOSEN}" is a ship'):
        hear_entry(entry(kind="tool_result", text=text), redactor)
    assert redactor.learned == frozenset()


def test_what_was_heard_is_known_to_a_twin() -> None:
    assert heard(SETTINGS["toml"][0]).twin().redact(CHOSEN) == "[redacted:known-value]"


def test_a_secret_far_behind_other_text_is_heard() -> None:
    filler = "12 tests passed, the token bucket leaks 3 times. " * 4000
    assert heard(f"{filler}\n{SETTINGS['toml'][0]}{filler}").learned == {CHOSEN}


def test_a_value_far_from_the_word_that_makes_a_manifest_secret_is_heard() -> None:
    labels = "".join(f"    label-{number}: shown\n" for number in range(40))
    encoded = base64.b64encode(CHOSEN.encode()).decode()
    text = f"kind: Secret\nmetadata:\n  labels:\n{labels}data:\n  relay: {encoded}\n"
    assert CHOSEN in heard(text).learned


def test_at_least_25_secrets_and_25_look_alikes_are_tried() -> None:
    assert min(len(SETTINGS), len(ORDINARY)) >= 25


def test_a_text_heard_again_is_gone_through_once(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[bytes] = []
    monkeypatch.setattr(text_learning, "secrets_in", lambda part: seen.append(part) or ())
    redactor = Redactor()
    for _ in range(3):
        redactor.learn_from(f"password: {CHOSEN}\n")
        assert redactor.learned == frozenset()
    assert len(seen) == 1
