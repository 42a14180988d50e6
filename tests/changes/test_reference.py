"""The reference tells all there is: every status, every flag, every rule."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from segue.changes import lint, sentences, states
from segue.model.sentences import table
from segue.surfaces.cli.change.flags import EVERYWHERE, UPDATING
from segue.surfaces.cli.parsing import nouns

ROOT = Path(__file__).parents[2]
REFERENCE = (ROOT / "docs" / "reference" / "change-records.md").read_text("utf-8")
SOURCES = [*(ROOT / "src/segue/changes").glob("*.py"), *(ROOT / "src/segue/service/changes").glob("*.py")]


def test_the_table_of_statuses_is_the_one_in_the_code() -> None:
    for status, steps in states.TRANSITIONS.items():
        row = ", ".join(f"`{step}`" for step in steps) or "nothing"
        assert f"| `{status}` | {row} |" in REFERENCE


@pytest.mark.parametrize("flag", [flag.row.names[0] for flag in (*EVERYWHERE, *UPDATING)])
def test_every_flag_is_there(flag: str) -> None:
    assert re.search(rf"`[^`]*{flag}\b", REFERENCE)


@pytest.mark.parametrize("verb", [verb for verb in nouns()["change"].verbs if verb != "update"])
def test_every_verb_is_there(verb: str) -> None:
    assert f"`change {verb}" in REFERENCE


def test_every_rule_of_lint_is_there() -> None:
    named = {
        rule for path in SOURCES for rule in re.findall(r'Finding\(\s*"([a-z-]+)"', path.read_text("utf-8"))
    }
    named |= {name.partition(".")[0] for name in table(sentences.FINDINGS)}
    texts = {rule.name for rule in lint.NOTES}
    conditions = {
        f"status-{c.name.replace('_', '-')}"
        for conditions in states.CONDITIONS.values()
        for c in conditions
        if c.lasts
    }
    assert [rule for rule in sorted(named | texts | conditions) if f"`{rule}`" not in REFERENCE] == []
