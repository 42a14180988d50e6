"""What forgetting something takes: decided here from what is stored, and done elsewhere.

What was named goes, and with it artifacts that no other frame names, and what is made from it without anybody's judgement
and could be made again: compiled contexts, summaries of checkpoints, versions of the handoff document that nobody
drafted, archived transcripts of the session, notes. Others that name or quote it are told, and go only when everything is
to go. What another session says in the same words stays even then, unless somebody named these words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from segue.handoff.tail import split
from segue.model.bundle import CONTEXT_SCHEMA, SUMMARY_SCHEMA
from segue.model.frame import DRAFTED, Frame
from segue.model.tombstone import GONE, texts, tombstone, words
from segue.model.value import NamedTuple
from segue.service.removal import files, origins
from segue.service.removal.passages import Passages, texts_of
from segue.service.removal.targets import Targets
from segue.service.withheld import STORED
from segue.service.workspace import Workspace

_ROW = 8
"""Words of the shortest line of a draft that is looked for: shorter ones, its headings among them, stand in others, too."""
_ALONG, _QUOTES, _STRANGE = "along", "quotes", "strange"
"""What becomes of something that has words of what goes: it goes along; it goes with everything; it stays, since it is
recorded to be another session's."""


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
    strange: int
    """How many of those that stay are another session's, and stay even when everything goes."""


class _Sought(NamedTuple):
    """What is looked for."""

    named: Passages
    """Of messages and artifacts that somebody named: wherever that stands, it is meant."""
    whole: Passages
    """Of threads of which all goes."""
    written: Passages
    """Of drafts that go."""
    origins: origins.Origins

    def fate(self, spoken: Iterable[str], derived: bool, *names: str) -> str:
        """What becomes of something by these names, `derived` or with a judgement in it; empty where it has none of it."""
        strange, made = (not known.isdisjoint(names) for known in self.origins)
        spoken = list(spoken)
        if self.named.occur_in(spoken):
            return _ALONG if derived else _QUOTES
        if self.whole.occur_in(spoken):
            return _STRANGE if strange else _ALONG if derived else _QUOTES
        return "" if not made and not self.written.occur_in(spoken) else _STRANGE if strange else _QUOTES


_Sizes = dict[str, dict[str, int]]
"""Sizes of artifacts or files, by what becomes of them."""


def planned(workspace: Workspace, targets: Targets, everywhere: bool) -> Plan:
    log = origins.record(workspace)
    drafts = {one for one, frames in log.naming.items() if any(frame.type == DRAFTED for frame in frames)}
    own, shared = origins.belongings(workspace, targets.frames, log)
    taken = (*own, *shared) if everywhere else own
    going = drafts.intersection((*targets.artifacts, *taken))
    sought = _Sought(
        Passages((*_texts(targets, whole=False), *_stored(workspace, set(targets.artifacts) - drafts))),
        Passages(_texts(targets, whole=True)),
        Passages(_draft_lines(workspace, going)),
        origins.origins(workspace, targets.whole, log),
    )
    targets = targets._replace(artifacts=tuple(dict.fromkeys((*targets.artifacts, *taken))))
    told = _frames(workspace, targets, sought)
    bodies = {_body(origins.content(workspace, one)) for one in going}
    blobs = _artifacts(workspace, targets, sought, log, bodies)
    found = _files(workspace, sought)
    derived, other = blobs[_ALONG], blobs[_QUOTES]
    gone = files.of_sessions(workspace, targets.sessions) | found[_ALONG]
    gone |= files.copies(workspace, {*derived, *(other if everywhere else ())})
    shared = {one: frame for one, frame in shared.items() if one not in derived}
    other |= {one: size for one in shared if (size := workspace.artifacts.size(one)) is not None}
    frames = [*targets.frames, *told[_ALONG]]
    if everywhere:
        frames += told[_QUOTES]
        derived |= other
        gone |= found[_QUOTES]
        told[_QUOTES], other, found[_QUOTES] = [], {}, {}
    gone = files.with_about(gone)
    stones, freed = _tombstones(frames)
    return Plan(
        stones,
        freed,
        {one: derived[one] for one in (*own, *derived) if one in derived},
        gone,
        told[_QUOTES] + told[_STRANGE],
        other | blobs[_STRANGE],
        {path: size for path, size in (found[_QUOTES] | found[_STRANGE]).items() if path not in gone},
        {one: frame for one, frame in shared.items() if one in other},
        len(told[_STRANGE]) + len(blobs[_STRANGE]) + len(found[_STRANGE]),
    )


