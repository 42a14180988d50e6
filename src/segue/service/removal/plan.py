"""What forgetting something takes: decided here from what is stored, and done elsewhere.

What was named goes, and with it artifacts that no other frame names, and what is made from it without anybody's judgement
and could be made again: compiled contexts, summaries of checkpoints, versions of the handoff document that nobody
drafted, archived transcripts of the session, notes. Others that name or quote it are told, and go only when everything is
to go.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from segue.handoff.tail import split
from segue.model.bundle import CONTEXT_SCHEMA, SUMMARY_SCHEMA
from segue.model.frame import Frame
from segue.model.tombstone import GONE, texts, tombstone, words
from segue.model.value import NamedTuple
from segue.service.removal import files
from segue.service.removal.belongings import belongings, content, json_object, named
from segue.service.removal.passages import Passages
from segue.service.removal.targets import Targets
from segue.service.withheld import STORED

if TYPE_CHECKING:
    from segue.service.workspace import Workspace

_ROW = 8
"""Words of the shortest line of a draft that is looked for: shorter ones, its headings among them, stand in others, too."""


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
    shared: dict[str, Frame]
    """Artifacts that what goes names, and a frame that stays and names them, too."""


class _Survey(NamedTuple):
    """What the frames tell: those that quote it, and which artifacts have a name in the log."""

    quoting: list[Frame]
    named: set[str]
    documents: set[str]
    """Versions of the handoff document."""
    naming: list[Frame]
    """Frames that repeat the text of an artifact that is to go."""


def planned(workspace: Workspace, targets: Targets, everywhere: bool) -> Plan:
    own, shared, drafts = belongings(workspace, targets.frames)
    taken = (*own, *shared) if everywhere else own
    passages = Passages(_said(workspace, targets, drafts))
    targets = targets._replace(artifacts=tuple(dict.fromkeys((*targets.artifacts, *taken))))
    going = drafts.intersection(targets.artifacts)
    written = Passages(_written(workspace, going))
    survey = _surveyed(workspace, targets, passages, written)
    bodies = {_body(content(workspace, one)) for one in going}
    versions = survey.documents - survey.named
    derived, other = _artifacts(workspace, targets, passages, written, versions, bodies)
    notes, transcripts = files.quoting(workspace, passages)
    for found in files.quoting(workspace, written):
        transcripts |= found
    gone = files.of_sessions(workspace, targets.sessions) | notes
    gone |= files.copies(workspace, {*derived, *(other if everywhere else ())})
    transcripts = {path: size for path, size in transcripts.items() if path not in gone}
    shared = {one: frame for one, frame in shared.items() if one not in derived}
    other |= {one: size for one in shared if (size := workspace.artifacts.size(one)) is not None}
    frames = [*targets.frames, *survey.naming]
    if everywhere:
        frames += survey.quoting
        derived |= other
        gone |= transcripts
    stones, freed = _tombstones(frames)
    return Plan(
        stones,
        freed,
        {one: derived[one] for one in (*own, *derived) if one in derived},
        gone,
        [] if everywhere else survey.quoting,
        {} if everywhere else other,
        {} if everywhere else transcripts,
        {one: frame for one, frame in shared.items() if one in other and not everywhere},
    )


def _said(workspace: Workspace, targets: Targets, drafts: set[str]) -> Iterator[str]:
    """The texts that are to be forgotten."""
    for frame in targets.frames:
        if tombstone(frame) is not None:
            yield from words(frame)
    for artifact_id in targets.artifacts:
        if artifact_id not in drafts:
            data = content(workspace, artifact_id)
            document = json_object(data)
            yield from (data.decode(errors="replace"),) if document is None else texts(document)


def _written(workspace: Workspace, drafts: set[str]) -> Iterator[str]:
    """What somebody wrote in these drafts."""
    for one in drafts:
        for line in _body(content(workspace, one)).splitlines():
            if len(line.split()) >= _ROW and not line.startswith("#"):
                yield line


def _body(data: bytes) -> str:
    """A version of the handoff document without its tail."""
    return split(data.decode(errors="replace"))[0].strip()


def _surveyed(workspace: Workspace, targets: Targets, passages: Passages, written: Passages) -> _Survey:
    """One walk over all frames."""
    survey, mine = _Survey([], set(), set(), []), {frame.id for frame in targets.frames}
    for head in workspace.log.heads():
        for frame in workspace.log.read(head.stream_id):
            names = named(frame.data)
            (survey.documents if frame.type == STORED else survey.named).update(names)
            if frame.id in mine or tombstone(frame) is None:
                continue
            if not names.isdisjoint(targets.artifacts) and any(words(frame)):
                survey.naming.append(frame)
            elif passages.occur_in(words(frame)) or written.occur_in(words(frame)):
                survey.quoting.append(frame)
    return survey


def _artifacts(
    workspace: Workspace,
    targets: Targets,
    passages: Passages,
    written: Passages,
    documents: set[str],
    bodies: set[str],
) -> tuple[dict[str, int], dict[str, int]]:
    """Artifacts that go, and others that quote what goes. `documents` were made without anybody's judgement; those with
    one of the `bodies` are a draft that goes, with a tail."""
    mine = {frame.id for frame in targets.frames}
    derived: dict[str, int] = {}
    other: dict[str, int] = {}
    for artifact_id, size in workspace.artifacts.ids():
        if artifact_id in targets.artifacts:
            derived[artifact_id] = size
            continue
        data = content(workspace, artifact_id)
        document = json_object(data)
        covers = _sums_up(document, targets) or _holds(document, mine, set(targets.artifacts))
        made = _is_derived(document) or artifact_id in documents
        if made and (covers or passages.occur_in_bytes(data) or (bodies and _body(data) in bodies)):
            derived[artifact_id] = size
        elif covers or passages.occur_in_bytes(data) or written.occur_in_bytes(data):
            other[artifact_id] = size
    return derived, other


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
