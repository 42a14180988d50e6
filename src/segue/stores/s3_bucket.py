"""The few requests that artifacts need of an object store, through obstore; every fault is a sentence.

The client repeats a failed request a few times, unless repeating could change its meaning.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, NamedTuple

from segue.errors import Unavailable
from segue.stores.s3_address import Address, open_store

PART = 8 * 1024 * 1024
PARTS_AT_ONCE = 3
PAGE = 1000
CHUNK = 256 * 1024
"""Bytes taken from a running answer at once; to skip more than this, a new request is cheaper."""

_BEYOND_END = "status code: 416"


class _Kind(NamedTuple):
    """A fault: how the client's text shows it, what to say of the bucket, what to do about it, and its code."""

    sign: str
    verdict: str
    hint: str
    code: str = "unavailable"


_BROKEN = "connection_broken"
"""The code of a fault after which nobody knows whether the request was carried out."""

_AGAIN = "Try again; nothing half-written counts as an artifact."
_NO_BUCKET = _Kind(
    r"<Code>NoSuchBucket<",
    "does not exist",
    "Create it, or correct `artifacts` in .segue/workspace.json.",
)
_KINDS = (
    _NO_BUCKET,
    _Kind(
        r"<Code>RequestTimeTooSkewed<",
        "refuses a request for its date",
        "Set this machine's clock and try again.",
    ),
    _Kind(
        r"status code: 40[13]",
        "denies access",
        "Check the credentials in the environment and that they may list, read and write there.",
        "denied",
    ),
    _Kind(
        r"status code: 3\d\d|redirect|<Code>AuthorizationHeaderMalformed<",
        "belongs to another region or endpoint",
        "Add region=… to the address, or correct it.",
    ),
    _Kind(
        r"status code: 501|NotSupported|NotImplemented",
        "does not know a request that artifacts need",
        "Use a store that knows conditional writes (If-None-Match).",
    ),
    _Kind(r"status code: (503|429)", "is too busy to answer", _AGAIN, "busy"),
    _Kind(r"status code: 5\d\d", "reports an error of its own", _AGAIN),
    _Kind(r"status code: \d", "rejects a request", "Check the address and the settings of the bucket."),
    _Kind(
        r"(?i)certificate|InvalidContentType|handshake",
        "offers no secure connection",
        "Check the endpoint and its certificate.",
    ),
    _Kind(
        r"kind: Timeout|TimedOut|timed out",
        "gave no answer in time",
        f"{_AGAIN} A slow line may need timeout=… in the address.",
        "unreachable",
    ),
    _Kind(r"kind: Connect\b", "cannot be reached", "Check the network and the endpoint.", "unreachable"),
)


@contextmanager
def _said_plainly(address: Address, writing: bool = False) -> Iterator[None]:
    """Turns the client's faults into Unavailable. It tells them apart mostly in text, and its text quotes requests and
    answers; so the text is only looked at, first row that matches, and never repeated. FileNotFoundError passes when it is about an object that
    was to be read."""
    from obstore.exceptions import BaseError

    try:
        yield
    except FileNotFoundError as fault:
        if not writing and not re.search(_NO_BUCKET.sign, str(fault)):
            raise
        raise _sentence(str(fault), address) from None
    except BaseError as fault:
        raise _sentence(str(fault), address) from None


def _sentence(text: str, address: Address) -> Unavailable:
    for kind in _KINDS:
        if re.search(kind.sign, text):
            return Unavailable(f"The {address.place} {kind.verdict}.", kind.hint, kind.code)
    return Unavailable(f"The {address.place} broke off the connection.", _AGAIN, _BROKEN)


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
            with _said_plainly(self.address, writing=True):
                try:
                    obstore.put(self._store, name, body, mode="create")
                except AlreadyExistsError:
                    return False
        except Unavailable as fault:
            if fault.code != _BROKEN:
                raise
            return False
        return True

    def replace(self, name: str, body: bytes | IO[bytes]) -> None:
        """Writes an object, whatever is there. A large one goes in parts and appears when all have arrived."""
        import obstore

        with _said_plainly(self.address, writing=True):
            obstore.put(self._store, name, body, chunk_size=PART, max_concurrency=PARTS_AT_ONCE)

    def delete(self, name: str) -> None:
        """Removes an object; a bucket that keeps versions keeps this one, too."""
        import obstore

        with _said_plainly(self.address, writing=True):
            obstore.delete(self._store, name)

    def tag(self, name: str) -> str | None:
        """What the store computed over an object when it took it, empty if it does not say; None if there is
        no object."""
        import obstore

        with _said_plainly(self.address):
            try:
                return obstore.head(self._store, name)["e_tag"] or ""
            except FileNotFoundError:
                return None

    def pages(self, after: str | None = None) -> Iterator[list[Listed]]:
        """Every object with a name greater than `after`, in order, page by page."""
        import obstore

        with _said_plainly(self.address):
            for page in obstore.list(self._store, offset=after, chunk_size=PAGE):
                yield [Listed(row["path"], row["e_tag"]) for row in page]

    def read(self, name: str, first: int = 0, end: int | None = None) -> Iterator[bytes]:
        """The bytes of an object from `first` up to `end`, in chunks; none beyond the object's end. Raises
        FileNotFoundError."""
        import obstore
        from obstore.exceptions import BaseError

        with _said_plainly(self.address):
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
