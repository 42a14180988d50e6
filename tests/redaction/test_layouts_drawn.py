"""No value that is set under the name of a secret is left, in whatever layout names and values are written.

Each layout is filled with names, languages and values of every kind, from 8 to 40 characters; none of them may be told.
What stands in the same layouts in reports, code and prose stays whole.
"""

from __future__ import annotations

import random
import string

import pytest

from segue.redaction.redact import Redactor

_LETTERS_AND_DIGITS = string.ascii_letters + string.digits
_SYMBOLS = _LETTERS_AND_DIGITS + "!#%*+-=?@^_~" * 2
_WORDS = """velvet harbor copper lantern meadow thunder pickle saddle walnut glacier ribbon puffin cobalt marble
tulip orchid badger falcon pepper ginger cactus domino hazel maple willow raven salmon turnip zephyr mosaic nectar"""
SHORTEST, LONGEST = 8, 40
LENGTHS = (8, 9, 10, 12, 16, 20, 24, 32, 40)
PART = 5
"""Characters of a value in a row that count as a leak."""


def letters_and_digits(source: random.Random, length: int) -> str:
    while True:
        value = "".join(source.choices(_LETTERS_AND_DIGITS, k=length))
        if any(map(str.isdigit, value)) and any(map(str.isalpha, value)):
            return value


def letters(source: random.Random, length: int) -> str:
    while True:
        value = "".join(source.choices(string.ascii_letters, k=length))
        if not value.isupper() and not value.islower():
            return value


def words(source: random.Random, length: int) -> str:
    value = ""
    while len(value) < SHORTEST or len(value) < length - 3:
        value += source.choice(_WORDS.split())
    return value[:LONGEST]


def symbols(source: random.Random, length: int) -> str:
    """With no directive of a format (`%s`) in it, which stands for what is filled in later."""
    while True:
        value = "".join(source.choices(_SYMBOLS, k=length))
        is_framed = value[0].isalnum() and value[-1].isalnum()
        if is_framed and not value.isalnum() and "%s" not in value and "%d" not in value:
            return value


KINDS = {"letters and digits": letters_and_digits, "letters": letters, "words": words, "symbols": symbols}

