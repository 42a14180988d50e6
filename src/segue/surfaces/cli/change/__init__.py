"""Change records: work that is tracked across sessions, in files under docs/TC that git reviews and merges.

An ID is a record's name or the beginning of it, as TC-012 or 12. Items of lists are named by number or text.
"""

from __future__ import annotations

from segue.surfaces.cli.change import past, records, taking_up, updating
from segue.surfaces.cli.parsing import Parser, Verbs


def configure(parser: Parser) -> None:
    verbs = Verbs(parser)
    for part in (records, updating, taking_up, past):
        part.configure(verbs)
