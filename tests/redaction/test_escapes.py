"""Secrets behind colours, overstriking and escapes: a reader sees them, so they vanish like any other."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from segue.model.entry import Entry
from segue.redaction import escapes
from segue.redaction.redact import Redactor, redact_entry

MIXED = "k2J9x81m44pqZt7RaB3dE5fG6hJ8kL0mN1pQ2rS3"
GITHUB = "gh" + "p_" + MIXED[:36]
AWS = "AK" + "IA" + "Q3EGRPSD7XWZ2KLM"
JWT = f"eyJhbGciOiJIUzI1NiJ9.eyJ{MIXED}.{MIXED}"


def overstruck(text: str) -> str:
    return "".join(f"{sign}\b{sign}" for sign in text)


GOING = [
    # colours
    ("bad \x1b[31m", GITHUB, "\x1b[0m for", "github-token"),
    ("\x1b[1m", AWS, "\x1b[22m", "aws-access-key"),
    (".env:\x1b[01;31m\x1b[K", GITHUB, "\x1b[m\x1b[K", "github-token"),
    ("password=\x1b[31m", "Sp6rrow_hawk99", "\x1b[0m refused", "assignment"),
    ('{\x1b[34;1m"password"\x1b[0m: \x1b[0;32m"', "hunter2", '"\x1b[0m}', "assignment"),
    ("\x1b[36mapi_key\x1b[39m: \x1b[33m", "k2j9x81m44pq", "\x1b[39m", "assignment"),
    ("\x1b[38;2;255;0;0mtoken\x1b(B\x1b[m", GITHUB, "\x1b(B\x1b[m", "github-token"),
    ("\x9b31m", GITHUB, "\x9b0m", "github-token"),
    ("done\x1b[2K\x1b[1G", AWS, "\n", "aws-access-key"),
    # links and titles
    ("\x1b]8;;https://x.test/\x07", GITHUB, "\x1b]8;;\x07", "github-token"),
    ("\x1b]8;;https://x.test/cb?token=", "k2j9x81m44pq", "\x1b\\here\x1b]8;;\x1b\\", "url-parameter"),
    ("\x1b]0;deploy\x1b\\", GITHUB, "\n", "github-token"),
    # written out
    (r'{"text": "\u001b[31m', GITHUB, r'\u001b[0m"}', "github-token"),
    (r"echo -e '\033[1;31m", GITHUB, r"\033[0m'", "github-token"),
    (r"printf '\e[31m", AWS, r"\e[0m'", "aws-access-key"),
    (r"'\x1b[31m", AWS, r"\x1b[0m'", "aws-access-key"),
    # overstriking
    ("NAME ", overstruck(GITHUB), " x", "github-token"),
    (overstruck("password") + ": ", overstruck("hunter2"), "\n", "assignment"),
    # addresses
    ("GET /cb?next=%2Fcb%3Ftoken%3D", GITHUB, " 401", "github-token"),
    ("https%3A%2F%2Fbob%3A", GITHUB, "%40github.com", "github-token"),
    ("https%3A%2F%2Fbob%3A", "hunter2", "%40github.com", "url-credential"),
    ("key%3D", AWS, "%26x%3D1", "aws-access-key"),
    ("k%3D", "sk-" + "ant-api03-" + MIXED * 2, "%0A", "anthropic-key"),
    ("%22", "xo" + "xb-123456789012-" + MIXED[:24], "%22", "slack-token"),
    ("token%3D", JWT, "%26a", "jwt"),
    ("token%253D", GITHUB, "%2526a", "github-token"),
    ("?next=%2Fcb%3Fapi_key%3D", "k2j9x81m44pq", "%26page%3D2", "url-parameter"),
    ("body password%3D", "Sp6rrow_hawk99", "%26user%3Dbob", "assignment"),
    # strings
    (r"\u0022", GITHUB, r"\u0022", "github-token"),
    (r"\u003c", GITHUB, r"\u003e", "github-token"),
    (r"{\u0022password\u0022:\u0022", "hunter2", r"\u0022}", "assignment"),
    (r"\\u0022", AWS, r"\\u0022", "aws-access-key"),
    (r"token\x3d", GITHUB, r"\x26", "github-token"),
]


@pytest.mark.parametrize(
    ("before", "secret", "after", "kind"), GOING, ids=[f"{c[3]}-{i}" for i, c in enumerate(GOING)]
)
def test_a_veiled_secret_vanishes_and_its_veil_stays(before: str, secret: str, after: str, kind: str) -> None:
    once = Redactor().redact(before + secret + after)
    assert once == f"{before}[redacted:{kind}]{after}"
    assert Redactor().redact(once) is once


def test_a_token_of_which_a_part_is_coloured_vanishes_whole() -> None:
    text = f"a {GITHUB[:9]}\x1b[01;31m\x1b[K{GITHUB[9:20]}\x1b[m\x1b[K{GITHUB[20:]} b"
    assert Redactor().redact(text) == "a [redacted:github-token] b"


def test_a_token_coloured_right_behind_a_word_vanishes() -> None:
    assert (
        Redactor().redact(f"key\x1b[31m{AWS}\x1b[0mend") == "key\x1b[31m[redacted:aws-access-key]\x1b[0mend"
    )


STAYING = [
    "PASSWORD=\x1b[31mstring\x1b[0m",
    "\x1b[31mFAILED\x1b[0m tests/test_token.py::\x1b[1mtest_token\x1b[0m - AssertionError",
    "\x1b]8;;https://example.test/a%20b\x1b\\token\x1b]8;;\x1b\\ \x1b[32mpassword\x1b[0m: \x1b[33mrequired\x1b[0m",
    overstruck("NAME") + "\n  git-commit\b\b - record",
    "/search?q=a%20b&next=%2Fpath%3Fpage%3D2%26token%3Didentifier",
    "sha256%3De3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    r"re.compile(r'\x1b\[[0-9;]*m'), '\u0022password\u0022: \u0022string\u0022', '\u003ctoken\u003e'",
    'printf("%20s %3d%% token %5d\\n", name, count)',
    "\x1b]unfinished title \x1b[",
]


@pytest.mark.parametrize("text", STAYING, ids=range(len(STAYING)))
def test_a_veiled_text_without_a_secret_stays_the_same_object(text: str) -> None:
    assert Redactor().redact(text) is text


@pytest.mark.parametrize(
    "told",
    [
        "db_password = \x1b[31mKr4ken_tide-9917\x1b[0m",
        "\x1b[36mpassword\x1b[39m: \x1b[33mKr4ken_tide-9917\x1b[39m",
        overstruck("password: Kr4ken_tide-9917"),
    ],
)
def test_a_secret_told_in_colours_is_learnt(told: str) -> None:
    redactor = Redactor()
    redactor.learn_from(told)
    assert redactor.redact("then Kr4ken_tide-9917 again") == "then [redacted:known-value] again"


def test_a_settings_file_shown_in_colours_teaches_its_values() -> None:
    redactor = Redactor()
    redactor.learn("\x1b[1mDB_PASSWORD\x1b[0m=\x1b[32mpuffin-Skarv_77\x1b[0m\n", ".env")
    assert redactor.learned == {"puffin-Skarv_77"}


def test_a_known_value_of_which_a_part_is_coloured_vanishes() -> None:
    redactor = Redactor(["puffin-Skarv_77"])
    assert redactor.redact("a puffin\x1b[31m-Skarv\x1b[0m_77 b") == "a [redacted:known-value] b"


def test_a_coloured_result_is_redacted_in_an_entry() -> None:
    entry = Entry(
        file="s.jsonl", line=1, kind="tool_result", text=f"bad \x1b[31m{GITHUB}\x1b[0m", call_id="c1"
    )
    assert redact_entry(entry, Redactor()).text == "bad \x1b[31m[redacted:github-token]\x1b[0m"


@given(
    st.lists(
        st.sampled_from(["a", "é", "\x1b", "[31m", "]8;;", "\x07", "\b", "%3D", "%2", "\\u0022", "\\", " "])
    )
)
def test_what_is_seen_stands_in_the_text_where_the_view_says(parts: list[str]) -> None:
    data = "".join(parts).encode()
    for view in escapes.views(data):
        places = [view.placed(at, at + 1) for at in range(len(view.data))]
        assert all(0 <= start < end <= len(data) for start, end in places)
        assert places == sorted(places)
        for at, (start, end) in enumerate(places):
            assert end - start > 1 or data[start:end] in (view.data[at : at + 1], b"\x1b")
