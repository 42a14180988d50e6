"""Every command line there is, from the parsers themselves, with arguments that let it go as far as it can."""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Iterator

from segue.surfaces.cli.app import COMMANDS, LOCAL
from segue.surfaces.cli.parsing import Parser, add_common

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
    for noun in COMMANDS:
        if noun not in ELSEWHERE:
            for verb in _verbs(noun):
                yield from _lines(noun, verb)


def _verbs(noun: str) -> list[str | None]:
    found = _parser(noun, []).verbs
    if found is None:
        return [None]
    return [*found.names, *([] if found.required else [None])]


def _lines(noun: str, verb: str | None) -> Iterator[list[str]]:
    parser = _parser(noun, [verb] if verb else [])
    words = [noun, *([verb] if verb else [])]
    taking = parser.verbs.chosen if parser.verbs and verb else parser
    assert taking is not None
    required, flags = _arguments(taking)
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


def _parser(noun: str, words: list[str]) -> Parser:
    parser = Parser(words, noun in LOCAL, prog=f"segue {noun}")
    add_common(parser)
    importlib.import_module(COMMANDS[noun][0]).configure(parser)
    return parser
