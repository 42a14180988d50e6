"""Files: what was done to each, how lately, by which names one finds the place again, and why.

Text around a path says what it is for; text put into it or sought in it gives its symbols. Only the
latest edits of a file are kept until the end, and of very many files those that were changed.
"""

from __future__ import annotations

import posixpath
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase

from segue.extract.commands.effects import Effect, effects
from segue.extract.commands.runs import Row
from segue.extract.text import named
from segue.extract.text.overflow import Gone, counted, let_go, met_again
from segue.extract.text.prose import start, word_set
from segue.extract.tree.file_symbols import Body
from segue.extract.tree.known_file import File, after, carried, is_new, moved, united
from segue.extract.tree.places import Places, project
from segue.extract.tree.repository import Thrown
from segue.extract.tree.spoken_paths import names_a_path, spoken_paths
from segue.extract.tree.titled import titled
from segue.extract.tree.touched import Touched, touched
from segue.model.entry import Edit, Entry
from segue.model.facts import FileFact
from segue.model.scratch import is_scratch

_BODIES = 8
_FILES = 1500
_PROSE = 300
_PROSE_LIMIT = 4000
_NAMED_BEFORE = 3
"""How often a symbol counts as named that an earlier handoff tied to a file."""
_AT_THE_TOP = word_set("md rst txt json jsonc toml yaml yml lock mod sum ini cfg env xml gradle")
"""Endings of files that lie in a project's top directory and are spoken of by their bare names."""
_CHANGED = word_set(
    "modified changed edited updated created added converted renamed replaced removed rewrote rewritten moved fixed"
)


