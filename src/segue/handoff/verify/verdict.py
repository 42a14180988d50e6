"""Checks a handoff again where it is received: what still holds, what has drifted, what cannot be known.

`wanted` says what would have to be looked at, somebody in the world looks (`Observed`), `verify` compares.
All three are values, so the judgement can be tested without a disk. A handoff is navigation: whatever
has drifted, the world is right and the handoff is not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Literal

import msgspec

from segue.handoff.file_reading import listed
from segue.handoff.items import unit
from segue.handoff.parse import Parsed
from segue.handoff.quote import one_line
from segue.handoff.run_reading import told_run
from segue.handoff.verify.finding import STATES, Finding
from segue.model.facts import Facts, FileFact
from segue.model.value import NamedTuple

Recorded = Literal["there", "gone", "mentioned"]
"""What a handoff tells of a file: that it was seen or made, that it went, or no more than its name."""

_COMMIT = re.compile(r"\b[Cc]ommit(?:ted|s)?(?: (?:as|in|at|to \S+ as))? [`(]?([0-9a-f]{7,40})\b")
_REPOSITORY = re.compile(
    r"(?:branch )?`?(?P<branch>[^\s`]+)`?(?: tracking \S+)?(?: \[[^\]]*\])? at `?(?P<head>[0-9a-f]{7,40})`?"
)
_ASSIGNED = re.compile(r"(?:[A-Za-z_]\w*=\S*\s+)+")
_PROGRAM = re.compile(r"[A-Za-z][\w.+-]*")
_GONE = re.compile(r"\b(?:deleted|renamed|reverted|stashed)\b")
_BY_ACTION: dict[str, Recorded] = {"deleted": "gone", "renamed": "gone", "mentioned": "mentioned"}
_BUILT_IN = frozenset(
    ("cd", "export", "source", "set", "echo", "test", "true", "false", "for", "if", "while", "exit", "eval")
)
_MOST = 500
_GONE_COMMIT = "It was rewritten, or never fetched here: `git fetch`, then look again."
_TAKEN_BACK = "no longer there since "
"""How a claim begins that tells of commits as gone."""
_GONE_BRANCH = "There is no such branch here any more: see in `git log` whether its work is on this one."


class SeenFile(msgspec.Struct, frozen=True, kw_only=True):
    """`exists` is None, with a reason, for what could not be looked at."""

    exists: bool | None
    sha256: str = ""
    why: str = ""


class Observed(msgspec.Struct, frozen=True, kw_only=True):
    """What was seen in the world. What is missing here is not known."""

    files: dict[str, SeenFile] = {}
    repository: bool = False
    head: str = ""
    branch: str = ""
    operation: str = ""
    commits: dict[str, bool] = {}
    left_behind: tuple[str, ...] = ()
    """Commits that are there and on no branch any more."""
    branches: dict[str, bool] = {}
    tools: dict[str, bool] = {}
    lines: int | None = None
    """How long the session is today; None if it was not read."""
    note: str = ""


class Wanted(NamedTuple):
    """What has to be looked at to judge a handoff."""

    files: tuple[str, ...]
    commits: tuple[str, ...]
    tools: tuple[str, ...]
    branches: tuple[str, ...] = ()


def wanted(parsed: Parsed, facts: Facts | None) -> Wanted:
    branch, head = _recorded_head(parsed, facts)
    commits = dict.fromkeys([*(sha for _, sha in _commits(parsed)), *([head] if head else [])])
    return Wanted(
        tuple(_files(parsed, facts))[:_MOST],
        tuple(commits)[:_MOST],
        tuple(_tools(parsed, facts))[:_MOST],
        (branch,) if branch else (),
    )


def verify(
    parsed: Parsed, facts: Facts | None, observed: Observed, stated: Iterable[Finding] = ()
) -> list[Finding]:
    """Every statement that can be checked, with how it stands today; what has drifted comes first. `stated` is what was
    found of those about the session."""
    found = [
        *_verified_session(facts, observed),
        *stated,
        *_verified_repository(parsed, facts, observed),
        *_verified_files(parsed, facts, observed),
        *_verified_commits(parsed, observed),
        *_verified_tools(parsed, facts, observed),
    ]
    told = [
        finding._replace(where=one_line(finding.where), message=one_line(finding.message))
        for finding in found
    ]
    return sorted(told, key=lambda finding: STATES.index(finding.state))


def _verified_session(facts: Facts | None, observed: Observed) -> Iterator[Finding]:
    if facts is None or not facts.source.lines or observed.lines is None:
        return
    then, now = facts.source.lines, observed.lines
    if now > then:
        message = f"The session has gone on: {then} {unit(facts.source)}s then, {now} now."
        hint = "Make the handoff again, or read the rest of it."
        yield Finding("drifted", "session", "transcript", message, hint)
    elif now < then:
        message = f"The transcript has {now} {unit(facts.source)}s; the handoff was made from {then}."
        hint = "Another file, or a rewritten one: pointers may not fit."
        yield Finding("drifted", "session", "transcript", message, hint)
    else:
        yield Finding("holds", "session", "transcript", "The transcript is as long as it was.")


def _verified_repository(parsed: Parsed, facts: Facts | None, observed: Observed) -> Iterator[Finding]:
    branch, head = _recorded_head(parsed, facts)
    if not head and not branch:
        return
    if not observed.repository:
        yield Finding(
            "unknown",
            "head",
            "repository",
            observed.note or "There is no repository here.",
            "Go to the project.",
        )
        return
    if head and _same_commit(head, observed.head):
        yield Finding("holds", "head", "repository", f"HEAD is {head}.")
    elif head:
        message = f"HEAD was {head} and is {observed.head[:12] or 'nothing'}."
        between = f"See what came between: `git log {_word(head)}..HEAD`."
        hint = between if observed.commits.get(head) else _GONE_COMMIT
        yield Finding("drifted", "head", "repository", message, hint)
    if branch and branch == observed.branch:
        yield Finding("holds", "branch", "repository", f"The branch is {branch}.")
    elif branch:
        message = f"The branch was {branch} and is {observed.branch or 'none'}."
        there = observed.branches.get(branch)
        hint = f"`git switch {_word(branch)}` if the work goes on there." if there else _GONE_BRANCH
        yield Finding("drifted", "branch", "repository", message, hint)
    if observed.operation:
        message = f"A {observed.operation} is under way."
        yield Finding("drifted", "head", "repository", message, "Finish or abort it before you go on.")


def _verified_files(parsed: Parsed, facts: Facts | None, observed: Observed) -> Iterator[Finding]:
    for path, told in _files(parsed, facts).items():
        seen = observed.files.get(path)
        recorded = next((file.sha256 for file in facts.files if file.path == path), "") if facts else ""
        if seen is None or seen.exists is None:
            why = seen.why if seen and seen.why else "it was not looked at"
            yield Finding("unknown", "file", path, f"{path}: {why}.")
        elif told == "gone" and seen.exists:
            yield Finding(
                "drifted", "file", path, f"{path} was removed and is there again.", "See who brought it back."
            )
        elif told == "gone":
            yield Finding("holds", "file", path, f"{path} is gone, as recorded.")
        elif not seen.exists and told == "mentioned":
            yield Finding("unknown", "file", path, f"{path} was only spoken of, and is not there.")
        elif not seen.exists:
            yield Finding(
                "drifted", "file", path, f"{path} is not there any more.", "It was moved or removed since."
            )
        elif recorded and seen.sha256 and recorded != seen.sha256:
            yield Finding(
                "drifted", "file", path, f"{path} has changed since.", "Read it again before you edit it."
            )
        elif recorded and seen.sha256:
            yield Finding("holds", "file", path, f"{path} is as recorded.")
        else:
            yield Finding("holds", "file", path, f"{path} is there; its contents were not recorded.")


def _verified_commits(parsed: Parsed, observed: Observed) -> Iterator[Finding]:
    for where, sha in _commits(parsed):
        known = observed.commits.get(sha)
        if known is None:
            yield Finding("unknown", "commit", where, f"Whether commit {sha} exists was not looked at.")
        elif sha in observed.left_behind:
            hint = f"`git show {sha}` still shows it; see whether another commit took its place."
            yield Finding("drifted", "commit", where, f"Commit {sha} is on no branch any more.", hint)
        elif known:
            yield Finding("holds", "commit", where, f"Commit {sha} exists.")
        else:
            yield Finding("drifted", "commit", where, f"There is no commit {sha} here.", _GONE_COMMIT)


def _verified_tools(parsed: Parsed, facts: Facts | None, observed: Observed) -> Iterator[Finding]:
    for tool in _tools(parsed, facts):
        known = observed.tools.get(tool)
        if known is None:
            yield Finding("unknown", "tool", tool, f"Whether {tool} is installed was not looked at.")
        elif known:
            yield Finding("holds", "tool", tool, f"{tool} is installed.")
        else:
            hint = "Activate the project's environment, or install it."
            yield Finding("drifted", "tool", tool, f"{tool} is not on the PATH.", hint)


def _files(parsed: Parsed, facts: Facts | None) -> dict[str, Recorded]:
    """Every path the handoff lists, with what it tells of it."""
    known = {file.path: _recorded(file) for file in facts.files} if facts else {}
    told = {path: known.get(path, "there") for path in (*parsed.modified_files, *parsed.read_files)}
    for file in listed(parsed):
        unmarked = told.get(file.path, "mentioned" if parsed.kind == "packet" else "there")
        told[file.path] = known.get(file.path, _recorded_state(file.marks, unmarked))
    return told


def _recorded_state(marks: str, unmarked: Recorded) -> Recorded:
    if _GONE.search(marks):
        return "gone"
    if "mentioned" in marks:
        return "mentioned"
    return "there" if marks else unmarked


def _recorded(file: FileFact) -> Recorded:
    return _BY_ACTION.get(file.action, "there")


def _recorded_head(parsed: Parsed, facts: Facts | None) -> tuple[str, str]:
    """(branch, commit) at which the handoff was made, from its facts or from its own words."""
    if facts and facts.repo and facts.repo.head:
        return facts.repo.branch.split(" ", 1)[0], facts.repo.head
    for section in parsed.sections:
        for item in section.items:
            if item.group.startswith("Repository") and (match := _REPOSITORY.match(item.text)):
                return match["branch"], match["head"]
    return "", ""


def _word(name: str) -> str:
    """A name that may stand in a command somebody copies: nothing a shell would read as more than a word."""
    return name if re.fullmatch(r"\w[\w./-]*", name) else "…"


def _commits(parsed: Parsed) -> list[tuple[str, str]]:
    """The commits that a handoff claims, those of earlier sessions too: git knows them whoever made them."""
    found = [
        (f"{section.name}, line {item.line}", sha)
        for section in parsed.sections
        for item in section.items
        if item.state and not item.text.startswith(_TAKEN_BACK)
        for sha in _COMMIT.findall(item.text)
    ]
    return found[:_MOST]


def _same_commit(one: str, other: str) -> bool:
    return bool(one and other) and (one.startswith(other) or other.startswith(one))


def _tools(parsed: Parsed, facts: Facts | None) -> list[str]:
    """The programs of the commands the handoff hands on; paths and the shell's own words are not looked up."""
    commands = [command.key or command.command for command in facts.commands] if facts else []
    told = (told_run(item.text) for section in parsed.sections for item in section.items)
    commands += [run.command for run in told if run]
    return sorted({tool for command in commands if (tool := _program(command)) and tool not in _BUILT_IN})


def _program(command: str) -> str:
    command = command.strip()[:400]
    if command.startswith("cd ") and "&&" in command:
        command = command.partition("&&")[2].strip()
    words = _ASSIGNED.sub("", command).split(maxsplit=1)
    return words[0] if words and _PROGRAM.fullmatch(words[0]) else ""
