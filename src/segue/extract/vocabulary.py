"""The o200k vocabulary, read as a table instead of being loaded: how many tokens one word is.

The file beside this one holds 199,998 byte strings with their ranks, filed by checksum into buckets of three on
average; it is mapped, and only what is asked for is read, while a hash table of all of them would take 40 ms. A word that is no token
itself is split into bytes, and the neighbours whose union has the lowest rank are joined until none are left: byte
pair encoding as the models do it.
"""

from __future__ import annotations

from binascii import crc32
from functools import cache, lru_cache
from heapq import heapify, heappop, heappush
from mmap import ACCESS_READ, mmap

from segue import extract

BUCKETS = 1 << 16
RANK_BYTES = 3
PATH = f"{extract.__path__[0]}/o200k.vocabulary"


@cache
def _table() -> tuple[mmap, memoryview]:
    """The whole file, and where in it each bucket begins: the places of all buckets, then their rows, each a length,
    a rank and the token."""
    with open(PATH, "rb") as file:
        content = mmap(file.fileno(), 0, access=ACCESS_READ)
    places = memoryview(content)[: 4 * (BUCKETS + 1)]
    return content, places.cast("I")


@lru_cache(maxsize=1 << 15)
def rank(token: bytes) -> int:
    """The token's rank, the lower the more frequent; -1 when the bytes are no token."""
    content, places = _table()
    bucket = crc32(token) % BUCKETS
    row, end = places[bucket], places[bucket + 1]
    size = len(token)
    while row < end:
        length = content[row]
        begin = row + 1 + RANK_BYTES
        if length == size and content[begin : begin + size] == token:
            return int.from_bytes(content[row + 1 : begin], "little")
        row = begin + length
    return -1


def tokens_of(word: bytes) -> int:
    """How many tokens a word is."""
    return 1 if rank(word) >= 0 else _joined(word)


def _joined(word: bytes) -> int:
    """How many pieces are left of a word's bytes when all that can be joined are, lowest rank and leftmost first."""
    size = pieces = len(word)
    after = list(range(1, size + 1))  # where the piece that begins here ends; 0 when another swallowed it
    before = list(range(-1, size))  # where the piece that ends here begins
    unions = [
        (found, start, start + 2)
        for start in range(size - 1)
        if (found := rank(word[start : start + 2])) >= 0
    ]
    heapify(unions)
    while unions:
        _, start, end = heappop(unions)
        middle = after[start]
        if not middle or middle >= end or after[middle] != end:
            continue  # one of the two has been joined with another since
        pieces -= 1
        after[start], after[middle], before[end] = end, 0, start
        if start and (found := rank(word[before[start] : end])) >= 0:
            heappush(unions, (found, before[start], end))
        if end < size and (found := rank(word[start : after[end]])) >= 0:
            heappush(unions, (found, start, after[end]))
    return pieces
