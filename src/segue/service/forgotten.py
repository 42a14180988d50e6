"""What the log says of forgotten artifacts, and artifacts that know it.

An artifact that was forgotten has a small stream of kind `artifact` whose id follows from its own, so that one look
tells. Asking for its bytes then says that they were forgotten, not that they are missing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from segue.errors import NotFound, SegueError
from segue.model.frame import FORGOTTEN, Draft
from segue.model.ids import is_artifact_id
from segue.model.thread import Provenance
from segue.model.wire import stream_named
from segue.service.refusals import refusal
from segue.stores.contract import Artifacts, Finding, Log

_KIND = "artifact"


def is_forgotten(log: Log, artifact_id: str) -> bool:
    return is_artifact_id(artifact_id) and log.head(_stream(artifact_id)) is not None


def record(log: Log, artifact_id: str, reason: str, by: Provenance) -> None:
    """Says of an artifact that it is forgotten; before its bytes go, so that nobody finds them missing."""
    payload = by.stamp({"forgotten": [{"artifact_id": artifact_id}], "reason": reason})
    log.append(_stream(artifact_id), [Draft(FORGOTTEN, payload)], stream_kind=_KIND)


def _stream(artifact_id: str) -> str:
    return stream_named(f"forgotten:{artifact_id}")


class KnownArtifacts:
    """The artifacts of a workspace, which say of one that was forgotten that it was. `log` is asked only for what is
    not there."""

    def __init__(self, kept: Artifacts, log: Callable[[], Log]) -> None:
        self._kept = kept
        self._log = log
        self.put: Callable[[bytes | Iterable[bytes]], tuple[str, int]] = kept.put
        self.size: Callable[[str], int | None] = kept.size
        self.forget: Callable[[str], bool] = kept.forget
        self.verify: Callable[[], Iterator[Finding]] = kept.verify

    def get(self, artifact_id: str, offset: int = 0, max_bytes: int | None = None) -> bytes:
        try:
            return self._kept.get(artifact_id, offset, max_bytes)
        except NotFound as fault:
            raise self._not_found(artifact_id, fault) from None

    def read(self, artifact_id: str, offset: int = 0, max_bytes: int | None = None) -> Iterator[bytes]:
        try:
            yield from self._kept.read(artifact_id, offset, max_bytes)
        except NotFound as fault:
            raise self._not_found(artifact_id, fault) from None

    def resolve(self, prefix: str) -> str:
        try:
            return self._kept.resolve(prefix)
        except NotFound as fault:
            raise self._not_found(prefix, fault) from None

    def ids(self, after: str = "") -> Iterator[tuple[str, int]]:
        return self._kept.ids(after)

    def _not_found(self, artifact_id: str, missing: NotFound) -> SegueError:
        if not is_forgotten(self._log(), artifact_id):
            return missing
        return refusal("forgotten", artifact_id=artifact_id)
