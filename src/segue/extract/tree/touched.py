"""A file as it is known once a session was read."""

from __future__ import annotations

from collections.abc import Callable

from segue.extract.text.prose import flat, word_set
from segue.extract.tree.file_symbols import Body, weights
from segue.extract.tree.known_file import File, made_at
from segue.model.facts import FileAction, FileFact
from segue.model.value import NamedTuple

_WRITTEN = word_set("md mdx rst txt adoc")
"""Endings of prose, which no check judges."""


class Touched(NamedTuple):
    """What the ledger knows of one file at the end."""

    path: str
    action: FileAction
    reads: int
    edits: int
    line: int
    edit_line: int
    id: str
    why: str
    symbols: dict[str, float]
    earlier: FileFact | None = None
    made: int = 0
    """Where it came into being here; 0 where it was there before, or nobody knows."""


def can_be_checked(path: str) -> bool:
    """A file of the project that is neither prose nor what a program printed."""
    return not path.startswith(("/", "~")) and path.rpartition(".")[2] not in _WRITTEN and not is_output(path)


def is_output(path: str) -> bool:
    """What a program printed, kept in a file."""
    return path.endswith((".log", ".out", ".tmp"))


def touched(path: str, file: File, clean: Callable[[str], str]) -> Touched:
    bodies = [Body.of(clean(body)) for body in reversed(file.bodies)]
    return Touched(
        path,
        file.action,
        file.reads,
        file.edits,
        file.line,
        file.edit_line,
        file.id,
        flat(clean(file.why)),
        weights(bodies, list(map(clean, file.sought)), file.named_in),
        None if file.edits else file.earlier,
        made_at(file),
    )
