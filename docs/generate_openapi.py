"""Writes docs/reference/openapi.json from the operations table: `python docs/generate_openapi.py`."""

from __future__ import annotations

from pathlib import Path

from segue.surfaces.http.openapi import encoded

PLACE = Path(__file__).parent / "reference" / "openapi.json"

if __name__ == "__main__":
    PLACE.write_bytes(encoded())
