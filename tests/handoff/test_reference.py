"""The reference pages say what the code does."""

from __future__ import annotations

from pathlib import Path

from segue.handoff.headings import DOCUMENT, TAIL
from segue.handoff.lint import LARGEST
from segue.handoff.lint.reading import TC_FIELDS, WORK_STATES
from segue.handoff.lint.table import RULES
from segue.handoff.verify.finding import Finding
from segue.model.facts import CLAIM_STATES
from segue.model.finding import PASSING
from segue.model.visible import escaped

from ..conftest import Golden

REFERENCE = Path(__file__).parent.parent.parent / "docs" / "reference"

HEAD = f"""\
# Lint

`segue lint FILE` (or `-` for standard input) judges a handoff: a packet, a handoff document, or the handoff block of a
change record (alone, or inside its record). Which of them it is shows in its headings; `--kind packet|document|tc` says
so. A bundle, the facts of `--format json` and the answer of `handoff --json` are judged by their packet. `--budget N` also
holds it against a number of tokens.

It prints what is wrong, where, and how it would be better, and ends with `PASS` (exit 0) or `FAIL` (exit 1). What is no
UTF-8 text, longer than {LARGEST:,} characters, or something else altogether (a session, any other JSON) is refused in a
sentence that says what it is (exit 2). `--json` prints

```json
{{"pass": false, "score": 75, "findings": [{{"rule": "vague-step", "severity": "error", "where": "Task, line 12", "message": "…", "hint": "…"}}]}}
```

**Score.** It begins at 100; an error costs 25, a warning 6, a note 1; no rule costs more than twice that.
**PASS** means no error and a score of at least {PASSING}.

Rules look for positive signs, most of them English words. Text in another language is not faulted for not being
English. What a handoff quotes from the session, between quotation marks or as `reported`, is not judged as its own words.
Placeholders are looked for in every section, among files and listed paths too; in text that points to where the session
said it only where they are all of it.

A rule is one row of `src/segue/handoff/lint/rules.toml`, with an example that must be found and one that must not. This
page is made from that table.

| rule | severity | what it means | found | not found |
|---|---|---|---|---|
"""


def cell(text: str) -> str:
    text = text if len(text) <= 90 else text[:80].rstrip() + " …"
    shown = escaped(text).replace("\n", " ⏎ ").replace("|", "\\|").strip(" ⏎") or "(nothing)"
    return f"`` {shown} ``" if "`" in shown else f"`{shown}`"


def page() -> str:
    rows = [
        f"| {rule.name} | {rule.severity} | {rule.meaning} {rule.hint.replace('|', chr(92) + '|')} "
        f"| {cell(rule.bad)} | {cell(rule.good)} |"
        for rule in RULES
    ]
    return HEAD + "\n".join(rows) + "\n"


def test_the_page_of_the_rules_is_the_table(golden: Golden) -> None:
    golden(REFERENCE / "lint.md", page())


def test_the_page_of_the_document_names_every_section_field_and_state_in_order() -> None:
    text = (REFERENCE / "handoff-document.md").read_text(encoding="utf-8")
    sections = [f"`## {name}`" for name in (*DOCUMENT, TAIL)]
    places = [text.find(f"| {section} |") for section in sections]
    assert -1 not in places and places == sorted(places)
    for word in (*TC_FIELDS, *WORK_STATES, *CLAIM_STATES, *Finding._fields):
        assert f"`{word}`" in text, word
