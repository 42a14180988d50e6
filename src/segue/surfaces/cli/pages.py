"""Lists page by page: `--limit N` begins, `--after ID` goes on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from segue.surfaces.cli.output import Output


def note_page(found: Mapping[str, Any], out: Output) -> None:
    """Says how to go on where more follows; with `--json` the answer says it itself."""
    if "next_after" in found and not out.as_json:
        out.note(f"segue: more follow: add --after {found['next_after']}.")
