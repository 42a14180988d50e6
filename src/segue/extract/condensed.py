"""The session condensed: its entries as rows for a brief, in their order.

A collector beside the index: entries pass through it while the index is built, so a session is read once. Raw texts
are held at both ends until all secrets of the session are known; then they are redacted whole, and only after that the
lines are chosen, so that no rule misses a secret that stands on several lines. Memory is bounded by `_HELD`: the oldest
rows that are not the person's give way and are counted.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from itertools import islice

import msgspec

from segue.extract.commands import output
from segue.extract.commands.line import line_of
from segue.extract.commands.runs import was_refused
from segue.extract.commands.tools import only_looks
from segue.extract.session import Clean
from segue.extract.text.prose import clipped, ends, flat, start
from segue.model.brief import BriefRow, Who
from segue.model.entry import MIDWAY, Entry
from segue.model.packet import OPENING, apart
from segue.model.turn import opens_turn

_HELD, _WORDS_HELD = 4_000_000, 1_500_000
"""Characters that are held of the session, and of the person's words."""
_PROMPT, _MESSAGE, _SUMMARY, _REPORT, _THOUGHT = 12_000, 8000, 9000, 8000, 1200
_COMMAND, _FAILED, _OUTPUT, _ASIDE = 1500, 6000, 3000, 1000
"""Characters of one text that are held, at both ends."""
_ROOMS: dict[Who, tuple[int, int]] = {
    "person": (_PROMPT, 300),
    "request": (_PROMPT, 600),
    "agent": (3600, 700),
    "subagent": (3000, 700),
    "thought": (260, 0),
    "harness": (700, 160),
    "summary": (6000, 1500),
    "boundary": (400, 200),
}
"""Characters of a text that a row tells at most, and when it is folded."""
_MIDWAY = (900, 200)
"""The same for what the agent says on its way."""
_LINES, _COMPLAINTS = 6, 8
_LINE = 240
_SMALL, _GLANCE = 500, 240
"""Characters of an output that is told whole, and of one of a command that only looks."""
_OF_FILE = 3000
"""Characters of a file that the person pointed to."""
_NUMBERED = re.compile(r"^ *\d+(?:→|\t)", re.M)
_NAMED = re.compile(r"[\w.~/@-]*\w\.(?:md|mdx|txt|rst|adoc|org)\b", re.I)
"""A document that the person names."""
_SILENT = ("environment", "reminder", "meta")
"""Channels on which a harness says what serves itself alone."""
_REPEATS = frozenset(("instructions", "skill", "hook"))
"""Channels on which the same text comes again."""
_FENCED = 6
_LEAVES = 60


class _Row(msgspec.Struct):
    """A row in the making, its texts raw."""

    line: int
    who: Who
    turn: int
    text: str
    kind: str = ""
    to: str = ""
    verdict: str = ""
    failed: bool = False
    at: int = 0
    result: str = ""
    closing: bool = False
    note: str = ""
    """What is told behind the text, a fact of the harness."""

    @property
    def size(self) -> int:
        return len(self.text) + len(self.result) + len(self.to) + 100


