"""Re-derives what a stream's frames claim: order, hash chain, envelope.

`stream_findings` trusts nothing but the bytes. After a broken link it goes on from the stored
hash, so one altered frame is one finding and not a thousand. A frame without its content is in order where a
later frame of its chain says that it was forgotten, and says with what it was replaced.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from segue.errors import BadInput, Unavailable
from segue.model.frame import FORGOTTEN, Frame
from segue.model.tombstone import Record, is_forgotten, record, records
from segue.model.wire import GENESIS, chain, decode
from segue.stores import lost_frames
from segue.stores.contract import NEW, NOTE, Finding, Head

RESTORE = (
    "Restore log.db from a backup; what other copies of this workspace hold can be compared by head hash."
)
REBUILD = "Run `segue rebuild`; it is made again from the frames."


def stream_findings(
    stream_id: str,
    stream_kind: str,
    frames: Iterable[Frame],
    due: int = 0,
    previous: bytes = GENESIS,
    forgotten: Iterable[Record] = (),
) -> Iterator[Finding]:
    """What is wrong with the frames of one stream, given from the first on, or from frame `due` on when
    `previous` is the hash of the one before. `forgotten` names tombstones beside those that the frames name."""
    named, tombstones = set(forgotten), list[Record]()
    for frame in frames:
        where = f"{stream_id}@{frame.seq}"
        if frame.seq != due:
            yield Finding(
                "gap", where, f"Frames {due} to {frame.seq - 1} of this stream are missing.", RESTORE
            )
        elif chain(previous, (frame.body,)) == [frame.hash]:
            named.update(_records(frame))
        elif _looks_forgotten(frame):
            tombstones.append(record(frame))
        else:
            yield Finding(
                "hash_mismatch",
                where,
                "This frame, or the one before it, is not what was written: the chain hash does not fit.",
                RESTORE,
            )
        yield from _envelope_findings(where, stream_kind, frame)
        due, previous = frame.seq + 1, frame.hash if isinstance(frame.hash, bytes) else b""
    for tombstone in tombstones:
        if tombstone not in named:
            where = f"{stream_id}@{tombstone.seq}"
            message = "This frame has lost its content, and no frame says that it was forgotten so."
            yield Finding("unrecorded_tombstone", where, message, RESTORE)


def head_findings(where: str, head: Head | None, last: tuple[Any, ...], restore: str) -> Iterator[Finding]:
    """What is wrong with a head beside (number, hash, commit) of the last frame, None where there is none. Both were
    read in one statement: a writer cannot come between them."""
    seq = NEW if last[0] is None else last[0]
    if head is not None and head.seq > seq:
        yield lost_frames.finding(head, seq, restore)
    elif head is None and seq != NEW:
        yield Finding("head_mismatch", where, "The stream has frames but no head.", REBUILD)
    elif head is not None and (head.seq, head.hash, head.touched) != last:
        message = (
            f"The head says frame {head.seq}; the last frame is {seq}, or their hashes or commits differ."
        )
        yield Finding("head_mismatch", where, message, REBUILD)


def origin(body: bytes) -> tuple[str, str]:
    """Stream id and kind as a frame says them itself; empty when it does not."""
    try:
        said = decode(body)
        return str(said["stream_id"]), str(said["stream_kind"])
    except (BadInput, TypeError, KeyError):
        return "", ""


def not_covered(where: str, rows: int) -> Finding:
    """What is said of rows that an older version wrote, which no checksum covers."""
    message = (
        f"{rows:,} row{'' if rows == 1 else 's'} of an older version without a checksum: "
        "a change of a commit's number or of an idempotency key there would not be seen."
    )
    return Finding("not_covered", where, message, "Run `segue rebuild`; it gives them checksums.", NOTE)


def _records(frame: Frame) -> Iterable[Record]:
    try:
        return list(records(frame)) if frame.type == FORGOTTEN else ()
    except Unavailable:  # its body is no JSON object, which is said of it elsewhere
        return ()


def _looks_forgotten(frame: Frame) -> bool:
    try:
        return isinstance(frame.hash, bytes) and is_forgotten(frame)
    except Unavailable:
        return False


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
