"""The project's decision log: decisions of a change, promoted to `docs/decisions.md` once."""

from __future__ import annotations

from collections.abc import Iterable

from segue.model.change import Decision

HEADING = "# Decisions\n"


def promoted(text: str, tc_id: str, decisions: Iterable[Decision]) -> tuple[str, list[str]]:
    """The log with these decisions at its end, and those that were not in it yet."""
    log = text if text.strip() else HEADING
    added = []
    for decision in decisions:
        title = _line(decision.decision)
        heading = f"## {title}"
        if heading in log.splitlines():
            continue
        log = (
            log.rstrip("\n")
            + f"\n\n{heading}\n\n{decision.timestamp[:10]} · {tc_id}\n\n{_line(decision.rationale)}\n"
        )
        added.append(title)
    return log, added


def _line(text: str) -> str:
    return " ".join(text.split())