class Condenser:
    """Rows in the making."""

    def __init__(self) -> None:
        self._rows: list[_Row] = []
        self._turn = 0
        self._requested = False
        self._calls: dict[str, _Row] = {}
        self._said: dict[str, int] = {}
        self._seen: set[str] = set()
        self._named: set[str] = set()
        self._lines: dict[str, int] = {}
        self._todos: dict[str, str] = {}
        self._asked = ""
        self._last: _Row | None = None
        """The agent's last message, which closes its turn if nothing follows it."""
        self._held = self._words = self._gone = 0

    def along(self, entries: Iterable[Entry]) -> Iterator[Entry]:
        """The same entries, each seen as it passes."""
        for entry in entries:
            self.see(entry)
            yield entry

    def see(self, entry: Entry) -> None:
        if entry.native_id and not entry.agent_id:
            self._lines.setdefault(entry.native_id, entry.line)
            if len(self._lines) > 50_000:
                del self._lines[next(iter(self._lines))]
        handler = getattr(self, f"_on_{entry.kind}", None)
        if handler is not None:
            handler(entry)

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
        elif entry.via not in _SILENT:
            self._harness(entry)

    def _hear(self, entry: Entry, text: str, kind: str, to: str = "") -> None:
        if OPENING in text:
            packet, text = apart(text)
            if packet:
                self._add(entry, "harness", "the packet of an earlier handoff stood here", kind="carried")
        pictures = entry.data.get("images")
        count = len(pictures) if isinstance(pictures, list) else 1 if pictures else 0
        note = f"with {count} picture{'s' * (count != 1)}" if count else ""
        text = ends(text.strip(), _PROMPT)
        if not text and not to and not note and kind != "shell":
            return
        if kind == "shell":
            self._calls[entry.call_id or "shell"] = self._add(
                entry, "person", ends(entry.command or text, _COMMAND), kind=kind, verdict=_status(entry)
            )
            return
        first = self._said.get(text) if len(text) > 200 else None
        if first:
            text, note = start(text, 100), f"the same as [#{first}]"
        else:
            self._said[text] = entry.line
        self._named.update(os.path.basename(name).lower() for name in _NAMED.findall(text[:_PROMPT]))
        self._add(entry, "person", text, kind=kind, to=start(to, 400), note=note)

    def _on_answer(self, entry: Entry) -> None:
        self._hear(entry, entry.text, "answer", "" if self._asked[:40] in entry.text else self._asked)
        self._asked = ""

    def _on_rejection(self, entry: Entry) -> None:
        call = self._calls.pop(entry.call_id, None)
        if call:
            call.verdict, call.failed = "rejected by the person", False
        self._hear(entry, entry.text, "rejection", call.text if call else entry.tool or "a call")

    def _on_agent(self, entry: Entry) -> None:
        text = ends(entry.text.strip(), _MESSAGE)
        if text and entry.agent_id:
            self._add(entry, "subagent", ends(text, _MIDWAY[0]))
        elif text:
            self._last = self._add(entry, "agent", text, kind="midway" if entry.via == MIDWAY else "")

    def _on_thought(self, entry: Entry) -> None:
        if entry.text.strip() and not entry.agent_id:
            self._add(entry, "thought", start(entry.text.strip(), _THOUGHT))

    def _harness(self, entry: Entry) -> None:
        """What a harness put in: notices with their reports, hooks, outputs, files that were loaded."""
        text = entry.text.strip()
        named = ", ".join(entry.paths[:6])
        if entry.via == "output" and (call := self._calls.pop(entry.call_id or "shell", None)):
            call.result, call.at, call.verdict = ends(text, _OUTPUT), entry.line, _status(entry)
            self._held += len(call.result)
            return
        if entry.via == "summary":
            self._add(entry, "summary", ends(text, _SUMMARY))
            return
        if entry.via in _REPEATS:
            if text[:400] in self._seen or not (text or named):
                return
            self._seen.add(text[:400])
            text = start(text, 300) if entry.via != "hook" else text
        if text or named:
            room = _REPORT if entry.via == "notification" and not entry.paths else _ASIDE
            status = _status(entry) if entry.exit_code is not None else ""
            self._add(
                entry, "harness", ends(text, room), kind=entry.via or "note", note=named, verdict=status
            )

    # What was done

    def _on_tool_call(self, entry: Entry) -> None:
        if entry.agent_id or ("resumes" in entry.data and entry.call_id in self._calls):
            return
        kind: str = entry.tool_kind
        if entry.command:
            text = ends(entry.command, _COMMAND)
        else:
            paths = dict.fromkeys((*(edit.path for edit in entry.edits), *entry.paths))
            told = (entry.tool, *islice(paths, 12), start(entry.text, 600))
            text = " ".join(filter(None, told))
            kind = "edit" if entry.edits and kind == "other" else kind
        changed = next((found for edit in entry.edits if (found := _changed(edit.old, edit.new))), "")
        row = self._add(entry, "call", text, kind=kind, note=changed, verdict="no result seen")
        if entry.call_id:
            self._calls[entry.call_id] = row
            if len(self._calls) > 1000:
                del self._calls[next(iter(self._calls))]
        else:
            row.verdict = ""

    def _on_tool_result(self, entry: Entry) -> None:
        row = self._calls.get(entry.call_id)
        if row is None or entry.agent_id:
            return
        row.at, row.failed = entry.line, bool(entry.is_error or (entry.exit_code and entry.is_error is None))
        row.verdict = "refused" if was_refused(entry) else _status(entry)
        if entry.background:
            row.verdict = row.verdict or "goes on in the background"
        self._held -= len(row.result)
        before = f"{row.result}\n" if row.result and row.kind == "shell" else ""
        row.result = ends(f"{before}{entry.text}", self._room(row))
        self._held += len(row.result)
        facts = [f"{name}: {value}" for name, value in entry.data.items() if isinstance(value, (int, str))]
        row.note = "; ".join(filter(None, (row.note, start(", ".join(facts), 200))))

    def _room(self, row: _Row) -> int:
        if row.failed:
            return _FAILED
        if row.kind == "task":
            return _REPORT
        if self._is_pointed_to(row.text):
            return _OF_FILE * 2
        return _ASIDE if row.kind in ("read", "edit", "write", "search", "todo") else _OUTPUT

    def _is_pointed_to(self, text: str) -> bool:
        """Whether a call shows a document that the person named."""
        return any(os.path.basename(name).lower() in self._named for name in _NAMED.findall(text))

    def _on_subagent_start(self, entry: Entry) -> None:
        call = self._calls.get(entry.call_id)
        if call and entry.text:
            call.to = start(entry.text, 1200)
        elif entry.text:
            self._add(entry, "call", start(entry.text, 1200), kind="task")

    def _on_subagent_end(self, entry: Entry) -> None:
        counts = ", ".join(
            f"{value:,} {name}" for name, value in entry.data.items() if isinstance(value, int)
        )
        call = self._calls.get(entry.call_id)
        text = ends(entry.text.strip(), _REPORT)
        if call and counts:
            call.note = "; ".join(filter(None, (call.note, counts)))
        if not text or (call and text[:400] in call.result):
            return
        before = self._rows[-1] if self._rows else None
        if before and before.who == "harness" and text[:400] in before.text:
            self._held += len(text) - len(before.text)
            before.who, before.text, before.note = "subagent", text, "" if call else counts
        else:
            failed = bool(entry.is_error)
            self._add(
                entry, "subagent", text, verdict="failed" if failed else "", note="" if call else counts
            )

    # What stands between

    def _on_summary(self, entry: Entry) -> None:
        if entry.text.strip():
            kind = "recap" if entry.via == "recap" else ""
            self._add(entry, "summary", ends(entry.text.strip(), 600 if kind else _SUMMARY), kind=kind)

    def _on_compaction(self, entry: Entry) -> None:
        told = ", ".join(f"{k.replace('_', ' ')} {v}" for k, v in entry.data.items() if k != "kept_from")
        row = self._add(
            entry, "boundary", f"the context was compacted{told and f' ({told})'}", kind="compaction"
        )
        row.at = self._lines.get(str(entry.data.get("kept_from", "")), 0)

    def _on_interruption(self, entry: Entry) -> None:
        by = "the person" if entry.by == "person" else "an error"
        said = start(entry.reason or entry.text, 300)
        self._add(entry, "boundary", f"interrupted by {by}{said and f': {said}'}", kind="interruption")

    def _on_model_change(self, entry: Entry) -> None:
        self._add(entry, "boundary", f"the model is now {entry.model}", kind="model")

    def _on_unreadable(self, entry: Entry) -> None:
        self._add(entry, "boundary", f"an unreadable record: {start(entry.reason, 100)}", kind="unreadable")

    def _on_question(self, entry: Entry) -> None:
        self._asked = start(entry.text, 2000)
        self._add(entry, "agent", self._asked, kind="question")

    def _on_plan(self, entry: Entry) -> None:
        outcome = str(entry.data.get("outcome") or "proposed")
        text = ends(entry.text.strip(), _MESSAGE)
        again = text in self._seen
        self._seen.add(text)
        self._add(entry, "agent", "" if again else text, kind=f"plan {outcome}")

    def _on_todo(self, entry: Entry) -> None:
        now: dict[str, str] = {todo.text: todo.state for todo in entry.todos}
        changed = [f"[{state}] {text}" for text, state in now.items() if self._todos.get(text) != state]
        gone = [f"[removed] {text}" for text in self._todos if text not in now]
        self._todos = now
        if changed or gone:
            self._add(entry, "harness", ends("\n".join((*changed, *gone)), _ASIDE), kind="to-dos")

    def _on_other(self, entry: Entry) -> None:
        kind = str(entry.data.get("type", ""))
        if entry.text.strip() and (entry.is_error or entry.by == "person" or kind == "pr-link"):
            self._add(
                entry, "harness", ends(entry.text.strip(), _ASIDE), kind=kind, failed=bool(entry.is_error)
            )

    def _add(self, entry: Entry, who: Who, text: str, **more: object) -> _Row:
        row = _Row(entry.line, who, self._turn, text, **more)  # type: ignore[arg-type]
        self._rows.append(row)
        self._held += row.size
        if who == "person":
            self._words += row.size
        if self._held > _HELD:
            self._give_way()
        return row

    def _give_way(self) -> None:
        """The oldest half of what is held goes but for the person's words, and of these what is beyond their share."""
        half = len(self._rows) // 2
        kept: list[_Row] = []
        for row in self._rows[:half]:
            if row.who == "person" and self._words > _WORDS_HELD:
                self._words -= row.size
                row.text = start(row.text, 200)
                self._words += row.size
            if row.who == "person" or row.kind == "compaction":
                kept.append(row)
        self._gone += half - len(kept)
        self._rows[:half] = kept
        self._held = sum(row.size for row in self._rows)

    def _close_turn(self) -> None:
        if self._last is not None:
            self._last.closing = True
        self._last = None

    def close(self, clean: Clean) -> tuple[BriefRow, ...]:
        """The rows, redacted. `clean` must know every secret of the session."""
        self._close_turn()
        rows = [self._told(row, clean) for row in self._rows]
        if self._gone:
            text = f"{self._gone:,} earlier rows of this very long session were left out before this one"
            first = next((n for n, row in enumerate(rows) if row.who != "person"), 0)
            at = rows[first]
            rows.insert(
                first, BriefRow(line=at.line, who="boundary", turn=at.turn, text=text, kind="left out")
            )
        return tuple(rows)

    def _told(self, row: _Row, clean: Clean) -> BriefRow:
        text, to, note = clean(row.text), clean(row.to), clean(row.note)
        if row.who == "call":
            return self._call(row, text, to, note, clean)
        room, short = _ROOMS[row.who]
        if row.who == "agent" and not row.closing and not row.kind.startswith(("plan", "question")):
            room, short = _MIDWAY
        if row.kind == "notification":
            room, short = _ROOMS["subagent"]
        full = text if row.who == "person" else _abridged(text, room)
        note = f"({note})" if note and not note.startswith("(") else note
        shown = output.rows(clean(row.result))[-_LINES:] if row.result else []
        return BriefRow(
            line=row.line,
            who=row.who,
            turn=row.turn,
            text=" ".join(filter(None, (full, note))),
            short=clipped(flat(text), short)
            if row.who == "person"
            else _abridged(text, short)
            if short
            else "",
            kind=row.kind,
            to=to,
            verdict=clean(row.verdict),
            failed=row.failed,
            at=row.at,
            printed=tuple(clipped(line, _LINE) for line in shown),
            closing=row.closing,
        )

    def _call(self, row: _Row, text: str, to: str, note: str, clean: Clean) -> BriefRow:
        result = _unwrapped(clean(row.result))
        printed = self._printed(row, text, result)
        return BriefRow(
            line=row.line,
            who="call",
            turn=row.turn,
            text=clipped(flat(text), 600),
            short=clipped(flat(text), 140),
            kind=row.kind,
            to=_abridged(to, 500),
            verdict="; ".join(filter(None, (clean(row.verdict), note))),
            failed=row.failed,
            at=row.at,
            printed=printed,
        )

    def _printed(self, row: _Row, text: str, result: str) -> tuple[str, ...]:
        """The lines of a result that tell most: of a failure the complaints, of a report its paragraphs, of a document that
        the person pointed to its beginning, of anything else what is short, or how it ends."""
        if row.kind == "task":
            return tuple(_abridged(result, _ROOMS["subagent"][0]).split("\n")) if result else ()
        rows = output.rows(result)
        if row.failed:
            return output.complaints(rows, _COMPLAINTS) or tuple(clipped(line, _LINE) for line in rows[-2:])
        if self._is_pointed_to(text) and row.kind in ("read", "shell"):
            return tuple(_abridged(_NUMBERED.sub("", result), _OF_FILE).split("\n"))
        if row.kind in ("read", "edit", "write", "todo"):
            return ()
        looks = row.kind == "search" or (row.kind == "shell" and only_looks(line_of(text).commands))
        whole = [clipped(line, _LINE) for line in rows]
        if sum(map(len, whole)) <= (_GLANCE if looks else _SMALL):
            return tuple(whole)
        if looks:
            return (f"({len(rows)} lines)",)
        if row.kind == "shell" and line_of(text).check:
            told = dict.fromkeys((*output.complaints(rows, 3), *whole[-3:], *output.conclusion(rows)))
            return tuple(told)
        return (
            (whole[0], f"(… {len(whole) - _LINES} lines)", *whole[1 - _LINES :])
            if len(whole) > _LINES
            else tuple(whole)
        )


