"""Files: what was done to each, how lately, by which names one finds the place again, and why.

Text around a path says what it is for; text put into it or sought in it gives its symbols. Only the
latest edits of a file are kept until the end, and of very many files those that were changed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

from segue.extract import shell
from segue.extract.failures import Parsed
from segue.extract.places import Places
from segue.extract.prose import flat, start
from segue.extract.symbols import SYMBOL, symbols_in
from segue.model.entry import Action, Edit
from segue.model.facts import FileAction

_BODIES = 8
_BODY_LIMIT = 1500
_FILES = 1500
_PROSE = 300
_PROSE_LIMIT = 4000
_SCRATCH = ("/tmp/", "/dev/", "/var/tmp/")
"""Where what a shell writes is nobody's work."""

PATHISH = re.compile(
    r"(?<![\w@/.:*-])((?:~|\.{1,2})?/?(?:[\w@.+-]+/)*[\w@+-]*\.?[\w+-]+\.[A-Za-z]\w{0,9})(?![\w/(])"
)

_BRAND = re.compile(r"[A-Z]\w*\.js")
"""Node.js and its kin are spoken of like files."""


class _File:
    __slots__ = ("action", "bodies", "edit_line", "edits", "id", "line", "named_in", "reads", "sought", "why")

    def __init__(self) -> None:
        self.action: FileAction = "mentioned"
        self.reads = self.edits = self.line = self.edit_line = 0
        self.id = self.why = ""
        self.bodies: list[str] = []
        self.sought: list[str] = []
        self.named_in: Counter[str] = Counter()


class Touched(NamedTuple):
    """What the ledger knows of one file at the end."""

    path: str
    action: FileAction
    reads: int
    edits: int
    line: int
    edit_line: int
    id: str
    why: str
    symbols: dict[str, float]


