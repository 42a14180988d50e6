"""Re-derives what a stream's frames claim: order, hash chain, envelope.

`stream_findings` trusts nothing but the bytes. After a broken link it goes on from the stored
hash, so one altered frame is one finding and not a thousand.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from segue.errors import BadInput
from segue.model.frame import Frame
from segue.model.wire import GENESIS, chain, decode
from segue.stores.contract import Finding

RESTORE = (
    "Restore log.db from a backup; what other copies of this workspace hold can be compared by head hash."
)
REBUILD = "Run `segue rebuild`; it is made again from the frames."


def stream_findings(
    stream_id: str, stream_kind: str, frames: Iterable[Frame], due: int = 0, previous: bytes = GENESIS
) -> Iterator[Finding]:
    """What is wrong with the frames of one stream, given from the first on, or from frame `due` on when
    `previous` is the hash of the one before."""
    for frame in frames:
        where = f"{stream_id}@{frame.seq}"
        if frame.seq != due:
            yield Finding(
                "gap", where, f"Frames {due} to {frame.seq - 1} of this stream are missing.", RESTORE
            )
        elif chain(previous, (frame.body,)) != [frame.hash]:
            yield Finding(
                "hash_mismatch",
                where,
                "This frame, or the one before it, is not what was written: the chain hash does not fit.",
                RESTORE,
            )
        yield from _envelope_findings(where, stream_kind, frame)
        due, previous = frame.seq + 1, frame.hash if isinstance(frame.hash, bytes) else b""


def _envelope_findings(where: str, stream_kind: str, frame: Frame) -> Iterator[Finding]:
    try:
        said = decode(frame.body)
    except BadInput as fault:
        yield Finding("undecodable", where, f"The frame cannot be decoded. {fault.message}", RESTORE)
        return
    filed = {
        "id": frame.id,
        "stream_kind": stream_kind,
        "stream_id": frame.stream_id,
        "seq": frame.seq,
        "type": frame.type,
    }
    wrong = [name for name, value in filed.items() if not isinstance(said, dict) or said.get(name) != value]
    if wrong:
        yield Finding(
            "envelope_mismatch",
            where,
            f"The frame is filed under another {', '.join(wrong)} than it says itself.",
            RESTORE,
        )
