"""The flags of an update: a table of the field that each fills, and how it is read."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from segue.changes.states import NO_FILES
from segue.errors import BadInput
from segue.model import wire
from segue.model.change import FILE_ACTIONS
from segue.model.change_update import Update
from segue.model.thread import PERSON
from segue.service.actors import acting
from segue.service.changes.prepare import update_of
from segue.surfaces.cli.operation_calls import server_of
from segue.surfaces.cli.parsing import Row, group, local_workspace_of, read_text

MAX_INPUT_BYTES = 8 * 1024 * 1024


class Flag(NamedTuple):
    """`field` is that of an update, and `read` makes an entry of it, or all of it, of the words behind the flag."""

    row: Row
    field: str
    read: Callable[[list[str]], Any]


def _pick(*fields: str) -> Callable[[list[str]], dict[str, Any]]:
    """Values in order, under these names; those not given are left out."""
    return lambda values: dict(zip(fields, values, strict=False))


def _file(values: list[str]) -> dict[str, Any]:
    """PATH or PATH:ACTION; a colon in the path itself does no harm."""
    path, colon, action = values[0].rpartition(":")
    if not colon or action in FILE_ACTIONS:
        return {"path": path, "action": action} if colon else {"path": values[0]}
    from difflib import get_close_matches  # 4 ms

    meant = get_close_matches(action, FILE_ACTIONS, 1, 0.75)
    if meant and not os.path.exists(values[0]):
        raise BadInput(
            f"{action!r} is none of {', '.join(FILE_ACTIONS)}.", f"Did you mean {path}:{meant[0]}?"
        )
    return {"path": values[0]}


def _number(text: str) -> int:
    if not text.lstrip("+").isdecimal():
        raise BadInput(f"{text!r} is not a number.", "Write a whole number, as 12.")
    return int(text)


def _lines(values: list[str]) -> dict[str, Any]:
    return {
        "path": values[0],
        "lines_added": _number(values[1]),
        "lines_removed": _number(values[2].lstrip("-")),
    }


def _move(values: list[str]) -> dict[str, Any]:
    return {"step": values[0], "to": _number(values[1])}


def _evidence(values: list[str]) -> dict[str, Any]:
    content = read_text("-", MAX_INPUT_BYTES) if values[3] == "-" else values[3]
    return {"test_id": values[0], "type": values[1], "description": values[2], "content": content}


def _maturity(values: list[str]) -> Any:
    return wire.decode(values[0])


def _parent(values: list[str]) -> str:
    return "" if values[0] == "none" else values[0]


def _no_files(values: list[str]) -> str:
    return f"{NO_FILES}{values[0]}"


_READERS: dict[str, Callable[[list[str]], Any]] = {
    "--add-file": _file,
    "--parent": _parent,
    "--no-files": _no_files,
    "--file-lines": _lines,
    "--evidence": _evidence,
    "--sub-file": lambda values: {"sub_id": values[0], "add_files": [values[1]]},
    "--move-next": _move,
    "--maturity": _maturity,
}
"""Flags whose words are not the members of an entry, nor the value itself."""


def _flag(row: Row) -> Flag:
    field, _, members = row.target.rstrip(")").partition("(")
    usual = _pick(*members.split(",")) if members else lambda words: words[0]
    return Flag(row, field, _READERS.get(row.names[0], usual))


EVERYWHERE, UPDATING = (tuple(map(_flag, group(name))) for name in ("everywhere", "updating"))
"""Flags of every command that writes a record, and those of an update alone. `commands.txt` says how they are given."""


def author_of(args: argparse.Namespace) -> str | None:
    """Who acts, as `--author` says. A server cannot know the person who types: it is told whom git knows here."""
    given: str | None = args.author
    if given or server_of(args) is None or acting("cli").kind != PERSON:
        return given
    from segue.service.changes import git

    return " ".join((git.asked(os.getcwd(), "config", "user.name") or "").split()) or None


def update_from(
    args: argparse.Namespace, flags: Sequence[Flag], start: dict[str, Any] | None = None
) -> Update:
    """The update that these flags ask for, on top of one that was given as a file."""
    values: dict[str, Any] = dict(start or {})
    below = _below(local_workspace_of(args).root)
    for row, field, read in flags:
        asked = getattr(args, row.dest)
        if not row.many and any(given != asked[0] for given in asked):
            raise BadInput(
                f"{row.names[0]} was given {len(asked)} times with different values.", "Give it once."
            )
        for given in asked:
            if not row.least <= len(given) <= len(row.words):
                raise _miscounted(row, given)
            value = read(_from_here(given, row, below))
            if field == "test_results" and args.tested_by is not None:
                value["tested_by"] = args.tested_by
            values[field] = [*values.get(field, []), value] if row.many else value
    return update_of(values)


def _miscounted(row: Row, given: list[str]) -> BadInput:
    usage = " ".join([*row.words[: row.least], *(f"[{word}]" for word in row.words[row.least :])])
    *first, last = row.words
    quoted = " ".join([*first, f"'{last} in several words'"])
    return BadInput(
        f"{row.names[0]} takes {usage}, and was given {len(given)} words: {' '.join(given)}.",
        f"Put a text of several words in quotes, as {row.names[0]} {quoted}."
        if len(given) > row.least
        else "`segue change update --help` tells more.",
    )


def _below(root: str) -> str:
    """Where in the workspace the command runs; empty at its root and outside."""
    inside = os.path.relpath(os.path.realpath(os.curdir), os.path.realpath(root))
    return "" if inside == os.curdir or inside.split(os.sep)[0] == os.pardir else inside


def _from_here(given: list[str], row: Row, below: str) -> list[str]:
    """The values with a path that was given in a folder of the workspace as one of the workspace."""
    if not below:
        return given
    return [
        os.path.normpath(os.path.join(below, value)) if word.startswith("PATH") and value else value
        for value, word in zip(given, row.words, strict=False)
    ]
