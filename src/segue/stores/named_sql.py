"""SQL lives in files; a statement is found by the name written above it."""

from __future__ import annotations


def parts(path: str) -> dict[str, str]:
    """The statements of a file, by the `-- name: …` line before each."""
    with open(path, encoding="utf-8") as file:
        named = file.read().split("-- name: ")[1:]
    return {name: text.strip() for name, _, text in (part.partition("\n") for part in named)}
