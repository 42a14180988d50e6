"""A log and artifacts in memory, for tests of programs that use segue: the whole contract, nothing on disk.

Whoever opens the same folder in one process gets the same log, as with a file. It ends with the process.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator

import apsw

from segue.model.wire import content_id
from segue.stores import blob_rules
from segue.stores.contract import Artifacts, Finding, Log
from segue.stores.sqlite import SqliteLog
from segue.stores.sqlite_file import Bindings, R, Row, T
from segue.stores.sqlite_open import LAYOUT, unavailable

_LOGS: dict[str, SqliteLog] = {}
_ARTIFACTS: dict[str, MemoryArtifacts] = {}


def open_log(spec: str, folder: str, wait: float) -> Log:
    return _LOGS.setdefault(folder, SqliteLog(folder, wait, file=MemoryFile()))


def open_artifacts(spec: str, folder: str) -> Artifacts:
    return _ARTIFACTS.setdefault(folder, MemoryArtifacts())


def forget(folder: str) -> None:
    """Lets go of what is kept for a folder and for those below it."""
    for kept in (_LOGS, _ARTIFACTS):
        for name in [name for name in kept if name == folder or name.startswith(f"{folder}/")]:
            del kept[name]


class MemoryFile:
    """A database in memory, with the face of `SqliteFile`: the log in it is the embedded one."""

    path = ":memory:"

    def __init__(self) -> None:
        self.rows_read = 0
        self._commits = 0
        self._turn = threading.RLock()
        self._db = apsw.Connection(self.path)
        self._db.execute(LAYOUT)

    def exists(self) -> bool:
        return True

    def rows(self, sql: str, bindings: Bindings = ()) -> list[Row]:
        return self.reading(lambda db: db.execute(sql, bindings).fetchall())

    def reading(self, query: Callable[[apsw.Connection], list[R]]) -> list[R]:
        with self._turn:
            rows = query(self._db)
            self.rows_read += len(rows)
            return rows

    def exclusive(self, work: Callable[[apsw.Cursor], T]) -> T:
        with self._turn:
            try:
                return work(self._db.cursor())
            except apsw.Error as fault:
                raise unavailable(fault, self.path) from fault
            finally:
                self._commits += 1
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")

    def version(self) -> tuple[int, int]:
        return self._commits, 0

    def close(self) -> None:
        """Nothing is let go of: who opens the log again finds what was written."""


class MemoryArtifacts:
    """Bytes by their hash."""

    def __init__(self) -> None:
        self._kept: dict[str, bytes] = {}

    def put(self, data: bytes | Iterable[bytes]) -> tuple[str, int]:
        whole = data if isinstance(data, bytes) else b"".join(data)
        artifact_id = content_id(whole)
        self._kept[artifact_id] = whole
        return artifact_id, len(whole)

    def get(self, artifact_id: str, offset: int = 0, max_bytes: int | None = None) -> bytes:
        blob_rules.checked_range(offset, max_bytes)
        if blob_rules.checked_id(artifact_id) not in self._kept:
            raise blob_rules.missing(artifact_id)
        return self._kept[artifact_id][offset : None if max_bytes is None else offset + max_bytes]

    def read(self, artifact_id: str, offset: int = 0, max_bytes: int | None = None) -> Iterator[bytes]:
        yield self.get(artifact_id, offset, max_bytes)

    def size(self, artifact_id: str) -> int | None:
        known = blob_rules.checked_id(artifact_id) in self._kept
        return len(self._kept[artifact_id]) if known else None

    def resolve(self, prefix: str) -> str:
        blob_rules.checked_prefix(prefix)
        return blob_rules.only_match(prefix, [name for name in self._kept if name.startswith(prefix)])

    def ids(self, after: str = "") -> Iterator[tuple[str, int]]:
        return iter([(name, len(self._kept[name])) for name in sorted(self._kept) if name > after])

    def forget(self, artifact_id: str) -> bool:
        return self._kept.pop(blob_rules.checked_id(artifact_id), None) is not None

    def verify(self) -> Iterator[Finding]:
        return iter(())
