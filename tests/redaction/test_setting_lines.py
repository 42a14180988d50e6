"""`PASS:` sets a password among settings and tells a verdict among reports; the lines around it say which."""

from __future__ import annotations

import random
import string

import pytest

from segue.redaction.redact import Redactor

MARK = "[redacted:assignment]"
SET = {
    "who logs in above": ("USER: bob\nPASS: ", "hunter2xyz", "\nHOST: db"),
    "who logs in below": ("PASS: ", "hunter2xyz", "\nUSER: bob\n"),
    "a word": ("USER: bob\nPASS: ", "letmein", "\n"),
    "a number": ("USER: bob\nPASS: ", "84736251", "\nHOST: db\n"),
    "a longer name": ("DB_USER: bob\nPASS: ", "letmein", "\n"),
    "one line between": ("USER: bob\nHOST: db\nPASS: ", "letmein", "\nPORT: 5432\n"),
    "another setting alone": ("HOST: db\nPASS: ", "hunter2xyz", "\nPORT: 5432\n"),
    "indented": ("env:\n  USER: bob\n  PASS: ", "hunter2xyz", "\n"),
    "a list": ("  - USER=bob\n  - PASS=", "letmein", "\n"),
    "quoted": ("PASS: '", "hunter2xyz", "'\n"),
    "an environment": ("export USER=bob\nexport PASS=", "letmein", "\n"),
    "an equals sign alone": ("PASS=", "hunter2xyz", "\n"),
    "small letters": ("user: bob\npass: ", "letmein", "\nhost: db\n"),
    "one line": ("USER: bob PASS: ", "hunter2xyz", " HOST: db"),
    "one line with commas": ("USER=bob, PASS=", "letmein", ", HOST=db"),
    "before a command": ("USER=bob PASS=", "letmein", " ./deploy.sh"),
    "a difference": ("+USER: bob\n+PASS: ", "hunter2xyz", "\n+HOST: db\n"),
    "numbered lines": ("3:USER: bob\n4:PASS: ", "hunter2xyz", "\n5:HOST: db\n"),
    "line ends written out": ("USER: bob\\nPASS: ", "hunter2xyz", "\\nHOST: db"),
    "line ends of Windows": ("USER: bob\r\nPASS: ", "hunter2xyz", "\r\nHOST: db\r\n"),
    "a comment behind it": ("USER: bob\nPASS: ", "hunter2xyz", "  # for tests\n"),
    "below an error": ("ERROR: no connection\nUSER: bob\nPASS: ", "hunter2xyz", "\n"),
    "drawn at random, alone": ("PASS: ", "blEC9xrTT8n2", "\n"),
    "drawn at random, in a text": ("use PASS: ", "a8Kd02mZq7Rt5Yw1Xc9Ve3Bn", " for it"),
}
REPORTED = [
    "PASS: test_login (0.3 s)\nFAIL: test_x",
    "PASS: utf8test\nPASS: base64url\nPASS: sha256sum\n",
    "PASS: hunter2xyz\nFAIL: hunter3xyz\n",
    "SKIP: ipv6only\nPASS: h2load9x\n# TOTAL: 2\n# PASS:  1\n",
    "PASS: utf8test",
    "PASS: login_flow\n\nall 3 tests ran\n",
    "HOST: web1\nPASS: sshd-config\nPASS: ntp-running\n",
    "INFO: begin\nPASS: utf8test\n",
    "File: src/a.js\nPASS: utf8test\nTime: 0.3 s\n",
    "--- PASS: TestV1Retry2 (0.05s)\n--- FAIL: TestV2 (0.01s)\n",
    "    --- PASS: TestAuth/a8Kd02mZq7Rt5Yw1Xc9Ve3Bn (0.02s)\n",
    "ok 1 - parse\nPASS: h2load9x\nnot ok 2 - send\n",
    "✓ parses\nPASS: h2load9x\n",
    "USER: bob\nPASS: test_login\n",
    "USER: bob\nPASS: TestLogin\nUSER: eve\nPASS: login.spec.ts\n",
    "USER: 12\nPASS: 1034\nFAIL: 3\n",
    "PASS: 1034\nFAIL: 12\nTOTAL: 1046\n",
    "PASS=1034 FAIL=12\n",
    "PASS=$((PASS+1))\nFAIL=0\n",
    "USER: bob\nPASS: ${DB_PASS}\n",
    "USER: bob\nPASS: changeme\n",
    "USER: bob\nPASS: <your password>\n",
    "user: string\npass: string\n",
    "auth: { user: smtpUser, pass: smtpPass }",
    "auth: {\n  user: smtpUser,\n  pass: smtpPass\n}",
    "user = current_user\npass = derived_value\n",
    "user: process.env.SMTP_USER\npass: process.env.SMTP_PASS\n",
]


@pytest.mark.parametrize("before, value, after", SET.values(), ids=SET.keys())
def test_what_is_set_behind_pass_goes(before: str, value: str, after: str) -> None:
    assert Redactor().redact(before + value + after) == before + MARK + after


@pytest.mark.parametrize("text", REPORTED)
def test_what_is_reported_behind_pass_stays(text: str) -> None:
    assert Redactor().redact(text) is text


def test_every_password_of_several_logins_goes() -> None:
    text = "USER: bob\nPASS: {}\nUSER: eve\nPASS: {}\n"
    assert Redactor().redact(text.format("hunter2", "letmein")) == text.format(MARK, MARK)


@pytest.mark.parametrize("length", [8, 10, 12, 16, 19, 24])
def test_no_random_password_is_left_among_settings(length: int) -> None:
    source = random.Random(length)
    alphabet = string.ascii_letters + string.digits + "#+_"
    text = "HOST: db\nUSER: bob\nPASS: {}\nPORT: 5432\n"
    values = ["".join(source.choices(alphabet, k=length)) for _ in range(500)]
    left = [value for value in values if Redactor().redact(text.format(value)) != text.format(MARK)]
    assert len(left) <= 5, left


def test_a_password_behind_pass_is_learnt() -> None:
    redactor = Redactor()
    redactor.learn_from("USER: bob\nPASS: Kr4ken_tide\nHOST: db\n")
    assert redactor.redact("bad login Kr4ken_tide") == "bad login [redacted:known-value]"
