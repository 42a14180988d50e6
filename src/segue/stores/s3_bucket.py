"""The few requests that artifacts need of an object store, through obstore; every fault is a sentence.

The client repeats a failed request a few times, unless repeating could change its meaning.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import IO, NamedTuple

from segue.errors import Unavailable
from segue.stores.s3_address import Address, open_store
from segue.stores.s3_faults import BROKEN, said_plainly

PART = 8 * 1024 * 1024
PARTS_AT_ONCE = 3
PAGE = 1000
CHUNK = 256 * 1024
"""Bytes taken from a running answer at once; to skip more than this, a new request is cheaper."""

_BEYOND_END = "status code: 416"


class Listed(NamedTuple):
    """An object in a listing. Its tag is another one when its bytes are."""

    name: str
    tag: str | None


class Bucket:
    """Objects under one prefix. Nothing is asked of the store before the first call."""

    def __init__(self, address: Address) -> None:
        self.address = address
        self._store = open_store(address)

    def create(self, name: str, body: bytes) -> bool:
        """Writes an object where there is none. False when the store says that there is one, or when its
        answer was lost: a request that creates is not repeated, for it might find its own object."""
        import obstore
        from obstore.exceptions import AlreadyExistsError

        try:
            with said_plainly(self.address, writing=True):
                try:
                    obstore.put(self._store, name, body, mode="create")
                except AlreadyExistsError:
                    return False
        except Unavailable as fault:
            if fault.code != BROKEN:
                raise
            return False
        return True

    def replace(self, name: str, body: bytes | IO[bytes]) -> None:
        """Writes an object, whatever is there. A large one goes in parts and appears when all have arrived."""
        import obstore

        with said_plainly(self.address, writing=True):
            obstore.put(self._store, name, body, chunk_size=PART, max_concurrency=PARTS_AT_ONCE)

    def delete(self, name: str) -> None:
        """Removes an object; a bucket that keeps versions keeps this one, too."""
        import obstore

        with said_plainly(self.address, writing=True):
            obstore.delete(self._store, name)

    def tag(self, name: str) -> str | None:
        """What the store computed over an object when it took it, empty if it does not say; None if there is
        no object."""
        import obstore

        with said_plainly(self.address):
            try:
                return obstore.head(self._store, name)["e_tag"] or ""
            except FileNotFoundError:
                return None

    def pages(self, after: str | None = None) -> Iterator[list[Listed]]:
        """Every object with a name greater than `after`, in order, page by page."""
        import obstore

        with said_plainly(self.address):
            for page in obstore.list(self._store, offset=after, chunk_size=PAGE):
                yield [Listed(row["path"], row["e_tag"]) for row in page]

    def read(self, name: str, first: int = 0, end: int | None = None) -> Iterator[bytes]:
        """The bytes of an object from `first` up to `end`, in chunks; none beyond the object's end. Raises
        FileNotFoundError."""
        import obstore
        from obstore.exceptions import BaseError

        with said_plainly(self.address):
            try:
                answer = obstore.get(
                    self._store, name, options={"range": {"offset": first} if end is None else (first, end)}
                )
            except BaseError as fault:
                if _BEYOND_END in str(fault):
                    return
                raise
            yield from answer.stream(min_chunk_size=CHUNK)


def expected_tag(blob: IO[bytes]) -> str:
    """What a store computes over a blob that was sent as `Bucket` sends it, unless it encrypts or tags in a
    way of its own: the MD5 of the body, or of the MD5s of its parts with their number."""
    import hashlib  # 9 ms

    blob.seek(0)
    digests = [hashlib.md5(part, usedforsecurity=False) for part in iter(lambda: blob.read(PART), b"")]
    if len(digests) == 1:
        return f'"{digests[0].hexdigest()}"'
    whole = hashlib.md5(b"".join(digest.digest() for digest in digests), usedforsecurity=False)
    return f'"{whole.hexdigest()}-{len(digests)}"'


class ObjectSource:
    """An object as a file that is read forwards: one request, and another after each long skip."""

    def __init__(self, bucket: Bucket, name: str) -> None:
        self._bucket = bucket
        self._name = name
        self._place = 0
        self._held = bytearray()
        self._chunks: Iterator[bytes] | None = None

    def read(self, size: int, /) -> bytes:
        self._hold(size)
        taken = bytes(self._held[:size])
        self._drop(len(taken))
        return taken

    def seek(self, place: int, whence: int = os.SEEK_SET, /) -> int:
        ahead = place if whence == os.SEEK_CUR else place - self._place
        if ahead < 0 or ahead > len(self._held) + CHUNK:
            self._place += ahead
            self._held.clear()
            self._chunks = None
        else:
            self._hold(ahead)
            self._drop(ahead)
        return self._place

    def _hold(self, size: int) -> None:
        """Takes from the answer until so many bytes are at hand, or all there are."""
        if self._chunks is None:
            self._chunks = self._bucket.read(self._name, self._place)
        while len(self._held) < size and (chunk := next(self._chunks, b"")):
            self._held += chunk

    def _drop(self, size: int) -> None:
        del self._held[:size]
        self._place += size
