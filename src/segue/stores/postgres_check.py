"""What can be said against a log in PostgreSQL, and how its derived half is made again.

`findings` compares heads with frames, frames with their own hashes and every other column with its row's checksum,
beside writers. `remake` keeps writers out, derives from frames only, gives rows of an older version their checksums, and
commits once; where a head was ahead of the frames, it changes nothing without somebody's word for the loss.
"""

from __future__ import annotations

from collections.abc import Iterator

from segue.errors import Unavailable
from segue.model.frame import Payload
from segue.model.wire import GENESIS
from segue.stores import lost_frames
from segue.stores.contract import NEW, Finding, Head, Request
from segue.stores.paging import Span
from segue.stores.postgres_frames import frames
from segue.stores.postgres_pool import Link, Pool
from segue.stores.postgres_write import Write, Writer
from segue.stores.seal import row_sum, seal
from segue.stores.verify import head_findings, not_covered, origin, stream_findings

_RESTORE = "Restore the database from a backup; other copies of this workspace can be compared by head hash."
_FIRST = "00000000-0000-0000-0000-000000000000"
_STREAMS = 500
_SUMS = 1000
"""Rows whose checksums are read at a time."""


def findings(pool: Pool) -> Iterator[Finding]:
    try:
        after = _FIRST
        while page := pool.rows("next_streams", after=after, rows=_STREAMS):
            for (stream_id,) in page:
                yield from _stream_findings(pool, stream_id)
            after = page[-1][0]
        for (key,) in pool.rows("dangling_keys"):
            yield Finding("dangling_key", key, "An idempotency key names frames that are missing.", _RESTORE)
        yield from _sum_findings(pool)
        for (frame_id,) in pool.rows("repeated_ids"):
            yield Finding("repeated_id", frame_id, "Several frames have this id.", _RESTORE)
    except Unavailable as fault:
        if fault.code != "damaged":
            raise
        yield Finding("damaged", pool.address.schema, fault.message, fault.hint)


def remake(pool: Pool, accept_loss: Payload | None) -> int:
    """Derives indexes, then heads; returns how many streams."""
    if not pool.there():
        return 0
    return pool.writing(lambda link: _remade(pool, link, accept_loss))


def _remade(pool: Pool, link: Link, accept_loss: Payload | None) -> int:
    streams, after = dict[str, Head](), _FIRST
    link.connection.execute(pool.sql["reindex"])  # partitioned tables refuse it inside a transaction
    with link.connection.transaction():
        link.connection.execute(pool.sql["lock_all_heads"])
        before = [Head._make(row) for row in link.rows(pool.sql["all_heads"], {})]
        link.connection.execute(pool.sql["drop_heads"])
        while page := link.rows(pool.sql["next_streams"], {"after": after, "rows": _STREAMS}):
            streams |= {stream_id: _derived_head(pool, link, stream_id) for (stream_id,) in page}
            after = page[-1][0]
        losses = [
            (was, there)
            for was in before
            if was.seq > (there := streams.get(was.stream_id, was._replace(seq=NEW, hash=GENESIS))).seq
        ]
        if losses and accept_loss is None:
            raise lost_frames.refused([(was, there.seq) for was, there in losses], _RESTORE)
        for head in streams.values():
            link.connection.execute(pool.sql["derive_head"], head._asdict())
        for was, there in losses:
            _record(pool, link, was, there, accept_loss or {})
        if losses:
            link.connection.execute(pool.sql["drop_dangling_keys"])
        if not all(said for (said,) in link.rows(pool.sql["summed"], {})):
            _fill_sums(pool, link)
    return len(streams.keys() | {was.stream_id for was, _ in losses})


def _record(pool: Pool, link: Link, was: Head, there: Head, accept_loss: Payload) -> None:
    """Adds the frame that tells of a loss."""
    draft = lost_frames.record(was, there.seq, accept_loss)
    made = seal(there.stream_id, there.stream_kind, there.seq, there.hash, [draft])
    ask = Request(there.stream_id, [draft], stream_kind=there.stream_kind)
    Writer(pool.sql).write(link, [Write(ask, made, there.hash)])


def _fill_sums(pool: Pool, link: Link) -> None:
    link.connection.execute(pool.sql["fill_frame_sums"])
    after = ""
    while page := link.rows(pool.sql["key_sums"], {"after": after, "rows": _SUMS}):
        sums = {row[0]: row_sum(*row) for *row, found in page if found is None}
        if sums:
            made = {"keys": list(sums), "sums": list(sums.values())}
            link.connection.execute(pool.sql["fill_key_sums"], made)
        after = page[-1][0]
    link.connection.execute(pool.sql["now_summed"])


def _derived_head(pool: Pool, link: Link, stream_id: str) -> Head:
    *_, seq, digest, touched = link.rows(pool.sql["standing"], {"stream": stream_id})[0]
    back = 0
    while found := link.rows(pool.sql["bodies_back"], {"stream": stream_id, "back": back}):
        _, kind = origin(found[0][0])
        if kind:
            return Head(stream_id, kind, seq, digest, touched)
        back += 1
    raise Unavailable(f"No frame of stream {stream_id} can be decoded.", _RESTORE, "damaged")


def _stream_findings(pool: Pool, stream_id: str) -> Iterator[Finding]:
    kind, *head, seq, digest, touched = pool.rows("standing", stream=stream_id)[0]
    known = None if kind is None else Head(stream_id, kind, *head)
    yield from head_findings(stream_id, known, (seq, digest, touched), _RESTORE)
    if seq is not None:
        kind = (
            known.stream_kind
            if known
            else origin(pool.rows("bodies_back", stream=stream_id, back=0)[0][0])[1]
        )
        for finding in stream_findings(stream_id, kind, frames(pool, stream_id, Span(last=seq))):
            yield finding._replace(hint=_RESTORE)


def _sum_findings(pool: Pool) -> Iterator[Finding]:
    """A checksum that is missing is as wrong as one that does not fit, but in a log of an older version."""
    summed = all(said for (said,) in pool.rows("summed"))
    yield from _frame_sum_findings(pool, summed)
    yield from _key_sum_findings(pool, summed)
    bare = 0 if summed else pool.rows("rows_without_sums")[0][0]
    if bare:
        yield not_covered(pool.address.schema, bare)


def _frame_sum_findings(pool: Pool, summed: bool) -> Iterator[Finding]:
    stream_id, seq = _FIRST, NEW
    while page := pool.rows("altered_frames", stream=stream_id, seq=seq, summed=summed, rows=_SUMS):
        for stream_id, seq in page:
            message = "The number of the transaction it came with is not what was written."
            yield Finding("row_mismatch", f"{stream_id}@{seq}", message, _RESTORE)


def _key_sum_findings(pool: Pool, summed: bool) -> Iterator[Finding]:
    after = ""
    while page := pool.rows("key_sums", after=after, rows=_SUMS):
        for *row, found in page:
            if found != row_sum(*row) and (summed or found is not None):
                message = "An idempotency key, or what it stands for, is not what was written."
                yield Finding("row_mismatch", f"key {row[0]}", message, _RESTORE)
        after = page[-1][0]
