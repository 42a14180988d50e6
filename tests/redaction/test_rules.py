"""Every row of the table proves itself: its example vanishes, its look-alike stays."""

from __future__ import annotations

import re

import pytest

from segue.redaction.redact import Redactor
from segue.redaction.rule import REACH, Rule
from segue.redaction.rules import RULES

NAMED = [pytest.param(rule, id=f"{rank}-{rule.kind}") for rank, rule in enumerate(RULES)]

FORMS = [
    (("https://", "3f9a0c7e51b2d8463f9a0c7e51b2d846", "@o1.ingest.example/2"), "url-credential"),
    (("export PGPASSWORD=", "correcthorse", "; psql"), "assignment"),
    (("PW=", "correcthorse", " ./deploy.sh"), "assignment"),
    (('{"password": "', "hunter2", '", "user": "dev"}'), "assignment"),
    (("SESSION_SECRET = '", "orbit-lemon-quilt-vivid-amber", "'"), "assignment"),
    (('passphrase: "', "orbit lemon quilt 7", '"'), "assignment"),
    (("password = '", "orbit lemon quilt vivid", "'"), "assignment"),
    (('{"password": ', "84736251", "}"), "assignment"),
    (("password：", "KqzRtWvbMn", "\n"), "assignment"),
    (("  POSTGRES_PASSWORD: ", "postgres", "\n"), "assignment"),
    (("helm upgrade --set db.password=", "KqzRtWvbMn", " --wait"), "assignment"),
    (("deploy --api-token ", "k2j9x81m44pq", " --region eu"), "assignment"),
]
"""What rows that decide several forms find in each of them besides their example."""
LOOKALIKES = [
    "http://localhost:3000/@vite/client https://user:${PASS}@host https://user:password@host ssh://git@host:22/x",
    "https://continuous-integration@git.example/repo.git",
    "DB_PASSWORD=$DB_PASSWORD PASSWORD=changeme PASSWORD_FILE=/run/secrets/db PWD=/home/dev/project bypass=12ab",
    "PW=$PW NPW=correcthorse PW=changeme",
    "API_KEY=your-api-key-here TOKEN=<your token> MAX_TOKENS=40960000 SECRET_NAME=billing-db-login",
    'password: "Password", password = "${DB_PASSWORD}", password_field = "pass1", <input type="password">',
    'token: "identifier", apiKey: "OPENAI_API_KEY", secretName: "tls-2024", nextToken: "AbC123dEf456GhI7"',
    "API_KEY = 'OPENAI_API_KEY', END_TOKEN = 'END_OF_INPUT', SECRET_NAME = 'orbit-lemon-quilt-vivid-amber'",
    'passphrase: "the passphrase of your key"',
    'password: "please enter your password", password: "must have eight letters"',
    'password: "Passwort vergessen?", password: "min 8 chars", "password": "must have 8 letters", password = "Forgot it?"',
    'password: 1234, "password": 0000}, password = 12, PASSWORD: 2024-01-01',
    "password = user.password password=None password: string password=password1 --- PASS: TestV1Retry_2 (0.05s)",
    "password：必填, password：required",
    "password: string\npassword: Optional\npassword: true\nPassword: Required\n",
    "--password string, --password-file ./pw, --password $PASS, --password=PASSWORD, --password newPassword, --db-password <value>",
    "password=dbPassword, f(password=userInput) password=Required password=PASSWORD ",
    "pass --token to the command, --password-file ./pw, stale-token **detection**, --api-key $KEY, --token=TOKEN",
]


@pytest.mark.parametrize("rule", NAMED)
def test_the_example_vanishes_and_its_surroundings_stay(rule: Rule) -> None:
    before, secret, after = rule.example
    clean = Redactor().redact  # the id of a key pair goes as well
    assert clean(before + secret + after) == f"{clean(before)}[redacted:{rule.kind}]{clean(after)}"


@pytest.mark.parametrize("rule", NAMED)
def test_the_look_alike_stays_whole(rule: Rule) -> None:
    assert Redactor().redact(rule.lookalike) is rule.lookalike


@pytest.mark.parametrize(("parts", "kind"), FORMS)
def test_each_form_of_a_row_vanishes_and_its_surroundings_stay(
    parts: tuple[str, str, str], kind: str
) -> None:
    before, secret, after = parts
    assert Redactor().redact(before + secret + after) == f"{before}[redacted:{kind}]{after}"


@pytest.mark.parametrize("text", LOOKALIKES)
def test_the_look_alike_of_a_form_stays_whole(text: str) -> None:
    assert Redactor().redact(text) is text


@pytest.mark.parametrize("rule", NAMED)
def test_the_pattern_itself_finds_the_example_at_an_anchor(rule: Rule) -> None:
    """No other row answers for this one: its own anchor, pattern and check suffice."""
    text = "".join(rule.example).encode()
    pattern = re.compile(rule.pattern.encode())
    part = "secret" if "secret" in pattern.groupindex else 0
    places = [
        place.end() if rule.after else max(0, place.start() - rule.back)
        for anchor in rule.anchors
        for place in re.finditer(re.escape(anchor.encode()), text.lower())
    ]
    matches = [seen for place in places if (seen := pattern.match(text, place))]
    within = rule.within or (lambda seen: [seen.span(part)])
    found = {text[start:end].decode() for seen in matches for start, end in within(seen)}
    assert rule.example[1] in found
    assert rule.check(rule.example[1])
    assert rule.judge is None or any(rule.judge(seen, rule.example[1]) for seen in matches)


@pytest.mark.parametrize("rule", NAMED)
def test_a_row_is_well_formed(rule: Rule) -> None:
    assert re.fullmatch(r"[a-z0-9]+(?:-[a-z0-9]+)*", rule.kind) and len(rule.kind) <= 32
    assert all(
        anchor.encode() == anchor.encode().lower() and len(anchor.encode()) >= 2 for anchor in rule.anchors
    )
    assert rule.example[1] and rule.lookalike


@pytest.mark.parametrize("rule", [row for row in NAMED if row.values[0].rest])  # type: ignore[attr-defined]
def test_a_value_longer_than_the_reach_vanishes_to_its_end(rule: Rule) -> None:
    before, secret, after = rule.example
    long = secret + "Zq81hdKw93hf" * (REACH // 4)
    assert Redactor().redact(before + long + after) == f"{before}[redacted:{rule.kind}]{after}"


@pytest.mark.parametrize("rule", NAMED)
def test_letters_of_several_bytes_around_and_inside_a_value_never_break_the_text(rule: Rule) -> None:
    before, secret, after = rule.example
    for text in (f"día “{before}{secret}{after}” ≠ 日本", before + secret + "é日" * REACH + after):
        assert Redactor().redact(text).encode("utf-8")
