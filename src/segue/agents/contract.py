"""What a reader is: a module with a name, places, a sniff and a read.

A reader never raises on content. Whatever it meets in a file, it yields an entry: understood,
carried as `other`, or `unreadable` with place and reason. It opens files for reading only,
keeps memory bounded by the longest record, and may stop being iterated at any time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Protocol

from segue.model.entry import Entry
from segue.model.value import NamedTuple

UP_TO = ".."
"""Before a native id: the branch ends at that record, whatever was written after it."""


class Home(NamedTuple):
    """Where a person's programs keep their files; tests pass a scratch one."""

    home: str
    env: Mapping[str, str]


class Reader(Protocol):
    """The shape of every module in this room that the registry names."""

    AGENT: str

    def places(self, home: Home, cwd: str | None) -> Iterable[str]:
        """Glob patterns (with `**` allowed) of the files or folders where sessions live, most specific
        first. With `cwd`, patterns may be narrowed where the program's own naming allows it; without,
        they cover all of the person's sessions."""

    def sniff(self, path: str, head: bytes) -> int:
        """How sure (0 to 100) this reader is that the file is its own, from the name and the first
        64 KiB. For a folder `head` is empty. 0 is "not mine", 100 "nobody else writes this"."""

    def sessions(self, path: str) -> Iterable[str]:
        """The ids of the sessions inside a file or folder, oldest first. Most files hold one; then the
        id is what `read` reports in its first `meta` entry, found without reading the whole file."""

    def read(self, path: str, session: str | None = None, branch: str | None = None) -> Iterator[Entry]:
        """The entries of one session in file order, the active branch only. `session` picks one where
        the file holds several (default: the newest). `branch` is `"all"`, a native id whose branch
        is wanted, or, where records are kept as a tree, UP_TO and the native id it ends at. The first entry is a `meta` with at least `id`; `cwd` as early as the file tells.

        Where a session goes on with what stands in other files, that is told first, each entry with the
        file it stands in, and lines count through all of them. What another session said before says
        whose it is in `data["inherited"]`."""


class Nesting(Reader, Protocol):
    """A reader whose program names the folders of its sessions so that a name tells what lies below what."""

    def places_below(self, home: Home, cwd: str) -> Iterable[str]:
        """Patterns of the sessions of all directories below one, and perhaps of some beside it."""


class Kindred(Reader, Protocol):
    """A reader whose format other programs write, too."""

    def akin(self, path: str, head: bytes) -> bool:
        """True for a file of another program that this reader reads when asked for, and does not claim."""
