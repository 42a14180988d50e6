"""The files of `docs/TC`: found, confined, locked, read and replaced.

The records are the truth and are written first; the registry follows and can be made again. All
writers queue at one lock in the workspace's private folder. A file is replaced as a whole or not at
all, and nothing is followed out of the tree.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from segue.changes import ids, registry
from segue.changes.document import OURS, Document, Manner, read, read_quickly, write
from segue.changes.sentences import refusal
from segue.errors import BadInput, NotFound, SegueError, Unavailable
from segue.model.value import NamedTuple
from segue.service.project_files import holds, read_plain
from segue.stores import private_files
from segue.stores.private_files import disk_fault, sync_folder
from segue.stores.writer_queue import Gate

if TYPE_CHECKING:
    from segue.model.change import Record
    from segue.service.workspace import Workspace

FOLDER = "docs/TC"
RECORD = "tc_record.json"
MAX_RECORD_BYTES = 64 * 1024 * 1024
REBUILD = "`segue change rebuild` makes it again from the records."


Listed = tuple[Document, Manner, dict[str, Document]]
"""The registry, how it is written, and the rows that should be in it, by name."""


class Stamp(NamedTuple):
    """When a file was last written, in nanoseconds, and how many bytes it has."""

    written: int
    size: int


class Tree:
    """The change records of one project. Reading creates nothing. `unread` are the records that a row could not be
    derived from so far."""

    def __init__(self, root: str) -> None:
        self.root = root
        self.unread: set[str] = set()
        self.folder = os.path.join(root, *FOLDER.split("/"))
        self.records = os.path.join(self.folder, "records")
        self.registry_path = os.path.join(self.folder, "tc_registry.json")
        self.config_path = os.path.join(self.folder, "tc_config.json")

    @property
    def exists(self) -> bool:
        return any(map(os.path.exists, (self.config_path, self.registry_path, self.records)))

    def require(self) -> Tree:
        """Raises unless there is a tree here, inside the project."""
        if not self.exists:
            raise refusal("no-records", root=self.root)
        self._confined(self.folder)
        return self

    def ids(self) -> list[str]:
        """Names of all records, in order of number."""
        return sorted(self._stamps(), key=lambda tc_id: (ids.number_of(tc_id), tc_id))

    def strays(self) -> list[str]:
        """What lies among the records and is none."""
        known = self._stamps()
        return sorted(name for name in _names(self.records) if name not in known and not name.startswith("."))

    def resolve(self, given: str) -> str:
        """The whole name of a record. A whole name is not looked for among the others."""
        if ids.is_tc_id(given) and os.path.isfile(os.path.join(self.records, given, RECORD)):
            return given
        return ids.resolve(given, self._stamps())

    def record_path(self, tc_id: str) -> str:
        """Where a record is. Raises Refused if a link would lead elsewhere."""
        return self._confined(os.path.join(self.records, _name(tc_id), RECORD))

    def evidence_folder(self, tc_id: str) -> str:
        return self._confined(os.path.join(self.folder, "evidence", _name(tc_id)))

    def evidence_missing(self, view: Record) -> frozenset[str]:
        """Files that a record names as evidence and that are neither with its evidence nor in the project."""
        named = {item.path for test in view.test_cases for item in test.evidence if item.path}
        places = (self.evidence_folder(view.tc_id), self.root) if named else ()
        there = {path for path in named for place in places if holds(place, path)}
        return frozenset(named - there)

    def read(self, tc_id: str) -> tuple[Document, Manner]:
        """A record and the manner in which it is written."""
        path = self.record_path(tc_id)
        document, manner = read(_bytes(path), self._named(path))
        if document.get("tc_id") != tc_id:
            raise refusal("other-name", path=self._named(path), given=document.get("tc_id"))
        return document, manner

    def fault(self, tc_id: str) -> str:
        """Why a record cannot be read; empty if it can."""
        try:
            self.read(tc_id)
        except SegueError as fault:
            return fault.message
        return ""

    def read_registry(self) -> tuple[Document, Manner]:
        """The registry as it is on disk. Raises BadInput if it cannot be understood."""
        try:
            document, manner = read_quickly(_bytes(self.registry_path), self._named(self.registry_path))
        except NotFound:
            return {}, OURS
        rows = document.get("records")
        if not isinstance(rows, list) or not all(
            isinstance(row, dict) and isinstance(row.get("tc_id"), str) for row in rows
        ):
            raise refusal("no-rows", path=self._named(self.registry_path))
        return document, manner

    def read_config(self) -> Document:
        try:
            return read(_bytes(self.config_path), self._named(self.config_path))[0]
        except NotFound:
            return {}

    def rows(self) -> Listed:
        """The registry, and the rows that should be in it, by name: those it has, and the rows of records that
        it does not know, that were written after it, or whose rows prove nothing."""
        known, manner = self.read_registry()
        stamps = self._stamps()
        listed = {row["tc_id"]: row for row in known.get("records", [])}
        written = _mtime(self.registry_path)
        doubtful = registry.unproven(listed, {tc_id: stamp.size for tc_id, stamp in stamps.items()})
        rows: dict[str, Document] = {}
        for tc_id, stamp in stamps.items():
            if stamp.written >= written or tc_id not in listed or tc_id in doubtful:
                rows[tc_id] = self._row(tc_id, listed.get(tc_id))
            else:
                rows[tc_id] = listed[tc_id]
        return known, manner, rows

    def derived_rows(self, known: Document | None = None) -> dict[str, Document]:
        """The row of every record, from the records alone; `known` keeps what others added to a row."""
        listed = {row["tc_id"]: row for row in (known or {}).get("records", [])}
        return {tc_id: self._row(tc_id, listed.get(tc_id)) for tc_id in self._stamps()}

    def write_records(
        self, documents: list[tuple[Document, Manner]], at: str, listed: Listed | None = None
    ) -> None:
        """Writes records, then the registry. To be called with the lock held; `listed` is what `rows` said then."""
        known, manner, rows = listed or self.rows()
        for document, how in documents:
            tc_id = document["tc_id"]
            self.replace(self.record_path(tc_id), write(document, how))
            rows[tc_id] = registry.row(document, rows.get(tc_id))
        try:
            self.write_registry(known, manner, rows, at)
        except Unavailable as fault:
            names = ", ".join(document["tc_id"] for document, _ in documents[:3])
            raise refusal(
                "registry-behind", names=names, message=fault.message, hint=fault.hint, code=fault.code
            ) from None

    def write_registry(self, known: Document, manner: Manner, rows: dict[str, Document], at: str) -> bool:
        """Writes the registry if that changes the file. True if it did."""
        fresh = {tc_id: row for tc_id, row in rows.items() if "check" not in row}
        sizes = {tc_id: os.lstat(f"{self.records}/{tc_id}/{RECORD}").st_size for tc_id in fresh}
        start = {**registry.empty(self.project(), at), **known}
        data = write(registry.build(start, {**rows, **registry.proven(fresh, sizes)}.values(), at), manner)
        if os.path.exists(self.registry_path) and _bytes(self.registry_path) == data:
            return False
        self.replace(self.registry_path, data)
        return True

    def salvaged_registry(self) -> Document:
        """Of a registry that cannot be read, the highest number it ever promised."""
        promised = [
            int(digits)
            for digits in re.findall(rb'"next_tc_number":\s*(\d{1,9})', _bytes(self.registry_path))
        ]
        return {"next_tc_number": max(promised)} if promised else {}

    def project(self) -> str:
        name = self.read_config().get("project_name")
        return name if isinstance(name, str) and name else os.path.basename(self.root) or "project"

    def replace(self, path: str, data: bytes, mode: int = 0o666) -> None:
        """Replaces a file in one step, durably; the old one stays if anything fails. Which of two registries a power
        cut leaves behind does not matter, so their folder is not synced."""
        self._confined(path)
        folder = os.path.dirname(path)
        fresh = not os.path.isdir(folder)
        try:
            if fresh:
                os.makedirs(folder)
                sync_folder(os.path.dirname(folder))
            private_files.replace(path, data, mode)
            if path != self.registry_path:
                sync_folder(folder)
        except OSError as fault:
            if fresh:
                with suppress(OSError):
                    os.rmdir(folder)
            raise disk_fault(fault, self._named(path)) from None

    def text(self, path: str) -> str:
        """A text of the project that is written by `replace`."""
        return _bytes(self._confined(path)).decode(errors="replace")

    def _row(self, tc_id: str, before: Document | None) -> Document:
        """A row from the record; from what was known if the record cannot be read or is not in the tree."""
        import msgspec  # 25 ms

        folder = f"{self.records}/{tc_id}"
        try:
            document = msgspec.json.decode(b"" if os.path.islink(folder) else _bytes(f"{folder}/{RECORD}"))
            if isinstance(document, dict) and document.get("tc_id") == tc_id:
                return registry.row(document, before)
        except (msgspec.DecodeError, ValueError):
            pass
        self.unread.add(tc_id)
        return before or registry.row({"tc_id": tc_id, "title": "(unreadable record)"})

    def _stamps(self) -> dict[str, Stamp]:
        """Each record with what its folder knows of its file."""
        stat, before, after = os.lstat, f"{self.records}/", f"/{RECORD}"
        stamps = {}
        for name in filter(ids.is_tc_id, _names(self.records)):
            try:
                found = stat(f"{before}{name}{after}")
            except OSError:
                continue
            stamps[name] = Stamp(found.st_mtime_ns, found.st_size)
        return stamps

    def _confined(self, path: str) -> str:
        real = os.path.realpath(path)
        if os.path.islink(path) or not real.startswith(os.path.realpath(self.root) + os.sep):
            raise refusal("leads-out", path=self._named(path))
        return path

    def _named(self, path: str) -> str:
        return os.path.relpath(path, self.root).replace(os.sep, "/")


@contextmanager
def writing(workspace: Workspace) -> Iterator[Tree]:
    """The tree, with the lock held: one writer at a time in all processes."""
    tree = Tree(workspace.root)
    workspace.establish()
    wait = float(workspace.config["store.lock_wait_s"])
    gate = Gate(os.path.join(workspace.folder, "changes.lock"), wait)
    try:
        _enter(gate, wait)
        try:
            yield tree
        finally:
            gate.__exit__()
    finally:
        gate.close()


def _enter(gate: Gate, wait: float) -> None:
    try:
        gate.__enter__()
    except Unavailable:
        raise refusal("locked", wait=wait) from None


def now() -> str:
    return moment(int(time.time() * 1000))


def moment(ms: int) -> str:
    """A point in time as records write it."""
    import datetime  # 1.3 ms

    return datetime.datetime.fromtimestamp(ms / 1000, datetime.UTC).isoformat(timespec="seconds")


def _name(tc_id: str) -> str:
    if not ids.is_tc_id(tc_id):
        raise BadInput(f"{tc_id!r} is not the name of a change.", "`segue change list` shows the changes.")
    return tc_id


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except FileNotFoundError:
        return []


def _mtime(path: str) -> int:
    """When a file was last written, in nanoseconds; 0 if there is none."""
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return 0


def _bytes(path: str) -> bytes:
    try:
        data = read_plain(path, MAX_RECORD_BYTES + 1)
    except FileNotFoundError:
        raise NotFound(f"There is no file {path}.", "`segue change list` shows the changes.") from None
    except OSError as fault:
        raise disk_fault(fault, path) from None
    if len(data) > MAX_RECORD_BYTES:
        raise BadInput(f"{path} is larger than {MAX_RECORD_BYTES // 1_000_000} MB.", "Restore it from git.")
    return data
