"""What git and its hosts printed: commits, pushes, requests that were opened, work that was thrown away.

A claim is made of an id or a line that a program printed. That no commit or push was seen of something is said as
that: seen, not known.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from segue.extract.commands.git_line import Git, holds
from segue.extract.text.prose import clipped
from segue.extract.tree.git_log import failed
from segue.extract.tree.git_status import in_words
from segue.extract.tree.history import History
from segue.extract.tree.repository import Commit, Thrown
from segue.extract.tree.touched import Touched, is_output
from segue.model.entry import Entry
from segue.model.facts import Claim, ClaimAct, ClaimState, Evidence
from segue.model.patterns import compiled
from segue.model.scratch import is_scratch

_PUSHED = compiled(
    r"^\s*[ +*=!-]?\s*(?:([0-9a-f]{7,40}\.\.\.?[0-9a-f]{7,40})|\[new (?:branch|tag)\])\s+(\S+)\s+->\s+(\S+)",
    re.M,
)
_REQUEST = r"https://\S+/(?:pull|merge_requests)/\d+"
_CHANGED = ("created", "modified", "renamed", "deleted")
_COMMITS, _PUSHES, _REQUESTS, _UNDONE, _NAMED = 8, 3, 3, 2, 4

Clean = Callable[[str], str]


class Ledger:
    """Watches results for ids that git and its hosts print."""

    def __init__(self, history: History) -> None:
        self._history = history
        self._pushes: dict[str, tuple[str, Evidence]] = {}
        self._requests: dict[str, Evidence] = {}

    def result(self, command: str, entry: Entry, here: str) -> None:
        if "git" not in command and "gh " not in command and "glab " not in command:
            return
        self._history.seen(command, entry, here)
        at = Evidence(entry.line, entry.native_id)
        if "push" in command and (git := self._history.push_in(command, here)):
            for found in _PUSHED.finditer(entry.text):
                if is_scratch(_remote(entry.text, found.start())):
                    continue
                span, source, target = found.groups("")
                self._pushes.pop(f"{source} -> {target}", None)
                self._pushes[f"{source} -> {target}"] = span, at
                self._history.pushed(source, span, git, entry.line)
            if not failed(entry) and _pushed_unseen(git, entry.text):
                self._history.pushed("HEAD", "", git, entry.line)
        opens = ("pr create" in command or "mr create" in command) and "--dry-run" not in command
        if opens and not failed(entry):
            self._requests.update((url, at) for url in compiled(_REQUEST).findall(entry.text))

    def committed(self, path: str, line: int) -> bool:
        """A commit holds the file as it was left at a line. None before a list of git's that still shows the file does; any
        that came since where git lists the file no longer."""
        since = max(line, self._history.left_at(path, line))
        clean = self._history.letters(path, line) == ""
        return any(
            since < commit.line
            and (clean or not commit.paths or any(holds(given, path) for given in commit.paths))
            for commit in self._history.standing()
        )

    def close(self, clean: Clean, files: Sequence[Touched]) -> list[Claim]:
        """All claims, in the order in which they were shown."""
        claims = [_committed(commit, clean) for commit in self._history.standing()[-_COMMITS:]]
        claims += [
            _claim("push", f"{_pushed(clean(move), span)}{self._since(move)}", "pushed", at)
            for move, (span, at) in list(self._pushes.items())[-_PUSHES:]
        ]
        claims += [
            _claim("loss", _taken_back(thrown, commits, clean), "inferred", Evidence(thrown.line))
            for thrown, commits in list(self._history.taken_back())[-_UNDONE:]
        ]
        claims += [
            _claim("opening", f"opened {clean(url)}", "done", at)
            for url, at in list(self._requests.items())[-_REQUESTS:]
        ]
        claims.sort(key=lambda claim: (claim.evidence[0].line, claim.text))
        return claims

    def unpushed(self, clean: Clean) -> str:
        """That no push was seen of commits, in a session that made some; empty where all were pushed."""
        left = self._history.unpushed()
        if not left:
            return ""
        named = ", ".join(filter(None, (commit.sha for commit in left[-_NAMED:])))
        on = f" on {clean(left[-1].branch)}" if left[-1].branch else ""
        count = f"{len(left)} commit{'s' * (len(left) != 1)}" if len(left) <= _NAMED else "the last commits"
        return f"no push was seen of {count}{on}{f' ({named})' if named else ''}"

    def uncommitted(self, files: Sequence[Touched], used_git: bool) -> str:
        """That no commit was seen of edits of the project's files, in a session that used git."""
        if not used_git:
            return ""
        left = [
            file
            for file in files
            if file.edits
            and file.action in _CHANGED
            and not file.path.startswith(("/", "~"))
            and not is_scratch(file.path)
            and not is_output(file.path)
            and not self.committed(file.path, file.edit_line)
            and self._history.letters(file.path, file.edit_line) != ""
            and not (file.action == "deleted" and file.made and not self.committed(file.path, file.made))
        ]
        left.sort(key=lambda file: file.edit_line)
        if not left:
            return ""
        more = f" and {len(left) - _NAMED} more" if len(left) > _NAMED else ""
        return f"no commit was seen of the last edits of {', '.join(map(self._named, left[-_NAMED:]))}{more}"

    def _named(self, file: Touched) -> str:
        state = in_words(self._history.letters(file.path, file.edit_line) or "")
        return f"{file.path} ({state})" if state else file.path

    def _since(self, move: str) -> str:
        line = self._history.rewritten(move.partition(" -> ")[0])
        return f"; the branch was rewritten since [#{line}] and not pushed again" if line else ""