def _status(entry: Entry) -> str:
    """The harness's word on a result; nothing where it went well."""
    said = start(entry.reason, 100)
    if entry.exit_code:
        return f"exit {entry.exit_code}{said and f' ({said})'}"
    return said or ("error" if entry.is_error else "")


def _changed(old: str, new: str) -> str:
    """What an edit is about: its first line that was not there before, and the one it stands for."""
    before = {line.strip() for line in old.split("\n")}
    after = {line.strip() for line in new.split("\n")}
    added = next(
        (line for line in map(str.strip, new.split("\n")) if len(line) > 3 and line not in before), ""
    )
    lost = next((line for line in map(str.strip, old.split("\n")) if len(line) > 3 and line not in after), "")
    parts = [f"{mark} {start(line, 120)}" for mark, line in (("-", lost), ("+", added)) if start(line, 120)]
    return " ".join(parts)


def _unwrapped(text: str) -> str:
    """A result in JSON as lines of its leaves, `name: value`; any other as it is."""
    bare = text.strip()
    if bare[:1] not in ("{", "["):
        return text
    try:
        value = msgspec.json.decode(bare)
    except (msgspec.DecodeError, RecursionError, ValueError):
        return text.replace("\\n", "\n") if "\\n" in text and bare.count("\n") < 5 else text
    return "\n".join(islice(_leaves(value, ""), _LEAVES))