def _texts(targets: Targets, whole: bool) -> Iterator[str]:
    """What is said in threads of which all goes, or in messages of others."""
    for frame in targets.frames:
        if (frame.stream_id in targets.whole) is whole and tombstone(frame) is not None:
            yield from words(frame)


def _stored(workspace: Workspace, artifacts: Iterable[str]) -> Iterator[str]:
    for artifact_id in artifacts:
        data = origins.content(workspace, artifact_id)
        document = origins.json_object(data)
        yield from (data.decode(errors="replace"),) if document is None else texts(document)


def _draft_lines(workspace: Workspace, drafts: set[str]) -> Iterator[str]:
    """What somebody wrote in these drafts."""
    for one in drafts:
        for line in _body(origins.content(workspace, one)).splitlines():
            if len(line.split()) >= _ROW and not line.startswith("#"):
                yield line


def _body(data: bytes) -> str:
    """A version of the handoff document without its tail."""
    return split(data.decode(errors="replace"))[0].strip()


def _frames(workspace: Workspace, targets: Targets, sought: _Sought) -> dict[str, list[Frame]]:
    """Frames with what goes; those go along that repeat the text of an artifact that does."""
    mine = {frame.id for frame in targets.frames}
    found: dict[str, list[Frame]] = {_ALONG: [], _QUOTES: [], _STRANGE: []}
    for head in workspace.log.heads():
        for frame in workspace.log.read(head.stream_id):
            if frame.id in mine or tombstone(frame) is None:
                continue
            spoken = list(words(frame))
            repeats = any(spoken) and not origins.named(frame.data).isdisjoint(targets.artifacts)
            at = frame.stream_id, origins.place(frame.stream_id, frame.seq)
            if fate := _ALONG if repeats else sought.fate(spoken, False, *at):
                found[fate].append(frame)
    return found


def _artifacts(
    workspace: Workspace, targets: Targets, sought: _Sought, log: origins.Record, bodies: set[str]
) -> _Sizes:
    """Artifacts with what goes. Versions of the handoff document that nothing else names were made without anybody's
    judgement; those with one of the `bodies` are a draft that goes, with a tail."""
    mine = {frame.id for frame in targets.frames}
    found: _Sizes = {_ALONG: {}, _QUOTES: {}, _STRANGE: {}}
    for artifact_id, size in workspace.artifacts.ids():
        if artifact_id in targets.artifacts:
            found[_ALONG][artifact_id] = size
            continue
        data = origins.content(workspace, artifact_id)
        document = origins.json_object(data)
        naming = [
            frame for frame in log.naming.get(artifact_id, ()) if artifact_id in origins.named(frame.data)
        ]
        stored = bool(naming) and all(frame.type == STORED for frame in naming)
        derived = stored or _is_derived(document)
        covers = _sums_up(document, targets) or _holds(document, mine, set(targets.artifacts))
        if covers or (derived and bodies and _body(data) in bodies):
            fate = _ALONG if derived else _QUOTES
        else:
            fate = sought.fate(texts_of(data), derived, artifact_id)
        if fate:
            found[fate][artifact_id] = size
    return found


def _files(workspace: Workspace, sought: _Sought) -> _Sizes:
    """Files with what goes: notes and handoffs go along, transcripts of other sessions do not."""
    found: _Sizes = {_ALONG: {}, _QUOTES: {}, _STRANGE: {}}
    for path, size, data in files.contents(workspace):
        derived = not path.endswith(".jsonl")
        fate = sought.fate(texts_of(data), derived, path)
        if fate:
            found[fate][path] = size
    return found


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