class Ledger:
    def __init__(self, places: Places, is_own: Callable[[str], bool] = lambda path: False) -> None:
        self._places = places
        self._is_own = is_own
        """Knows the paths that are no files of the session's work."""
        self._files: dict[str, File] = {}
        self._prose: list[tuple[str, int, str]] = []
        self._gone: Gone = {}
        """The files that are not remembered any more, and which of them were changed."""

    def read(self, path: str, line: int, sought: str = "", directory: str = "") -> None:
        directory_searched = sought and "." not in path.rpartition("/")[2]
        file = None if directory_searched else self._file(path, line, directory)
        if file is None:
            return
        file.reads += 1
        file.read_line = min(file.read_line or line, line)
        if file.action == "mentioned":
            file.action = "read"
        if sought:
            file.sought = [*file.sought[-5:], start(sought, 400)]

    def showed(self, command: str, printed: Entry) -> None:
        """A command with a pattern in it showed files."""
        for path in titled(command, printed.text):
            self.read(path, printed.line)

    def missed(self, path: str) -> None:
        """It was to be read, and could not be."""
        name = self._places.absolute(path)
        file = self._files.get(name)
        if file and file.reads:
            file.reads -= 1
            file.read_line = file.read_line if file.reads else 0
            if not file.reads and file.action == "read":
                del self._files[name]

    def edited(
        self, edit: Edit, line: int, native_id: str, why: str, since: int = 0, *, whole: bool = False
    ) -> None:
        """`why` is what the agent had just said; what it said of an earlier edit still holds in the same turn,
        which began at the line `since`. `whole` says that the file was given all that it holds."""
        file = self._file(edit.path, line)
        if file is None:
            return
        file.edits += 1
        file.why = why or (file.why if file.edit_line >= since else "")
        file.edit_line, file.id = line, native_id
        file.lines.append(line)
        file.action = after(file.action, edit.action)
        file.whole_line = file.whole_line or line * (whole or edit.action == "created")
        file.bodies = [*file.bodies[-(_BODIES - 1) :], Body.join_texts(edit.new, edit.old)]

    def prose(self, text: str, line: int) -> None:
        """Something said by the person or the agent; at the end it is searched for paths and what stands beside them."""
        if "." in text:
            self._prose.append((start(text, _PROSE_LIMIT), line, self._places.here))
            if len(self._prose) > _PROSE * 2:
                del self._prose[:_PROSE]

    def reported(self, text: str, line: int) -> None:
        """What a sub-agent says at its end; only what it says of changes is worth looking for paths."""
        rows = [row for row in text.split("\n") if not _CHANGED.isdisjoint(row.lower().split())]
        self.prose("\n".join(rows), line)

    def inherit(self, files: Sequence[FileFact], line: int) -> None:
        """Files as an earlier handoff, met at `line`, left them. What this session changed is its own."""
        for place, earlier in enumerate(files):
            file = self._file(earlier.path, line, self._places.own)
            if file is None or file.edits or file.earlier:
                continue
            file.earlier, file.order = earlier, -place
            if earlier.action not in ("read", "mentioned") or file.action == "mentioned":
                file.action = earlier.action
            for symbol in earlier.symbols:
                file.named_in[symbol] = max(file.named_in.get(symbol, 0), _NAMED_BEFORE)

    def close(
        self, commands: list[Row], thrown: Sequence[Thrown], clean: Callable[[str], str]
    ) -> list[Touched]:
        """All files, the one touched last at the end. `thrown` is what git threw away, in its order."""
        elsewhere: set[str] = set()
        for row in commands:
            for effect in effects(row.line.commands, row.directory, self._places.absolute):
                if found := _as_it_went(effect, row):
                    self._suffer(found, row.at)
                    if "$" in effect.directory:
                        elsewhere.add(self._places.absolute(effect.path, effect.directory))
        for old, new, line in self._places.renamed(self._files):
            carried(self._files, old, new, line)
            self._places.moved(old, new)
        for file in self._files.values():
            if is_new(file):
                file.action = "created"
        for throw in thrown:
            self._put_back(throw)
        programs = {simple.words[0] for row in commands for simple in row.line.commands if simple.words}
        for text, line, directory in self._prose[-_PROSE:]:
            if names_a_path(text):
                self._from_prose(clean(text), line, self._places.now(directory), programs)
        self._files = {path: file for path, file in self._files.items() if not self._is_own(path)}
        if not self._places.here:
            self._unite()
        self._files = {path: file for path, file in self._files.items() if path not in elsewhere}
        self._places.hide(self._files, clean)
        self._places.choose_root(path for path, file in self._files.items() if file.action != "mentioned")
        files = [(path, file) for path, file in self._files.items() if not self._is_directory(path, file)]
        rows = sorted(files, key=lambda kv: (kv[1].line, kv[1].order, kv[0]))
        return [touched(self._places.relative(path), file, clean) for path, file in rows]

    def _unite(self) -> None:
        """Where a session does not say in which directory it is: the one that makes most of its short names those
        of files that it names in full, or the one in which all lie that it changed. So a file is one file."""
        short = [name for name in self._files if name[0] not in "/~"]
        full = [name for name in self._files if name[0] == "/"]
        above = Counter(f[: -len(s) - 1] for s in short if "/" in s for f in full if f.endswith(f"/{s}"))
        if not above:
            held = posixpath.commonpath([f for f in full if not is_scratch(f)] or ["/"])
            above = Counter(held for s in short if f"{held}/{s}" in full)
        changed = [f for f in full if self._files[f].edits and not is_scratch(f)]
        if not above and not (changed and (held := project(full, changed))):
            return
        root = max(above, key=lambda place: (above[place], place)) if above else held
        self._places.stand(root, own=True)
        for name in short:
            file, same = self._files.pop(name), self._files.get(f"{root}/{name}")
            self._files[f"{root}/{name}"] = file if same is None else united(same, file)

    def _is_directory(self, path: str, file: File) -> bool:
        """Something that was only looked at and in which others lie, or the session itself."""
        if file.edits or file.action not in ("read", "mentioned") or "." in path.rpartition("/")[2]:
            return False
        return any(known.startswith(f"{path}/") for known in (*self._files, f"{self._places.own}/"))

    def _file(self, path: str, line: int, directory: str = "") -> File | None:
        name = self._places.absolute(path, directory)
        if not name:
            return None
        file = self._files.pop(name, None) or File()
        self._files[name] = file
        met_again(self._gone, name)
        file.line = max(file.line, line)
        if len(self._files) > 2 * _FILES:
            self._forget()
        return file

    def _forget(self) -> None:
        """Lets the files go that were only looked at longest ago; the changed ones stay as long as they can."""
        *known, _ = self._files  # The last one has only just been met.
        for name in sorted(known, key=lambda name: self._files[name].edits > 0)[:_FILES]:
            let_go(self._gone, name, self._files.pop(name).edits > 0)

    def forgotten(self) -> tuple[str, ...]:
        """What is not remembered, in words; nothing in all but very long sessions."""
        return counted(self._gone, "earlier file", "were changed")

    def _suffer(self, effect: Effect, line: int) -> None:
        """What a shell command did; a command that is not known to have run only named its files."""
        if effect.below and effect.doing == "renamed":
            self._move_below(effect, line)
        elif effect.below:
            self._remove(effect, line)
        elif effect.doing == "read":
            self.read(effect.path, line, effect.sought, effect.directory)
        elif effect.doing == "mentioned":
            self._named(effect, line)
        else:
            if effect.source:
                self._move(effect, line)
            file = self._file(effect.path, line, effect.directory)
            if file and not file.action == effect.doing == "deleted":
                file.edits += 1
                file.lines.append(line)
                if effect.doing == "written":
                    file.whole_line = min(file.whole_line or line, line)
                if line >= file.edit_line:
                    file.edit_line = line
                    file.action = after(
                        file.action, "modified" if effect.doing == "written" else effect.doing
                    )

    def _named(self, effect: Effect, line: int) -> None:
        """A command was given a name; where only files elsewhere bear it, and it did not go to look for it, it means
        the one of them."""
        known = self._places.absolute(effect.path, effect.directory) in self._files
        stayed = effect.directory in ("", self._places.own)
        fits = self._ending(effect.path) if stayed and not known and "/" not in effect.path else []
        if not fits:
            self._file(effect.path, line, effect.directory)
        elif len(fits) == 1:
            fits[0].line = max(fits[0].line, line)

    def _remove(self, effect: Effect, line: int) -> None:
        """A directory went with its files, or what a pattern stood for; nothing, if it is not known to have."""
        if effect.doing != "deleted":
            return
        for file in self._below(effect.path, effect.directory):
            if file.line <= line and file.action not in ("deleted", "mentioned"):
                file.action, file.edit_line = "deleted", line
                file.edits += 1
                file.lines.append(line)

    def _below(self, path: str, directory: str) -> list[File]:
        if "*" in path:
            base = directory or self._places.here
            pattern = f"{base}/{path.removeprefix('./')}" if base and path[0] not in "/~" else path
            depth = pattern.count("/")
            return [f for p, f in self._files.items() if p.count("/") == depth and fnmatchcase(p, pattern)]
        place = self._places.absolute(path, directory).rstrip("/")
        return [file for known, file in self._files.items() if place and known.startswith(f"{place}/")]

    def _move(self, effect: Effect, line: int) -> None:
        """The file goes on under its new name, unless there is one again under its old name."""
        old = self._places.absolute(effect.source, effect.directory)
        new = self._places.absolute(effect.path, effect.directory)
        if new and old != new and old in self._files and self._files[old].line <= line:
            moved(self._files, old, new)

    def _move_below(self, effect: Effect, line: int) -> None:
        """A directory with its files; into another where there is one of that name."""
        old = self._places.absolute(f"{effect.source}/", effect.directory).rstrip("/")
        new = self._places.absolute(f"{effect.path}/", effect.directory).rstrip("/")
        there = (known.startswith(f"{new}/") and file.line < line for known, file in self._files.items())
        if effect.path.endswith(("/", ".")) or any(there):
            new = f"{new}/{old.rpartition('/')[2]}"
        if old and new and old != new and not new.startswith(f"{old}/"):
            carried(self._files, old, new, line)
            self._places.moved(old, new)

    def _put_back(self, thrown: Thrown) -> None:
        """Takes back the edits that git threw away; those that it brought back count as made then."""
        directory = thrown.directory or self._places.own
        places = [self._places.absolute(path.rstrip("/"), directory) for path in thrown.paths] or [directory]
        for path, file in self._files.items():
            if not any(path == place or path.startswith(f"{place}/") for place in places if place):
                continue
            lost = file.lines[bisect_right(file.lines, thrown.since) : bisect_left(file.lines, thrown.until)]
            untracked = file.action == "created" and file.lines[:1] > [thrown.tracked]
            if not lost or thrown.of == ("tracked" if untracked else "untracked"):
                continue
            if thrown.back:
                file.edit_line = max(file.edit_line, thrown.back)
                continue
            file.lines = [line for line in file.lines if not lost[0] <= line <= lost[-1]]
            if file.lines:
                file.edits, file.edit_line = len(file.lines), max(file.lines)
            else:
                file.action = "stashed" if thrown.how == "git stash" else "reverted"

    def _from_prose(self, text: str, line: int, directory: str, programs: set[str]) -> None:
        for paths, beside in spoken_paths(text):
            for path in paths:
                file = self._resolve(path, line, directory)
                if file:
                    file.line = max(file.line, line) if file.action == "mentioned" else file.line
                    for name in beside:
                        if name not in programs:
                            file.named_in[name] = file.named_in.get(name, 0) + 1

    def _resolve(self, path: str, line: int, directory: str) -> File | None:
        """The file that a bare name or the end of a path means; nobody's when several fit, when a name of
        source code fits none, or when it may be the end of a longer path."""
        from_here = path.startswith("./")
        path = path.removeprefix("./")
        full = self._places.absolute(path, directory)
        if full in self._files:
            return self._files[full]
        fits = self._ending(path)
        if fits:
            return fits[0] if len(fits) == 1 else None
        above = path.rpartition("/")[0]
        if above and not from_here and self._is_end(above, directory):
            return None
        lasting = above or path.rpartition(".")[2] in _AT_THE_TOP or path in named.NAMED
        return self._file(path, line, directory) if lasting else None

    def _ending(self, path: str) -> list[File]:
        """The files whose path ends so."""
        return [file for known, file in self._files.items() if known.endswith("/" + path)]

    def _is_end(self, above: str, directory: str) -> bool:
        """A directory is known by what its path ends with, and not as one from the top."""
        top = self._places.absolute(f"{above}/", directory)
        here = top[: -len(above) - 1]
        below = [f"/{known[len(here) :]}" for known in self._files if known.startswith(here)]
        return not any(path.startswith(f"/{above}/") for path in below) and any(
            f"/{above}/" in path for path in below
        )


def _as_it_went(effect: Effect, row: Row) -> Effect | None:
    """What a line did by what is known of its last run; none where it was to show a file that is not there."""
    if not row.ran:
        return effect._replace(doing="mentioned")
    if row.failed and effect.doing not in ("read", "mentioned"):
        return None if effect.below else effect._replace(doing="mentioned")
    if effect.path in row.absent and effect.doing != "written":
        return None
    if not row.silent:
        return effect
    if effect.hushed:
        return effect._replace(doing="mentioned") if effect.searched else None
    return effect._replace(sought="")
