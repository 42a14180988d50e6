"""What a thread looks like in a list: a fold over its frames.

This is a cache by nature. Folding the same frames again, in one go or in pieces, gives the same
state; nothing else may enter.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from segue.model.frame import ARCHIVED, CREATED, MESSAGE, RENAMED, SIDE_EFFECTS, TAGGED, Frame
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
    """The state after one more frame."""
    changes: dict[str, Any] = {"seq": frame.seq, "hash": frame.hash.hex()}
    if frame.type == CREATED:
        data = frame.data
        changes |= {
            "workspace": data["workspace"],
            "created_at_ms": data["timestamp_ms"],
            "title": data.get("title"),
            "default": bool(data.get("default")),
        }
    elif frame.type == RENAMED:
        changes["title"] = frame.data["title"]
    elif frame.type == ARCHIVED:
        changes["archived"] = bool(frame.data["archived"])
    elif frame.type == TAGGED:
        data = frame.data
        changes["tags"] = tuple(sorted((set(state.tags) | set(data["added"])) - set(data["removed"])))
    elif frame.seq == LINK_SEQ and (link := link_of(frame)):
        changes |= {
            "parent_id": link.parent_id,
            "parent_seq": link.seq,
            "parent_message_id": link.message_id,
            "relation": link.relation,
        }
    return state._replace(**changes)


class Text(NamedTuple):
    """Something a search may find in a frame."""

    seq: int
    text: str


def texts(frame: Frame) -> Iterator[Text]:
    """What search should know of a frame: titles, messages, paths."""
    if frame.type in (CREATED, RENAMED):
        title = frame.data.get("title")
        if title:
            yield Text(frame.seq, title)
    elif frame.type == MESSAGE:
        yield Text(frame.seq, frame.data["content"])
    elif frame.type == SIDE_EFFECTS:
        data = frame.data
        found = [*(data.get("affected_paths") or ()), *filter(None, [data.get("command")])]
        if found:
            yield Text(frame.seq, "\n".join(found))
