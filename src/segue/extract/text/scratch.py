"""Scratch directories by how a command line names them.

Nothing is expanded: a variable is one of them if the line gives it such a directory, or if its name says so.
"""

from __future__ import annotations

from segue.extract.text.prose import word_set
from segue.model.scratch import UNDER

_NAMES = word_set("tmp temp tmpdir tempdir scratch sandbox mktemp")
_GIVES = ("$(mktemp", "`mktemp", "$TMPDIR", "${TMPDIR", *UNDER)
_SOMEWHERE = "/tmp/…"


def scratch_names(line: str) -> frozenset[str]:
    """The variables to which a line gives such a directory."""
    if "=" not in line or ("tmp" not in line and "temp" not in line.lower()):
        return frozenset()
    *before, _ = parts = line.split("=")
    return frozenset(
        name[-1]
        for name, value in zip(map(_words, before), parts[1:], strict=True)
        if name and value.lstrip("\"'").startswith(_GIVES)
    )


def _words(text: str) -> list[str]:
    return "".join(letter if letter.isalnum() or letter == "_" else " " for letter in text[-40:]).split()


def expanded(directory: str, here: str, names: frozenset[str]) -> str:
    """What a directory that begins with a variable or a command in its place means: scratch, or where one is."""
    name = next(iter(_words(directory[:40])), "")
    scratch = name in names or not _NAMES.isdisjoint(name.lower().split("_"))
    return f"{_SOMEWHERE}{name}" if scratch else here
