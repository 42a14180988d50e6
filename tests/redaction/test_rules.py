"""Every row of the table proves itself: its example vanishes, its look-alike stays."""

from __future__ import annotations

import re

import pytest

from segue.redaction.redact import Redactor
from segue.redaction.rule import REACH, Rule
from segue.redaction.rules import RULES

NAMED = [pytest.param(rule, id=f"{rank}-{rule.kind}") for rank, rule in enumerate(RULES)]


@pytest.mark.parametrize("rule", NAMED)
def test_the_example_vanishes_and_its_surroundings_stay(rule: Rule) -> None:
    before, secret, after = rule.example
    clean = Redactor().redact  # the id of a key pair goes as well
    assert clean(before + secret + after) == f"{clean(before)}[redacted:{rule.kind}]{clean(after)}"


@pytest.mark.parametrize("rule", NAMED)
def test_the_look_alike_stays_whole(rule: Rule) -> None:
    assert Redactor().redact(rule.lookalike) is rule.lookalike


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
