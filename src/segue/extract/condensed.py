"""The session condensed: its entries as rows for a brief, in their order.

A collector beside the index: entries pass through it while the index is built, so a session is read once. Raw texts
are held at both ends until all secrets of the session are known; then they are redacted whole, and only after that
lines are chosen, so that no rule misses a secret that stands on several. Memory is bounded by `_HELD`: of the oldest
rows all but the person's give way, and are counted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from posixpath import basename
from typing import Any

import msgspec

from segue.extract.commands import output
from segue.extract.commands.line import line_of
from segue.extract.commands.runs import was_refused
from segue.extract.commands.tools import only_looks
from segue.extract.session import Clean
from segue.extract.text.abridged import abridged, is_prose, unwrapped
from segue.extract.text.prose import clipped, ends, flat, start
from segue.model.brief import BriefRow, Who
from segue.model.entry import Edit, Entry
from segue.model.packet import OPENING, apart
from segue.model.turn import opens_turn

_HELD, _WORDS_HELD = 4_000_000, 1_500_000
"""Characters that are held of a session, and of the person's words among them."""
_PLACES, _CALLS = 50_000, 1000
"""Entries whose place is known by their native id, and calls whose result may still come."""
_PROMPT, _MESSAGE, _ASIDE, _THOUGHT, _COMMAND, _FAILED = 12_000, 8000, 1000, 1200, 1500, 6000
"""Characters of one text that are held, at both ends."""
_RESULT = 4000
_SHOWN_ELSEWHERE = ("read", "edit", "write", "todo", "search")
"""Tools whose result is a file, a list or a yes."""
_ROOMS: dict[str, tuple[int, int]] = {
    "person": (_PROMPT, 300),
    "request": (_PROMPT, 600),
    "agent": (3600, 700),
    "midway": (900, 200),
    "subagent": (3000, 700),
    "notification": (3000, 700),
    "thought": (260, 0),
    "harness": (700, 160),
    "summary": (6000, 1500),
    "boundary": (400, 200),
}
"""Characters that a row tells at most, and when it is folded."""
_DOCUMENT, _PROSE, _LINE = 3000, 1500, 240
_WHOLE, _GLANCE = 500, 240
"""Characters of an output that is told whole, and of one of a command that only looks."""
_LINES, _COMPLAINTS = 6, 8
_NAMES = re.compile(r"[\w.~/@-]*\w\.(?:md|mdx|txt|rst|adoc|org)\b", re.I)
"""A document that somebody names."""
_NUMBERS = re.compile(r"^ *\d+(?:→|\t)", re.M)
_TAGS = re.compile(r"</?[\w-]+>")
_SILENT = ("environment", "reminder", "meta")
"""Channels on which a harness says what serves itself alone."""
_REPEATED = ("instructions", "skill", "hook")
"""Channels on which the same text comes again."""


class _Row(msgspec.Struct):
    """A row in the making, its texts raw; `BriefRow` says what they are."""

    line: int
    who: Who
    turn: int
    text: str
    kind: str = ""
    to: str = ""
    note: str = ""
    verdict: str = ""
    failed: bool = False
    at: int = 0
    result: str = ""
    closing: bool = False

    @property
    def size(self) -> int:
        return len(self.text) + len(self.result) + len(self.to) + 100


