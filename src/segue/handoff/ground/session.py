"""A session as evidence: what stands at a line, which lines hold some words, who said them and how runs ended.

It is built once. The words of every entry go into an index of eight bytes each, its text is kept compressed, and what a very
long session has beyond `_MOST` characters is kept by its head and tail, so memory stays bounded however long it is.
"""

from __future__ import annotations

import math
import re
import zlib
from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import Literal

from segue.handoff.ground.atoms import stem
from segue.handoff.ground.markers import Verdict, masked, verdicts
from segue.handoff.wording import TERMINAL, spelled
from segue.model.entry import Entry, TodoState, ToolKind, clip
from segue.model.turn import opens_turn
from segue.model.value import NamedTuple

Speaker = Literal["person", "asker", "agent", "call", "result", "other"]
"""An `asker` is the agent that gives a sub-agent its work: for that one, somebody like a person."""

PIECE = re.compile(r"\d+|[^\W\d_]+")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_SPEAKERS: dict[str, Speaker] = {
    **dict.fromkeys(("answer", "rejection", "interruption"), "person"),
    **dict.fromkeys(("agent", "thought", "question", "summary", "todo", "plan"), "agent"),
    **dict.fromkeys(("tool_call", "subagent_start"), "call"),
    **dict.fromkeys(("tool_result", "subagent_end"), "result"),
}
_SHOWS = ("read", "write", "edit", "search")
"""Tools whose results show files: what these say is nobody's verdict."""
_MOST = 96_000_000
_EXCERPT = 2_000
_RUN = 1 << 20
_RARE = 3
_CANDIDATES, _SCANNED = 400, 4_000
"""Entries that are looked at for one atom."""


class Call(NamedTuple):
    group: int
    command: str
    tool: ToolKind = "other"


class Seen:
    """One entry: its text compressed, and what the record says of it. `group` is shared by a call and its result."""

    __slots__ = (
        "__dict__",
        "by",
        "command",
        "cut",
        "failed",
        "group",
        "kind",
        "line",
        "packed",
        "prints",
        "tool",
    )

    def __init__(self, entry: Entry, by: Speaker, text: str, call: Call) -> None:
        self.line, self.by, self.kind = entry.line, by, entry.kind
        self.group, self.command, self.tool = call
        self.failed = None if entry.background else failed(entry)
        self.prints = by != "call" and (by != "result" or call.tool not in _SHOWS)
        self.cut = by == "call" and (bool(entry.edits) or entry.tool_kind in ("write", "edit"))
        self.packed = _packed(text)

    def complete(self, more: str) -> None:
        """Adds what its entry has only an excerpt of."""
        self.cut = False
        self.packed = _packed(f"{self.text}\n{more}")
        for known in ("plain", "stems"):
            self.__dict__.pop(known, None)

    @property
    def text(self) -> str:
        return zlib.decompress(self.packed).decode(errors="surrogatepass")

    @cached_property
    def plain(self) -> str:
        """Its letters and digits between blanks."""
        return f" {spelled(self.text)} "

    @cached_property
    def stems(self) -> frozenset[str]:
        return frozenset(pieces(self.text))

    @cached_property
    def verdicts(self) -> frozenset[Verdict]:
        """How it ended, by the record and by its own words."""
        if self.failed:
            return frozenset(("fail",))
        known = verdicts(self.text, evidence=True) if self.prints else frozenset()
        return known | {"pass"} if self.went_well else known

    @property
    def went_well(self) -> bool:
        """Its own record says so, and not that of another program in the same line."""
        return self.failed is False and self.tool not in _SHOWS and not masked(self.command)


