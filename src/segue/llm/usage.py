"""Figures in what providers answer. What is not of the expected kind counts as not told."""

from __future__ import annotations

from typing import Any

PROMPT = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
"""Anthropic's fields for the tokens of a prompt: sent anew, stored for the next one, taken from an earlier one."""


def part(value: Any, field: str) -> dict[str, Any]:
    """An object inside an object; an empty one where there is none."""
    found = value.get(field) if isinstance(value, dict) else None
    return found if isinstance(found, dict) else {}


def tokens(*values: Any) -> int | None:
    """The sum of the counts among these; None where there is none."""
    counts = [value for value in values if type(value) is int and value >= 0]
    return sum(counts) if counts else None


def price(value: Any) -> float | None:
    return float(value) if type(value) in (int, float) and 0 <= value < float("inf") else None


def word(value: Any) -> str | None:
    return value[:200] if isinstance(value, str) and value else None
