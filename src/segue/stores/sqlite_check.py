"""What can be said against an embedded log.

`findings` compares everything derived with the frames, the frames with their own hashes and every other
column with its row's checksum; it never holds a transaction across streams, so it can run beside writers.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from segue.errors import Unavailable
from segue.stores.contract import FORMAT, Finding, Head
from segue.stores.paging import Span
from segue.stores.seal import row_sum
from segue.stores.sqlite_file import LogFile
from segue.stores.sqlite_frames import frames
from segue.stores.sqlite_open import SQL
from segue.stores.verify import REBUILD, RESTORE, head_findings, not_covered, origin, stream_findings

_SUMS = 2000
"""Rows whose checksums are read at a time."""


def findings(file: LogFile) -> Iterator[Finding]:
    try:
        for (message,) in file.rows(SQL["quick_check"]):
            if message != "ok":
                yield Finding("damaged", file.path, f"The database file is damaged: {message}.", RESTORE)
        yield from _index_findings(file)
        number = _next_stream(file, 0)
        while number is not None:
            yield from _number_findings(file, number)
            number = _next_stream(file, number + 1)
        for (key,) in file.rows(SQL["dangling_keys"]):
            yield Finding("dangling_key", key, "An idempotency key names frames that are missing.", RESTORE)
        yield from _sum_findings(file)
    except Unavailable as fault:
        if fault.code != "damaged":
            raise
        yield Finding("damaged", file.path, fault.message, fault.hint)


def _next_stream(file: LogFile, number: int) -> int | None:
    found = file.rows(SQL["next_stream"], (number,))
    return found[0][0] if found else None


def _index_findings(file: LogFile) -> Iterator[Finding]:
    for there, by_id, by_type in file.rows(SQL["index_counts"]):
        for name, entries in (("frames_by_id", by_id), ("frames_by_type", by_type)):
            if entries != there:
                yield Finding(
                    "index_mismatch", name, f"The index has {entries} entries for {there} frames.", REBUILD
                )


def _number_findings(file: LogFile, number: int) -> Iterator[Finding]:
    stream_id, *head, seq, digest, commit_no = file.rows(SQL["standing"], (number,))[0]
    known = None if stream_id is None else Head(stream_id, *head)
    where = f"stream {number}" if known is None else stream_id
    yield from head_findings(where, known, (seq, digest, commit_no), RESTORE)
    if seq is not None:
        base = number << 32
        named = known[:2] if known else origin(file.rows(SQL["body"], (base + seq,))[0][0])
        yield from stream_findings(*named, frames(file, named[0], base, Span(last=seq)))


def _sum_findings(file: LogFile) -> Iterator[Finding]:
    """A checksum that is missing is as wrong as one that does not fit, but in a log of an older format."""
    older = any(version < FORMAT for (version,) in file.rows(SQL["format"]))
    if file.rows(SQL["lacking_sums"]):
        bare = file.rows(SQL["row_count"])[0][0]
        if not older:
            yield Finding("damaged", file.path, "The checksums of the rows are missing.", RESTORE)
    else:
        bare = 0
        for found, finding in chain(_frame_sums(file), _key_sums(file)):
            if found is None and older:
                bare += 1
            else:
                yield finding
    if bare and older:
        yield not_covered(file.path, bare)


def _frame_sums(file: LogFile) -> Iterator[tuple[int | None, Finding]]:
    """Checksums of frames that do not fit, and what there is to say of each."""
    after = -1
    while page := file.rows(SQL["frame_sums"], (after, _SUMS)):
        for place, commit_no, found in page:
            if found != row_sum(place, commit_no):
                where = f"stream {place >> 32}, frame {place & 0xFFFFFFFF}"
                message = "The number of the commit it came with is not what was written."
                yield found, Finding("row_mismatch", where, message, RESTORE)
        after = page[-1][0]


def _key_sums(file: LogFile) -> Iterator[tuple[int | None, Finding]]:
    after = ""
    while page := file.rows(SQL["key_sums"], (after, _SUMS)):
        for *row, found in page:
            if found != row_sum(*row):
                message = "An idempotency key, or what it stands for, is not what was written."
                yield found, Finding("row_mismatch", f"key {row[0]}", message, RESTORE)
        after = page[-1][0]