class Session:
    """`whole` gives all that a record holds, where that can be had: entries have excerpts of long edits."""

    def __init__(self, whole: Callable[[int], str] | None = None) -> None:
        self._whole = whole or (lambda line: "")
        self.id = ""
        self.last = 0
        self.folders: set[str] = set()
        """Where it all happened."""
        self.todos: dict[str, TodoState] = {}
        self.turns = 0
        self._seen: list[Seen] = []
        self._at: dict[int, list[int]] = {}
        self._groups: dict[int, list[int]] = {}
        self._calls: dict[str, Call] = {}
        self._jobs: dict[str, Call] = {}
        self._runs: list[array[int]] = []
        self._new: set[int] = set()
        self._size = 0
        self._prompt = 0
        self._prompts = array("L")
        """For each entry what the person had said last."""
        self._requested = False
        self._root = ""

    @classmethod
    def of(cls, entries: Iterable[Entry], whole: Callable[[int], str] | None = None) -> Session:
        """The session of these entries, which hold no secrets any more."""
        made = cls(whole)
        for entry in entries:
            made.see(entry)
        made.done()
        return made

    def at(self, *lines: int) -> list[Seen]:
        """What stands at these lines, with the result of a call there and the call of a result."""
        found: dict[int, None] = {}
        for line in lines:
            for n in self._at.get(line, ()):
                found[n] = None
                found.update(dict.fromkeys(self._groups.get(self._seen[n].group, ())))
        every = [self._seen[n] for n in found]
        for seen in every:
            if seen.cut:
                seen.complete(self._whole(seen.line))
        return every

    def only_at(self, *lines: int) -> list[Seen]:
        return [self._seen[n] for line in lines for n in self._at.get(line, ())]

    def around(self, *lines: int, reach: int = 2) -> list[Seen]:
        """What stands at these lines and right beside them."""
        near = {
            n + step for line in lines for n in self._at.get(line, ()) for step in range(-reach, reach + 1)
        }
        return [*self.at(*lines), *(self._seen[n] for n in sorted(near) if 0 <= n < len(self._seen))]

    def before(self, line: int) -> list[Seen]:
        """What stands before a line, the last first."""
        first = self._at.get(line, (0,))[0]
        return self._seen[max(0, first - _CANDIDATES) : first][::-1]

    def after(self, line: int) -> list[Seen]:
        """What stands after a line, in order."""
        last = self._at.get(line, (len(self._seen),))[-1]
        return self._seen[last + 1 : last + _CANDIDATES]

    def asked_before(self, *lines: int) -> list[Seen]:
        """What the person had said last before these lines."""
        found = {self._prompts[n] for line in lines for n in self._at.get(line, ())}
        return [seen for n in sorted(found) if (seen := self._seen[n]).by == "person"]

    @cached_property
    def words(self) -> list[Seen]:
        """All that the person said, in order."""
        return [seen for seen in self._seen if seen.by == "person" and seen.kind != "plan"]

    @cached_property
    def runs(self) -> list[Seen]:
        """Results whose record says how they ended, in order."""
        return [seen for seen in self._seen if seen.by == "result" and seen.failed is not None]

    def weight(self, word: str) -> float:
        """How much the stem of a word says: the fewer entries hold it, the more."""
        return math.log((len(self._seen) + 1) / (1 + len(self.rows(word))))

    def holding(self, text: str) -> list[Seen]:
        """The first entries that hold every word of the text, in any order; of a text whose words are too short for the
        index, the first of all."""
        rows = sorted((self.rows(piece) for piece in set(pieces(text))), key=len)
        if not rows:
            return self._seen[:_SCANNED]
        found = set(rows[0]).intersection(*rows[1:])
        return [self._seen[n] for n in sorted(found)[:_CANDIDATES]]

    def sharing(self, words: set[str]) -> list[Seen]:
        """The entries that hold the rarest of these words."""
        rare = sorted((rows for word in words if (rows := self.rows(word))), key=len)[:_RARE]
        return [self._seen[n] for n in dict.fromkeys(n for rows in rare for n in rows[:_CANDIDATES])]

    def knows(self, word: str) -> bool:
        """The word stands somewhere in the session."""
        return all(self.rows(piece) for piece in pieces(word))

    def rows(self, piece: str) -> list[int]:
        """Numbers of the entries that hold this piece of a word."""
        key = zlib.crc32(piece.encode(errors="surrogatepass")) << 32
        found: list[int] = []
        for run in self._runs:
            n = bisect_left(run, key)
            while n < len(run) and run[n] >> 32 == key >> 32:
                found.append(run[n] & 0xFFFFFFFF)
                n += 1
        return found

    def see(self, entry: Entry) -> None:
        """One more entry; the last call is `done`."""
        if opens_turn(entry, self._requested):
            self.turns += 1
            self._requested = self._requested or entry.by == "agent"
        if entry.kind == "meta":
            self.id = str(entry.data.get("id") or self.id)
            self._root = f"{entry.data['cwd']}/" if entry.data.get("cwd") else self._root
            return
        self.last = max(self.last, entry.line)
        self.folders.add(entry.cwd)
        if entry.kind == "todo":
            self.todos = {spelled(todo.text): todo.state for todo in entry.todos}
        n = len(self._seen)
        by = _speaker(entry)
        call = self._call_of(entry, by, n)
        text = _text(entry, self._root)
        if self._size > _MOST and by != "person":
            text = clip(text, _EXCERPT)[0]
        self._size += len(text)
        self._seen.append(Seen(entry, by, text, call))
        if by == "person":
            self._prompt = n
        self._prompts.append(self._prompt)
        self._at.setdefault(entry.line, []).append(n)
        self._groups.setdefault(call.group, []).append(n)
        for piece in set(pieces(text)):
            self._new.add(zlib.crc32(piece.encode(errors="surrogatepass")) << 32 | n)
        if len(self._new) > _RUN:
            self.done()

    def _call_of(self, entry: Entry, by: Speaker, n: int) -> Call:
        """The call that an entry is, answers or tells of later."""
        own = entry.command or " ".join(filter(None, (entry.tool, *entry.paths)))
        if by == "call" and entry.call_id:
            return self._calls.setdefault(entry.call_id, Call(n, own, entry.tool_kind))
        if entry.via == "notification" and (task := str(entry.data.get("task", ""))) in self._jobs:
            return self._jobs[task]
        if entry.call_id in self._calls and (
            by == "result" or entry.kind in ("rejection", "answer", "question")
        ):
            known = self._calls[entry.call_id]
            if entry.background and (task := str(entry.data.get("task", ""))):
                self._jobs[task] = known
            return known
        return Call(n, entry.command)

    def done(self) -> None:
        """Sorts what was seen into the index."""
        if self._new:
            self._runs.append(array("Q", sorted(self._new)))
            self._new = set()


