"""Every redaction rule, and the version that names them.

Order matters once: where several rows find the same text, the first one names the kind.
"""

from __future__ import annotations

import zlib

from segue.redaction.assignments import ASSIGNMENTS
from segue.redaction.rule import Rule
from segue.redaction.surroundings import SURROUNDINGS
from segue.redaction.tokens import TOKENS

RULES: tuple[Rule, ...] = (*TOKENS, *SURROUNDINGS, *ASSIGNMENTS)

_CHECKS = 1
"""Raised by hand when a check changes its mind; the rest of the version follows from the rows."""


def _digest(rules: tuple[Rule, ...]) -> str:
    rows = "\n".join(f"{r.kind} {r.anchors} {r.pattern} {r.check.__name__} {r.back}" for r in rules)
    return f"{zlib.crc32(rows.encode()):08x}"


RULES_VERSION = f"{_CHECKS}.{_digest(RULES)}"
