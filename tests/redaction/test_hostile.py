"""Text made to hurt comes through: one endless line, anchors without end, values that never close.

Nothing here measures time. Each text would take minutes or hours if a pattern followed the line to its
end at every anchor; a run that does not come back is the failure.
"""

from __future__ import annotations

import pytest

from segue.redaction.redact import Redactor

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
