"""Whatever is drawn at random vanishes behind the name of a secret, in whatever form it is given to that name."""

from __future__ import annotations

import base64
import random
import string

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from segue.redaction import checks
from segue.redaction.ordinary_words import EVERYDAY
from segue.redaction.redact import Redactor
from segue.redaction.spelling import unspeakable

NAMES = {
    "secret": ("token", "apiKey", "API_KEY", "client_secret", "signing_key", "GITHUB_TOKEN", "private_key"),
    "password": ("password", "DB_PASSWORD", "dbPassword", "passphrase"),
    "loose": ("AES_KEY", "STRIPE_KEY", "FERNET_KEY", "COSMOS_KEY", "SSH_KEY", "hmac-key", "stripeKey"),
}
FORMS = {
    "JSON": '{{"{name}": "{value}"}}',
    "JSON in JSON": '{{\\"{name}\\": \\"{value}\\"}}',
    "YAML": "app:\n  {name}: {value}\n",
    "YAML in quotes": "app:\n  {name}: '{value}'\n",
    "TOML": '[app]\n{name} = "{value}"\n',
    "a typed variable": '{name}: str = "{value}"\n',
    "a dictionary": "config['{name}'] = '{value}'\n",
    "an argument's name": 'connect({name}="{value}")',
    "a setter": 'client.set_{name}("{value}")',
    "a default": 'os.getenv("{name}", "{value}")',
    "a constant": "const {name} = `{value}`;",
    "a hash": ":{name} => '{value}',",
    "an attribute": '<client {name}="{value}"/>',
    "a pair of attributes": '<add key="{name}" value="{value}"/>',
    "an element": "<{name}>{value}</{name}>",
    "a named element": '<string name="{name}">{value}</string>',
    "a property list": "<key>{name}</key>\n<string>{value}</string>",
    "properties": "{name}={value}\nport=80\n",
    "an export": 'export {name}="{value}"\n',
    "PowerShell": '$env:{name} = "{value}"\n',
    "a flag": "deploy --{name} {value} --region eu",
    "a flag in quotes": 'deploy --{name} "{value}" --region eu',
    "a header": 'curl -H "X-{name}: {value}" https://api.test',
    "Terraform": 'variable "{name}" {{\n  type = string\n  default = "{value}"\n}}',
    "a container": "- name: {name}\n  value: {value}\n",
    "a table": "| {name} | {value} |",
    "a sentence": "the {name} is {value}, keep it",
    "the next line": "{name}:\n{value}\n",
    "a difference": '+{name}: "{value}"\n',
}
LETTERS = string.ascii_letters
ALPHABETS = (
    LETTERS,
    string.ascii_lowercase + string.digits,
    LETTERS + string.digits,
    string.ascii_uppercase + "234567",
)
seeds = st.integers(min_value=0, max_value=2**32)


def drawn(seed: int, alphabet: str, length: int) -> str:
    return "".join(random.Random(seed).choices(alphabet, k=length))


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS.keys())
@pytest.mark.parametrize("names", NAMES.values(), ids=NAMES.keys())
@settings(max_examples=40, deadline=None)
@given(seeds, st.integers(min_value=16, max_value=40), st.sampled_from(ALPHABETS), st.data())
def test_what_no_name_is_spelled_like_vanishes_in_every_form(
    names: tuple[str, ...], form: str, seed: int, length: int, alphabet: str, data: st.DataObject
) -> None:
    value = drawn(seed, alphabet, length)
    assume(unspeakable(value) and not checks.blank(value))
    text = form.format(name=data.draw(st.sampled_from(names)), value=value)
    assert value[4:12] not in Redactor().redact(text)


IN_PROGRAMS = ("token", "apiKey", "client_secret", "signing_key")
WORDS = sorted(word for word in EVERYDAY if set("aeiou") & set(word))
HOLD_NOTHING_ELSE = (
    "an element",
    "a named element",
    "a property list",
    "a container",
    "a pair of attributes",
)


