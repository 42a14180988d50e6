"""What a transcript shows at the places a handoff points to, and whether it says the words given for it.

A witness goes along while the session is read once, and keeps only what the handoff asks for. Words are
compared by their letters and digits, in their order: spacing, marks and case are not what a quotation is
about, and whatever was cut or redacted may stand for anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

import msgspec

from segue.handoff.item_reading import ParsedItem
from segue.handoff.quote import MISSING, unpointed
from segue.model.entry import Entry
from segue.model.patterns import compiled
from segue.model.turn import Index

Speaker = Literal["person", "agent", "call", "result"]

_SPEAKERS: dict[str, Speaker] = {
    "user": "person",
    "answer": "person",
    "rejection": "person",
    "interruption": "person",
    "plan": "person",
    "agent": "agent",
    "thought": "agent",
    "question": "agent",
    "summary": "agent",
    "todo": "agent",
    "tool_call": "call",
    "subagent_start": "call",
    "tool_result": "result",
}
"""A plan is the agent's and, once the person has agreed to it, the person's."""
_FOUND = 4
"""How many places are kept at which what has no pointer may have been seen; the last ones."""
_TERMINAL = compiled(r"\x1b(?:\[[0-9;?]*[A-Za-z]|\][^\x07\x1b]*(?:\x07|\x1b\\))")
_SPELLED = compiled(r"[^\W_]+")
_STOPPED, _PRINTED = "stopped from outside", ", having printed: "
_GAP = compiled(r"…|\[redacted:[^\]\s]*\]|\[… \d+ characters left out …\]")


class Shown(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One thing that happened at a line. `failed` is what the record itself says; None where it does not."""

    line: int
    by: Speaker
    text: str
    command: str = ""
    exit_code: int | None = None
    failed: bool | None = None
    call_id: str = ""


class Transcript(msgspec.Struct, frozen=True, kw_only=True):
    """A session as it is today: what it adds up to, what stands at the lines pointed to, and which results hold
    all the marks of a statement that points nowhere."""

    index: Index
    places: Mapping[int, tuple[Shown, ...]] = {}
    found: Mapping[tuple[str, ...], tuple[Shown, ...]] = {}

    def at(self, item: ParsedItem) -> list[Shown]:
        """What stands at the lines that an item points to."""
        return [shown for line in item.evidence for shown in self.places.get(line, ())]


class Witness:
    """Keeps what stands at `lines`, and the results in which all marks of one of `sought` stand."""

    def __init__(self, lines: Iterable[int], sought: Iterable[tuple[str, ...]] = ()) -> None:
        self._lines = frozenset(lines)
        self._places: dict[int, list[Shown]] = {}
        self._found: dict[tuple[str, ...], list[Shown]] = {marks: [] for marks in sought if marks}
        self._calls: dict[str, tuple[int, str]] = {}
        self._jobs: dict[str, str] = {}
        """By the name of a job in the background, its command: what tells of its end shows how that went."""

    def along(self, entries: Iterable[Entry]) -> Iterator[Entry]:
        """The entries as they come, each looked at on its way."""
        for entry in entries:
            self._look(entry)
            yield entry

    def saw(self, index: Index) -> Transcript:
        return Transcript(
            index=index,
            places={line: tuple(shown) for line, shown in self._places.items()},
            found={marks: tuple(shown) for marks, shown in self._found.items()},
        )

    def _look(self, entry: Entry) -> None:
        by = _SPEAKERS.get(entry.kind)
        if by is None:
            return
        called_at, command = entry.line, entry.command
        task = str(entry.data.get("task", ""))
        if entry.via == "notification" and task in self._jobs:
            by, command = "result", self._jobs[task]
        elif by == "call":
            about = (job for name, job in self._jobs.items() if f'"{name}"' in entry.text)
            self._calls[entry.call_id] = entry.line, command or next(about, "")
        elif by == "result":
            called_at, asked = self._calls.get(entry.call_id, (entry.line, ""))
            command = command or asked
            if not entry.background:
                self._calls.pop(entry.call_id, None)
            elif task:
                self._jobs[task] = command
        for line in {entry.line, called_at} & self._lines:
            self._places.setdefault(line, []).append(_shown(entry, by, command))
        if by == "result" or entry.via == "shell":
            for marks, shown in self._found.items():
                if all(mark in entry.text or mark in command for mark in marks):
                    shown.append(_shown(entry, "result", command))
                    del shown[:-_FOUND]