class Condenser:
    """Rows in the making. What becomes of an entry says the method of its kind."""

    def __init__(self) -> None:
        self._rows: list[_Row] = []
        self._calls: dict[str, _Row] = {}
        self._places: dict[str, int] = {}
        self._said: dict[int, int] = {}
        """Where a text stood first, by its hash."""
        self._documents: set[str] = set()
        """The names of those that the person spoke of."""
        self._todos: dict[str, str] = {}
        self._asked = ""
        self._last: _Row | None = None
        """The agent's last message, which closes its turn."""
        self._requested = False
        self._turn = self._held = self._gone = 0

    def along(self, entries: Iterable[Entry]) -> Iterator[Entry]:
        """The same entries, each seen as it passes."""
        for entry in entries:
            if entry.native_id and not entry.agent_id:
                self._places.setdefault(entry.native_id, entry.line)
                if len(self._places) > _PLACES:
                    del self._places[next(iter(self._places))]
            handler = getattr(self, f"_on_{entry.kind}", None)
            if handler is not None:
                handler(entry)
            yield entry

    # What was said

    def _on_user(self, entry: Entry) -> None:
        if opens_turn(entry, self._requested):
            self._turn += 1
            self._close_turn()
        if entry.by == "person" and not entry.agent_id:
            self._hear(entry, entry.text, entry.via)
        elif entry.by == "agent":
            self._requested = True
            self._add(entry, "request", ends(entry.text, _PROMPT))
        elif entry.via == "summary":
            self._on_summary(entry)
        elif entry.via not in _SILENT:
            self._told_by_harness(entry)

    def _hear(self, entry: Entry, text: str, kind: str, to: str = "") -> None:
        if OPENING in text:
            packet, text = apart(text)
            if packet:
                self._add(entry, "harness", "the packet of an earlier handoff stood here", kind="carried")
        text = ends(text.strip(), _PROMPT)
        pictures = "with pictures" if entry.data.get("images") else ""
        if not (text or to or pictures):
            return
        first = self._first(text, entry) if len(text) > 200 else entry.line
        if first != entry.line:
            text, pictures = start(text, 100), f"the same as #{first}"
        self._documents.update(basename(name).lower() for name in _NAMES.findall(text))
        self._add(entry, "person", text, kind=kind, to=start(to, 400), note=pictures)

    def _first(self, text: str, entry: Entry) -> int:
        return self._said.setdefault(hash(text), entry.line)

    def _on_answer(self, entry: Entry) -> None:
        self._hear(entry, entry.text, "answer", "" if self._asked[:40] in entry.text else self._asked)

    def _on_rejection(self, entry: Entry) -> None:
        call = self._calls.get(entry.call_id)
        if call:
            call.verdict, call.failed = "rejected by the person", False
        self._hear(entry, entry.text, "rejection", call.text if call else entry.tool or "a call")

    def _on_agent(self, entry: Entry) -> None:
        text = ends(entry.text.strip(), _MESSAGE)
        if text and entry.agent_id:
            self._add(entry, "subagent", ends(text, _ASIDE))
        elif text:
            self._last = self._add(entry, "agent", text, kind="midway")

    def _on_thought(self, entry: Entry) -> None:
        text = start(entry.text.strip(), _THOUGHT)
        if text and not entry.agent_id and self._first(text, entry) == entry.line:
            self._add(entry, "thought", text)

    def _on_question(self, entry: Entry) -> None:
        self._asked = start(entry.text, 2000)
        self._add(entry, "agent", self._asked, kind="question")

    def _on_plan(self, entry: Entry) -> None:
        text = ends(entry.text.strip(), _MESSAGE)
        again = self._first(text, entry) != entry.line
        self._add(
            entry, "agent", "" if again else text, kind=f"plan {entry.data.get('outcome') or 'proposed'}"
        )

    def _told_by_harness(self, entry: Entry) -> None:
        """Notices with their reports, hooks, outputs, files that were loaded; what comes again and again, once."""
        text, named = _TAGS.sub("", entry.text).strip(), ", ".join(entry.paths[:6])
        repeated = entry.via in _REPEATED and self._first(text[-300:] or named, entry) != entry.line
        if not (text or named) or repeated or (entry.via != "notification" and entry.text[:1] == "<"):
            return
        short = entry.paths or entry.via not in ("notification", "instructions")
        told = ends(text, _ASIDE if short else _MESSAGE)
        self._add(entry, "harness", told, kind=entry.via or "note", note=named, verdict=_status(entry))

    def _on_other(self, entry: Entry) -> None:
        kind = str(entry.data.get("type", ""))
        if entry.text.strip() and (entry.is_error or entry.by == "person" or kind == "pr-link"):
            self._add(entry, "harness", ends(entry.text.strip(), _ASIDE), kind=kind)

    # What was done

    def _on_tool_call(self, entry: Entry) -> None:
        if entry.agent_id or ("resumes" in entry.data and entry.call_id in self._calls):
            return
        paths = dict.fromkeys((*(edit.path for edit in entry.edits), *entry.paths))
        named = " ".join(filter(None, (entry.tool, *islice(paths, 12), start(entry.text, 600))))
        text = ends(entry.command, _COMMAND) or named
        kind = "edit" if entry.edits and entry.tool_kind == "other" else entry.tool_kind
        row = self._add(entry, "call", text, kind=kind, to=next(filter(None, map(_changed, entry.edits)), ""))
        if entry.call_id:
            row.verdict = "no result seen"
            self._calls[entry.call_id] = row
            if len(self._calls) > _CALLS:
                del self._calls[next(iter(self._calls))]

    def _on_tool_result(self, entry: Entry) -> None:
        row = self._calls.get(entry.call_id)
        if row is None or entry.agent_id:
            return
        row.at, row.failed = entry.line, bool(entry.is_error or (entry.exit_code and entry.is_error is None))
        goes_on = "goes on in the background" if entry.background else ""
        row.verdict = "refused" if was_refused(entry) else _status(entry) or goes_on
        row.note = _joined(row.note, start(", ".join(_figures(entry.data)), 200))
        room = _FAILED if row.failed or self._shows_document(row.text) else _RESULT
        room = (
            _MESSAGE
            if row.kind == "task"
            else _ASIDE
            if row.kind in _SHOWN_ELSEWHERE and room == _RESULT
            else room
        )
        before = f"{row.result}\n" if row.result and row.kind == "shell" else ""
        self._held -= len(row.result)
        row.result = ends(f"{before}{entry.text}", room)
        self._held += len(row.result)

    def _shows_document(self, call: str) -> bool:
        """Whether a call shows a document that the person spoke of."""
        return any(basename(name).lower() in self._documents for name in _NAMES.findall(call))

    def _on_subagent_start(self, entry: Entry) -> None:
        call = self._calls.get(entry.call_id) or self._add(entry, "call", "sub-agent", kind="task")
        call.to = start(entry.text, _ASIDE)

    def _on_subagent_end(self, entry: Entry) -> None:
        call, text = self._calls.get(entry.call_id), ends(entry.text.strip(), _MESSAGE)
        counts = ", ".join(_figures(entry.data))
        if call:
            call.note, counts = _joined(call.note, counts), ""
        before = self._rows[-1] if self._rows else None
        if before and before.who == "harness" and text and text[:400] in before.text:
            before.who, before.text = "subagent", text
        elif text and not (call and text[:400] in call.result):
            self._add(entry, "subagent", text, note=counts, verdict="failed" if entry.is_error else "")

    def _on_todo(self, entry: Entry) -> None:
        now: dict[str, str] = {todo.text: todo.state for todo in entry.todos}
        told = [f"[{state}] {text}" for text, state in now.items() if self._todos.get(text) != state]
        told += [f"[removed] {text}" for text in self._todos if text not in now]
        self._todos = now
        if told:
            self._add(entry, "harness", ends("\n".join(told), _ASIDE), kind="to-dos")

    # What stands between

    def _on_summary(self, entry: Entry) -> None:
        kind = "recap" if entry.via == "recap" else "summary"
        if entry.text.strip():
            self._add(
                entry, "summary", ends(entry.text.strip(), _ASIDE if kind == "recap" else _MESSAGE), kind=kind
            )

    def _on_compaction(self, entry: Entry) -> None:
        told = ", ".join(_figures({**entry.data, "kept_from": None}))
        row = self._add(entry, "boundary", "the context was compacted", kind="compaction", note=told)
        row.at = self._places.get(str(entry.data.get("kept_from", "")), 0)

    def _on_interruption(self, entry: Entry) -> None:
        said = start(entry.reason or entry.text, 300)
        by = "the person" if entry.by == "person" else "an error"
        self._add(entry, "boundary", f"interrupted by {by}{said and f': {said}'}", kind="interruption")

    def _on_model_change(self, entry: Entry) -> None:
        self._add(entry, "boundary", f"the model is now {entry.model}", kind="model")

    def _on_unreadable(self, entry: Entry) -> None:
        self._add(entry, "boundary", f"an unreadable record: {start(entry.reason, 100)}", kind="unreadable")

    def _add(self, entry: Entry, who: Who, text: str, **more: Any) -> _Row:
        row = _Row(entry.line, who, self._turn, text, **more)
        self._rows.append(row)
        self._held += row.size
        if self._held > _HELD:
            self._give_way()
        return row

    def _give_way(self) -> None:
        """Of the older half all goes but the person's words; these are cut where they take more than their share."""
        half = len(self._rows) // 2
        kept = [row for row in self._rows[:half] if row.who == "person" or row.kind == "compaction"]
        if sum(row.size for row in kept) > _WORDS_HELD:
            for row in kept:
                row.text = start(row.text, 200)
        self._gone += half - len(kept)
        self._rows[:half] = kept
        self._held = sum(row.size for row in self._rows)

    def _close_turn(self) -> None:
        if self._last is not None:
            self._last.closing, self._last.kind = True, ""
        self._last = None

    # Rows

    def close(self, clean: Clean) -> tuple[BriefRow, ...]:
        """The rows, redacted by what knows every secret of the session."""
        self._close_turn()
        rows = [self._told(row, clean) for row in self._rows]
        if self._gone:
            first = next((n for n, row in enumerate(rows) if row.who != "person"), 0)
            text = f"{self._gone:,} earlier rows of this very long session are not held"
            rows.insert(
                first, msgspec.structs.replace(rows[first], who="boundary", text=text, kind="left out")
            )
        return tuple(rows)

    def _told(self, row: _Row, clean: Clean) -> BriefRow:
        text, to, note = clean(row.text), clean(row.to), clean(row.note)
        verdict = clean(row.verdict)
        printed: tuple[str, ...] = ()
        if row.who == "call":
            result = unwrapped(clean(row.result))
            if row.kind == "shell" and not row.failed and row.at:
                row.failed, seen = _printed_verdict(text, result)
                verdict = verdict or seen
            verdict, to = _joined(verdict, note), abridged(to, 500)
            printed = self._printed(row, text, result)
            full, short = clipped(flat(text), 600), clipped(flat(text), 140)
        else:
            room, less = _ROOMS.get(row.kind) or _ROOMS[row.who]
            full = _joined(text if row.who == "person" else abridged(text, room), note and f"({note})", " ")
            short = clipped(flat(text), less) if row.who == "person" else abridged(text, less)
        same = {
            name: getattr(row, name) for name in ("line", "who", "turn", "kind", "failed", "at", "closing")
        }
        return BriefRow(text=full, short=short, to=to, verdict=verdict, printed=printed, **same)

    def _printed(self, row: _Row, text: str, result: str) -> tuple[str, ...]:
        """The lines of a result that tell most: of a failure its complaints, of a report and of prose their paragraphs, of
        a document that the person spoke of its beginning, else all of what is short, or how it ends."""
        rows = output.rows(result)
        lines = [clipped(line, _LINE) for line in rows]
        if row.failed:
            return output.complaints(rows, _COMPLAINTS) or tuple(lines[-2:])
        if row.kind == "task":
            return tuple(abridged(result, _ROOMS["subagent"][0]).split("\n"))
        if row.kind in ("read", "shell") and self._shows_document(text):
            return tuple(abridged(_NUMBERS.sub("", result), _DOCUMENT).split("\n"))
        if row.kind in _SHOWN_ELSEWHERE[:-1]:
            return ()
        line = line_of(text)
        looks = row.kind == "search" or (row.kind == "shell" and only_looks(line.commands))
        if sum(map(len, lines)) <= (_GLANCE if looks else _WHOLE) or len(lines) <= 2:
            return tuple(lines)
        if looks:
            return (f"({len(lines)} lines)",)
        if row.kind == "shell" and line.check:
            told = (*output.complaints(rows, 3), *lines[-3:], *output.conclusion(rows))
            return tuple({flat(one): one for one in told}.values())
        if is_prose(rows):
            return tuple(abridged(result, _PROSE).split("\n"))
        hidden = len(lines) - _LINES
        return tuple(lines) if hidden < 2 else (lines[0], f"(… {hidden} lines)", *lines[1 - _LINES :])