def _pushed_unseen(git: Git, printed: str) -> bool:
    """A push that went well and printed no ids: it was told to be silent, or had nothing or nothing more to say."""
    quiet = git.silenced or git.has("--quiet") or git.short("q")
    return (quiet and not printed.strip()) or "up-to-date" in printed or "set up to track" in printed


def _committed(commit: Commit, clean: Clean) -> Claim:
    name = f"commit {commit.sha}" if commit.sha else "commit (id not shown)"
    if commit.was:
        name += f" ({commit.was} when it was made)"
    if commit.rebased:
        name = f"commit (another id since a rebase, was {commit.was or commit.sha or 'not shown'})"
    branch = f" on {clean(commit.branch)}" if commit.branch else ""
    subject = f": {clipped(clean(commit.subject), 100)}" if commit.subject else ""
    return _claim("commit", f"{name}{branch}{subject}", "done", Evidence(commit.line, commit.id))


def _claim(act: ClaimAct, text: str, state: ClaimState, at: Evidence) -> Claim:
    return Claim(text=text, state=state, act=act, evidence=(at,))


def _remote(text: str, end: int) -> str:
    """The place that the last push told of before `end` went to."""
    place = text.rfind("To ", 0, end)
    return text[place + 3 : end].partition("\n")[0].removeprefix("file://") if place >= 0 else ""


def _pushed(move: str, span: str) -> str:
    """Three dots tell a push that replaced what was there."""
    forced = ", forced" if "..." in span else ""
    return f"pushed {move}{f' ({span}{forced})' if span else ''}"


def _taken_back(thrown: Thrown, commits: list[Commit], clean: Clean) -> str:
    if not commits:
        of = f" of {', '.join(map(clean, thrown.paths[:3]))}" if thrown.paths else ""
        return f"uncommitted changes{of} lie in a stash since `{thrown.how}`, not in the files"
    told = ", ".join(f"{c.sha or '(id not shown)'} ({clipped(clean(c.subject), 60)})" for c in commits[-3:])
    fate = "reverted by" if thrown.how == "git revert" else "no longer there since"
    return f"{fate} `{thrown.how}`: commit {told}"
