"""What forgetting something takes: decided here from what is stored, and done elsewhere.

What was named goes, and with it what is made from it without anybody's judgement and could be made again: compiled
contexts, summaries of checkpoints, versions of the handoff document that nobody drafted, archived transcripts of the
session, notes. Other frames and artifacts that quote it are named, and go only when everything is to go.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from segue.errors import BadInput, SegueError
from segue.model import wire
from segue.model.bundle import CONTEXT_SCHEMA, SUMMARY_SCHEMA
from segue.model.frame import Frame
from segue.model.tombstone import GONE, texts, tombstone, words
from segue.model.value import NamedTuple
from segue.service.removal import files
from segue.service.removal.passages import Passages
from segue.service.removal.targets import Targets
from segue.service.withheld import STORED

if TYPE_CHECKING:
    from segue.service.workspace import Workspace

_SEARCHED = 64 * 1024 * 1024
"""Bytes of the largest artifact that is looked through."""


class Plan(NamedTuple):
    stones: dict[str, list[Frame]]
    """Tombstones by stream."""
    freed: int
    """Bytes of the texts that go from frames."""
    artifacts: dict[str, int]
    files: dict[str, int]
    also_frames: list[Frame]
    """What quotes it and stays."""
    also_artifacts: dict[str, int]
    also_files: dict[str, int]


class _Survey(NamedTuple):
    """What the frames tell: those that quote it, and which artifacts have a name in the log."""

    quoting: list[Frame]
    named: set[str]
    documents: set[str]
    """Versions of the handoff document."""
    naming: list[Frame]
    """Frames that repeat the text of an artifact that is to go."""


def planned(workspace: Workspace, targets: Targets, everywhere: bool) -> Plan:
    passages = Passages(_said(workspace, targets))
    survey = _surveyed(workspace, targets, passages)
    derived, other = _artifacts(workspace, targets, passages, survey.documents - survey.named)
    notes, transcripts = files.quoting(workspace, passages)
    own = files.of_sessions(workspace, targets.sessions)
    gone = own | notes
    gone |= files.copies(workspace, {*targets.artifacts, *derived, *(other if everywhere else ())})
    transcripts = {path: size for path, size in transcripts.items() if path not in gone}
    frames = [*targets.frames, *survey.naming]
    if everywhere:
        frames += survey.quoting
        derived |= other
        gone |= transcripts
    stones, freed = _tombstones(frames)
    return Plan(
        stones,
        freed,
        derived,
        gone,
        [] if everywhere else survey.quoting,
        {} if everywhere else other,
        {} if everywhere else transcripts,
    )


def _said(workspace: Workspace, targets: Targets) -> Iterator[str]:
    """The texts that are to be forgotten."""
    for frame in targets.frames:
        if tombstone(frame) is not None:
            yield from words(frame)
    for artifact_id in targets.artifacts:
        size = workspace.artifacts.size(artifact_id)
        if size is not None and size <= _SEARCHED:
            data = workspace.artifacts.get(artifact_id)
            document = _json(data)
            yield from (data.decode(errors="replace"),) if document is None else texts(document)


def _surveyed(workspace: Workspace, targets: Targets, passages: Passages) -> _Survey:
    """One walk over all frames."""
    survey, mine = _Survey([], set(), set(), []), {frame.id for frame in targets.frames}
    for head in workspace.log.heads():
        for frame in workspace.log.read(head.stream_id):
            names = _named(frame.data)
            (survey.documents if frame.type == STORED else survey.named).update(names)
            if frame.id in mine or tombstone(frame) is None:
                continue
            if not names.isdisjoint(targets.artifacts) and any(words(frame)):
                survey.naming.append(frame)
            elif passages.occur_in(words(frame)):
                survey.quoting.append(frame)
    return survey


def _named(data: dict[str, Any]) -> set[str]:
    return {value for name, value in data.items() if name.endswith("artifact_id") and isinstance(value, str)}


def _artifacts(
    workspace: Workspace, targets: Targets, passages: Passages, documents: set[str]
) -> tuple[dict[str, int], dict[str, int]]:
    """Artifacts that go, and others that quote what goes. `documents` were made without anybody's judgement."""
    mine = {frame.id for frame in targets.frames}
    derived: dict[str, int] = {}
    other: dict[str, int] = {}
    for artifact_id, size in workspace.artifacts.ids():
        if artifact_id in targets.artifacts:
            derived[artifact_id] = size
            continue
        data = _bytes(workspace, artifact_id, size)
        document = _json(data)
        covers = _sums_up(document, targets) or _holds(document, mine, set(targets.artifacts))
        if covers or passages.occur_in_bytes(data):
            made = _is_derived(document) or artifact_id in documents
            (derived if made else other)[artifact_id] = size
    return derived, other


def _bytes(workspace: Workspace, artifact_id: str, size: int) -> bytes:
    try:
        return workspace.artifacts.get(artifact_id) if size <= _SEARCHED else b""
    except SegueError:  # a damaged one: `segue verify` says so
        return b""


def _json(data: bytes) -> dict[str, Any] | None:
    if not data.startswith(b"{"):
        return None
    try:
        document = wire.decode(data)
    except (BadInput, UnicodeDecodeError):
        return None
    return document if isinstance(document, dict) else None


def _holds(document: dict[str, Any] | None, frames: set[str], artifacts: set[str]) -> bool:
    """Whether a compiled context has one of these messages or artifacts in it."""
    items = document.get("items") if document and document.get("schema") == CONTEXT_SCHEMA else None
    return any(
        item.get("thread_event_id") in frames or item.get("artifact_id") in artifacts
        for item in (items if isinstance(items, list) else ())
        if isinstance(item, dict) and item.get("content") != GONE
    )


def _sums_up(document: dict[str, Any] | None, targets: Targets) -> bool:
    """Whether a summary was made, by counting and quoting, of frames that go."""
    covered = document.get("coverage") if document and _is_derived(document) else None
    return isinstance(covered, dict) and any(
        covered.get("thread_id") == frame.stream_id and frame.seq <= int(covered.get("to_seq") or 0)
        for frame in targets.frames
        if tombstone(frame) is not None
    )


def _is_derived(document: dict[str, Any] | None) -> bool:
    schema = document.get("schema") if document else None
    return schema == CONTEXT_SCHEMA or (schema == SUMMARY_SCHEMA and "digest" in (document or {}))


def _tombstones(frames: list[Frame]) -> tuple[dict[str, list[Frame]], int]:
    stones: dict[str, list[Frame]] = {}
    freed = 0
    for frame in {frame.id: frame for frame in frames}.values():
        stone = tombstone(frame)
        if stone is not None:
            stones.setdefault(frame.stream_id, []).append(stone)
            freed += sum(len(text.encode()) for text in words(frame))
    return stones, freed
