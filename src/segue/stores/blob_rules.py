"""What every box of artifacts does alike, wherever the blobs lie: which ids, prefixes and ranges may be asked
for, how a blob becomes content, and how it is said that one is missing or damaged.

Content that is handed out whole hashes to its name; a range is taken from blocks of the right length.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from segue.errors import BadInput, NotFound, Unavailable
from segue.model.ids import is_artifact_id
from segue.stores import blob_file
from segue.stores.contract import Finding

MIN_PREFIX = 8
_MISNAMED = "its bytes do not hash to its name"


def checked_id(artifact_id: str) -> str:
    if not is_artifact_id(artifact_id):
        raise BadInput(
            f"{artifact_id!r} is not an artifact id.",
            "An artifact id is 64 lowercase hexadecimal digits.",
        )
    return artifact_id


def checked_prefix(prefix: str) -> str:
    if len(prefix) < MIN_PREFIX or not is_artifact_id(prefix.ljust(64, "0")):
        raise BadInput(
            f"{prefix!r} does not name an artifact.",
            f"Give an artifact id or at least its first {MIN_PREFIX} characters.",
        )
    return prefix


def checked_range(offset: int, max_bytes: int | None) -> None:
    if offset < 0 or (max_bytes is not None and max_bytes < 0):
        raise BadInput(
            "A range begins at byte 0 or later and its length is not negative.",
            "Leave offset and length out to get all of it.",
        )


def only_match(prefix: str, matches: Sequence[str]) -> str:
    """The one id a prefix stands for."""
    if len(matches) > 1:
        raise BadInput(f"{prefix!r} names {len(matches)} artifacts.", "Give more characters of the id.")
    if not matches:
        raise missing(prefix)
    return matches[0]


def content(file: blob_file.Source, artifact_id: str, offset: int, max_bytes: int | None) -> Iterator[bytes]:
    """The content of a blob, or a range of it, in pieces. Raises ValueError when the blob is not what was put; the
    last piece is held back until that is known."""
    import hashlib  # 9 ms

    size = blob_file.read_size(file)
    end = size if max_bytes is None else min(size, offset + max_bytes)
    is_whole, digest = (offset, end) == (0, size), hashlib.sha256()
    held = b""
    for piece in blob_file.read(file, size, offset, end):
        if held:
            yield held
        held = piece
        if is_whole:
            digest.update(piece)
    if is_whole and digest.hexdigest() != artifact_id:
        raise ValueError(_MISNAMED)
    if held:
        yield held


def fault_in(file: blob_file.Source, artifact_id: str) -> str:
    """What is wrong with a blob, in half a sentence; empty when all is well. Memory stays bounded."""
    import hashlib  # 9 ms

    digest = hashlib.sha256()
    try:
        size = blob_file.read_size(file)
        for piece in blob_file.read(file, size, 0, size):
            digest.update(piece)
    except ValueError as fault:
        return f"{fault}"
    if file.read(1):
        return "bytes follow after its end"
    return "" if digest.hexdigest() == artifact_id else _MISNAMED


def missing(artifact_id: str) -> NotFound:
    return NotFound(f"There is no artifact {artifact_id}.", "`segue artifact list` shows what there is.")


def damaged(artifact_id: str, reason: str, hint: str) -> Unavailable:
    return Unavailable(f"The artifact {artifact_id} is damaged: {reason}.", hint, "damaged")


def damage_found(artifact_id: str, reason: str, hint: str) -> Finding:
    return Finding("damaged", artifact_id, f"The artifact is not what was put: {reason}.", hint)
