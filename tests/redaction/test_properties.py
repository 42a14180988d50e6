"""What holds for any text: redaction settles at once, touches nothing else, and never fails."""

from __future__ import annotations

import re

from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from segue.redaction import checks, scan
from segue.redaction.redact import Redactor
from segue.redaction.rule import Rule
from segue.redaction.rules import RULES

ANCHORS = sorted({anchor for rule in RULES for anchor in rule.anchors})
JOINTS = [
    "=",
    ": ",
    '": "',
    " = '",
    "'",
    '"',
    "`",
    "\\",
    "\\n",
    "\n",
    " ",
    "@",
    "://",
    "&",
    ";",
    ",",
    "-",
    "[",
    "]",
]
SECRETS = [rule.example[1] for rule in RULES]
MARKERS = ["[redacted:jwt]", "[redacted:", "[redacted:assignment]", "redacted"]

pieces = st.one_of(
    st.sampled_from(ANCHORS),
    st.sampled_from(ANCHORS).map(str.upper),
    st.sampled_from(JOINTS),
    st.sampled_from(SECRETS),
    st.sampled_from(SECRETS).map(lambda secret: secret[: len(secret) // 2]),
    st.sampled_from(["".join(rule.example) for rule in RULES]),
    st.sampled_from([rule.lookalike for rule in RULES]),
    st.sampled_from(MARKERS),
    st.text(max_size=12),
)
dense = st.lists(pieces, max_size=14).map("".join)
anything = st.one_of(dense, st.text(max_size=200))


@settings(max_examples=600, deadline=None)
@given(anything)
@example("password=AKIA\x00[redacted:jwt]")
@example("\x00" * 9 + "token=" + "\x85\u2028" * 5)
@example("пароль £9kranich-Tal77x")
def test_redacting_twice_changes_nothing_more(text: str) -> None:
    redactor = Redactor(extra=["redacted", "jwt]", "correct horse"])
    once = redactor.redact(text)
    assert redactor.redact(once) is once


@settings(max_examples=300, deadline=None)
@given(anything)
def test_what_remains_is_the_text_in_order_with_markers_between(text: str) -> None:
    redacted = Redactor().redact(text)
    kept = re.split(r"\[redacted:[a-z0-9-]+\]", redacted)
    position = 0
    for part in kept:
        found = text.find(part, position)
        assert found >= 0
        position = found + len(part)


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=300))
def test_text_without_an_anchor_is_returned_as_it_came(text: str) -> None:
    if not scan.hits(text.encode()):
        assert Redactor().redact(text) is text


@settings(max_examples=200, deadline=None)
@given(
    st.sampled_from(RULES),
    st.text(alphabet=st.characters(exclude_categories=("Cs",)), max_size=40),
    st.text(alphabet=st.characters(exclude_categories=("Cs",)), max_size=40),
)
def test_a_secret_between_other_lines_vanishes_and_the_lines_stay(rule: Rule, above: str, below: str) -> None:
    assume(not scan.hits(f"{above}\n{below}".encode()))
    # The rest of a wrapped value goes, too.
    assume(not checks.random_key(below.partition("\n")[0].strip(" \t\r\\\"'`")))
    before, secret, after = rule.example
    clean = Redactor().redact
    redacted = clean(f"{above}\n{before}{secret}{after}\n{below}")
    assert redacted == f"{above}\n{clean(before)}[redacted:{rule.kind}]{clean(after)}\n{below}"


@settings(max_examples=200, deadline=None)
@given(st.text(min_size=4, max_size=30), st.text(max_size=60), st.text(max_size=60))
def test_an_extra_value_vanishes_wherever_it_stands(value: str, before: str, after: str) -> None:
    redacted = Redactor(extra=[value]).redact(before + value + after)
    if len(value.strip()) >= 4 and "[redacted:" not in before + value + after:
        assert value not in redacted or value in "[redacted:known-value]"


@settings(max_examples=200, deadline=None)
@given(st.lists(pieces, max_size=10).map("".join))
def test_lone_surrogates_survive(text: str) -> None:
    assert Redactor().redact(f"\ud800{text}\udfff").startswith("\ud800")
