"""Findings: what a check of texts or records has to say, as the same five words everywhere."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal

from segue.model.value import NamedTuple

if TYPE_CHECKING:
    from segue.model.handoff_answers import Judgement, LintFinding

Severity = Literal["error", "warning", "note"]

PASSING = 70
_COST: dict[Severity, int] = {"error": 25, "warning": 6, "note": 1}


class Finding(NamedTuple):
    """`where` names the place, `message` what is wrong there, `hint` what would be right."""

    rule: str
    severity: Severity
    where: str
    message: str
    hint: str = ""

    def to_json(self) -> LintFinding:
        """As surfaces tell it."""
        rule, severity, where, message, hint = self
        return {"rule": rule, "severity": severity, "where": where, "message": message, "hint": hint}


def report(findings: Iterable[Finding]) -> Judgement:
    """The answer of a lint: it passes with no error and a score of at least 70. The score begins at 100; an
    error costs 25, a warning 6, a note 1, and no rule costs more than twice that."""
    rows = list(findings)
    lost: dict[str, int] = {}
    for row in rows:
        cost = _COST[row.severity]
        lost[row.rule] = min(lost.get(row.rule, 0) + cost, 2 * cost)
    score = max(0, 100 - sum(lost.values()))
    return {
        "pass": score >= PASSING and all(row.severity != "error" for row in rows),
        "score": score,
        "findings": [row.to_json() for row in rows],
    }
