"""The files a handoff lists, and what it says was done to them, against what the session did.

A file told as changed must have been changed so, as often and with the state that is told; one that is
merely named need not be in the transcript at all.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from segue.handoff.parse import Parsed
from segue.handoff.verify.evidence import Transcript
from segue.handoff.verify.finding import Finding
from segue.model.facts import FileFact
from segue.model.packet import ALSO
from segue.model.patterns import compiled
from segue.model.value import NamedTuple

_CODE = compiled(r"`([^`]+)`")
_LISTED = compiled(r"(.+?)(?: \(([^()]*)\))?(?:: .*| — .*)?")
_BETWEEN = compiled(r", (?![^()]{0,60}\))")
_TOLD_AT_LENGTH = compiled(r": | — ")
_TIMES = compiled(r"(\d+)(?:×| edits)")
_AFTER = "then modified"
_ACTIONS = ("created", "modified", "deleted", "renamed", "reverted", "stashed")
_CHANGED = ("created", "modified", "renamed")
_WORK_STATES = ("editing", "needs review", "partially done", "ready")
_HINT = "See what the transcript and git tell of it."


class Listed(NamedTuple):
    """`marks` is what stands in parentheses behind the name."""

    path: str
    marks: str
    where: str


def listed(parsed: Parsed) -> Iterator[Listed]:
    """The rows of files of a packet or a document, one by one."""
    for item in parsed.items("Files"):
        for name, marks in _named(item.text) if item.listed and item.group.endswith("/") else ():
            yield Listed(posixpath.normpath(item.group + name), marks, f"Files, line {item.line}")
    for item in parsed.items("Projects and files touched recently"):
        match = _CODE.match(item.text)
        if match and item.listed:
            about = item.text[match.end() :].partition(")")[0]
            marks = about.removeprefix(" (") if about.startswith(" (") else ""
            yield Listed(match[1], marks, f"Projects and files touched recently, line {item.line}")


def _named(text: str) -> Iterator[tuple[str, str]]:
    """(name, marks) of the files of a row: one, or several by their names."""
    several = text.startswith(ALSO) or not _TOLD_AT_LENGTH.search(text)
    for name in _BETWEEN.split(text.removeprefix(ALSO)) if several else [text]:
        if match := _LISTED.fullmatch(name[:1000]):
            yield match[1], match[2] or ""


def against_session(parsed: Parsed, transcript: Transcript) -> Iterator[Finding]:
    """What is said of each file against what the transcript shows of it."""
    files = transcript.index.files
    known = {_below_no_folder(file.path): file for file in files} | {file.path: file for file in files}
    for path, marks, where in listed(parsed):
        told = [mark.strip() for mark in marks.split(",")]
        action = next((word for mark in told for word in mark.split()[:1] if word in _ACTIONS), "")
        if action:
            yield _changed(path, marks, action, known.get(path), where)
        elif path not in known:
            message = f"The transcript does not tell of {path}."
            yield Finding("unknown", "file", where, message, "Take it as added by hand.")
    for path in parsed.modified_files:
        if path not in known or known[path].action not in _CHANGED:
            message = f"The transcript does not show that {path} was changed."
            yield Finding("drifted", "file", "modified-files", message, _HINT)
    for path in parsed.read_files:
        if path in known and known[path].action in _ACTIONS:
            message = f"{path} is listed as read; the transcript shows it {known[path].action}."
            yield Finding("drifted", "file", "read-files", message, _HINT)
        elif path not in known:
            message = f"The transcript does not show that {path} was read."
            yield Finding("drifted", "file", "read-files", message, _HINT)


def _below_no_folder(path: str) -> str:
    """A file of the root directory is listed like one that has no folder at all."""
    return path.removeprefix("/") if path.count("/") == 1 else path


def _changed(path: str, marks: str, action: str, file: FileFact | None, where: str) -> Finding:
    if file is None or file.action != action:
        shown = f"; it shows it {file.action}" if file else ""
        message = f"The transcript does not show that {path} was {action}{shown}."
        return Finding("drifted", "file", where, message, _HINT)
    times, after = _TIMES.search(marks), _AFTER in marks
    told = (int(times[1]) if times else 1) + after if times or after else file.edits
    if told != file.edits:
        message = f"{path} is told as changed {told} times; the transcript shows {file.edits}."
        return Finding("drifted", "file", where, message, _HINT)
    state = next((state for state in _WORK_STATES if state in marks), "")
    shown = (file.work_state or "").replace("_", " ")
    if state and state != shown:
        message = f"{path} is told as {state}; by the transcript it is {shown or 'in no such state'}."
        return Finding("drifted", "file", where, message, _HINT)
    return Finding("holds", "file", where, f"The transcript shows {path} {marks}.")
