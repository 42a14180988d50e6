"""Secrets in records and lists: the name in one field, the value in another; cookies in headers and jars.

Each value is tried where it stands and where it is told again; what has another name, or is a word, stays.
"""

from __future__ import annotations

import random
import string

import pytest

from segue.redaction.redact import Redactor, redact_json

_LETTERS = string.ascii_letters + string.digits


def drawn(seed: int, length: int = 24) -> str:
    """A value drawn at random, with a digit between its letters."""
    letters = random.Random(seed).choices(_LETTERS, k=length)
    return "".join(("x", *letters[:4], "7", "R", *letters[4:], "k"))


VALUES = [drawn(seed) for seed in range(6)]

RECORDS = {
    "a task definition": '"environment": [{"name": "DB_PASSWORD", "value": "%s"}]',
    "a deployment, spread over lines": '{\n   "name": "DB_PASSWORD",\n   "value": "%s"\n  }',
    "settings of a site": '[\n  {\n    "name": "STRIPE_SECRET_KEY",\n    "slotSetting": false,\n    "value": "%s"\n  }\n]',
    "the value first": '{"value": "%s", "name": "DB_PASSWORD"}',
    "the value first, a field between": '{"value": "%s", "type": "PLAINTEXT", "name": "API_TOKEN"}',
    "the value first, over lines": "{\n  value: '%s',\n  name: 'auth_token'\n}",
    "a tag": '{"Key": "DB_PASSWORD", "Value": "%s"}',
    "a parameter of a stack": '{"ParameterKey": "DbPassword", "ParameterValue": "%s"}',
    "a stored parameter": '{"Name": "/prod/db_password", "Type": "SecureString", "Value": "%s", "Version": 3}',
    "an option": '{"Namespace": "aws:env", "OptionName": "API_TOKEN", "Value": "%s"}',
    "javascript": "{ name: 'session_token', value: '%s', domain: 'x.test' }",
    "python": "EnvVar(name='DB_PASSWORD', value='%s')",
    "a python dictionary": "{'name': 'SMTP_PASSWORD', 'value_from': None, 'value': '%s'}",
    "hcl": 'name  = "DB_PASSWORD"\n    value = "%s"',
    "json in a string": '{\\"name\\":\\"DB_PASSWORD\\",\\"value\\":\\"%s\\"}',
    "json of several lines in a string": '{\\n  \\"name\\": \\"DB_PASSWORD\\",\\n  \\"value\\": \\"%s\\"\\n}',
    "an output": '{"db_password": {"sensitive": true, "type": "string", "value": "%s"}}',
    "an output, over lines": '{\n  "db_password": {\n    "sensitive": true,\n    "type": "string",\n    "value": "%s"\n  }\n}',
    "a sensitive output of any name": '"relay": {\n  "sensitive": true,\n  "type": "string",\n  "value": "%s"\n}',
    "parameters of a template": '"adminPassword": {\n  "value": "%s"\n}',
    "the default of a template": '"DBPassword": {"Type": "String", "NoEcho": true, "Default": "%s"}',
    "yaml": "db_password:\n  type: string\n  value: %s\n",
    "a masked variable": '{"key":"RELAY","value":"%s","protected":false,"masked":true}',
    "a cookie of a browser": '{"name": "sid", "value": "%s", "domain": "x.test", "path": "/", "httpOnly": true}',
    "a cookie of a driver": "{'domain': 'x.test', 'httpOnly': True, 'name': 'sid', 'path': '/', 'value': '%s'}",
    "a recorded header": '{"name": "set-cookie", "value": "session=%s; Path=/"}',
    "a recorded request": '{"name":"cookie","value":"a=b2cd; session=%s"}',
    "yaml, the value first": "- value: %s\n  name: DB_PASSWORD\n",
    "yaml, the value first and quoted": '- value: "%s"\n  name: DB_PASSWORD\n',
    "yaml with capitals": "  - Name: API_TOKEN\n    Value: %s\n",
    "a table": "| name | value |\n|---|---|\n| DB_PASSWORD | %s |\n| `API_TOKEN` | `%s` |\n",
    "a list of cookies": 'cookies: [{"name":"sessionid","value":"%s"}]',
}
COOKIES = {
    "a list": "headers: { 'set-cookie': [ 'session=%s; Path=/; HttpOnly' ] }",
    "a list over lines": "'set-cookie': [\n      'session=%s; Path=/; HttpOnly'\n    ],",
    "a list in JSON": '{"set-cookie":["session=%s; Path=/; HttpOnly"]}',
    "the second of a list": "'set-cookie': [ 'lang=en; Path=/', 'sid=%s; Path=/' ]",
    "a pair": "[('Set-Cookie', 'session=%s; Path=/')]",
    "a pair of bytes": "[b'set-cookie', b'session=%s; Path=/']",
    "ruby": '"Set-Cookie" => "_app_session=%s; path=/"',
    "single quotes": "{'Set-Cookie': 'session=%s; Path=/'}",
    "go": "map[Set-Cookie:[session=%s; Path=/]]",
    "signed": "'set-cookie': [ 'connect.sid=s%%3A%s; Path=/' ]",
    "a request": '{ "cookie": "session=%s; a=b" }',
    "behind another": '{ "cookie": "a=b2cd; session=%s" }',
    "behind a short one": "Cookie: a=b; lang=en; session=%s",
    "behind a short one, recorded": '{"name":"cookie","value":"a=b; session=%s"}',
    "a jar": "# Netscape HTTP Cookie File\n.x.test\tTRUE\t/\tTRUE\t1799999999\tsid\t%s\n",
    "a jar for servers alone": "#HttpOnly_.x.test\tFALSE\t/app\tTRUE\t0\tsid\t%s\n",
}


