"""The flags of an update, which are a table: a flag, the field it fills, how it is read."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from segue.changes.states import NO_FILES
from segue.errors import BadInput
from segue.model import wire
from segue.model.change import EVIDENCE_KINDS, FILE_ACTIONS, FILE_STATES, STATUSES, TEST_STATUSES
from segue.model.change_update import Update
from segue.model.thread import PERSON
from segue.service.actors import acting
from segue.service.changes.prepare import update_of
from segue.surfaces.cli.operation_calls import server_of
from segue.surfaces.cli.parsing import local_workspace_of, read_text

MAX_INPUT_BYTES = 8 * 1024 * 1024


class Flag(NamedTuple):
    """`words` names the values for the help; `least` of them are needed. `read` makes one entry of a list,
    or the value itself when `many` is not set."""

    names: tuple[str, ...]
    field: str
    words: tuple[str, ...]
    help: str
    read: Callable[[list[str]], Any] = lambda values: values[0]
    least: int = 0
    many: bool = True


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


EVERYWHERE: tuple[Flag, ...] = (
    Flag(("--add-file",), "files", ("PATH[:ACTION]",), f"list a file; {', '.join(FILE_ACTIONS)}", _file),
    Flag(("--tag",), "add_tags", ("TAG",), "add a tag"),
    Flag(("--relate",), "relate", ("ID",), "another change this one has to do with"),
    Flag(("--parent",), "parent", ("ID",), "the change this one is part of; `none`", _parent, many=False),
    Flag(("--note",), "notes", ("TEXT",), "add a dated note"),
    Flag(("--no-files",), "notes", ("REASON",), "it touches no file, and why; kept as a note", _no_files),
    Flag(("--breaking",), "add_breaking_changes", ("TEXT",), "something that breaks for others"),
    Flag(("--dependency",), "add_dependencies", ("TEXT",), "something it needs"),
    Flag(("--design",), "detailed_design", ("TEXT",), "how it is to be done", many=False),
    Flag(("--effort",), "effort", ("SIZE",), "trivial, small, medium, large or epic", many=False),
    Flag(("--next", "--handoff-next"), "add_next", ("STEP",), "add a next step"),
    Flag(
        ("--context", "--handoff-context"),
        "add_context",
        ("TEXT",),
        "add something the next session must know",
    ),
    Flag(
        ("--decision",),
        "decisions",
        ("TEXT", "WHY"),
        "a decision and its rationale",
        _pick("decision", "rationale"),
    ),
)

UPDATING: tuple[Flag, ...] = (
    Flag(("--status", "--set-status"), "status", ("STATUS",), ", ".join(STATUSES), many=False),
    Flag(("--title",), "title", ("TEXT",), "another title", many=False),
    Flag(("--priority",), "priority", ("PRIORITY",), "critical, high, medium or low", many=False),
    Flag(("--project",), "project", ("NAME",), "another project", many=False),
    Flag(("--scope",), "scope", ("SCOPE",), "another kind of change", many=False),
    Flag(("--summary",), "summary", ("TEXT",), "what it is", many=False),
    Flag(("--motivation",), "motivation", ("TEXT",), "why it is needed", many=False),
    Flag(("--remove-breaking",), "remove_breaking_changes", ("N|TEXT",), "take one away"),
    Flag(("--remove-dependency",), "remove_dependencies", ("N|TEXT",), "take one away"),
    Flag(
        ("--describe-file",),
        "files",
        ("PATH", "TEXT"),
        "what changed in a file",
        _pick("path", "description"),
    ),
    Flag(("--file-lines",), "files", ("PATH", "ADDED", "REMOVED"), "lines added and removed", _lines),
    Flag(("--remove-file",), "remove_files", ("PATH",), "no longer affected"),
    Flag(
        ("--test-result",),
        "test_results",
        ("TEST", "STATUS", "RESULT"),
        f"{', '.join(TEST_STATUSES)}; for a skip RESULT says why",
        _pick("test_id", "status", "actual_result"),
        2,
    ),
    Flag(
        ("--evidence",),
        "add_evidence",
        ("TEST", "KIND", "DESCRIPTION", "CONTENT"),
        f"{', '.join(EVIDENCE_KINDS)}; CONTENT `-` reads standard input",
        _evidence,
    ),
    Flag(("--coverage",), "coverage", ("HOW",), "none, partial or full", many=False),
    Flag(
        ("--sub-status",), "sub_edits", ("SUB", "STATUS"), "move a sub-change on", _pick("sub_id", "status")
    ),
    Flag(("--sub-title",), "sub_edits", ("SUB", "TEXT"), "rename a sub-change", _pick("sub_id", "title")),
    Flag(
        ("--sub-describe",),
        "sub_edits",
        ("SUB", "TEXT"),
        "describe a sub-change",
        _pick("sub_id", "description"),
    ),
    Flag(
        ("--sub-file",),
        "sub_edits",
        ("SUB", "PATH"),
        "a file of a sub-change",
        lambda values: {"sub_id": values[0], "add_files": [values[1]]},
    ),
    Flag(("--unrelate",), "unrelate", ("ID",), "no longer related"),
    Flag(("--untag",), "remove_tags", ("TAG",), "take a tag away"),
    Flag(("--link-thread",), "threads", ("ID",), "a thread of the workspace this work is on"),
    Flag(
        ("--progress", "--handoff-progress"),
        "progress",
        ("TEXT",),
        "what was done: 1 to 3 sentences, past tense",
        many=False,
    ),
    Flag(("--complete-next",), "complete_next", ("N|TEXT",), "a next step is done"),
    Flag(("--remove-next",), "remove_next", ("N|TEXT",), "a next step is not needed"),
    Flag(("--move-next",), "move_next", ("N|TEXT", "TO"), "put a next step at another place", _move),
    Flag(("--blocker", "--handoff-blocker"), "add_blockers", ("TEXT",), "what is in the way right now"),
    Flag(
        ("--resolve-blocker",),
        "resolve_blockers",
        ("N|TEXT", "HOW"),
        "a blocker is gone; it moves to the notes",
        _pick("blocker", "how"),
        1,
    ),
    Flag(("--remove-context",), "remove_context", ("N|TEXT",), "no longer worth knowing"),
    Flag(
        ("--file-state",),
        "files_in_progress",
        ("PATH", "STATE", "NOTES"),
        ", ".join(FILE_STATES),
        _pick("path", "state", "notes"),
        2,
    ),
    Flag(("--file-done",), "drop_files_in_progress", ("PATH",), "no longer in progress"),
    Flag(("--remove-decision",), "remove_decisions", ("N|TEXT",), "take a decision away"),
    Flag(("--maturity",), "maturity", ("JSON",), "fields of the maturity object", _maturity, many=False),
)


def add_flags(parser: argparse.ArgumentParser, flags: Sequence[Flag]) -> None:
    for flag in flags:
        metavar = flag.words if len(flag.words) > 1 else flag.words[0]
        parser.add_argument(
            *flag.names,
            dest=_dest(flag),
            nargs="+" if flag.least else len(flag.words),
            action="append",
            metavar=(f"{' '.join(flag.words[:-1])}", flag.words[-1]) if flag.least else metavar,
            help=flag.help,
        )


def add_who(parser: argparse.ArgumentParser) -> None:
    """The session that works on a change."""
    parser.add_argument("--session-id", metavar="ID", help="the session at work (default: a new one)")
    parser.add_argument("--platform", metavar="AGENT", help="claude-code, codex, pi, … (default: as found)")
    parser.add_argument("--model", metavar="NAME")


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
    for flag in flags:
        asked = getattr(args, _dest(flag)) or []
        if not flag.many and any(given != asked[0] for given in asked):
            raise BadInput(
                f"{flag.names[0]} was given {len(asked)} times with different values.", "Give it once."
            )
        for given in asked:
            if not (flag.least or len(flag.words)) <= len(given) <= len(flag.words):
                raise _miscounted(flag, given)
            read = flag.read(_from_here(given, flag, below))
            if flag.field == "test_results" and args.tested_by is not None:
                read["tested_by"] = args.tested_by
            values[flag.field] = [*values.get(flag.field, []), read] if flag.many else read
    return update_of(values)


def _miscounted(flag: Flag, given: list[str]) -> BadInput:
    least = flag.least or len(flag.words)
    usage = " ".join([*flag.words[:least], *(f"[{word}]" for word in flag.words[least:])])
    *first, last = flag.words
    quoted = " ".join([*first, f"'{last} in several words'"])
    return BadInput(
        f"{flag.names[0]} takes {usage}, and was given {len(given)} words: {' '.join(given)}.",
        f"Put a text of several words in quotes, as {flag.names[0]} {quoted}."
        if len(given) > least
        else "`segue change update --help` tells more.",
    )


def _below(root: str) -> str:
    """Where in the workspace the command runs; empty at its root and outside."""
    inside = os.path.relpath(os.path.realpath(os.curdir), os.path.realpath(root))
    return "" if inside == os.curdir or inside.split(os.sep)[0] == os.pardir else inside


def _from_here(given: list[str], flag: Flag, below: str) -> list[str]:
    """The values with a path that was given in a folder of the workspace as one of the workspace."""
    if not below:
        return given
    return [
        os.path.normpath(os.path.join(below, value)) if word.startswith("PATH") and value else value
        for value, word in zip(given, flag.words, strict=False)
    ]


def _dest(flag: Flag) -> str:
    return "field_" + flag.names[0].strip("-").replace("-", "_")