class Ledger:
    def __init__(self, places: Places) -> None:
        self._places = places
        self._files: dict[str, _File] = {}
        self._prose: list[tuple[str, int, str]] = []

    def read(self, path: str, line: int, sought: str = "", directory: str = "") -> None:
        file = self._file(path, line, directory)
        if file is None:
            return
        file.reads += 1
        if file.action == "mentioned":
            file.action = "read"
        if sought:
            file.sought = [*file.sought[-5:], start(sought, 400)]

    def edited(self, edit: Edit, line: int, native_id: str, why: str) -> None:
        file = self._file(edit.path, line)
        if file is None:
            return
        file.edits += 1
        file.edit_line, file.id = line, native_id
        file.action = _after(file.action, edit.action)
        file.why = why or file.why
        body = f"{start(edit.new, _BODY_LIMIT)}\n{start(edit.old, _BODY_LIMIT // 2)}"
        file.bodies = [*file.bodies[-(_BODIES - 1) :], body]

    def prose(self, text: str, line: int) -> None:
        """Something said by the person or the agent; at the end it is searched for paths and what stands beside them."""
        if "." in text:
            self._prose.append((start(text, _PROSE_LIMIT), line, self._places.here))
            if len(self._prose) > _PROSE * 2:
                del self._prose[:_PROSE]

    def close(self, commands: list[Parsed], clean: Callable[[str], str]) -> list[Touched]:
        """All files, the one touched last at the end."""
        commits = [
            row.ok_line for row in commands if any(s.words[:2] == ("git", "commit") for s in row.simple)
        ]
        for row in commands:
            self._from_command(row, ran=bool(row.good or row.bad))
            for simple in row.simple:
                if simple.words and (lost := shell.discarded(simple.words)):
                    committed = max((c for c in commits if c < row.line), default=0)
                    self._put_back(lost, row.line, committed, row.directory)
        for text, line, directory in self._prose[-_PROSE:]:
            self._from_prose(clean(text), line, directory)
        self._places.settle(path for path, file in self._files.items() if file.action != "mentioned")
        rows = sorted(self._files.items(), key=lambda kv: (kv[1].line, kv[0]))
        return [_touched(self._places.shown(path), file, clean) for path, file in rows]

    def _file(self, path: str, line: int, directory: str = "") -> _File | None:
        name = self._places.absolute(path, directory)
        if not name:
            return None
        file = self._files.pop(name, None) or _File()
        self._files[name] = file
        file.line = max(file.line, line)
        if len(self._files) > 2 * _FILES:
            self._forget()
        return file

    def _forget(self) -> None:
        """Lets the files go that were only looked at longest ago; the changed ones stay as long as they can."""
        idle = [name for name, file in self._files.items() if not file.edits]
        for name in (idle or list(self._files))[:_FILES]:
            del self._files[name]

    def _from_command(self, row: Parsed, *, ran: bool) -> None:
        """Reads, writes and removals that a shell command spells out; without a result it is not known to have run."""
        place, line = row.directory, row.line
        for simple in row.simple:
            words = simple.words
            if words and words[0] == "cd" and len(words) == 2:
                place = self._places.absolute(words[1] + "/", place).rstrip("/")
                continue
            for target in simple.writes if ran else ():
                if path := shell.as_path(target):
                    self._written(path, line, "modified", place)
            if not words:
                continue
            sought = ""
            if words[0] in ("rg", "grep", "egrep", "ag", "git") and len(words) > 2:
                sought = " ".join(w for w in words[1:] if SYMBOL.search(w) and not shell.as_path(w))
            change = _CHANGES.get(words[0])
            paths = shell.named_paths(words)
            if words[0] == "sed" and any(w.startswith("-i") for w in words[1:3]):
                change = "modified"
            for path in paths[-1:] if change == "renamed" else paths:
                if change and ran:
                    self._written(path, line, change, place)
                else:
                    self.read(path, line, sought, place)

    def _written(self, path: str, line: int, action: Action, directory: str) -> None:
        file = self._file(path, line, directory) if not path.startswith(_SCRATCH) else None
        if file:
            file.edits += 1
            if line >= file.edit_line:
                file.edit_line = line
                file.action = _after(file.action, action)

    def _put_back(self, places: tuple[str, ...], line: int, committed: int, directory: str) -> None:
        """Edits that git threw away: of the named paths, or (`*`) of everything here not committed before."""
        here = directory or self._places.own
        thrown = [here if place == "*" else self._places.absolute(place, directory) for place in places]
        for path, file in self._files.items():
            if committed < file.edit_line < line and any(
                path == t or path.startswith(f"{t}/") for t in thrown if t
            ):
                file.action = "reverted"

    def _from_prose(self, text: str, line: int, directory: str) -> None:
        for row in text.split("\n"):
            if "." not in row or len(row) > 2000:
                continue
            named = [
                p
                for p in PATHISH.findall(row)
                if shell.as_path(p) and not p.startswith("..") and not _BRAND.fullmatch(p)
            ]
            if not named:
                continue
            beside = [s for s in SYMBOL.findall(PATHISH.sub(" ", row)) if len(s) > 5]
            for path in dict.fromkeys(named):
                file = self._meant(path, line, directory)
                if file:
                    file.line = max(file.line, line) if file.action == "mentioned" else file.line
                    file.named_in.update(beside)

    def _meant(self, path: str, line: int, directory: str) -> _File | None:
        """The file that a bare name or the end of a path means; nobody's when several fit."""
        full = self._places.absolute(path, directory)
        if full in self._files:
            return self._files[full]
        fits = [file for known, file in self._files.items() if known.endswith("/" + path)]
        return fits[0] if len(fits) == 1 else None if fits else self._file(path, line, directory)


_CHANGES: dict[str, Action] = {
    "rm": "deleted",
    "mv": "renamed",
    "cp": "created",
    "touch": "created",
    "tee": "modified",
}


def _after(before: FileAction, action: Action) -> FileAction:
    """What a file is after one more change: what was created here and then changed is still new."""
    if before == "created" and action == "modified":
        return "created"
    return action


def _touched(path: str, file: _File, clean: Callable[[str], str]) -> Touched:
    weights: Counter[str] = Counter()
    for age, body in enumerate(reversed(file.bodies)):
        for symbol, times in symbols_in(clean(body)).items():
            weights[symbol] += times * 0.85**age  # type: ignore[assignment]
    for sought in file.sought:
        for symbol in symbols_in(clean(sought)):
            weights[symbol] += 1
    for symbol, times in file.named_in.items():
        weights[symbol] += 1.2 * min(times, 3)  # type: ignore[assignment]
    return Touched(
        path,
        file.action,
        file.reads,
        file.edits,
        file.line,
        file.edit_line,
        file.id,
        flat(clean(file.why)),
        dict(weights),
    )
