"""The repository as git shows it: read-only, within a time limit, whatever state it is in.

No lock is taken and no index is refreshed on disk. What cannot be had is left out and the note says
why; a handoff never fails because of git.
"""

from __future__ import annotations

import os
from collections.abc import Callable

from segue.agents import own
from segue.model.facts import RepoState
from segue.service.git import Git, may_hold

SECONDS = 2.0
_LINES = 40
_SETTINGS = 256 * 1024
"""Bytes of settings that are looked into."""
_OPERATIONS = (
    ("rebase-merge", "rebase"),
    ("rebase-apply", "rebase"),
    ("MERGE_HEAD", "merge"),
    ("CHERRY_PICK_HEAD", "cherry-pick"),
    ("REVERT_HEAD", "revert"),
    ("BISECT_LOG", "bisect"),
)
"""What git leaves in its directory while an operation is under way."""


def asked_of_git(directory: str) -> Callable[[], RepoState]:
    """Begins to ask git while other work goes on; the call waits for what it says."""
    nothing = _nothing_to_ask(directory)
    if nothing is not None:
        return lambda: nothing
    from threading import Thread

    said: list[RepoState] = []
    asking = Thread(target=lambda: said.append(repo_state(directory)), daemon=True)
    asking.start()

    def answer() -> RepoState:
        asking.join()
        return said[0] if said else RepoState(note="git could not be asked")

    return answer


def _nothing_to_ask(directory: str) -> RepoState | None:
    """What is known of a directory that no repository holds."""
    if not os.path.isdir(directory):
        return RepoState(note="the session's working directory is not here")
    return None if may_hold(directory) else RepoState(note="not a git repository")


def repo_state(directory: str, seconds: float = SECONDS) -> RepoState:
    """The state of the repository that holds `directory`; only a note where there is none."""
    nothing = _nothing_to_ask(directory)
    if nothing is not None:
        return nothing
    git = Git(directory, seconds)
    place = git.lines("rev-parse", "--show-toplevel", "--absolute-git-dir")
    if len(place) < 2:
        return RepoState(note=git.trouble or "not a git repository")
    log = git.lines("log", "-5", "--format=%h %s")
    status = git.lines("status", "-sb", "--untracked-files=normal")
    changed = git.lines("diff", "--stat", *(["HEAD"] if log else []))
    return RepoState(
        root=place[0],
        head=log[0].split(" ", 1)[0] if log else "",
        branch=_branch(status),
        operation=next(
            (name for mark, name in _OPERATIONS if os.path.exists(os.path.join(place[1], mark))), ""
        ),
        status=tuple(_without_ours(git, directory, place[0], status[1:])[:_LINES]),
        diff_stat=tuple(changed[:_LINES]),
        log=tuple(log),
        note=git.trouble,
    )


def _without_ours(git: Git, directory: str, root: str, status: list[str]) -> list[str]:
    """What git shows as changed, without what segue itself put there."""
    top = os.path.realpath(root)
    here = os.path.relpath(os.path.realpath(directory), top)

    def is_ours(line: str) -> bool:
        path = os.path.normpath(os.path.join(here, line[3:]))
        if own.is_file(path):
            return True
        if not line.startswith("??") or not (own.is_setting(path) or own.lies_below(path)):
            return False
        inside = git.lines("ls-files", "--others", "--exclude-standard", "--full-name", "--", line[3:])
        return bool(inside) and all(own.is_file(file) or _holds_only_ours(top, file) for file in inside)

    return [line for line in status if not is_ours(line)]


def _holds_only_ours(root: str, path: str) -> bool:
    if not own.is_setting(path):
        return False
    from segue.service.project_files import read_plain  # 1 ms

    try:
        return own.holds_only_ours(path, read_plain(os.path.join(root, path), _SETTINGS))
    except OSError:
        return False


def _branch(status: list[str]) -> str:
    """`## main...origin/main [ahead 2]` without its marks."""
    head = status[0].removeprefix("## ") if status else ""
    return head.removeprefix("No commits yet on ").replace("...", " tracking ")
