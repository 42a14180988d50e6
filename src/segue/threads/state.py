"""What a thread looks like in a list: a fold over its frames.

This is a cache by nature. Folding the same frames again, in one go or in pieces, gives the same
state; nothing else may enter.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from segue.model.frame import ARCHIVED, CREATED, MESSAGE, RENAMED, SIDE_EFFECTS, TAGGED, Frame
from segue.model.tombstone import is_forgotten
from segue.model.value import NamedTuple
from segue.threads.links import LINK_SEQ, link_of


class ThreadState(NamedTuple):
    thread_id: str
    seq: int = -1
    hash: str = ""
    workspace: str = ""
    created_at_ms: int = 0
    title: str | None = None
    archived: bool = False
    tags: tuple[str, ...] = ()
    default: bool = False
    parent_id: str | None = None
    parent_seq: int | None = None
    parent_message_id: str | None = None
    relation: str | None = None


def advance(state: ThreadState, frame: Frame) -> ThreadState:
    """The state after one more frame. What a field should not hold is passed over, whoever wrote it."""
    changes: dict[str, Any] = {"seq": frame.seq, "hash": frame.hash.hex()}
    if frame.type == CREATED:
        data = frame.data
        changes |= {
            "workspace": _text(data.get("workspace")) or "",
            "created_at_ms": _number(data.get("timestamp_ms")) or 0,
            "title": _text(data.get("title")),
            "default": bool(data.get("default")),
        }
    elif frame.type == RENAMED:
        changes["title"] = _text(frame.data.get("title"))
    elif frame.type == ARCHIVED:
        changes["archived"] = bool(frame.data.get("archived"))
    elif frame.type == TAGGED:
        data = frame.data
        added, removed = (set(_texts(data.get(name))) for name in ("added", "removed"))
        changes["tags"] = tuple(sorted((set(state.tags) | added) - removed))
    elif frame.seq == LINK_SEQ and (link := link_of(frame)) and _text(link.parent_id):
        changes |= {
            "parent_id": link.parent_id,
            "parent_seq": _number(link.seq),
            "parent_message_id": _text(link.message_id),
            "relation": link.relation,
        }
    return state._replace(**changes)


class Text(NamedTuple):
    """Something a search may find in a frame."""

    seq: int
    text: str


def texts(frame: Frame) -> Iterator[Text]:
    """What search should know of a frame: titles, messages, paths; of a forgotten one nothing."""
    if is_forgotten(frame):
        return
    if frame.type in (CREATED, RENAMED):
        found = [frame.data.get("title")]
    elif frame.type == MESSAGE:
        found = [frame.data.get("content")]
    elif frame.type == SIDE_EFFECTS:
        data = frame.data
        found = [*_texts(data.get("affected_paths")), data.get("command")]
    else:
        return
    said = "\n".join(filter(None, _texts(found)))
    if said:
        yield Text(frame.seq, said)


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _number(value: Any) -> int | None:
    return value if type(value) is int else None


def _texts(value: Any) -> list[str]:
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []
