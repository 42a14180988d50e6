"""Artifacts in an object store: `<prefix>/<sha256 of the uncompressed bytes>`, written once.

An object is a blob as `blob_file` writes it, so the objects of a bucket and the files of a folder can be
copied into each other. A put creates its object only where there is none. What is there already is not
believed but read and hashed; what was written is acknowledged when the store's own checksum of it is right,
or else when it was read back and hashed. Nothing partly sent ever appears under a name.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from typing import IO, TypeVar

from segue.errors import Unavailable
from segue.model.ids import is_artifact_id
from segue.stores import blob_file, blob_rules
from segue.stores.contract import Artifacts, Finding
from segue.stores.private_files import disk_fault
from segue.stores.s3_address import Address, read_address
from segue.stores.s3_bucket import PART, Bucket, Listed, ObjectSource, expected_tag

T = TypeVar("T")
ASKED_AT_ONCE = 16
SIZES_KEPT = 50_000
"""A listing has stored lengths only, and each size costs a request; a server is asked for them often."""

_RESTORE = (
    "Restore the object from a version or a backup, or put the same bytes again: the id will be the same."
)


def open_artifacts(spec: str, folder: str) -> Artifacts:
    return S3Artifacts(read_address(spec))


class S3Artifacts:
    """The artifacts under one prefix of one bucket. A damaged one is listed by `verify` only, and mended by
    putting its bytes again."""

    def __init__(self, address: Address) -> None:
        self.bucket = Bucket(address)
        self._sizes: dict[Listed, int] = {}

    def put(self, data: bytes | Iterable[bytes]) -> tuple[str, int]:
        from tempfile import SpooledTemporaryFile, gettempdir  # 12 ms

        with SpooledTemporaryFile(max_size=PART) as blob:
            try:
                artifact_id, size = blob_file.write(blob, (data,) if isinstance(data, bytes) else data)
            except OSError as fault:
                raise disk_fault(fault, gettempdir()) from fault
            self._send(artifact_id, blob)
        return artifact_id, size

    def get(self, artifact_id: str, offset: int = 0, max_bytes: int | None = None) -> bytes:
        return b"".join(self.read(artifact_id, offset, max_bytes))

    def read(self, artifact_id: str, offset: int = 0, max_bytes: int | None = None) -> Iterator[bytes]:
        blob_rules.checked_range(offset, max_bytes)
        source = ObjectSource(self.bucket, blob_rules.checked_id(artifact_id))
        try:
            yield from blob_rules.content(source, artifact_id, offset, max_bytes)
        except FileNotFoundError:
            raise blob_rules.missing(artifact_id) from None
        except ValueError as fault:
            raise blob_rules.damaged(artifact_id, f"{fault}", _RESTORE) from None

    def size(self, artifact_id: str) -> int | None:
        import io

        blob_rules.checked_id(artifact_id)
        try:
            header = b"".join(self.bucket.read(artifact_id, 0, blob_file.HEADER))
            return blob_file.read_size(io.BytesIO(header))
        except FileNotFoundError:
            return None
        except ValueError as fault:
            raise blob_rules.damaged(artifact_id, f"{fault}", _RESTORE) from None

    def resolve(self, prefix: str) -> str:
        blob_rules.checked_prefix(prefix)
        if is_artifact_id(prefix):
            return blob_rules.only_match(prefix, [prefix] if self.bucket.tag(prefix) is not None else [])
        matches: list[str] = []
        for page in self.bucket.pages(after=prefix[:-1]):
            names = [row.name for row in page]
            matches += [name for name in names if name.startswith(prefix) and is_artifact_id(name)]
            if names[-1] > prefix and not names[-1].startswith(prefix):
                break
        return blob_rules.only_match(prefix, matches)

    def ids(self, after: str = "") -> Iterator[tuple[str, int]]:
        return self._each(self._sized, after)

    def forget(self, artifact_id: str) -> bool:
        if self.bucket.tag(blob_rules.checked_id(artifact_id)) is None:
            return False
        self.bucket.delete(artifact_id)
        return True

    def verify(self) -> Iterator[Finding]:
        return self._each(self._finding)

    def _send(self, artifact_id: str, blob: IO[bytes]) -> None:
        """Sees to it that the store has a blob under its name. A small one is created without asking first,
        a large one is not sent in vain."""
        small = blob.seek(0, os.SEEK_END) <= PART
        blob.seek(0)
        body = blob.read() if small else b""
        if not small or not self.bucket.create(artifact_id, body):
            if not self._fault(artifact_id):
                return
            self.bucket.replace(artifact_id, body or blob)
        if self.bucket.tag(artifact_id) != expected_tag(blob) and (fault := self._fault(artifact_id)):
            raise Unavailable(
                f"The {self.bucket.address.place} took the artifact {artifact_id} but does not have it: {fault}.",
                "Put it again; if that does not help, the store cannot be trusted with artifacts.",
            )

    def _each(self, ask: Callable[[Listed], T | None], after: str = "") -> Iterator[T]:
        """What there is to say of every object that follows, in order; many are asked about at once."""
        from concurrent.futures import ThreadPoolExecutor  # 13 ms

        with ThreadPoolExecutor(ASKED_AT_ONCE) as threads:
            for page in self.bucket.pages(after or None):
                for answer in threads.map(ask, page):
                    if answer is not None:
                        yield answer

    def _sized(self, row: Listed) -> tuple[str, int] | None:
        """An artifact with its size; None for what is none, is damaged or went away."""
        if not is_artifact_id(row.name):
            return None
        size = self._sizes.get(row)
        if size is None:
            try:
                size = self.size(row.name)
            except Unavailable as fault:
                if fault.code != "damaged":
                    raise
            if size is None:
                return None
            if len(self._sizes) >= SIZES_KEPT:
                self._sizes.clear()
            self._sizes[row] = size
        return row.name, size

    def _finding(self, row: Listed) -> Finding | None:
        if not is_artifact_id(row.name):
            hint = "Move it to another prefix."
            return Finding("foreign", row.name, "This object is not an artifact.", hint)
        fault = self._fault(row.name)
        return blob_rules.damage_found(row.name, fault, _RESTORE) if fault else None

    def _fault(self, artifact_id: str) -> str:
        """What is wrong with a stored blob, or that there is none, in half a sentence; empty when all is well."""
        try:
            return blob_rules.fault_in(ObjectSource(self.bucket, artifact_id), artifact_id)
        except FileNotFoundError:
            return "there is no such object"
