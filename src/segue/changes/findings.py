"""What is found wrong with change records, in words: `findings.txt` is the table of them."""

from __future__ import annotations

import os
from functools import cache

from segue.model.finding import Finding, Severity


@cache
def table() -> dict[str, tuple[Severity, str, str, str]]:
    """By rule, and the way in which it is found: severity, place, message and hint."""
    with open(
        os.path.join(os.path.dirname(os.path.abspath(__file__)), "findings.txt"), encoding="utf-8"
    ) as file:
        paragraphs = file.read().rstrip("\n").split("\n\n")[1:]
    rows = {}
    for head, message, *hint in (paragraph.split("\n") for paragraph in paragraphs):
        name, severity, where = head.split(" ", 2)
        rows[name] = severity, where, message, "".join(hint)
    return rows  # type: ignore[return-value]


def finding(name: str, /, **told: object) -> Finding:
    """The finding of that name about what is told."""
    severity, *texts = table()[name]
    where, message, hint = (text.format_map(told) for text in texts)
    return Finding(name.partition(".")[0], severity, where, message, hint)
