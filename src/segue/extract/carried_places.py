"""Pointers of an earlier packet: ` [#12]`, or ` [#12 of SESSION]` for what was carried to it."""

from __future__ import annotations

import re

from segue.model.facts import Evidence

POINTER = r" \[#(?P<lines>[\d #]+?)(?: of (?P<origin>[\w.:-]+))?\]"
PLACES = f"(?:{POINTER})?"
"""The same where a row may have none."""


def seen_at(row: re.Match[str]) -> tuple[Evidence, ...]:
    return tuple(Evidence(int(n)) for n in re.findall(r"\d+", row["lines"] or ""))


def origin_of(row: re.Match[str], session: str) -> str:
    """The session it was seen in, which is the packet's own unless it says otherwise."""
    return row["origin"] or session
