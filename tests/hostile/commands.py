"""Every command line there is, from the parsers themselves, with arguments that let it go as far as it can."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from segue.surfaces.cli.parsing import nouns, parser_of

GIVEN = {
    "agents": "claude-code",
    "file": "README.md",
    "session": "README.md",
    "operation": "status",
    "name": "status",
    "shell": "bash",
}
"""What stands for a positional argument of that name; any other is TC-001."""
ACTING = ("--fix", "--yes", "--project", "--user", "--dry-run", "--all", "--list", "--repo", "--force")
"""Flags that take a command another way."""
ELSEWHERE = {"demo"}
"""Commands that work in a directory of their own."""


def commands() -> Iterator[list[str]]:
    for noun in nouns():
        if noun not in ELSEWHERE:
            for verb in _verbs(noun):
                yield from _lines(noun, verb)


WITHOUT_VERB = {"sessions", "serve", "verify"}
"""Nouns with verbs that do something without one, too."""


def _verbs(noun: str) -> list[str]:
    verbs = [*nouns()[noun].verbs]
    return [*verbs, *([""] if noun in WITHOUT_VERB or not verbs else [])]


def _lines(noun: str, verb: str) -> Iterator[list[str]]:
    words = [noun, *([verb] if verb else [])]
    required, flags = _arguments(parser_of(noun, verb))
    yield words + required
    for flag in flags:
        yield words + required + [flag]


def _arguments(parser: argparse.ArgumentParser) -> tuple[list[str], list[str]]:
    required: list[str] = []
    flags: list[str] = []
    for action in parser._actions:
        value = str(next(iter(action.choices))) if action.choices else GIVEN.get(action.dest, "TC-001")
        if action.option_strings and action.required:
            required += [action.option_strings[0], value]
        elif not action.option_strings and action.nargs not in ("?", "*"):
            required.append(value)
        flags += [flag for flag in action.option_strings if flag in ACTING and action.nargs == 0]
    return required, flags
