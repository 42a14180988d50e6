"""Files that a pattern stood for, by the titles under which a command showed them.

`head docs/*.md` puts `==> docs/a.md <==` above each file, and people's loops put something like it.
"""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase

from segue.extract.commands.effects import READERS
from segue.extract.text import named

_AROUND = "=-#*<>:+~ "
_FRAMED = tuple("=-#*<>+~")
_AROUND_PATTERN = "\"';()"


def titled(command: str, printed: str) -> Iterator[str]:
    """The files, each once, whose title was printed by a command that shows what a pattern stands for."""
    words = command.replace(";", " ").split()
    patterns = [word.strip(_AROUND_PATTERN) for word in words if "*" in word and word[0] != "-"]
    if not patterns or READERS.isdisjoint(words):
        return
    seen: set[str] = set()
    for row in printed.split("\n"):
        if not row.startswith(_FRAMED):
            continue
        path = named.as_path(row.strip(_AROUND))
        if path and path not in seen and any(fnmatchcase(path, pattern) for pattern in patterns):
            seen.add(path)
            yield path
