"""Artifacts as files: `blobs/<sha256 of the uncompressed bytes>`, written once.

A blob appears under its name only when it is whole and on disk: temporary file in the same folder,
sync, rename, sync of the folder. One that is there and sound is never written again. Whoever writes
holds a lock on the temporary file, so one that nobody holds was left behind by a crash. The inside of
a file is `blob_file`'s business.
"""

from __future__ import annotations

import fcntl
import os
import stat
from collections.abc import Iterable, Iterator
from typing import BinaryIO

from segue.errors import NotFound, Unavailable
from segue.model.ids import is_artifact_id, new_id
from segue.model.wire import content_id
from segue.stores import blob_file, blob_rules
from segue.stores.contract import NOTE, Artifacts, Finding
from segue.stores.private_files import (
    PRIVATE_FILE,
    NotRegular,
    disk_fault,
    open_file,
    private_folder,
    sync_folder,
)

_PARTIAL = ".partial-"
_STRANGE = "Look at what lies there and remove it, then put the bytes again."
_RESTORE = "Restore the file from a backup, or put the same bytes again: the id will be the same."


def open_artifacts(spec: str, folder: str) -> Artifacts:
    return Blobs(folder)


class Blobs:
    """The artifacts in `<folder>/blobs`. Nothing is touched before the first put. A damaged one is listed by
    `verify` only, and mended by putting its bytes again."""

    def __init__(self, folder: str) -> None:
        self.folder = os.path.join(os.path.abspath(folder), "blobs")

    def put(self, data: bytes | Iterable[bytes]) -> tuple[str, int]:
        try:
            private_folder(self.folder)
            if not isinstance(data, bytes):
                return self._write(data)
            artifact_id = content_id(data)
            if self._fault(artifact_id):
                return self._write((data,))
            sync_folder(self.folder)
            return artifact_id, len(data)
        except OSError as fault:
            raise disk_fault(fault, self.folder) from fault

    def get(self, artifact_id: str, offset: int = 0, max_bytes: int | None = None) -> bytes:
        return b"".join(self.read(artifact_id, offset, max_bytes))

    def read(self, artifact_id: str, offset: int = 0, max_bytes: int | None = None) -> Iterator[bytes]:
        blob_rules.checked_range(offset, max_bytes)
        with self._open(artifact_id) as file:
            try:
                yield from blob_rules.content(file, artifact_id, offset, max_bytes)
            except ValueError as fault:
                raise blob_rules.damaged(artifact_id, f"{fault}", _RESTORE) from None
            except OSError as fault:
                raise disk_fault(fault, self._path(artifact_id)) from fault

    def size(self, artifact_id: str) -> int | None:
        try:
            with self._open(artifact_id) as file:
                return blob_file.read_size(file)
        except NotFound:
            return None
        except ValueError as fault:
            raise blob_rules.damaged(artifact_id, f"{fault}", _RESTORE) from None

    def resolve(self, prefix: str) -> str:
        blob_rules.checked_prefix(prefix)
        return blob_rules.only_match(prefix, [name for name in self._names() if name.startswith(prefix)])

    def ids(self, after: str = "") -> Iterator[tuple[str, int]]:
        for name in self._names():
            if name <= after:
                continue
            try:
                size = self.size(name)
            except Unavailable:
                continue
            if size is not None:
                yield name, size

    def forget(self, artifact_id: str) -> bool:
        try:
            os.unlink(self._path(artifact_id))
            sync_folder(self.folder)
        except FileNotFoundError:
            return False
        except OSError as fault:
            raise disk_fault(fault, self._path(artifact_id)) from fault
        return True

    def verify(self) -> Iterator[Finding]:
        for name in self._listing():
            if not self._regular(name):
                message = "This is a link, a pipe, a device or a folder, not a file of artifacts."
                yield Finding("foreign", name, message, "Move it out of the folder.")
            elif is_artifact_id(name):
                fault = self._fault(name)
                if fault:
                    yield blob_rules.damage_found(name, fault, _RESTORE)
            elif not name.startswith(_PARTIAL):
                yield Finding("foreign", name, "This file is not an artifact.", "Move it out of the folder.")
            elif self._abandoned(name):
                yield Finding(
                    "leftover",
                    name,
                    "A put was cut off before it was acknowledged.",
                    "`segue gc` removes it.",
                    NOTE,
                )

    def _write(self, chunks: Iterable[bytes]) -> tuple[str, int]:
        partial = os.path.join(self.folder, _PARTIAL + new_id())
        with open(os.open(partial, os.O_RDWR | os.O_CREAT | os.O_EXCL, PRIVATE_FILE), "wb") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX)
                artifact_id, size = blob_file.write(file, chunks)
                if self._fault(artifact_id):
                    file.flush()
                    os.fsync(file.fileno())
                    os.replace(partial, self._path(artifact_id))
                else:
                    os.unlink(partial)
            except BaseException:
                os.unlink(partial)
                raise
        sync_folder(self.folder)
        return artifact_id, size

    def _path(self, artifact_id: str) -> str:
        return os.path.join(self.folder, blob_rules.checked_id(artifact_id))

    def _open(self, artifact_id: str) -> BinaryIO:
        path = self._path(artifact_id)
        try:
            return os.fdopen(open_file(path), "rb")
        except FileNotFoundError:
            raise blob_rules.missing(artifact_id) from None
        except NotRegular:
            raise blob_rules.damaged(artifact_id, "there is no regular file of its name", _STRANGE) from None
        except OSError as fault:
            raise disk_fault(fault, path) from fault

    def _fault(self, artifact_id: str) -> str:
        """What is wrong with a stored blob, or that there is none, in half a sentence; empty when all is well."""
        try:
            with os.fdopen(open_file(self._path(artifact_id)), "rb") as file:
                return blob_rules.fault_in(file, artifact_id)
        except OSError as fault:
            return f"{fault}"

    def _regular(self, name: str) -> bool:
        try:
            return stat.S_ISREG(os.lstat(os.path.join(self.folder, name)).st_mode)
        except OSError:  # gone since it was listed: what was being written got its name
            return True

    def _abandoned(self, name: str) -> bool:
        try:
            with os.fdopen(open_file(os.path.join(self.folder, name)), "rb") as file:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
                return True
        except (BlockingIOError, FileNotFoundError, NotRegular):
            return False

    def _names(self) -> list[str]:
        return [name for name in self._listing() if is_artifact_id(name)]

    def _listing(self) -> list[str]:
        try:
            return sorted(os.listdir(self.folder))
        except FileNotFoundError:
            return []
        except OSError as fault:
            raise disk_fault(fault, self.folder) from fault
