"""Artifacts that belong to frames: those which they name, and which no other frame does.

A frame names a draft, an approved handoff, a bundle, a summary; a version of the handoff document with a tail is named by
its hash. What a bundle names was made for it, except for what somebody had put there before.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from segue.errors import BadInput, SegueError
from segue.model import wire
from segue.model.bundle import HANDOFF_SCHEMA
from segue.model.frame import APPROVED, DRAFTED, TAIL_REFRESHED, Frame
from segue.model.tombstone import is_forgotten
from segue.model.value import NamedTuple
from segue.service.withheld import STORED

if TYPE_CHECKING:
    from segue.service.workspace import Workspace

_READ = 64 * 1024 * 1024
"""Bytes of the largest artifact that is looked through."""


class Belongings(NamedTuple):
    """`own` are in the order in which they can go: what tells of another one comes after it."""

    own: tuple[str, ...]
    shared: dict[str, Frame]
    """Artifacts that another frame names, too, and that frame."""
    drafts: set[str]
    """All artifacts here that somebody wrote as a handoff."""


def belongings(workspace: Workspace, frames: tuple[Frame, ...]) -> Belongings:
    mine = {frame.id for frame in frames}
    holders: dict[str, Frame] = {}
    drafts: set[str] = set()
    for head in workspace.log.heads():
        for frame in workspace.log.read(head.stream_id):
            names = named(frame.data)
            if frame.type == DRAFTED:
                drafts |= names
            if frame.id not in mine and frame.type != STORED and not is_forgotten(frame):
                for one in names:
                    holders.setdefault(one, frame)
    outer = {name for frame in frames for name in (*named(frame.data), *versions(frame))}
    inner = {name for one in sorted(outer) for name in made_for(workspace, one)} - outer
    if inner:
        for one, frame in list(holders.items()):
            for name in made_for(workspace, one):
                holders.setdefault(name, frame)
    every = (*sorted(inner), *sorted(outer))
    shared = {one: holders[one] for one in every if one in holders}
    return Belongings(tuple(one for one in every if one not in shared), shared, drafts)


def named(data: dict[str, Any]) -> set[str]:
    return {value for name, value in data.items() if name.endswith("artifact_id") and isinstance(value, str)}


def versions(frame: Frame) -> Iterator[str]:
    if frame.type in (APPROVED, TAIL_REFRESHED) and isinstance(frame.data.get("sha256"), str):
        yield frame.data["sha256"]


def made_for(workspace: Workspace, artifact_id: str) -> Iterator[str]:
    """What a bundle names as a part of itself, such as its facts; a plain `artifact_id` in it is a reference."""
    document = json_object(content(workspace, artifact_id))
    if document and document.get("schema") == HANDOFF_SCHEMA:
        yield from _parts(document)


def _parts(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        yield from named({name: one for name, one in value.items() if name != "artifact_id"})
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _parts(inner)


def content(workspace: Workspace, artifact_id: str) -> bytes:
    """The bytes of an artifact; none of one that is not there, too large to look through, or damaged."""
    try:
        size = workspace.artifacts.size(artifact_id)
        return workspace.artifacts.get(artifact_id) if size is not None and size <= _READ else b""
    except SegueError:  # `segue verify` says so
        return b""


def json_object(data: bytes) -> dict[str, Any] | None:
    if not data.startswith(b"{"):
        return None
    try:
        document = wire.decode(data)
    except (BadInput, UnicodeDecodeError):
        return None
    return document if isinstance(document, dict) else None
