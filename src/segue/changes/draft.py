"""A record while one update is being applied to it: a copy to change, and words for what was done."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from typing import Any

import msgspec

from segue.changes.document import Document
from segue.changes.revisions import HISTORY
from segue.changes.sentences import refusal
from segue.errors import BadInput
from segue.model.change import HandoffBlock

_EMPTY_BLOCK: Document = msgspec.to_builtins(HandoffBlock())
_SHOWN = 60


class Draft:
    """`document` is changed freely, but for its history; `done` collects one phrase for each thing that was."""

    def __init__(self, document: Document, author: str, at: str) -> None:
        history = {name: value for name, value in document.items() if name == HISTORY}
        self.document: Document = copy.deepcopy({**document, **dict.fromkeys(history)}) | history
        self.author = author
        self.at = at
        self.done: list[str] = []

    @property
    def block(self) -> Document:
        """The handoff block, with every field there."""
        context = self.document["session_context"]
        block: Document = context.setdefault("handoff", {})
        for name, empty in _EMPTY_BLOCK.items():
            if block.get(name) is None:
                block[name] = copy.copy(empty)
        return block

    def note(self, text: str) -> None:
        """Adds a dated line to the notes."""
        line = f"[{self.at}] {text}"
        earlier = self.document.get("notes") or ""
        self.document["notes"] = f"{earlier}\n{line}" if earlier else line

    def add_texts(self, items: list[str], texts: Iterable[str], what: str) -> None:
        """Appends what is not there yet; the same words in other spacing or case are there already."""
        known = {folded(item) for item in items}
        for text in texts:
            line = one_line(text)
            if not line:
                raise refusal("blank-text", what=what)
            if folded(line) not in known:
                known.add(folded(line))
                items.append(line)
                self.done.append(f"+{what} {quoted(line)}")

    def remove_texts(self, items: list[str], refs: Iterable[str], what: str, verb: str = "-") -> list[str]:
        """Takes items out, all named by the list as it was before."""
        gone = [pick(items, ref, what) for ref in refs]
        for item in gone:
            if item in items:
                items.remove(item)
                self.done.append(f"{verb}{what} {quoted(item)}")
        return gone


def pick(items: list[str], ref: str, what: str) -> str:
    """The item with that text, that number, or that beginning."""
    wanted = one_line(ref)
    if not items:
        raise BadInput(f"There is no {what} at all.", "`segue change show` shows what there is.")
    if wanted in items:
        return wanted
    if wanted.isdecimal() and 1 <= int(wanted) <= len(items):
        return items[int(wanted) - 1]
    found = [item for item in items if folded(item).startswith(folded(wanted))] if wanted else []
    if len(found) == 1:
        return found[0]
    listed = "; ".join(f"{n}. {quoted(item)}" for n, item in enumerate(items, 1))
    trouble = f"fits {len(found)} of them" if found else "is none of them"
    raise BadInput(f"There is no one {what} {ref!r}: it {trouble}.", f"By number or text: {listed}.")


def pick_named(items: list[Document], key: str, name: str, what: str) -> Document:
    """The item whose key field has that value."""
    for item in items:
        if item[key] == name:
            return item
    listed = ", ".join(str(item[key]) for item in items)
    hint = f"Known: {listed}." if listed else "There is none yet; `segue change show` shows what there is."
    raise BadInput(f"There is no {what} {name!r}.", hint)


def one_line(text: str) -> str:
    return " ".join(text.split())


def quoted(text: Any) -> str:
    line = one_line(str(text))
    return f"'{line if len(line) <= _SHOWN else line[: _SHOWN - 1] + '…'}'"


def folded(text: str) -> str:
    """What two texts have in common that differ in spacing and case alone."""
    return one_line(text).casefold()
