"""Where a thread comes from: ancestors by its own frames, the forest by everybody's links.

All walks are loops: a chain of a thousand handoffs is an ordinary one. A cycle cannot be written
through this program; should a damaged log hold one, every walk ends at the first thread it meets
again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from segue.model.frame import BRANCHED, CHECKPOINT, HANDOFF, REFERENCED
from segue.model.value import NamedTuple
from segue.threads.history import History
from segue.threads.links import BRANCH, LINK_SEQ, Link, link_of

_MARKS = (REFERENCED, CHECKPOINT)


class Segment(NamedTuple):
    """A stretch of one thread's frames, both ends included."""

    thread_id: str
    first: int
    last: int
    marked: bool
    """Whether there is a reference or a checkpoint in it."""


def parent_link(history: History, thread_id: str) -> Link | None:
    """The tie of a thread to its parent; roots have none."""
    frame = next(history.read(thread_id, LINK_SEQ, LINK_SEQ), None)
    return link_of(frame) if frame else None


def ancestors(history: History, thread_id: str) -> Iterator[Link]:
    """The links upward, nearest first."""
    seen = {thread_id}
    link = parent_link(history, thread_id)
    while link is not None and link.parent_id not in seen:
        yield link
        seen.add(link.parent_id)
        link = parent_link(history, link.parent_id)


def inherited(history: History, thread_id: str, seq: int) -> tuple[list[Segment], tuple[str, Link] | None]:
    """The segments a thread's history consists of, newest first, and the handoff it rests on.

    A branch goes on in its parent up to the recorded cut; a handoff is where inheritance ends, and is
    returned as (thread, link) so that its bundle can serve as base context.
    """
    segments: list[Segment] = []
    seen: set[str] = set()
    while True:
        seen.add(thread_id)
        link, marked = _survey(history, thread_id, seq)
        segments.append(Segment(thread_id, 0, seq, marked))
        if link is None:
            return segments, None
        if link.relation != BRANCH:
            return segments, (thread_id, link)
        if link.parent_id in seen:
            return segments, None
        thread_id, seq = link.parent_id, link.seq


def _survey(history: History, thread_id: str, seq: int) -> tuple[Link | None, bool]:
    """A thread's tie to its parent and whether anything is marked up to `seq`, for the price of the tie:
    on a long line every further query would be paid a thousand times. The tie came into being with the
    thread, in one commit, so no cut lies before it."""
    reach = max(seq, LINK_SEQ)
    first = list(history.read(thread_id, LINK_SEQ, reach, types=(BRANCHED, HANDOFF, *_MARKS), limit=2))
    link = link_of(first[0]) if first and first[0].seq == LINK_SEQ else None
    return link, any(frame.type in _MARKS for frame in first)


_UNDER = {"├─ ": "│  ", "└─ ": "   "}


class Node(NamedTuple):
    """A thread as the graph shows it."""

    thread_id: str
    label: str
    relation: str | None
    seq: int | None


def draw(
    nodes: Mapping[str, Node], children: Mapping[str, list[str]], roots: list[str], here: str = ""
) -> Iterator[str]:
    """The forest as lines of text, one thread each; `here` is marked.

    A chain of only children is drawn without indenting further, so that long successions of handoffs
    stay readable.
    """
    stack: list[tuple[str, str, str]] = [(root, "", "") for root in reversed(roots)]
    seen: set[str] = set()
    while stack:
        thread_id, prefix, joint = stack.pop()
        node = nodes[thread_id]
        link = f"{node.relation} @{node.seq}  " if node.relation else ""
        yield f"{prefix}{joint}{'●' if thread_id == here else '○'} {link}{node.label}  {thread_id}"
        seen.add(thread_id)
        below = [child for child in children.get(thread_id, []) if child not in seen]
        deeper = prefix + _UNDER.get(joint, "")
        for place, child in enumerate(reversed(below)):
            stack.append((child, deeper, "↓ " if len(below) == 1 else "├─ " if place else "└─ "))
