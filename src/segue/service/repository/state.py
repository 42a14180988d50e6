"""The repository as git shows it: read-only, within a time limit, whatever state it is in.

Nothing that a repository may configure is run (no fsmonitor, no external diff, no hooks, no
pager), no lock is taken and no index is refreshed on disk. What cannot be had is left out and the
note says why; a handoff never fails because of git.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable

from segue.model.facts import RepoState

SECONDS = 2.0
_LINES = 40
_SAFE = (
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "core.quotePath=false",
    "--no-pager",
)
_ENVIRONMENT = {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}
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
        return RepoState(note=f"{directory} is not here")
    return None if _may_be_in_a_repository(directory) else RepoState(note="not a git repository")


def repo_state(directory: str, seconds: float = SECONDS) -> RepoState:
    """The state of the repository that holds `directory`; only a note where there is none."""
    nothing = _nothing_to_ask(directory)
    if nothing is not None:
        return nothing
    git = _Git(directory, time.monotonic() + seconds)
    place = git.lines("rev-parse", "--show-toplevel", "--absolute-git-dir")
    if len(place) < 2:
        return RepoState(note=git.trouble or "not a git repository")
    log = git.lines("log", "-5", "--format=%h %s")
    status = git.lines("status", "-sb", "--untracked-files=normal", "--ignore-submodules=dirty")
    changed = git.lines("diff", "--stat", "--no-ext-diff", "--no-textconv", *(["HEAD"] if log else []))
    return RepoState(
        root=place[0],
        head=log[0].split(" ", 1)[0] if log else "",
        branch=_branch(status),
        operation=next(
            (name for mark, name in _OPERATIONS if os.path.exists(os.path.join(place[1], mark))), ""
        ),
        status=tuple(status[1 : _LINES + 1]),
        diff_stat=tuple(changed[:_LINES]),
        log=tuple(log),
        note=git.trouble,
    )


def _may_be_in_a_repository(directory: str) -> bool:
    """False where git would look in vain, which takes it, and the start of it, 15 ms to find out."""
    if "GIT_DIR" in os.environ:
        return True
    place, above = "", os.path.realpath(directory)
    while place != above:
        place, above = above, os.path.dirname(above)
        if os.path.exists(os.path.join(place, ".git")):
            return True
    return False


def _branch(status: list[str]) -> str:
    """`## main...origin/main [ahead 2]` without its marks."""
    head = status[0].removeprefix("## ") if status else ""
    return head.removeprefix("No commits yet on ").replace("...", " tracking ")


class _Git:
    def __init__(self, directory: str, deadline: float) -> None:
        self._directory, self._deadline = directory, deadline
        self.trouble = ""

    def lines(self, *arguments: str) -> list[str]:
        """The lines git prints; none when it fails, is missing or takes too long."""
        import subprocess  # 12 ms

        left = self._deadline - time.monotonic()
        if left <= 0:
            self.trouble = "git took too long"
            return []
        try:
            done = subprocess.run(
                ["git", *_SAFE, *arguments],
                cwd=self._directory,
                env={**os.environ, **_ENVIRONMENT},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=left,
                check=False,
            )
        except subprocess.TimeoutExpired:
            self.trouble = "git took too long"
            return []
        except OSError:
            self.trouble = "git is not installed"
            return []
        if done.returncode:
            return []
        return [line.rstrip() for line in done.stdout.decode("utf-8", "replace").split("\n") if line.strip()]
