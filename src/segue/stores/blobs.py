"""Artifacts as files: `blobs/<sha256 of the uncompressed bytes>`, written once.

A blob appears under its name only when it is whole and on disk: temporary file in the same folder,
sync, rename, sync of the folder. One that is there and sound is never written again. Whoever writes
holds a lock on the temporary file, so one that nobody holds was left behind by a crash. The inside of
a file is `blob_file`'s business.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterable, Iterator
from typing import BinaryIO

from segue.errors import BadInput, NotFound, Unavailable
from segue.model.ids import is_artifact_id, new_id
from segue.model.wire import content_id
from segue.stores import blob_file
from segue.stores.contract import Artifacts, Finding
from segue.stores.disk import PRIVATE_FILE, disk_fault, private_folder, sync_folder

MIN_PREFIX = 8
_PARTIAL = ".partial-"
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
        if offset < 0 or (max_bytes is not None and max_bytes < 0):
            raise BadInput(
                "A range begins at byte 0 or later and its length is not negative.",
                "Leave offset and length out to get all of it.",
            )
        with self._open(artifact_id) as file:
            try:
                size = blob_file.read_size(file)
                end = size if max_bytes is None else min(size, offset + max_bytes)
                data = b"".join(blob_file.read(file, size, offset, end))
            except ValueError as fault:
                raise _damaged(artifact_id, f"{fault}") from None
            except OSError as fault:
                raise disk_fault(fault, self._path(artifact_id)) from fault
        if (offset, end) == (0, size) and content_id(data) != artifact_id:
            raise _damaged(artifact_id, "its bytes do not hash to its name")
        return data

    def size(self, artifact_id: str) -> int | None:
        try:
            with self._open(artifact_id) as file:
                return blob_file.read_size(file)
        except NotFound:
            return None
        except ValueError as fault:
            raise _damaged(artifact_id, f"{fault}") from None

    def resolve(self, prefix: str) -> str:
        if len(prefix) < MIN_PREFIX or not is_artifact_id(prefix.ljust(64, "0")):
            raise BadInput(
                f"{prefix!r} does not name an artifact.",
                f"Give an artifact id or at least its first {MIN_PREFIX} characters.",
            )
        matches = [name for name in self._names() if name.startswith(prefix)]
        if len(matches) > 1:
            raise BadInput(f"{prefix!r} names {len(matches)} artifacts.", "Give more characters of the id.")
        if not matches:
            raise _missing(prefix)
        return matches[0]

    def ids(self) -> Iterator[tuple[str, int]]:
        for name in self._names():
            try:
                size = self.size(name)
            except Unavailable:
                continue
            if size is not None:
                yield name, size

    def verify(self) -> Iterator[Finding]:
        for name in self._listing():
            if is_artifact_id(name):
                fault = self._fault(name)
                if fault:
                    yield Finding("damaged", name, f"The artifact is not what was put: {fault}.", _RESTORE)
            elif not name.startswith(_PARTIAL):
                yield Finding("foreign", name, "This file is not an artifact.", "Move it out of the folder.")
            elif self._abandoned(name):
                yield Finding("leftover", name, "A put was cut off before it was acknowledged.", "Delete it.")

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
        if not is_artifact_id(artifact_id):
            raise BadInput(
                f"{artifact_id!r} is not an artifact id.",
                "An artifact id is 64 lowercase hexadecimal digits.",
            )
        return os.path.join(self.folder, artifact_id)

    def _open(self, artifact_id: str) -> BinaryIO:
        path = self._path(artifact_id)
        try:
            return open(path, "rb")
        except FileNotFoundError:
            raise _missing(artifact_id) from None
        except OSError as fault:
            raise disk_fault(fault, path) from fault

    def _fault(self, artifact_id: str) -> str:
        """What is wrong with a stored blob, or that there is none, in half a sentence; empty when all is well."""
        import hashlib  # 9 ms

        digest = hashlib.sha256()
        try:
            with open(self._path(artifact_id), "rb") as file:
                size = blob_file.read_size(file)
                for piece in blob_file.read(file, size, 0, size):
                    digest.update(piece)
                if file.read(1):
                    return "bytes follow after its end"
        except (ValueError, OSError) as fault:
            return f"{fault}"
        return "" if digest.hexdigest() == artifact_id else "its bytes do not hash to its name"

    def _abandoned(self, name: str) -> bool:
        try:
            with open(os.path.join(self.folder, name), "rb") as file:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
                return True
        except (BlockingIOError, FileNotFoundError):
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


def _missing(artifact_id: str) -> NotFound:
    return NotFound(f"There is no artifact {artifact_id}.", "`segue artifact list` shows what there is.")


def _damaged(artifact_id: str, reason: str) -> Unavailable:
    return Unavailable(f"The artifact {artifact_id} is damaged: {reason}.", _RESTORE, "damaged")