PASSWORDS = ("DB_PASS", "DB_PASSWORD", "db_password", "POSTGRES_PASSWORD", "smtp-password", "adminPassword")
OTHERS = ("SMTP_AUTH", "STRIPE_KEY", "CLIENT_SECRET", "ACCESS_TOKEN", "API_KEY", "SECRET_KEY_BASE")
NAMES = (*PASSWORDS, *OTHERS)
ROWS = {
    "Kubernetes": "env:\n  - name: {name}\n    value: {value}\n",
    "Kubernetes, in quotes": 'env:\n  - name: PORT\n    value: "80"\n  - name: "{name}"\n    value: "{value}"\n',
    "Kubernetes, value first": "env:\n  - value: {value}\n    name: {name}\n",
    "Kubernetes, JSON": '"env": [{{"name": "PORT", "value": "80"}}, {{"name": "{name}", "value": "{value}"}}]',
    "Kubernetes, JSON on lines": '"env": [\n  {{\n    "name": "{name}",\n    "value": "{value}"\n  }}\n]\n',
    "rows with a key": "- key: {name}\n  type: string\n  value: '{value}'\n",
    "Terraform": 'variable "{name}" {{\n  type        = string\n  description = "of the database"\n  default     = "{value}"\n}}\n',
    "Terraform on one line": 'variable "{name}" {{ default = "{value}" }}\n',
    "compose, list": "services:\n  db:\n    environment:\n      - {name}={value}\n      - PORT=80\n",
    "compose, list in quotes": 'environment:\n  - "{name}={value}"\n  - "PORT=80"\n',
    "compose, mapping": "environment:\n  {name}: {value}\n  PORT: 80\n",
    "compose, mapping in quotes": "environment:\n  {name}: '{value}'\n",
    "Dockerfile": "FROM alpine\nENV {name}={value}\nEXPOSE 80\n",
    "environment": "HOST=db\n{name}={value}\n",
    "shell": "export {name}='{value}'\n",
    "INI": "[database]\nhost = db\n{name} = {value}\n",
    "INI, tight": "[database]\nhost=db\n{name}={value}\n",
    "properties": "server.port=80\napp.{name}={value}\n",
    "JSON": '{{\n  "host": "db",\n  "{name}": "{value}"\n}}\n',
    "columns": "host          db\nport          5432\n{name}   {value}\n",
    "columns with a head": "Key                Value\n---                -----\n{name}   {value}\nregion             eu\n",
    "columns, tabs": "host\tdb\n{name}\t{value}\n",
    "Markdown": "| Setting | Value |\n|---|---|\n| host | db |\n| {name} | {value} |\n",
    "Markdown, as code": "| Setting | Value |\n|---|---|\n| `{name}` | `{value}` |\n",
    "Markdown, wide": "| Setting       | Value              |\n| ------------- | ------------------ |\n| {name} | {value} |\n",
}
IN_CODE = {
    "Terraform, set": '{name} = "{value}"\nregion = "eu"\n',
    "Python": 'def start():\n    {name} = "{value}"\n    return open({name})\n',
    "Markdown, three columns": "| Setting | Value | Note |\n|---|---|---|\n| {name} | {value} | of the database |\n",
}
"""Programs write like this as well, where other names than those of passwords hold words that are no secrets."""
COLUMNS = {
    "Markdown": "| host | {name} |\n|---|---|\n| db | {value} |\n",
    "Markdown, as code": "| host | {name} | port |\n|---|---|---|\n| db | `{value}` | 80 |\n",
    "psql": " host | {name}\n------+--------\n db   | {value}\n(1 row)\n",
    "CSV": "host,{name},port\ndb,{value},80\n",
    "blanks": "HOST   {name}   PORT\ndb     {value}   80\n",
}
LABELS = ("PASS", "Password", "password", "DB_PASS")
SET = {
    "PASS is": "{name} is {value}\n",
    "PASS is, in a sentence": "The user is bob and the {name} is {value}.\n",
    "PASS is, quoted": "the {name} is `{value}`, do not lose it",
    "beside a login": "USER: bob\n{name}: {value}\n",
    "beside a setting": "HOST: db\n{name}: {value}\nPORT: 5432\n",
    "beside a setting, set": "HOST=db\n{name}={value}\nPORT=5432\n",
}
PROSE = (
    "the password is {value}",
    "the root password was {value}.",
    "my password is: {value}",
    "the new password for staging is {value}\n",
    "the passphrase is '{value}', keep it",
    "the password is now `{value}` and works",
    "das Passwort lautet {value}",
    "Das Passwort ist {value}.",
    "das neue Passwort für die Datenbank lautet {value}\n",
    "Kennwort: {value}\n",
    'das Passwort ist "{value}", bitte ändern',
    "le mot de passe est {value}",
    "Le mot de passe de la base est : {value}\n",
    "mot de passe : {value}\n",
    "la contraseña es {value}",
    "La contraseña de la base de datos es {value}.",
    "contraseña: {value}\n",
    "a senha é {value}",
    "la password è {value}",
    "het wachtwoord is {value}.",
    "hasło to {value}",
    "lösenordet är {value}",
    "adgangskoden er {value}",
    "пароль: {value}\n",
    "пароль — {value}",
    "şifre: {value}\n",
    "密码是 {value}",
    "密码：{value}\n",
    "パスワードは {value} です",
    "비밀번호는 {value}",
)


def left(form: str, names: tuple[str, ...], kind: str, seed: str = "", times: int = 2) -> list[str]:
    """The texts that still tell a part of a value."""
    source = random.Random(f"{form} {kind} {seed}")
    texts = []
    for name in names:
        for length in LENGTHS * times:
            value = KINDS[kind](source, length)
            text = Redactor().redact(form.format(name=name, value=value))
            if any(value[at : at + PART] in text for at in range(len(value) - PART + 1)):
                texts.append(text)
    return texts


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("form", ROWS.values(), ids=ROWS.keys())
def test_no_value_is_left_in_a_row_of_settings(form: str, kind: str) -> None:
    assert left(form, NAMES, kind) == []


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("form", IN_CODE.values(), ids=IN_CODE.keys())
def test_no_password_is_left_in_a_program(form: str, kind: str) -> None:
    assert left(form, ("DB_PASS", "DB_PASSWORD", "db_password", "adminPassword"), kind) == []


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("form", COLUMNS.values(), ids=COLUMNS.keys())
def test_no_value_is_left_below_the_name_of_its_column(form: str, kind: str) -> None:
    assert left(form, NAMES, kind) == []


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("form", SET.values(), ids=SET.keys())
def test_no_value_is_left_where_a_label_says_what_it_is(form: str, kind: str) -> None:
    assert left(form, LABELS, kind) == []


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("form", PROSE)
def test_no_value_is_left_in_a_sentence_of_any_language(form: str, kind: str) -> None:
    assert left(form, ("",), kind) == []


