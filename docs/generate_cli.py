"""Writes docs/reference/cli.md from the parsers themselves: `python docs/generate_cli.py`."""

from __future__ import annotations

import io
import os
from contextlib import redirect_stdout, suppress
from pathlib import Path

from segue.surfaces.cli import app, parsing

PLACE = Path(__file__).parent / "reference" / "cli.md"


def text() -> str:
    os.environ["COLUMNS"] = "110"
    parts = ["# Command line\n\nGenerated from the parsers; `segue COMMAND --help` prints the same.\n"]
    for noun, command in parsing.nouns().items():
        summary = f"{command.summary[:1].upper()}{command.summary[1:]}."
        parts.append(f"## segue {noun}\n\n{summary}\n\n```text\n{_help(noun)}```\n")
        for verb in command.verbs:
            parts.append(f"### segue {noun} {verb}\n\n```text\n{_help(noun, verb)}```\n")
    return "\n".join(parts)


def _help(*words: str) -> str:
    said = io.StringIO()
    with redirect_stdout(said), suppress(SystemExit):
        app.run([*words, "--help"])
    return said.getvalue()


if __name__ == "__main__":
    PLACE.write_text(text(), encoding="utf-8")
