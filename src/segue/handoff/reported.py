"""The sentences of the agent's reports by what they speak of, so that each is told in one place.

The role that a marker gave a sentence decides only where it is quoted. A cause that stands beside a decision goes with it.
"""

from __future__ import annotations

from collections.abc import Sequence

from segue.handoff.quote import MISSING
from segue.model.facts import Facts, Remark, Report
from segue.model.value import NamedTuple

_BETWEEN = f" {MISSING} "


class Sentence(NamedTuple):
    text: str
    report: Report
    """Where it was said."""
    cause: str = ""
    """The sentence beside a decision that speaks of a cause."""
    quote: str = ""
    """Both in the order in which they were said, where there are two."""


class Reported(NamedTuple):
    decisions: list[Sentence]
    learned: list[Sentence]
    """What failed, and causes."""
    open: list[Sentence]
    """What the newest report calls open; what an earlier one did may be done by now."""
    others: list[Sentence]
    """The rest of each report, as one."""


def reported(facts: Facts) -> Reported:
    """Every sentence of the reports once, in the order of the session."""
    found = Reported([], [], [], [])
    for report in facts.reports:
        remarks, rest = report.remarks, []
        beside = _causes(remarks)
        for n, remark in enumerate(remarks):
            if n in beside.values():
                continue
            if remark.role == "decision":
                found.decisions.append(_decision(report, n, beside.get(n)))
            elif remark.role in ("failed", "cause"):
                found.learned.append(Sentence(remark.text, report))
            elif remark.role == "open" and report.text:
                found.open.append(Sentence(remark.text, report))
            else:
                rest.append(remark.text)
        if rest:
            found.others.append(Sentence(_BETWEEN.join(rest), report))
    return found


def _causes(remarks: Sequence[Remark]) -> dict[int, int]:
    """For decisions the place of the cause next to them, the one behind them first; no cause goes with two."""
    found: dict[int, int] = {}
    causes = {n for n, remark in enumerate(remarks) if remark.role == "cause"}
    for n, remark in enumerate(remarks):
        near = [m for m in (n + 1, n - 1) if m in causes] if remark.role == "decision" else []
        if near:
            found[n] = near[0]
            causes.remove(near[0])
    return found


def _decision(report: Report, n: int, beside: int | None) -> Sentence:
    said = report.remarks
    if beside is None:
        return Sentence(said[n].text, report)
    both = (said[place].text for place in sorted((n, beside)))
    return Sentence(said[n].text, report, said[beside].text, _BETWEEN.join(both))
