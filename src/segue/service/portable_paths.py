"""Paths of this machine as they may be stored, and back.

A handoff is read elsewhere, by whoever has a token of a server or a copy of the project, and where the home and the
project lie is of no use there. So a path in the project is told from its root (`./src`), one in the home from that
(`~/notes.md`), and a folder or transcript elsewhere by its own name. A file that was worked on elsewhere (`/etc/hosts`), and
paths that a session's calls and texts quote, are evidence: they stay.
"""

from __future__ import annotations

import os

from msgspec.structs import replace

from segue.model import wire
from segue.model.facts import Facts, FileFact
from segue.model.patterns import compiled

_OF_WINDOWS = compiled(r"[A-Za-z]:[\\/]|\\\\")
_SEPARATORS = compiled(r"[\\/]")


def portable(path: str, root: str = "") -> str:
    """The path from the project at `root` or from the home; one that lies elsewhere as it is."""
    known = [(root, "."), (os.path.expanduser("~"), "~")]
    known += [(os.path.realpath(folder), short) for folder, short in known if folder]
    for folder, short in sorted(known, key=lambda pair: -len(pair[0])):
        if (folder := folder.rstrip("/")) and f"{path}/".startswith(f"{folder}/"):
            return short + path[len(folder) :]
    return path


def portable_folder(path: str, root: str = "") -> str:
    """The folder in which a session or a repository lies, told as a path is; one elsewhere from the project below it, else
    by its name."""
    told = portable(path, root)
    if not (os.path.isabs(told) or _OF_WINDOWS.match(told)):
        return told
    above = path and f"{root}/".startswith(f"{path.rstrip('/')}/")
    return os.path.relpath(path, root) if above else f"…/{_SEPARATORS.split(path.rstrip('/'))[-1]}"


def local(path: str, root: str = "") -> str:
    """Where a path that `portable` made is on this machine."""
    if path.partition("/")[0] in (".", ".."):
        return os.path.normpath(os.path.join(root, path))
    return os.path.expanduser(path) if path == "~" or path.startswith("~/") else path


def portable_facts(facts: Facts, root: str, name: str) -> Facts:
    """The facts without folders of this machine. A transcript elsewhere is told by its bare name, unless its file is the
    `name` by which a person meant it."""
    path, cwd = portable(facts.source.path, root), portable_folder(facts.source.cwd, root)
    if root and os.path.isabs(path) and not name:
        path = os.path.basename(path)
    told = {"name": portable(name, root), "path": path, "cwd": cwd}
    source = replace(facts.source, **{field: wire.scrub(place) for field, place in told.items()})
    here = facts.source.cwd if cwd.startswith("…") else local(cwd, root)
    files = tuple(_portable_file(file, root, here) for file in facts.files)
    repo = facts.repo and replace(facts.repo, root=wire.scrub(portable_folder(facts.repo.root, root)))
    return replace(facts, source=source, files=files, repo=repo)


def _portable_file(file: FileFact, root: str, cwd: str) -> FileFact:
    """Paths of files begin at the session's working directory, also those of the project around it."""
    if not os.path.isabs(file.path):
        return file
    path = portable(file.path, root)
    if path.startswith("./"):
        path = os.path.relpath(local(path, root), cwd) if os.path.isabs(cwd) else portable(file.path)
    return replace(file, path=path)


def with_local_files(facts: Facts, root: str) -> Facts:
    """The facts with files outside the session's working directory as they are named on this machine."""
    cwd = local(facts.source.cwd, root)

    def path(told: str) -> str:
        if told.startswith("../"):
            return os.path.normpath(os.path.join(cwd, told)) if os.path.isabs(cwd) else told
        return local(told)

    return replace(facts, files=tuple(replace(file, path=path(file.path)) for file in facts.files))
