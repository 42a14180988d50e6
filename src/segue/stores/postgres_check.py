"""What can be said against a log in PostgreSQL, and how its derived half is made again.

`findings` compares heads with frames and frames with their own hashes, a stream at a time beside writers.
`remake` keeps writers out, reads frames only, and commits once.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from segue.errors import BadInput, Unavailable
from segue.model.wire import decode
from segue.stores.contract import Finding
from segue.stores.postgres_frames import frames
from segue.stores.postgres_pool import Link, Pool
from segue.stores.verify import REBUILD, stream_findings

_RESTORE = "Restore the database from a backup; other copies of this workspace can be compared by head hash."
_FIRST = "00000000-0000-0000-0000-000000000000"
_STREAMS = 500


def findings(pool: Pool) -> Iterator[Finding]:
    try:
        after = _FIRST
        while page := pool.rows("next_streams", after=after, rows=_STREAMS):
            for (stream_id,) in page:
                yield from _stream_findings(pool, stream_id)
            after = page[-1][0]
        for (key,) in pool.rows("dangling_keys"):
            yield Finding("dangling_key", key, "An idempotency key names frames that are missing.", _RESTORE)
        for (frame_id,) in pool.rows("repeated_ids"):
            yield Finding("repeated_id", frame_id, "Several frames have this id.", _RESTORE)
    except Unavailable as fault:
        if fault.code != "damaged":
            raise
        yield Finding("damaged", pool.address.schema, fault.message, fault.hint)


def remake(pool: Pool) -> int:
    """Derives indexes, then heads; returns how many streams."""
    if not pool.there():
        return 0
    return pool.writing(lambda link: _remade(pool, link))


def _remade(pool: Pool, link: Link) -> int:
    streams, after = 0, _FIRST
    link.connection.execute(pool.sql["reindex"])  # partitioned tables refuse it inside a transaction
    with link.connection.transaction():
        link.connection.execute(pool.sql["begin_rebuild"])
        while page := link.rows(pool.sql["next_streams"], {"after": after, "rows": _STREAMS}):
            for (stream_id,) in page:
                link.connection.execute(pool.sql["derive_head"], _derived_head(pool, link, stream_id))
            streams, after = streams + len(page), page[-1][0]
    return streams


def _derived_head(pool: Pool, link: Link, stream_id: str) -> dict[str, Any]:
    *_, seq, digest, touched = link.rows(pool.sql["standing"], {"stream": stream_id})[0]
    back = 0
    while found := link.rows(pool.sql["bodies_back"], {"stream": stream_id, "back": back}):
        kind = _kind(found[0][0])
        if kind:
            return {"stream": stream_id, "kind": kind, "seq": seq, "hash": digest, "touched": touched}
        back += 1
    raise Unavailable(f"No frame of stream {stream_id} can be decoded.", _RESTORE, "damaged")


def _kind(body: bytes) -> str:
    """The stream's kind as a frame says it itself; empty when it does not."""
    try:
        return str(decode(body)["stream_kind"])
    except (BadInput, TypeError, KeyError):
        return ""


def _stream_findings(pool: Pool, stream_id: str) -> Iterator[Finding]:
    """The head and the last frame are read in one statement: a writer cannot come between them."""
    kind, *head, seq, digest, touched = pool.rows("standing", stream=stream_id)[0]
    if seq is None:
        yield Finding("head_mismatch", stream_id, "The stream has a head but no frames.", REBUILD)
        return
    if kind is None:
        yield Finding("head_mismatch", stream_id, "The stream has frames but no head.", REBUILD)
        kind = _kind(pool.rows("bodies_back", stream=stream_id, back=0)[0][0])
    elif head != [seq, digest, touched]:
        yield Finding(
            "head_mismatch",
            stream_id,
            f"The head says frame {head[0]}; the last frame is {seq}, or their hashes or commits differ.",
            REBUILD,
        )
    for finding in stream_findings(stream_id, kind, frames(pool, stream_id, last=seq)):
        yield finding._replace(hint=_RESTORE)
