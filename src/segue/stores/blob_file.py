"""The file format of one blob, which no artifact id depends on.

    "SGB1" | size of the content, 8 bytes | block | block | …
    block: word, 4 bytes (top bit: zstd; the other bits: stored length) | stored bytes

Integers are big-endian. Every block but the last holds 1 MiB of content and is compressed alone,
so memory stays bounded whatever the size and a range read decodes only the blocks it touches.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import IO, Protocol

MAGIC = b"SGB1"
BLOCK = 1024 * 1024
SQUEEZE_FROM = 16 * 1024
"""Smaller blocks are stored as they are: they would save a disk block or two, and importing zstandard
costs 14 ms."""

HEADER = len(MAGIC) + 8
_ZSTD = 1 << 31


class Source(Protocol):
    """What a blob is read from: a file, or something that can be asked like one and only forwards."""

    def read(self, size: int, /) -> bytes: ...

    def seek(self, place: int, whence: int = os.SEEK_SET, /) -> int: ...


def write(file: IO[bytes], chunks: Iterable[bytes]) -> tuple[str, int]:
    """Writes a blob and returns sha256 and size of its content. The size is put in last."""
    import hashlib  # 9 ms

    digest, size = hashlib.sha256(), 0
    file.write(MAGIC + bytes(8))
    for block in _blocks(chunks):
        digest.update(block)
        size += len(block)
        word, stored = _squeezed(block)
        file.write(word.to_bytes(4, "big") + stored)
    file.seek(len(MAGIC))
    file.write(size.to_bytes(8, "big"))
    return digest.hexdigest(), size


def read_size(file: Source) -> int:
    """The size of the content. Raises ValueError when this is not a blob."""
    file.seek(0)
    header = file.read(HEADER)
    if len(header) != HEADER or not header.startswith(MAGIC):
        raise ValueError("it does not begin like a blob")
    return int.from_bytes(header[len(MAGIC) :], "big")


def read(file: Source, size: int, first: int, end: int) -> Iterator[bytes]:
    """The content from byte `first` up to `end`, in pieces. Raises ValueError for a broken block."""
    file.seek(HEADER)
    for start in range(0, min(end, size), BLOCK):
        head = file.read(4)
        if len(head) != 4:
            raise ValueError("it ends too early")
        word = int.from_bytes(head, "big")
        if start + BLOCK <= first:
            file.seek(word & ~_ZSTD, os.SEEK_CUR)
            continue
        block = _block(file, word)
        if len(block) != min(BLOCK, size - start):
            raise ValueError("a block has another length than it should")
        yield block[max(first - start, 0) : end - start]


def _blocks(chunks: Iterable[bytes]) -> Iterator[bytes]:
    waiting = bytearray()
    for chunk in chunks:
        for at in range(0, len(chunk), BLOCK):
            waiting += chunk[at : at + BLOCK]
            if len(waiting) >= BLOCK:
                yield bytes(waiting[:BLOCK])
                del waiting[:BLOCK]
    if waiting:
        yield bytes(waiting)


def _squeezed(block: bytes) -> tuple[int, bytes]:
    if len(block) >= SQUEEZE_FROM:
        import zstandard  # 14 ms

        stored = zstandard.ZstdCompressor(level=3).compress(block)
        if len(stored) < len(block) * 0.9:
            return _ZSTD | len(stored), stored
    return len(block), block


def _block(file: Source, word: int) -> bytes:
    length = word & ~_ZSTD
    if length > BLOCK:
        raise ValueError("a block is larger than blocks are")
    stored = file.read(length)
    if len(stored) != length:
        raise ValueError("it ends too early")
    if not word & _ZSTD:
        return stored
    import zstandard  # 14 ms

    try:
        # The limit below counts only where the frame does not tell its size.
        if zstandard.frame_content_size(stored) > BLOCK:
            raise ValueError("a block is larger than blocks are")
        return zstandard.ZstdDecompressor().decompress(stored, max_output_size=BLOCK)
    except zstandard.ZstdError as fault:
        raise ValueError(str(fault)) from None
