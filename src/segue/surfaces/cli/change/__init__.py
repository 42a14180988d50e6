"""Change records: work that is tracked across sessions, in files under docs/TC that git reviews and merges.

An ID is a record's name or the beginning of it, as TC-012 or 12. Items of lists are named by number or text.
"""

from __future__ import annotations

import importlib

from segue.surfaces.cli.parsing import Parser, Verbs

PARTS: dict[str, tuple[str, ...]] = {
    "records": ("init", "new", "close", "lint", "rebuild", "dashboard", "schema"),
    "updating": ("update",),
    "reading": ("list", "show"),
    "taking_up": ("resume", "promote"),
    "past": ("link", "retro", "merge-driver", "install-merge-driver"),
}
"""The modules of this folder and their verbs: listing changes need not wait for what links commits."""


def configure(parser: Parser) -> None:
    asked = parser.words[0] if parser.words else ""
    verbs = Verbs(parser)
    wanted = [part for part, names in PARTS.items() if asked in names] or list(PARTS)
    for part in wanted:
        importlib.import_module(f"{__name__}.{part}").configure(verbs)