@pytest.mark.parametrize(
    ("names", "form"),
    [
        pytest.param(names, form, id=f"{kind}-{what}")
        for kind, names in (("secret", IN_PROGRAMS), ("loose", NAMES["loose"]))
        for what, form in FORMS.items()
        if kind == "loose" or what not in HOLD_NOTHING_ELSE
    ],
)
@settings(max_examples=20, deadline=None)
@given(st.lists(st.sampled_from(WORDS), min_size=2, max_size=4, unique=True), st.data())
def test_words_joined_by_capitals_stay_in_every_form_that_programs_use(
    names: tuple[str, ...], form: str, words: list[str], data: st.DataObject
) -> None:
    value = words[0] + "".join(map(str.title, words[1:]))
    text = form.format(name=data.draw(st.sampled_from(names)), value=value)
    assert Redactor().redact(text) is text


MARGINS = {
    "a quotation": "> {line}",
    "a quotation in a quotation": "> > {line}",
    "a table's edge": "| {line}",
    "a comment": "# {line}",
    "a comment of C": " * {line}",
    "an added line": "+{line}",
    "a removed line": "-{line}",
    "an added line with its number": "   {number} +{line}",
    "a number and a tab": "{number:6}\t{line}",
    "a number and an arrow": "{number:6}→{line}",
    "a number and a bar": "{number:4} │ {line}",
    "a search": "id_rsa:{number}:{line}",
    "a line around a match": "{number}-{line}",
    "a log": "2024-01-01T00:00:{number}Z app {line}",
    "strings": '    "{line}\\n" +',
}


@pytest.mark.parametrize("part", ["all", "its end", "its beginning"])
@pytest.mark.parametrize("margin", MARGINS.values(), ids=MARGINS.keys())
@settings(max_examples=10, deadline=None)
@given(seeds, st.sampled_from(["\n", "\r\n"]))
def test_a_private_key_vanishes_whatever_stands_before_its_lines(
    margin: str, part: str, seed: int, line_end: str
) -> None:
    body = [drawn(seed + number, LETTERS + string.digits + "+/", 64) for number in range(4)]
    first, last = (f"-----{word} RSA " + "PRIVATE KEY-----" for word in ("BEGIN", "END"))
    lines = {
        "all": [first, *body, last],
        "its end": [*body, "Zq81hdKw==", last],
        "its beginning": [first, *body],
    }
    shown = [margin.format(line=line, number=9 + number) for number, line in enumerate(lines[part])]
    left = Redactor().redact(line_end.join(("a key:", *shown, "the next line")))
    assert not any(line[at : at + 8] in left for line in body for at in range(56))
    assert left.startswith("a key:") and left.endswith("the next line")


@pytest.mark.parametrize("times", [1, 2])
@pytest.mark.parametrize(
    "settings_file",
    [
        '{{"auths": {{"r.test": {{"password": "{}"}}}}}}',
        "HOST=db\nDB_PASSWORD={}\n",
        "API_KEY={}\n",
        "STRIPE_KEY=Zq81hdKw93hf",
        "url: postgres://app:{}@db.internal/app\n",
        "Authorization: Bearer {}",
    ],
)
@pytest.mark.parametrize("width", [0, 76])
@settings(max_examples=10, deadline=None)
@given(seeds, st.integers(min_value=0, max_value=3))
def test_a_text_that_holds_a_secret_vanishes_in_base64_of_base64_too(
    settings_file: str, times: int, width: int, seed: int, before: int
) -> None:
    value = "Zq81" + drawn(seed, LETTERS, 20)
    assume(not checks.blank(value))
    text = "#" * before + "\n" + settings_file.format(value)
    for _ in range(times):
        text = base64.b64encode(text.encode()).decode()
    core = text.rstrip("=")
    if width:
        text = "\n".join(text[at : at + width] for at in range(0, len(text), width))
    left = Redactor().redact(f"data:\n{text}\n")
    assert not any(core[at : at + 12] in left for at in range(len(core) - 12))
