"""The commands as a table: what each is called, says of itself and takes. `commands.txt` is that table, and says how to
read it.

Only the command that was asked for gets a parser: argparse takes 10 ms to build those of all verbs.
"""

from __future__ import annotations

import argparse
import os
from functools import cache
from typing import Any

from segue.model.value import NamedTuple
from segue.surfaces.cli.parsing import Parser, add_common

LOCAL = frozenset(("demo", "store", "install", "uninstall", "trust", "serve", "mcp"))
"""Commands about this machine, which no server does for it."""
_TYPES: dict[str, Any] = {"int": int, "float": float, "str": str}


class Row(NamedTuple):
    """A flag, or an argument, which has no names. `words` are what the help calls its values; `least` of them are needed."""

    names: tuple[str, ...]
    words: tuple[str, ...]
    least: int
    many: bool
    """Whether it may be repeated."""
    listed: bool
    """Whether it is given as a list of its words, even where there is only one."""
    dest: str
    default: str | None
    help: str
    one_of: str
    """`|` for flags of which only one may be given, `||` where one of them must."""


class Command(NamedTuple):
    """A noun, or one of its verbs."""

    summary: str
    module: str
    lines: list[str]
    verbs: dict[str, Command]


class _Group(NamedTuple):
    """Flags that several commands take. With a `prefix` each is given as a list of words, under a name that begins so."""

    prefix: str
    lines: list[str]


@cache
def _table() -> tuple[dict[str, Command], dict[str, _Group]]:
    commands: dict[str, Command] = {}
    groups: dict[str, _Group] = {}
    noun, lines = Command("", "", [], {}), list[str]()
    place = os.path.join(os.path.dirname(os.path.abspath(__file__)), "commands.txt")
    with open(place, encoding="utf-8") as file:
        for line in file:
            name, _, summary = line.strip().partition("  ")
            if not name or name.startswith(";"):
                continue
            if line.startswith("    "):
                lines.append(line.strip())
                continue
            lines = []
            if name.startswith("@"):
                name, _, prefix = name[1:].partition(" > ")
                groups[name] = _Group(prefix, lines)
            elif line.startswith("  "):
                verb, _, module = name.partition(" @")
                noun.verbs[verb] = Command(summary, f"{noun.module}.{module}".rstrip("."), lines, {})
            else:
                noun = commands[name] = Command(summary, name, lines, {})
    return commands, groups


def nouns() -> dict[str, Command]:
    return _table()[0]


def group(name: str) -> list[Row]:
    """The flags of a group."""
    found = _table()[1][name]
    return [_row(line, found.prefix) for line in found.lines]


def parser_of(noun: str, verb: str = "", about: str | None = None) -> Parser:
    """The parser of a command. `about` is what the help says of a noun as a whole."""
    command = nouns()[noun]
    if verb:
        command = command.verbs[verb]
        about = f"{command.summary[:1].upper()}{command.summary[1:]}."
    parser = Parser(prog=f"segue {noun} {verb}".rstrip(), description=about)
    add_common(parser, noun in LOCAL)
    if command.verbs:
        rows = (f"\n  {name:<12}  {one.summary}" for name, one in command.verbs.items())
        parser.epilog = f"verbs:{''.join(rows)}"
    exclusive = None
    for line in command.lines:
        for row in group(line[1:]) if line.startswith("@") else [_row(line)]:
            if row.one_of and exclusive is None:
                exclusive = parser.add_mutually_exclusive_group(required=row.one_of == "||")
            elif not row.one_of:
                exclusive = None
            _add(exclusive or parser, row)
    return parser


def _row(line: str, prefix: str = "") -> Row:
    usage, _, help = line.partition("  ")
    one_of = usage.partition(" ")[0] if usage.startswith("|") else ""
    usage, _, dest = usage.removeprefix(one_of).strip().partition(" > ")
    usage, has_default, default = usage.partition(" = ")
    parts = usage.split()
    names = tuple(part.rstrip(",") for part in parts if part.startswith("--"))
    words = [part.removesuffix("...") for part in parts[len(names) :]]
    many = usage.endswith(("...", "...]"))
    optional = bool(words) and words[-1].startswith("[") and words[-1].endswith("]")
    if optional:
        words[-1] = words[-1][1:-1].removesuffix("...")
    stem = (names or words)[0].removeprefix("--").removeprefix("[no-]")
    return Row(
        names,
        tuple(words),
        len(words) - optional,
        many,
        bool(prefix) or (bool(names) and len(words) > 1),
        dest or prefix + stem.lower().replace("-", "_"),
        default.strip('"') if has_default else None,
        help,
        one_of,
    )


def _add(parser: argparse._ActionsContainer, row: Row) -> None:
    """Tells argparse of a row."""
    names = [name.replace("[no-]", "") for name in row.names]
    options: dict[str, Any] = {"help": row.help or None}
    if not row.words:
        switch = "store_true" if names == [*row.names] else argparse.BooleanOptionalAction
        parser.add_argument(*names, action=switch, dest=row.dest, **options)
        return
    *before, last = row.words
    last, _, kind = last.rpartition(":") if last.endswith((":int", ":float")) else (last, "", "str")
    options["type"] = _TYPES[kind]
    if last.startswith("{"):
        options["choices"] = last[1:-1].split(",")
    else:
        options["metavar"] = last
    if row.default is not None:
        options["default"] = _TYPES[kind](row.default)
    if not names:
        nargs = {(1, False): None, (0, False): "?", (0, True): "*", (1, True): "+"}[row.least, row.many]
        parser.add_argument(row.dest, nargs=nargs, **options)
        return
    if row.many:
        options |= {"action": "append", "default": []}
    if row.listed and row.least < len(row.words):
        options |= {"nargs": "+", "metavar": (" ".join(before), last)}
    elif row.listed:
        options |= {"nargs": len(row.words), "metavar": row.words}
    parser.add_argument(*names, dest=row.dest, **options)