@pytest.mark.parametrize("form", (RECORDS | COOKIES).values(), ids=RECORDS | COOKIES)
def test_the_value_of_a_record_vanishes_there_and_everywhere(form: str) -> None:
    for value in VALUES:
        text = form.replace("%s", value).replace("%%", "%")
        redactor = Redactor()
        redactor.learn_from(text)
        assert value not in Redactor().redact(text)
        assert redactor.redact(f"then {value} again") == "then [redacted:known-value] again"


def test_name_layout_and_the_other_fields_stay() -> None:
    text = RECORDS["settings of a site"]
    assert Redactor().redact(text % VALUES[0]) == text % "[redacted:assignment]"


def test_a_nested_value_is_judged_by_the_name_that_its_record_gives() -> None:
    given = {
        "env": [
            {"name": "DB_PASSWORD", "value": "letmein"},
            {"name": "color", "value": "letmein"},
            {"value": 1},
        ]
    }
    left = redact_json(given, Redactor())
    assert [record["value"] for record in left["env"]] == ["[redacted:assignment]", "letmein", 1]


STAYING = [
    '{"name":"color","value":"red"}',
    '{"name": "COMMIT", "value": "9fceb02d0ae598e95dc970b74767f19372d61af8"}',
    '{"name": "DB_PASSWORD", "valueFrom": "arn:aws:secretsmanager:eu:1:secret:db-a1b2c3"}',
    '{"name": "DB_PASSWORD", "valueFrom": {"secretKeyRef": {"name": "db-2024", "key": "password"}}}',
    '{"name": "DB_PASSWORD", "value": "${DB_PASSWORD_2}"}, {"name": "DB_PASSWORD", "value": ""}',
    '{"name": "DB_PASSWORD", "value": "changeme"}, {"name": "API_TOKEN", "value": "<your token>"}',
    '{"name": "DB_PASSWORD"}, {"name": "REGION", "value": "eu-west-1a"}',
    '{"type": "token", "value": "identifier"}, {"type": "Keyword", "value": "const"}',
    '{"name": "password", "label": "Password", "value": true}',
    '{"value": "v1.2.3-rc1", "name": "version"}, {"value": "a8Kd02mZq7", "name": "etag"}',
    '{"region": {"sensitive": false, "type": "string", "value": "eu-west-1a"}}',
    '{"password": {"type": "string", "minLength": 8}}, {"token": {"type": "string", "default": "none"}}',
    '{"next_page_token": {"value": "AbC123dEf456GhI7"}}, {"name": "nextToken", "value": "AbC123dEf456GhI7"}',
    '{"name": "session_id", "value": "7c9e6679-7425-40de-944b-e07fc1f90ae7"}',
    '{"name": "theme", "value": "dark", "httpOnly": true, "sameSite": "Lax"}',
    "{'content-type': ['text/html; charset=utf-8'], 'vary': ['Accept-Encoding2']}",
    "res.setHeader('Set-Cookie', 'theme=dark; Path=/'); res.setHeader('Set-Cookie', `sid=${session.id}`)",
    "if 'set-cookie' in headers: cookies2 = parse(headers['set-cookie'])",
    "a\tTRUE\t/srv/app\tb2\n.x.test\tTRUE\t/\tFALSE\t0\ttheme\tdark\n",
    '["DB_PASSWORD", "DB_HOST", "DB_PORT2"], {"keys": ["api_token", "value"]}',
    'the match is case-sensitive": true, "sensitive": true, "fields": ["a2b3c4d5e6"]',
    "| token | color.primary.500 |\n| DB_PASSWORD | required | string |\n| API_KEY | set2024 |\n",
    "- value: a8Kd02mZq7\n  name: build\n- value: a8Kd02mZq7\n  key: token_count\n",
    '{"name": "cookie", "value": "consent-2024"}, {"name": "Set-Cookie", "value": "sid=<value>; Path=/"}',
    "token:\n  description: the value: a8Kd02mZq7\n  required: true\n",
]


@pytest.mark.parametrize("text", STAYING, ids=range(len(STAYING)))
def test_a_record_of_anything_else_stays_whole(text: str) -> None:
    redactor = Redactor()
    redactor.learn_from(text)
    assert redactor.redact(text) is text
    assert redactor.learned == frozenset()


@pytest.mark.parametrize("unit", ['"password", ', 'password",\n', '{"value": "abcdefgh", ', '"sensitive": true, ', "'set-cookie', 'a=b; "])  # fmt: skip
def test_records_without_an_end_are_gone_through(unit: str) -> None:
    text = unit * (200_000 // len(unit)) + '{"name": "DB_PASSWORD", "value": "' + VALUES[0] + '"}'
    assert VALUES[0] not in Redactor().redact(text)
