"""Changes of the past: commits gathered into pieces of work, and changelog files read.

Commits that a merge brought in belong together; among the others, one person's commits belong
together while they follow each other closely and touch the same files or folders. Nothing is
guessed about tests; a record made this way says that it was written after the fact.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Sequence

import msgspec

from segue.changes.gitlink import LoggedCommit, is_own
from segue.changes.misfit import fitted
from segue.changes.record import parse_moment
from segue.changes.sentences import refusal
from segue.model.change import Priority, Scope
from segue.model.change_registry import RetroChange, RetroFile

_SCOPES: tuple[tuple[re.Pattern[str], Scope], ...] = tuple(
    (re.compile(pattern, re.I), scope)  # type: ignore[misc]
    for pattern, scope in (
        (r"\bhot-?fix", "hotfix"),
        (r"^(?:fix|bug)\b|^fix(?:es|ed)?\b|\bfix(?:es|ed)? (?:a |the )?bug|\bbugfix", "bugfix"),
        (r"^feat(?:ure)?\b|^add(?:s|ed)?\b|^introduce|^support\b", "feature"),
        (r"^refactor|^clean ?up|^restructure|^rename|^move\b|^simplif|^split\b|^extract\b", "refactor"),
        (r"^docs?\b|readme|^document", "documentation"),
        (r"^(?:chore|ci|build|deps?|infra|release)\b|^bump|dockerfile|pipeline", "infrastructure"),
    )
)
_PRIORITIES: tuple[tuple[re.Pattern[str], Priority], ...] = (
    (re.compile(r"\bcritical\b|\burgent\b", re.I), "critical"),
    (re.compile(r"\bhot-?fix|\bsecurity\b|\bbreaking\b|\bCVE-|\bvulnerab|^\w+(?:\(.+?\))?!:", re.I), "high"),
)
_PREFIX = re.compile(
    r"^(?:Merge (?:pull request|branch|remote-tracking branch)\s+\S+(?:\s+(?:from|into)\s+\S+)?\s*)|^\w+(?:\([^)]*\))?!?:\s*"
)
_DOCUMENTS = (".md", ".rst", ".txt", ".adoc")
_TITLE = 120
_OVERLAP = 0.15


Piece = Sequence[LoggedCommit]
"""Commits of one piece of work, oldest first."""


def group(
    commits: Sequence[LoggedCommit], merged: dict[str, list[str]], window_hours: float = 2.0
) -> list[Piece]:
    """Pieces of work, oldest first. `merged` maps a merge commit to the commits it brought in."""
    by_sha = {commit.sha: commit for commit in commits}
    ordered = sorted(commits, key=_moment)
    groups: list[list[LoggedCommit]] = []
    taken: set[str] = set()
    for commit in ordered:
        brought = [by_sha[sha] for sha in merged.get(commit.sha, ()) if sha in by_sha and sha not in taken]
        if commit.parents > 1:
            taken.update(sha for sha in (commit.sha, *(one.sha for one in brought)))
            if brought:
                groups.append([*sorted(brought, key=_moment), commit])
    window = datetime.timedelta(hours=window_hours)
    open_groups: list[list[LoggedCommit]] = []
    for commit in ordered:
        if commit.sha in taken:
            continue
        open_groups = [one for one in open_groups if _moment(commit) - _moment(one[-1]) <= window]
        home = next(
            (one for one in open_groups if one[0].author == commit.author and _related(one, commit)), None
        )
        if home is None:
            home = []
            groups.append(home)
            open_groups.append(home)
        home.append(commit)
    return [*sorted(groups, key=lambda one: _moment(one[0]))]


def change_of(piece: Piece) -> RetroChange:
    """The change that a group of commits was."""
    merge = next((commit for commit in piece if commit.parents > 1), None)
    leader = merge if merge and _without_prefix(merge.subject) else piece[0]
    subjects = [commit.subject for commit in piece if commit.parents <= 1] or [leader.subject]
    title = _without_prefix(leader.subject) or leader.subject
    files = sorted({path for commit in piece for _, path in commit.files if not is_own(path)})
    return RetroChange(
        title=_fitting(title),
        scope=_scope([leader.subject, *subjects], files),
        description=_description(subjects),
        priority=next((p for pattern, p in _PRIORITIES if any(map(pattern.search, subjects))), "medium"),
        date=_moment(piece[-1]).date().isoformat(),
        motivation="Recorded from the git history; the commits say why.",
        files=files,
        commits=[commit.sha for commit in piece],
    )


def read_file(data: bytes, name: str) -> RetroFile:
    """A changelog file. Raises BadInput with the place that does not fit."""
    try:
        given = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError) as fault:
        raise refusal("retro-not-json", name=name, fault=fault) from None
    made = fitted(given, RetroFile, name, "`segue change schema retro` prints what is expected.")
    for number, change in enumerate(made.changes):
        for index in change.related_indices:
            if index >= len(made.changes) or index == number:
                raise refusal("retro-relation", name=name, number=number, index=index)
    return made


def _moment(commit: LoggedCommit) -> datetime.datetime:
    return parse_moment(commit.date) or datetime.datetime.min.replace(tzinfo=datetime.UTC)


def _related(commits: list[LoggedCommit], commit: LoggedCommit) -> bool:
    mine = {path for _, path in commit.files if not is_own(path)}
    theirs = {path for one in commits for _, path in one.files if not is_own(path)}
    folders, their_folders = ({path.rpartition("/")[0] for path in paths} for paths in (mine, theirs))
    return _likeness(mine, theirs) >= _OVERLAP or _likeness(folders, their_folders) >= 2 * _OVERLAP


def _likeness(left: set[str], right: set[str]) -> float:
    return len(left & right) / len(left | right) if left and right else 0.0


def _scope(subjects: list[str], files: list[str]) -> Scope:
    for subject in subjects:
        for pattern, scope in _SCOPES:
            if pattern.search(_without_prefix(subject)) or pattern.search(subject):
                return scope
    return (
        "documentation"
        if files and all(path.lower().endswith(_DOCUMENTS) for path in files)
        else "enhancement"
    )


def _without_prefix(subject: str) -> str:
    """A subject without what a tool put before it."""
    return _PREFIX.sub("", subject).strip()


def _fitting(title: str) -> str:
    line = " ".join(title.split())
    line = line[:1].upper() + line[1:]
    line = line if len(line) <= _TITLE else line[: _TITLE - 1] + "…"
    return line if len(line) >= 5 else f"Change: {line or 'untitled'}"


def _description(subjects: list[str]) -> str:
    text = "; ".join(dict.fromkeys(subjects))
    return text if len(text) >= 10 else f"{text} (one commit)"
