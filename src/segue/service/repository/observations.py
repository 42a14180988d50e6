"""Looks at the world for a handoff that is being verified: files, commits, programs.

Only reads, within a time limit, and only inside the given root: a path that leads out of it, by `..` or
by a link, is not looked at.
"""

from __future__ import annotations

import os
import time

from segue.handoff.verify.verdict import Observed, SeenFile, Wanted
from segue.service.git import Git
from segue.service.project_files import inside, open_inside
from segue.service.repository.state import repo_state

SECONDS = 10.0
LARGEST_HASHED = 64 * 1024 * 1024
_CHUNK = 1 << 20
_OWN_TOOLS = (".venv/bin", "venv/bin", "node_modules/.bin")
_NAMED = ("--branches", "--remotes", "--tags")


def observe(
    root: str,
    wanted: Wanted,
    *,
    base: str | None = None,
    lines: int | None = None,
    seconds: float = SECONDS,
) -> Observed:
    """What stands at the wanted paths below `base` (default: `root`), and what git and the PATH know.

    `lines` is how long the session is today, where somebody has read it.
    """
    deadline = time.monotonic() + seconds
    base = base or root
    repo = repo_state(base, min(seconds, 2.0))
    git = Git(base, seconds)
    commits = _commits(git, wanted.commits) if repo.root else {}
    return Observed(
        files={path: _seen(root, base, path, deadline) for path in wanted.files},
        repository=bool(repo.root),
        head=repo.head,
        branch=repo.branch.split(" ", 1)[0],
        operation=repo.operation,
        commits=commits,
        left_behind=_left_behind(git, repo.head, commits),
        branches=_branches(git, wanted.branches) if repo.root else {},
        tools={tool: _found(tool, base) for tool in wanted.tools},
        lines=lines,
        note="" if repo.root else f"Git says nothing: {repo.note}.",
    )


def _seen(root: str, base: str, path: str, deadline: float) -> SeenFile:
    if "\0" in path:
        return SeenFile(exists=None, why="it is no path")
    limits = os.path.realpath(root)
    place = os.path.realpath(os.path.join(base, os.path.expanduser(path)))
    if place != limits and not inside(limits, place):
        return SeenFile(exists=None, why="it is outside the workspace")
    if not os.path.lexists(place):
        return SeenFile(exists=False)
    if not os.path.isfile(place):
        return SeenFile(exists=True)
    try:
        if os.path.getsize(place) > LARGEST_HASHED:
            return SeenFile(exists=True)
        return SeenFile(exists=True, sha256=_hash(limits, os.path.relpath(place, limits), deadline))
    except OSError as fault:
        return SeenFile(exists=None, why=f"it cannot be read ({fault.strerror})")


def _hash(base: str, place: str, deadline: float) -> str:
    """The sha256 of a file; empty when time ran out."""
    import hashlib

    digest = hashlib.sha256()
    with open(open_inside(base, place), "rb") as file:
        while chunk := file.read(_CHUNK):
            if time.monotonic() > deadline:
                return ""
            digest.update(chunk)
    return digest.hexdigest()


def _commits(git: Git, ids: tuple[str, ...]) -> dict[str, bool]:
    """Which of these commits the repository has; nothing when git does not answer in time."""
    asked = "".join(f"{sha}^{{commit}}\n" for sha in ids)
    answers = (
        git.lines("cat-file", "--batch-check=%(objecttype)", given=asked.encode(errors="replace"))
        if ids
        else []
    )
    if len(answers) != len(ids):
        return {}
    return {sha: answer == "commit" for sha, answer in zip(ids, answers, strict=True)}


def _left_behind(git: Git, head: str, commits: dict[str, bool]) -> tuple[str, ...]:
    """Commits that are there, but neither HEAD nor a branch nor a tag leads to."""
    there = [sha for sha, known in commits.items() if known and sha.isalnum()]
    led_to = ("--not", *_NAMED, *([head] if head else []))
    astray = git.lines("rev-list", *there, *led_to) if there else []
    return tuple(sha for sha in there if any(full.startswith(sha) for full in astray))


def _branches(git: Git, names: tuple[str, ...]) -> dict[str, bool]:
    """Which of these branches there are, here or at a remote that was fetched."""
    found = {}
    for name in names:
        places = (f"refs/heads/{name}", f"refs/remotes/*/{name}")
        found[name] = bool(git.lines("for-each-ref", "--format=%(refname)", *places))
    return found


def _found(tool: str, base: str) -> bool:
    """Whether a program is on the PATH, or where a project keeps its own."""
    import shutil  # 3 ms

    own = [os.path.join(base, place) for place in _OWN_TOOLS]
    return shutil.which(tool, path=os.pathsep.join([os.environ.get("PATH", os.defpath), *own])) is not None
