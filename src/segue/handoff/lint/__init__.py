"""Judges a handoff: what is wrong with it, where, and how it would be better.

What a finding costs and what passes is in `model.finding`. Judging is a pure function of the text and of
what is given with it; any text can be judged, and nothing in it is ever obeyed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice
from typing import TYPE_CHECKING, Literal

from segue.errors import BadInput
from segue.handoff.lint.reading import kind_of_text, reading
from segue.handoff.lint.rule import Given
from segue.handoff.lint.table import RULES
from segue.handoff.quote import one_line
from segue.model.finding import Finding, Severity, report
from segue.model.value import NamedTuple

if TYPE_CHECKING:
    from segue.model.facts import Facts
    from segue.model.handoff_answers import Judgement

LARGEST = 1_000_000
"""Characters of a handoff that may be judged; no agent could be given more."""

_ORDER: tuple[Severity, ...] = ("error", "warning", "note")
_SHOWN = 20
_KINDS = ("auto", "packet", "document", "tc")


class Report(NamedTuple):
    pass_: bool
    score: int
    findings: tuple[Finding, ...]

    def as_dict(self) -> Judgement:
        """The report as every surface gives it."""
        return {
            "pass": self.pass_,
            "score": self.score,
            "findings": [finding.to_json() for finding in self.findings],
        }


def lint(
    text: str,
    *,
    kind: Literal["auto", "packet", "document", "tc"] = "auto",
    budget: int | None = None,
    facts: Facts | None = None,
    count: Callable[[str], int] | None = None,
    find_secrets: Callable[[str], Iterable[tuple[str, int]]] | None = None,
    now_ms: int | None = None,
    head: int | None = None,
) -> Report:
    """The judgement on a handoff's text.

    A rule that needs what is not given stays silent: `budget` needs `count`, `head` is the last line of the
    transcript as it is now. Raises BadInput for what is no text or longer than any handoff.
    """
    if kind not in _KINDS:
        raise BadInput(f"There is no kind of handoff called {kind!r}.", f"Choose one of {', '.join(_KINDS)}.")
    if len(text) > LARGEST:
        raise BadInput(
            f"This is {len(text)} characters long; a handoff is at most {LARGEST}.",
            "Give the handoff itself, not the session it was made from.",
        )
    if "\0" in text or not _is_utf8(text):
        raise BadInput(
            "This is not text: it holds bytes that UTF-8 does not have.", "Give a Markdown or JSON file."
        )
    read = reading(text, kind_of_text(text) if kind == "auto" else kind)
    given = Given(facts, budget, count, find_secrets or _secrets, now_ms, head)
    findings = [
        Finding(rule.name, rule.severity, one_line(hit.where), one_line(hit.message), rule.hint)
        for rule in RULES
        for hit in islice(rule.find(read, given), _SHOWN)
    ]
    findings.sort(key=lambda finding: _ORDER.index(finding.severity))
    told = report(findings)
    return Report(told["pass"], told["score"], tuple(findings))


def _is_utf8(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _secrets(text: str) -> Iterable[tuple[str, int]]:
    """Kind and line of what the redaction rules would take out of the text."""
    from segue.redaction import scan

    data = text.encode()
    for span in scan.merged(scan.spans(data)):
        yield span.kind, data.count(b"\n", 0, span.start) + 1
