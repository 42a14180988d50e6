"""Every redaction rule, and the version that names them.

Order matters once: where several rows find the same text, the first one names the kind.
"""

from __future__ import annotations

from segue.redaction.assignments import ASSIGNMENTS, RECORDS
from segue.redaction.commands import COMMANDS
from segue.redaction.cookies import COOKIES
from segue.redaction.layouts import LAYOUTS
from segue.redaction.pairs import PAIRS
from segue.redaction.rule import Rule
from segue.redaction.sentences import SENTENCES
from segue.redaction.setting_lines import LOOSE_NAMES
from segue.redaction.surroundings import SURROUNDINGS
from segue.redaction.tokens import TOKENS

RULES: tuple[Rule, ...] = (
    *TOKENS,
    *SURROUNDINGS,
    *COOKIES,
    *COMMANDS,
    *ASSIGNMENTS,
    *LOOSE_NAMES,
    *RECORDS,
    *SENTENCES,
    *LAYOUTS,
    *PAIRS,
)

RULES_VERSION = "9.187982a7"
"""Follows from the rows, as `tests/redaction/test_reference.py` shows, which writes it; kept here, as computing it takes
1 ms of every process. Its first number is raised by hand when a check changes its mind."""
