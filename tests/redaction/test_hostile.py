"""Text made to hurt comes through: one endless line, anchors without end, values that never close.

Nothing here measures time. Work is counted in the bytes that rows look at, and grows with the text and no faster.
"""

from __future__ import annotations

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from segue.redaction import scan
from segue.redaction.redact import Redactor
from segue.redaction.rule import Rule
from segue.redaction.rules import RULES

MEGABYTE = 1_000_000
DENSE = 250_000
SECRET = "gh" + "p_" + "a8Kd02mZq7Rt5Yw1Xc9Ve3Bn6Hj4Gf" + "a8Kd02"
UNITS = {
    "words that announce a secret": "token=",
    "quoted words": 'password="',
    "prefixes": "sk-",
    "prefixes with a body": "sk-a1",
    "two-part tokens": "eyJaaaaaaaa.",
    "key blocks that never end": "-----BEGIN " + "PRIVATE KEY-----\n",
    "addresses that never end": "://a:",
    "addresses with marks and hosts": "://a:'b@h ",
    "commands without their flag": "curl -s ",
    "cookies": "Cookie: a=b; ",
    "escapes": "\\\\\\n",
    "netrc without a password": "machine a login b ",
    "words of several bytes": "pässword=日本",
    "markers": "[redacted:",
    "terminal codes": "\x1b[1m\x1b]8;;",
    "titles that never end": "\x1b]token=",
    "overstriking": "a\b",
    "escapes of addresses": "%3Dtoken%25",
    "names and blanks": "--token signing_key ",
    "names that open a call": 'secret("api_key", "',
    "ends of quoted keys": "> A1b2C3d4E5f6G7h8I9j0\n> -----END " + "PRIVATE KEY-----\n",
    "settings in base64": "cGFzc3dvcmQ6",
    "settings in base64 of base64": "Y0dGemMzZHZjbVE2",
    "escapes of strings": "\\u0022password\\u0022:",
}


@pytest.mark.parametrize("unit", UNITS.values(), ids=UNITS.keys())
def test_a_line_of_nothing_but_anchors_is_redacted_to_its_end(unit: str) -> None:
    line = unit * (DENSE // len(unit.encode()))
    assert SECRET not in Redactor().redact(f"{line} {SECRET}")


@pytest.mark.parametrize("unit", ["a", "a8Kd02mZ+/", "日本語", "\x00"])
def test_a_megabyte_on_one_line_is_redacted_to_its_end(unit: str) -> None:
    line = unit * (MEGABYTE // len(unit.encode()))
    assert Redactor().redact(f"{line} {SECRET}") == f"{line} [redacted:github-token]"


def test_a_value_of_a_megabyte_vanishes_whole() -> None:
    value = "a8Kd02mZq7Rt5Yw1Xc9Ve3Bn6Hj4Gf" * (MEGABYTE // 30)
    assert Redactor().redact(f"API_KEY={value}\nPORT=80") == "API_KEY=[redacted:assignment]\nPORT=80"


def test_a_thousand_secrets_in_one_text_all_vanish() -> None:
    secrets = ["gh" + "p_" + f"{number:06}" + "a8Kd02mZq7Rt5Yw1Xc9Ve3Bn6Hj4Gf" for number in range(1000)]
    redactor = Redactor()
    assert redactor.redact(" ".join(secrets)) == " ".join(["[redacted:github-token]"] * 1000)
    assert redactor.receipt().total == 1000


ANCHORS = sorted({anchor for rule in RULES for anchor in rule.anchors})
_MARKS = """= : ' " \\ @ :// & ; , - | ， [redacted:a] \x1b[ \x1b[1m %3D"""
JOINTS = [*_MARKS.split(), "", " ", "\n", ": ", '": "', "a" * 130, "x1" * 70]
pieces = st.one_of(
    st.sampled_from(ANCHORS),
    st.sampled_from(ANCHORS).map(str.upper),
    st.sampled_from(JOINTS),
    st.sampled_from(["".join(rule.example) for rule in RULES]),
    st.sampled_from([rule.example[0] + rule.example[1][:9] for rule in RULES]),
)
SOME = 8_000
"""Bytes from which on the longest reach of a pattern no longer shows."""


def work(unit: str, length: int) -> int:
    return scan.scanned((unit * (1 + length // len(unit.encode()))).encode()).work


@settings(max_examples=400, deadline=None)
@given(st.lists(pieces, min_size=1, max_size=4).map("".join))
@example("PASSWORD=")
@example("\x1b[PASSWORD=")
@example("set-cookie=a")
@example("accountkey=" + "a" * 130 + "[redacted:a]")
@example("password=" + "a" * 130 + "，")
def test_twice_the_text_is_twice_the_work(unit: str) -> None:
    assume(unit)
    once, twice, four_times = (work(unit, times * SOME) for times in (1, 2, 4))
    assert twice <= 2.5 * once + len(unit) and four_times <= 2.5 * twice + len(unit)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.kind)
def test_no_row_looks_at_much_more_than_the_text_has(rule: Rule) -> None:
    anchor = rule.anchors[0]
    for unit in (anchor, anchor.upper(), "".join(rule.example), rule.example[0] + rule.example[1][:9]):
        assert work(unit, SOME) < 16 * (SOME + len(unit))


def test_a_line_that_takes_too_much_work_is_withheld_to_its_end_and_told_as_such() -> None:
    line = "PASSWORD=hunter2 " * 40
    data = f"first line\n{line}\nlast line".encode()
    found = scan.scanned(data, scan.Budget(at_once=200, per_byte=1)).spans
    kept, _, behind = Redactor()._without(data, scan.merged(found)).decode().partition("[redacted:too-dense]")
    assert kept.startswith("first line\nPASSWORD=[redacted:assignment]") and behind == "\nlast line"


def test_what_follows_a_withheld_line_is_gone_through_again() -> None:
    line = "PASSWORD=hunter2 " * 40
    data = f"{line}\n{'.' * 4000}\nAPI_KEY=zq81-hdkw-93hf\n".encode()
    found = scan.merged(scan.scanned(data, scan.Budget(at_once=200, per_byte=1)).spans)
    assert [span.kind for span in found][-2:] == ["too-dense", "assignment"]