def _packed(text: str) -> bytes:
    return zlib.compress(text.encode(errors="surrogatepass"), 1)


def pieces(text: str) -> Iterator[str]:
    """The words and figures of a text that are worth an index: letters from three on, figures from two on; of scripts
    without blanks each character."""
    for piece in PIECE.findall(text.casefold()):
        if _UNSPACED.search(piece):
            yield from piece
        elif len(piece) > 2 or (len(piece) == 2 and piece.isdigit()):
            yield piece if piece.isdigit() else stem(piece)


def failed(entry: Entry) -> bool | None:
    """What the record says. A status that the harness itself calls no error is none."""
    return entry.is_error if entry.exit_code is None or entry.is_error is False else entry.exit_code != 0


def _speaker(entry: Entry) -> Speaker:
    if entry.kind in ("user", "plan") and entry.by == "person":
        return "person"
    return "asker" if entry.kind == "user" and entry.by == "agent" else _SPEAKERS.get(entry.kind, "other")


def _text(entry: Entry, root: str) -> str:
    """All that an entry says."""
    parts = [entry.tool, entry.command, entry.text, entry.reason, *entry.paths]
    parts += [f"{entry.tool} {path.removeprefix(root)}" for path in entry.paths if entry.tool and root]
    parts += [text for edit in entry.edits for text in (edit.path, edit.old, edit.new)]
    parts += [todo.text for todo in entry.todos]
    parts += [str(value) for value in entry.data.values() if isinstance(value, str | int | float)]
    if entry.exit_code is not None:
        parts.append(f"exit {entry.exit_code}, exit code {entry.exit_code}")
    return TERMINAL.sub("", "\n".join(filter(None, parts))).replace("\\.", ".")
