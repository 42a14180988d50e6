"""Findings: what a check of texts or records has to say, as the same five words everywhere."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, NamedTuple

Severity = Literal["error", "warning", "note"]

_COST: dict[Severity, int] = {"error": 25, "warning": 6, "note": 1}


class Finding(NamedTuple):
    """`where` names the place, `message` what is wrong there, `hint` what would be right."""

    rule: str
    severity: Severity
    where: str
    message: str
    hint: str = ""


def report(findings: Iterable[Finding]) -> dict[str, Any]:
    """The answer of a lint: no error is a pass, a hundred is nothing to say, no rule costs more than twice."""
    rows = list(findings)
    lost: dict[str, int] = {}
    for row in rows:
        cost = _COST[row.severity]
        lost[row.rule] = min(lost.get(row.rule, 0) + cost, 2 * cost)
    return {
        "pass": all(row.severity != "error" for row in rows),
        "score": max(0, 100 - sum(lost.values())),
        "findings": [row._asdict() for row in rows],
    }
