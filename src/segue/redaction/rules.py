"""Every redaction rule, and the version that names them.

Order matters once: where several rows find the same text, the first one names the kind.
"""

from __future__ import annotations

import zlib

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

_CHECKS = 9
"""Raised by hand when a check changes its mind; the rest of the version follows from the rows."""


def version_of(rules: tuple[Rule, ...]) -> str:
    rows = "\n".join(
        f"{r.kind} {r.anchors} {r.pattern} {r.check.__name__} {r.back} {r.after} {r.spares} {r.rest} {r.bare} {r.judge and r.judge.__name__} {r.within and r.within.__name__}"
        for r in rules
    )
    return f"{_CHECKS}.{zlib.crc32(rows.encode()):08x}"


RULES_VERSION = version_of(RULES)
