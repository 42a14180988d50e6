"""Places: paths as a session means them, whatever directory it stood in.

Inside, every path is absolute as far as the session tells; outside, paths are relative to the one
directory that holds most of the work. So a file is one file, named from a worktree, from a
sub-directory or in full.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Mapping

from segue.model.patterns import compiled
from segue.model.scratch import is_scratch

_MODULE = compiled(r"[\w-]+\.(?:com|org|io|net|dev)/")
_LONGEST = 400
_GONE = ("was deleted", "o such file or directory", "does not exist")
_AROUND = str.maketrans("'\"`:,;", "      ")
_HOMES = ("home", "Users")
"""Directories in which each person has one."""
_HOME_SHARE = 0.3
"""What part of the touched files the session's own directory must hold to be the root."""


class Places:
    def __init__(self) -> None:
        self.own = ""
        """The directory the session says it is in; the last one said counts."""
        self.here = ""
        self._stood_in: dict[str, None] = {}
        self._gone: dict[str, int] = {}
        """Directories that were no longer there, and where that was told."""
        self._became: dict[str, str] = {}
        """Directories that got another name; known once all is read."""
        self._hidden: dict[str, str] = {}
        """Paths with a secret in their names, and what is shown of them; known at the end."""
        self.root = ""
        """What paths are shown relative to; known once `settle` was called."""

    def stand(self, directory: str, *, own: bool = False) -> None:
        """The session works in this directory now."""
        directory = directory.rstrip("/")
        if directory:
            self.here = directory
            self._stood_in[directory] = None
            if own:
                self.own = directory

    def complained(self, printed: str, line: int) -> None:
        """What a call that failed printed; perhaps that a directory in which the session stood is gone."""
        if not any(sign in printed for sign in _GONE):
            return
        words = printed.translate(_AROUND).split()
        self._gone.update((place, line) for place in self._stood_in if place in words)

    def renamed(self, files: Mapping[str, object]) -> list[tuple[str, str, int]]:
        """The directories that are gone, each with the one beside it in which its files were found, and where."""
        found = []
        for old, line in self._gone.items():
            above = old.rpartition("/")[0]
            known = [path[len(old) :] for path in files if path.startswith(f"{old}/")]
            beside = (place for place in self._stood_in if place != old and place.rpartition("/")[0] == above)
            new = next((place for place in beside if any(f"{place}{path}" in files for path in known)), "")
            found += [(old, new, line)] if new else []
        return found

    def moved(self, old: str, new: str) -> None:
        """A directory has another name; the session stands in it as before."""
        self._became[old] = new
        self.own, self.here = _under(self.own, old, new), _under(self.here, old, new)
        self._stood_in = dict.fromkeys(_under(place, old, new) for place in self._stood_in)

    def now(self, place: str) -> str:
        """What a directory is called at the end."""
        for old, new in self._became.items():
            place = _under(place, old, new)
        return place

    def absolute(self, path: str, directory: str = "") -> str:
        """The full path; as it is where no directory is known, empty for what is no path."""
        path = path.strip()
        if not path or "\n" in path or "*" in path or len(path) > _LONGEST or _placeholder(path):
            return ""
        if path[0] not in "/~":
            base = directory or self.here
            path = f"{base}/{path}" if base else path
        return _normal(path) if "/." in path or path.startswith(".") else path

    def choose_root(self, touched: Iterable[str]) -> None:
        """Chooses the root: the session's own directory, unless the work was mostly elsewhere."""
        paths = list(touched)
        held = {root: sum(p.startswith(root + "/") for p in paths) for root in self._stood_in}
        most = max(held, key=lambda root: (held[root], -len(root)), default="")
        enough = _HOME_SHARE * len(paths)
        self.root = self.own if self.own and held.get(self.own, 0) >= enough else most or self.own

    def hide(self, paths: Iterable[str], clean: Callable[[str], str]) -> None:
        """Those of these paths whose names hold a secret are shown without it."""
        together = "\n".join(paths)
        if clean(together) is not together:
            self._hidden = {path: clean(path) for path in together.split("\n")}

    def relative(self, path: str) -> str:
        """A path relative to the root, where it lies inside."""
        full = self.absolute(path)
        full = self._hidden.get(full, full)
        return full[len(self.root) + 1 :] if self.root and full.startswith(self.root + "/") else full


def project(paths: list[str], changed: list[str]) -> str:
    """The directory that holds all that was looked at, or else all that was changed; empty where it is nobody's
    project but a system's or a person's."""
    for those in ([path for path in paths if not is_scratch(path)], changed):
        place = posixpath.commonpath([posixpath.dirname(path) for path in those])
        _, top, *below = f"{place}//".split("/")
        if below[0] and (below[1] or top not in _HOMES):
            return place
    return ""


def _under(place: str, old: str, new: str) -> str:
    return new + place[len(old) :] if place == old or place.startswith(f"{old}/") else place


def _placeholder(path: str) -> bool:
    """It is written like a path and is no file of anybody's work: an elision, a module name, git's own."""
    return (
        path.startswith("...")
        or "REDACTED" in path
        or path.endswith(".git")
        or ".git/" in path
        or _MODULE.match(path) is not None
    )


def _normal(path: str) -> str:
    """Without `.` and, as far as it goes, without `..`."""
    parts: list[str] = []
    for part in path.split("/"):
        if part == ".." and parts and parts[-1] not in ("", "..", "~"):
            parts.pop()
        elif part != ".":
            parts.append(part)
    return "/".join(parts)
