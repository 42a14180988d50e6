"""The table of commands is one with the functions that do them, and names the values that the program takes."""

from __future__ import annotations

import argparse
import importlib

import pytest

from segue.model.change import (
    EVIDENCE_KINDS,
    FILE_ACTIONS,
    FILE_STATES,
    PRIORITIES,
    SCOPES,
    STATUSES,
    TEST_STATUSES,
)
from segue.service.boundary.drafts import SENSITIVITIES
from segue.service.threads.streams import ROLES
from segue.service.tokens import SCOPES as TOKEN_SCOPES
from segue.surfaces.cli import parsing
from segue.surfaces.mcp.conversation import TOOLSETS

EVERY = [(noun, verb) for noun, command in parsing.nouns().items() for verb in (command.verbs or [""])]


def flag(noun: str, verb: str, name: str) -> argparse.Action:
    actions = parsing.parser_of(noun, verb)._actions
    return next(action for action in actions if name in (*action.option_strings, action.dest))


@pytest.mark.parametrize(("noun", "verb"), EVERY)
def test_every_command_of_the_table_has_a_function(noun: str, verb: str) -> None:
    command = parsing.nouns()[noun]
    module = importlib.import_module(
        f"segue.surfaces.cli.{(command.verbs[verb] if verb else command).module}"
    )
    assert callable(getattr(module, f"do_{verb or noun}".replace("-", "_")))


def test_every_function_is_in_the_table() -> None:
    modules = {one.module for noun in parsing.nouns().values() for one in (noun, *noun.verbs.values())}
    known = {f"do_{name}".replace("-", "_") for row in EVERY for name in row} | {"do_sessions"}
    for name in modules:
        there = vars(importlib.import_module(f"segue.surfaces.cli.{name}"))
        assert [one for one in there if one.startswith("do_") and one not in known] == []


@pytest.mark.parametrize(
    ("noun", "verb", "name", "values"),
    [
        ("draft", "write", "--sensitivity", SENSITIVITIES),
        ("serve", "token", "--scope", TOKEN_SCOPES),
        ("mcp", "", "--toolsets", TOOLSETS),
        ("thread", "post", "--role", ROLES),
        ("change", "new", "--scope", SCOPES),
        ("change", "new", "--priority", PRIORITIES),
        ("change", "list", "--status", STATUSES),
        ("change", "update", "--status", STATUSES),
        ("change", "update", "--add-file", FILE_ACTIONS),
        ("change", "update", "--test-result", TEST_STATUSES),
        ("change", "update", "--evidence", EVIDENCE_KINDS),
        ("change", "update", "--file-state", FILE_STATES),
    ],
)
def test_the_values_that_a_flag_names_are_all_there_are(
    noun: str, verb: str, name: str, values: tuple[str, ...]
) -> None:
    action = flag(noun, verb, name)
    said = ",".join(action.choices) if action.choices else f"{action.help}, {action.default}"
    named = said.replace(", ", ",")
    assert f",{','.join(values)}" in f",{named}".replace("one of ", "").replace("; ", ",")


@pytest.mark.parametrize(
    ("line", "given", "value"),
    [
        ("FILE", ["a"], "a"),
        ("[FILE]", [], None),
        ("[FILE...]", [], []),
        ("FILE...", ["a", "b"], ["a", "b"]),
        ("--file", ["--file"], True),
        ("--[no-]file", ["--no-file"], False),
        ("--file N:int = 7  a number", [], 7),
        ("--other, --file X... > file", ["--file", "a", "--other", "b"], ["a", "b"]),
        ("--file A B [C]...", ["--file", "a", "b"], [["a", "b"]]),
        ("--file {a,b} = b", [], "b"),
        ('--file X = ""', [], ""),
        ("| --file", [], False),
    ],
)
def test_a_row_of_the_table(
    line: str, given: list[str], value: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = {"noun": parsing.Command("does it", "noun", [line], {})}
    monkeypatch.setattr(parsing, "_table", lambda: (table, {}))
    assert parsing.parser_of("noun").parse_args(given).file == value