def _joined(one: str, other: str, between: str = "; ") -> str:
    return between.join(filter(None, (one, other)))


def _status(entry: Entry) -> str:
    """The harness's word on a result; nothing where it went well."""
    said = start(entry.reason, 100)
    if entry.exit_code:
        return f"exit {entry.exit_code}{said and f' ({said})'}"
    return said or ("error" if entry.is_error else "")


def _printed_verdict(command: str, result: str) -> tuple[bool, str]:
    """Whether a line whose status tells of no failure printed one, and what that means: the status may be that of a pipe."""
    line = line_of(command)
    rows = output.rows(result)
    summed, _ = output.summary(rows, line.masked) if line.sums else ("unknown", "")
    if summed == "failed":
        return True, "printed a failure"
    unseen = line.check and line.masked and (summed == "unknown" or line.selects)
    return False, "outcome not recorded" if unseen else ""


def _figures(data: dict[str, Any]) -> Iterator[str]:
    """The plain fields of a record."""
    for name, value in data.items():
        if isinstance(value, (int, str)) and value != "":
            yield (
                f"{name.replace('_', ' ')} {value:,}"
                if type(value) is int
                else f"{name.replace('_', ' ')} {value}"
            )


def _changed(edit: Edit) -> str:
    """What an edit is about: the first line that it takes away, and the first that it puts there."""
    old, new = ([line.strip() for line in text.split("\n")] for text in (edit.old, edit.new))
    lost = next((line for line in old if len(line) > 3 and line not in new), "")
    added = next((line for line in new if len(line) > 3 and line not in old), "")
    return " ".join(
        f"{mark} {told}" for mark, line in (("-", lost), ("+", added)) if (told := start(line, 120))
    )