def _shown(entry: Entry, by: Speaker, command: str) -> Shown:
    failed = entry.exit_code != 0 if entry.exit_code is not None else entry.is_error
    listed = [todo.text for todo in entry.todos]
    edited = [text for edit in entry.edits for text in (edit.path, edit.old, edit.new)]
    text = "\n".join(part for part in (entry.text, entry.reason, *listed, *edited, *entry.paths) if part)
    return Shown(
        line=entry.line,
        by=by,
        text=text,
        command=command,
        exit_code=entry.exit_code,
        failed=failed,
        call_id=entry.call_id,
    )


def says(text: str, words: str) -> bool:
    """The text holds these words, as they stand and in their order, wherever they are whole. How a run was stopped
    stands behind what it had printed, or is told by its exit alone."""
    if _PRINTED in words or words == _STOPPED:
        return all(part == _STOPPED or says(text, part) for part in words.split(_PRINTED))
    pieces = _GAP.split(words)
    spelled = [_spelled(piece) for piece in pieces]
    if not any(spelled):
        return words.strip() in text
    return any(_in_order(plain, spelled) for plain in _readings(text))


def _readings(text: str) -> list[str]:
    """The text in letters and digits; where a terminal's marks stand in it, read with and without them."""
    if "\x1b" not in text:
        return [f" {_spelled(text)} "]
    return [f" {_spelled(_TERMINAL.sub(instead, text))} " for instead in ("", " ")]


def _in_order(plain: str, spelled: list[str]) -> bool:
    place = 0
    last = len(spelled) - 1
    for n, piece in enumerate(spelled):
        if not piece:
            continue
        sought = f"{' ' * (n == 0)}{piece}{' ' * (n == last)}"
        found = plain.find(sought, place)
        if found < 0:
            return False
        place = found + len(sought) - (n == last)
    return True


def _spelled(text: str) -> str:
    return " ".join(_SPELLED.findall(text.casefold()))


def same_words(one: str, other: str) -> bool:
    """Two texts say the same; either may be cut."""
    return says(one, other) and (MISSING in other or says(other, one))


def ran(command: str, told: str) -> bool:
    """The command line holds this command, as a handoff tells it: without its plumbing, maybe cut or with the way to where
    it ran, backticks made apostrophes and nothing left that would pass for a pointer."""
    line = unpointed(command.replace("`", "'"))
    way, _, rest = told.partition(" && ") if told.startswith("cd ") else ("", "", "")
    if rest and _goes_there(line, way.removeprefix("cd ")) and _holds(line, rest):
        return True
    return _holds(line, told)


def _goes_there(line: str, way: str) -> bool:
    """The line may have run in this directory: it ends its way there, or began where it was."""
    return "cd " not in line or way.rpartition("/")[2].strip(MISSING) in line


def _holds(line: str, told: str) -> bool:
    pieces = _GAP.split(told)
    place = 0
    for n, piece in enumerate(pieces):
        words = [word for word in piece.split() if _SPELLED.search(word)]
        for word in words:
            halved = word is words[-1] and n < len(pieces) - 1
            place = _after(line, word, place, halved)
            if place < 0:
                return False
    return True


def _after(line: str, word: str, place: int, halved: bool) -> int:
    """Where the line goes on behind the word; -1 where it does not stand there, as a word unless it is halved."""
    while (found := line.find(word, place)) >= 0:
        end = found + len(word)
        if halved or not (line[end : end + 1].isalnum() and word[-1].isalnum()):
            return end
        place = found + 1
    return -1
