"""The reference page tells the truth about the rules.

`python tests/redaction/test_reference.py` writes its tables again, and the version of the rules into their module.
"""

from __future__ import annotations

import re
import zlib
from pathlib import Path

from segue.redaction import rules
from segue.redaction.redact import Redactor
from segue.redaction.rule import Rule
from segue.redaction.rules import RULES, RULES_VERSION

PAGE = Path(__file__).parent.parent.parent / "docs" / "reference" / "redaction.md"
BEGIN, END = "<!-- rules -->\n", "<!-- end of rules -->\n"
SHOWN_ANCHORS = 3
VERSION = re.compile(r'(?<=^RULES_VERSION = ")\d+\.[0-9a-f]{8}', re.M)


def version_of(rules: tuple[Rule, ...]) -> str:
    rows = "\n".join(
        f"{r.kind} {r.anchors} {r.pattern} {r.check.__name__} {r.back} {r.after} {r.spares} {r.rest} {r.bare} {r.judge and r.judge.__name__} {r.within and r.within.__name__}"
        for r in rules
    )
    return f"{RULES_VERSION.partition('.')[0]}.{zlib.crc32(rows.encode()):08x}"


def code(text: str) -> str:
    text = text.replace("PRIVATE KEY-----", "PRIVATE KEY…")  # or scanners take the page for a leak
    quiet = text.replace("\r", "").replace("\n", "⏎").replace("\t", " ").replace("|", "\\|").strip()
    return f"`` {quiet} ``" if "`" in quiet else f"`{quiet}`"


def table() -> str:
    """One line per rule: what its marker says, what finds it, what is left of its example, what it spares."""
    rows = [
        f"Version `{version_of(RULES)}`, {len(RULES)} rules.\n",
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


def test_the_version_follows_from_the_rows() -> None:
    changed = (RULES[0]._replace(pattern=RULES[0].pattern + "x"), *RULES[1:])
    assert version_of(RULES) == RULES_VERSION, "Run this file as a script: it writes the version."
    assert version_of(changed) != RULES_VERSION
    assert version_of(RULES[1:]) != RULES_VERSION


if __name__ == "__main__":
    module, version = Path(rules.__file__), version_of(RULES)
    module.write_text(VERSION.sub(version, module.read_text(encoding="utf-8")), encoding="utf-8")
    PAGE.write_text(rendered(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
