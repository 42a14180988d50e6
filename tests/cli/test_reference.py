"""The reference of the command line is what the parsers say."""

from __future__ import annotations

import runpy
from pathlib import Path

DOCS = Path(__file__).parent.parent.parent / "docs"


def test_the_reference_is_generated_from_the_parsers() -> None:
    made = runpy.run_path(str(DOCS / "generate_cli.py"))["text"]()
    assert made == (DOCS / "reference" / "cli.md").read_text(encoding="utf-8"), (
        "run `python docs/generate_cli.py`"
    )