def _leaves(value: object, name: str, depth: int = 0) -> Iterator[str]:
    if isinstance(value, (dict, list)) and depth < 12:
        pairs = value.items() if isinstance(value, dict) else enumerate(value)
        for key, inner in pairs:
            yield from _leaves(inner, f"{name}.{key}" if name else str(key), depth + 1)
    elif value not in (None, "", [], {}):
        yield f"{name}: {value}"


def _abridged(text: str, room: int) -> str:
    """A message within about `room` characters: whole when it fits, else its paragraphs as far as that goes. The first and
    the last come before those with lists, tables and figures, and these before the rest; long fences lose their middle."""
    text = _without_fences(text.strip())
    if len(text) <= room:
        return text
    parts = [part.strip("\n") for part in re.split(r"\n\s*\n", text) if part.strip()]
    if len(parts) == 1:
        parts = text.split("\n")
    weights = {
        n: (n in (0, len(parts) - 1), sum(map(str.isdigit, part)) > 2 or part.lstrip()[:1] in "-*|0123456789")
        for n, part in enumerate(parts)
    }
    kept: dict[int, str] = {}
    left = room
    for n in sorted(weights, key=lambda n: (not weights[n][0], not weights[n][1], n)):
        part = parts[n]
        if len(part) > left and left > 120:
            part = clipped(part, left) if "\n" not in part else _first_lines(part, left)
        if part and len(part) <= left:
            kept[n] = part
            left -= len(part) + 2
    told: list[str] = []
    for n in range(len(parts)):
        if n in kept:
            told.append(kept[n])
        elif not told or told[-1] != "…":
            told.append("…")
    return "\n".join(told) if kept else clipped(flat(text), room)


def _first_lines(part: str, room: int) -> str:
    kept: list[str] = []
    for line in part.split("\n"):
        if len(line) > room - 2:
            break
        kept.append(line)
        room -= len(line) + 1
    return "\n".join((*kept, "…")) if kept else clipped(flat(part), room)


def _without_fences(text: str) -> str:
    """The text with the first and last lines of long fences."""
    if "```" not in text:
        return text
    told: list[str] = []
    fence: list[str] | None = None
    for line in text.split("\n"):
        if line.lstrip().startswith("```"):
            if fence is not None:
                told += fence if len(fence) <= _FENCED else [*fence[:4], "…", *fence[-2:]]
            fence = [] if fence is None else None
        elif fence is not None:
            fence.append(line)
        else:
            told.append(line)
    return "\n".join((*told, *(fence or ())))
