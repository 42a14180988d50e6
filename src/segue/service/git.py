"""Runs git, and nothing that the repository configures.

The settings of the person (system, global, environment) are trusted; those that lie in the repository (`.git/config`,
what it includes, the configuration of a worktree) may come from a stranger. So every command goes through a table
that says how it is kept from running programs, filters that the repository defines are blanked, a bare repository
inside the project is not asked, and nothing is fetched, prompted for, locked or shown in a pager. No other module
starts git.
"""

from __future__ import annotations

import os
import time

from segue.model.value import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    Kind = Literal["missing", "slow", "unsafe", "no_repository", "refused"]

_COMMANDS: dict[str, tuple[str, ...]] = {
    "cat-file": (),
    "config": (),
    "diff": ("--no-ext-diff", "--no-textconv", "--ignore-submodules=dirty", "--submodule=short"),
    "for-each-ref": (),
    "grep": ("--no-textconv", "--no-recurse-submodules"),
    "log": ("--no-ext-diff", "--no-textconv", "--no-show-signature"),
    "ls-files": (),
    "merge-base": (),
    "merge-file": (),
    "remote": (),
    "rev-list": (),
    "rev-parse": (),
    "status": ("--ignore-submodules=dirty",),
    "symbolic-ref": (),
}
"""What may be asked, each with the options that keep it from starting a program or entering a submodule, whose
configuration is another one."""
_FILTERING = ("diff", "status")
"""Commands that compare files with the index, through the filters of their attributes."""
_SETTINGS = (
    "safe.bareRepository=explicit",
    "core.attributesFile=/dev/null",
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.quotePath=false",
    "diff.orderFile=/dev/null",
    "log.mailmap=false",
    "log.showSignature=false",
    "submodule.recurse=false",
)
_ENVIRONMENT = {
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}
"""Before 2.39.4 git does not know GIT_NO_LAZY_FETCH; where no protocol is allowed, a fetch starts no program either."""
_OTHER_REPOSITORY = (
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_DIR",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_WORK_TREE",
)
"""Set while git runs a hook; they would make another repository answer than the one that holds the directory."""
_FILTER_KEYS = r"^filter\..*\.(clean|smudge|process|required)$"
_MOST_FILTERS = 100


class Failure(NamedTuple):
    """Why there is no answer; `text` is what git said where it was asked."""

    kind: Kind
    text: str


_MISSING = Failure("missing", "git is not installed")
_SLOW = Failure("slow", "git took too long")
_UNSAFE = Failure("unsafe", "the repository defines filters that cannot be turned off")


class Git:
    """Git in one directory, for at most so many seconds in all."""

    def __init__(self, directory: str, seconds: float) -> None:
        self._directory, self._deadline = directory, time.monotonic() + seconds
        self._filters: list[str] = []
        self._filters_asked = False
        self.failure: Failure | None = None
        """Why the last command had no answer."""
        self.trouble = ""
        """Why some command could not even be asked."""

    def lines(self, *words: str, given: bytes = b"") -> list[str]:
        """The lines git prints but for empty ones; none where there is no answer."""
        said = (self.output(*words, given=given) or b"").decode("utf-8", "replace")
        return [line.rstrip() for line in said.split("\n") if line.strip()]

    def output(self, *words: str, given: bytes = b"") -> bytes | None:
        """What git prints; None when it refuses, is missing or takes too long."""
        command, *rest = words
        options = _COMMANDS[command]
        said = None
        if _bare(self._directory):
            self.failure = Failure("no_repository", "a bare repository is not asked")
        elif command not in _FILTERING or self._filters_known():
            said = self._run([*self._filters, command, *options, *rest], given)
        if self.failure in (_MISSING, _SLOW, _UNSAFE):
            self.trouble = self.failure.text
        return said

    def _filters_known(self) -> bool:
        """Whether what the repository defines as filters is known and can be blanked."""
        if self._filters_asked:
            return True
        listed = self._run(["config", "-z", "--show-scope", "--get-regexp", _FILTER_KEYS], b"")
        # Without a match git leaves with 1 and says nothing.
        if self.failure not in (None, Failure("refused", "")):
            return False
        names = _of_repository((listed or b"").decode("utf-8", "surrogateescape"))
        if len(names) > _MOST_FILTERS or any("=" in name for name in names):
            self.failure = _UNSAFE
            return False
        self._filters = [
            word
            for name in sorted(names)
            for key in ("clean=", "smudge=", "process=", "required=false")
            for word in ("-c", f"filter.{name}.{key}")
        ]
        self._filters_asked = True
        return True

    def _run(self, words: list[str], given: bytes) -> bytes | None:
        import subprocess  # 12 ms

        left = self._deadline - time.monotonic()
        if left <= 0:
            self.failure = _SLOW
            return None
        settings = [word for setting in _SETTINGS for word in ("-c", setting)]
        kept = {name: value for name, value in os.environ.items() if name not in _OTHER_REPOSITORY}
        self.failure = None
        try:
            done = subprocess.run(
                ["git", "--no-pager", *settings, *words],
                cwd=self._directory,
                env=kept | _ENVIRONMENT,
                input=given,
                capture_output=True,
                timeout=left,
                check=False,
            )
        except subprocess.TimeoutExpired:
            self.failure = _SLOW
        except ValueError as fault:
            self.failure = Failure("refused", str(fault))
        except OSError:
            self.failure = _MISSING
        else:
            if not done.returncode:
                return done.stdout
            said = done.stderr.decode(errors="replace").strip().partition("\n")[0]
            kind: Kind = "no_repository" if "not a git repository" in said else "refused"
            self.failure = Failure(kind, said.removeprefix("fatal: ").rstrip("."))
        return None


def may_hold(directory: str) -> bool:
    """False where git would look in vain, which takes it, and the start of it, 15 ms to find out."""
    return _nearest(directory) == ".git"


def _bare(directory: str) -> bool:
    """Whether git would take a bare repository for the one that holds the directory. It can be committed as plain
    files, with a configuration of its own; git before 2.38 cannot be told to pass it over."""
    return _nearest(directory) == "HEAD"


def _nearest(directory: str) -> str:
    """What marks the nearest repository at or above a directory: `.git`, or `HEAD` for a bare one."""
    place, above = "", os.path.realpath(directory)
    while place != above:
        place, above = above, os.path.dirname(above)
        has_head, linked, objects, refs, dot_git = (
            os.path.lexists(os.path.join(place, name))
            for name in ("HEAD", "commondir", "objects", "refs", ".git")
        )
        if has_head and (linked or (objects and refs)):
            return "HEAD"
        if dot_git:
            return ".git"
    return ""


def _of_repository(listed: str) -> set[str]:
    """The names of the filters in `git config -z --show-scope` that the repository defines."""
    scopes, keys = listed.split("\0")[0::2], listed.split("\0")[1::2]
    return {
        key.partition("\n")[0].removeprefix("filter.").rpartition(".")[0]
        for scope, key in zip(scopes, keys, strict=False)
        if scope in ("local", "worktree")
    }
