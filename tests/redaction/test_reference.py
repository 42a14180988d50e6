"""The reference page tells the truth about the rules.

`python tests/redaction/test_reference.py` writes its tables again.
"""

from __future__ import annotations

from pathlib import Path

from segue.redaction.redact import Redactor
from segue.redaction.rules import RULES, RULES_VERSION

PAGE = Path(__file__).parent.parent.parent / "docs" / "reference" / "redaction.md"
BEGIN, END = "<!-- rules -->\n", "<!-- end of rules -->\n"
SHOWN_ANCHORS = 3


def code(text: str) -> str:
    text = text.replace("PRIVATE KEY-----", "PRIVATE KEY…")  # or scanners take the page for a leak
    quiet = text.replace("\r", "").replace("\n", "⏎").replace("\t", " ").replace("|", "\\|").strip()
    return f"`` {quiet} ``" if "`" in quiet else f"`{quiet}`"


def table() -> str:
    """One line per rule: what its marker says, what finds it, what is left of its example, what it spares."""
    rows = [
        f"Version `{RULES_VERSION}`, {len(RULES)} rules.\n",
        "| kind | found by | leaves | spares |",
        "|---|---|---|---|",
    ]
    for rule in RULES:
        anchors = ", ".join(map(code, rule.anchors[:SHOWN_ANCHORS]))
        more = f" and {len(rule.anchors) - SHOWN_ANCHORS} more" if len(rule.anchors) > SHOWN_ANCHORS else ""
        left = code(Redactor().redact("".join(rule.example)))
        rows.append(f"| {rule.kind} | {anchors}{more} | {left} | {code(rule.lookalike)} |")
    return "\n".join(rows) + "\n"


def rendered(page: str) -> str:
    head, rest = page.split(BEGIN)
    return head + BEGIN + table() + END + rest.split(END)[1]


def test_the_page_shows_the_rules_as_they_are() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == rendered(page)


if __name__ == "__main__":
    PAGE.write_text(rendered(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
