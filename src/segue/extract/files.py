"""Files: what was done to each, how lately, by which names one finds the place again, and why.

Paths are known relative to the working directories the session had. Text around a path says what
it is for; text put into it or sought in it gives its symbols. Only the latest edits of a file are
kept until the end, and only the latest files keep any.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

from segue.extract import shell
from segue.extract.failures import Parsed
from segue.extract.prose import flat, start
from segue.extract.symbols import SYMBOL, symbols_in
from segue.model.entry import Action, Edit
from segue.model.facts import FileAction

_BODIES = 8
_BODY_LIMIT = 1500
_FILES = 1500
_PROSE = 300
_PROSE_LIMIT = 4000

PATHISH = re.compile(
    r"(?<![\w@/.:*-])((?:~|\.{1,2})?/?(?:[\w@.+-]+/)*[\w@+-]*\.?[\w+-]+\.[A-Za-z]\w{0,9})(?![\w/])"
)
_PLACEHOLDER = re.compile(r"\.{3}|.*(?:REDACTED|\.git$)")


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
    def __init__(self) -> None:
        self._files: dict[str, _File] = {}
        self._roots: dict[str, None] = {}
        self._prose: list[tuple[str, int]] = []
        self._names: dict[str, str] = {}

    def root(self, path: str) -> None:
        """A working directory of the session; the last one given is where it ended."""
        if path and path != "/" and path not in self._roots:
            self._roots[path.rstrip("/")] = None
            self._names.clear()

    def read(self, path: str, line: int, sought: str = "") -> None:
        file = self._file(path, line)
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
        file.bodies = [
            *file.bodies[-(_BODIES - 1) :],
            f"{start(edit.new, _BODY_LIMIT)}\n{start(edit.old, _BODY_LIMIT // 2)}",
        ]

    def prose(self, text: str, line: int) -> None:
        """Something said by the person or the agent; at the end it is searched for paths and what stands beside them."""
        if "." in text:
            self._prose.append((start(text, _PROSE_LIMIT), line))
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
                    self._put_back(lost, row.line, max((c for c in commits if c < row.line), default=0))
        for text, line in self._prose[-_PROSE:]:
            self._from_prose(clean(text), line)
        rows = sorted(self._files.items(), key=lambda kv: (kv[1].line, kv[0]))
        return [_touched(path, file, clean) for path, file in rows]

    def _file(self, path: str, line: int) -> _File | None:
        name = self._names.get(path)
        if name is None:
            name = self._names[path] = self.relative(path)
        if not name:
            return None
        file = self._files.pop(name, None) or _File()
        self._files[name] = file
        file.line = max(file.line, line)
        if len(self._files) > _FILES:
            del self._files[next(iter(self._files))]
        return file

    def relative(self, path: str) -> str:
        """The path as this session's project knows it; empty for what is no file of anyone's."""
        path = path.strip()
        if not path or "\n" in path or len(path) > 400 or _PLACEHOLDER.match(path):
            return ""
        if path.startswith("./"):
            path = path[2:]
        inside = [root for root in self._roots if path.startswith(root + "/")]
        return path[len(max(inside, key=len)) + 1 :] if inside else path

    def _from_command(self, row: Parsed, *, ran: bool) -> None:
        """Reads, writes and removals that a shell command spells out; without a result it is not known to have run."""
        place = ""
        line = row.line
        for simple in row.simple:
            words = simple.words
            if words and words[0] == "cd" and len(words) == 2:
                place = words[1]
                continue
            for target in simple.writes if ran else ():
                if path := shell.as_path(target):
                    self._written(_under(place, path), line, "modified")
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
                    self._written(_under(place, path), line, change)
                else:
                    self.read(_under(place, path), line, sought)

    def _written(self, path: str, line: int, action: Action) -> None:
        if path.startswith(("/tmp/", "/dev/", "/var/tmp/")):
            return
        file = self._file(path, line)
        if file:
            file.edits += 1
            if line >= file.edit_line:
                file.edit_line = line
                file.action = _after(file.action, action)

    def _put_back(self, places: tuple[str, ...], line: int, committed: int) -> None:
        """Edits that git threw away: of the named paths, or (`*`) of everything not committed before."""
        for path, file in self._files.items():
            named = "*" in places or any(
                path == p or path.startswith(p.rstrip("/") + "/") or path.endswith("/" + p) for p in places
            )
            if named and committed < file.edit_line < line:
                file.action = "reverted"

    def _from_prose(self, text: str, line: int) -> None:
        for row in text.split("\n"):
            if "." not in row or len(row) > 2000:
                continue
            named = [p for p in PATHISH.findall(row) if shell.as_path(p) and not p.startswith("..")]
            if not named:
                continue
            beside = [s for s in SYMBOL.findall(PATHISH.sub(" ", row)) if len(s) > 5]
            for path in dict.fromkeys(named):
                file = self._meant(path, line)
                if file:
                    file.line = max(file.line, line) if file.action == "mentioned" else file.line
                    file.named_in.update(beside)

    def _meant(self, path: str, line: int) -> _File | None:
        """The file that a bare name or the end of a path means; nobody's when several fit."""
        name = self.relative(path)
        if name in self._files:
            return self._files[name]
        fits = [f for known, f in self._files.items() if known.endswith("/" + name)]
        return fits[0] if len(fits) == 1 else None if fits else self._file(path, line)


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


def _under(place: str, path: str) -> str:
    if not place or path.startswith(("/", "~")):
        return path
    return f"{place.rstrip('/')}/{path.removeprefix('./')}"


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