STAYING = """PASS: test_login_form (0.12s)
PASS src/auth/session.test.ts
PASS: connects to the replica
--- PASS: TestTokenRefresh (0.02s)
PASS is printed when all of them agree
The first pass is mechanical
the password is required
the password is wrong
the password is not set
the password is missing
the password is incorrect.
the password is hashed
the password is never logged
the password is stored in the keychain
the password was compromised.
the token is expired
the token is identifier
the password for the account is optional
das Passwort ist falsch
das Passwort ist ungültig
das Passwort ist abgelaufen
Passwort vergessen?
le mot de passe est obligatoire
le mot de passe est incorrect
la contraseña es obligatoria
la contraseña es incorrecta.
a senha é inválida
la password è scaduta
het wachtwoord is verplicht
密码：必填
token = get_token()
token = self.token
token: str | None = None
password: string
password: SecretStr
password = user_password
password = getpass.getpass()
db_password = settings.db_password
secret = os.environ["CLIENT_SECRET"]
api_key = config.api_key
const token = tokenFromHeader
access_token = response.access_token
self.password = password
private readonly apiKey: string;
DB_PASSWORD = os.getenv("DB_PASSWORD")
STORAGE_KEY = "kanbanboard"
TOKEN_KEY = 'authtoken'
API_KEY=<your-token>
DB_PASSWORD=${DB_PASSWORD}
DB_PASSWORD=changeme
API_TOKEN: ${{ secrets.API_TOKEN }}
password   required
password   VARCHAR(255)
token      string
db_password   text
secret.py     |  12 ++--
| password | required |
| token | string | the token of the session |
| DB_PASSWORD | Password of the database |
| `API_KEY` | required |
| PASS | test_login |
| password_hash | bcrypt |
variable "db_password" { default = "" }
variable "db_password" { default = var.password }
variable "api_token" { default = "${var.token}" }
- name: DB_PASSWORD
- name: token
{"name": "password", "type": "string", "required": true}
{"type": "token", "value": "identifier"}
{"name": "next_page_token", "value": "AbC123dEf456GhI7"}
password: Optional[str]
commit 3f9a0c7e51b2d8463f9a0c7e51b2d8463f9a0c7e
secret: /run/secrets/db_password
password_file: ./secrets/db.txt
tokens: 4096
max_tokens = 8192
the next token is a comma
passwordless login is enabled
<input type="password" name="password" placeholder="Password">
<label for="password">Password</label>
if (token === undefined) return;
def login(user, password, token):
login(username, password, rememberMe)
["username", "password", "remember"]
INSERT INTO users (name, password) VALUES ($1, $2)
--token string   the token to use"""
BLOCKS_STAYING = (
    "env:\n  - name: DB_PASSWORD\n    valueFrom:\n      secretKeyRef:\n        name: billing\n        key: password\n",
    "- name: API_TOKEN\n  value: $(API_TOKEN)\n- name: DB_PASSWORD\n  value: changeme\n",
    'variable "db_password" {\n  type        = string\n  description = "password"\n  sensitive   = true\n}\n',
    "NAME          TYPE     DATA   AGE\ndb-password   Opaque   1      5d\napi-token     Opaque   2      9d\n",
    "| field | type | password |\n|---|---|---|\n| a | text | hidden |\n| b | text | hashed |\n",
    "user, password, token\nare asked for, one after another,\nand none of them is kept\n",
    "HOST: web1\nPASS: sshd-config\nPASS: ntp-running\nFAIL: disk-usage\n",
    "username = name\npassword = secretword\nconnect(username, password)\n",
    " column_name | password\n-------------+----------\n users       | yes\n(1 row)\n",
)


@pytest.mark.parametrize("text", [*STAYING.splitlines(), *BLOCKS_STAYING])
def test_what_looks_alike_in_reports_code_and_prose_stays_whole(text: str) -> None:
    for whole in (text, f"{text}\n", f"before\n  {text}\nafter\n"):
        assert Redactor().redact(whole) is whole


def test_enough_look_alikes_are_tried() -> None:
    assert len(set(STAYING.splitlines())) >= 60


def test_a_constant_of_a_build_is_quoted_twice() -> None:
    line = 'buildConfigField "String", "API_KEY", "\\"5OO6hebxev!ArX\\""'
    assert "5OO6hebxev!ArX" not in Redactor().redact(line)
    later = 'buildConfigField "String", "API_KEY", "\\"${apiKey}\\""'
    assert Redactor().redact(later) == later
