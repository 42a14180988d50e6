"""Does the block still fit the repository? What moved on since it was written, claim by claim; and what its texts claim
to be there: files, functions and tests, sentence by sentence.

Of the texts only what is plainly said to exist is taken. A sentence about something to be made, taken away or missing
claims nothing of the kind, and what stands in quotation marks is somebody else's word.

Pure: the service looks at the disk and at git once and gives what it saw as a `Seen`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from shlex import quote

from msgspec import Struct

from segue.changes.lint import AT_WORK, BLOCK, block_written
from segue.changes.record import parse_moment
from segue.changes.sentences import finding
from segue.model import prose
from segue.model.change import HandoffBlock, Record
from segue.model.finding import Finding
from segue.model.value import NamedTuple

_SHOWN = 5
_ELSEWHERE = re.compile(r"\"[^\"]*\"|“[^”]*”|\w+://\S+|(?<![\w.`])~?/\S+")
_SENTENCE = re.compile(r"(?<=[.;!?])\s+")
_ABSENT = re.compile(
    r"\b(?:delet|remov|renam|mov|replac|revert|dropp?)(?:e[ds]?|ing|s)?\b|\bdrop\b"
    r"|\b(?:not|no|never|without|missing|lacks?|lost|gone|yet|will|should|would|instead)\b|n't\b",
    re.I,
)
_TO_BE_MADE = re.compile(
    r"\b(?:add|create|write|implement|introduce|generate|draft|extract|split|extend|make|build|new|into|save|capture)\b",
    re.I,
)
_FILE = re.compile(r"(?:.*/)?[^/]*\w\.[A-Za-z]\w{0,9}")
_BRAND = re.compile(r"[A-Z]\w*\.js")
_FUNCTION = re.compile(r"\b(?:\w+(?:\.|::))*([A-Za-z_]\w{2,})\(\)")
_TEST = re.compile(r"\b(test_\w+)\b(?![./-])")


class LastCommit(NamedTuple):
    sha: str
    date: str
    subject: str


class Seen(Struct, frozen=True, kw_only=True):
    """The world as it is now. Without git, everything but `missing` and `evidence_missing` is empty."""

    branch: str = ""
    missing: frozenset[str] = frozenset()
    """Paths the record names that do not exist."""
    evidence_missing: frozenset[str] = frozenset()
    dirty: frozenset[str] = frozenset()
    """Paths with changes that are not committed."""
    newer: dict[str, LastCommit] = {}
    """The last commit that touched each path."""
    lost: frozenset[str] = frozenset()
    """Linked commits that are not in the history of HEAD."""


def paths_of(record: Record) -> list[str]:
    """Every path the record makes a claim about."""
    block = record.session_context.handoff
    return sorted({f.path for f in record.files_affected} | {f.path for f in block.files_in_progress})


def findings(record: Record, seen: Seen) -> list[Finding]:
    return [*_files(record, seen), *_commits(record, seen), *_claims(record, seen)]


def _files(record: Record, seen: Seen) -> Iterator[Finding]:
    block = record.session_context.handoff
    in_progress = {file.path: file.state for file in block.files_in_progress}
    for path in in_progress:
        if path in seen.missing:
            yield finding("file-missing.progress", id=record.tc_id, path=path, word=quote(path))
    for file in record.files_affected:
        gone = file.path in seen.missing
        if gone and file.action != "deleted" and file.path not in in_progress and record.status != "planned":
            yield finding("file-missing.listed", path=file.path, action=file.action)
        if (
            not gone
            and file.action == "deleted"
            and record.status not in ("planned", "in_progress", "paused", "blocked")
        ):
            yield finding("file-present", path=file.path)
    yield from unlisted(record, seen.dirty)
    for path, state in in_progress.items():
        if state == "ready" and path in seen.dirty:
            yield finding("file-not-ready", path=path)


def unlisted(record: Record, dirty: frozenset[str]) -> Iterator[Finding]:
    """Files that are being edited without the block saying so: the next session would read old code."""
    listed = {file.path for file in record.session_context.handoff.files_in_progress}
    for path in sorted(dirty & {file.path for file in record.files_affected} - listed):
        yield finding("file-unlisted.dirty", id=record.tc_id, path=path, word=quote(path))
    unnamed = sorted(dirty.difference(paths_of(record))) if record.status in AT_WORK else []
    if unnamed:
        more = f" and {len(unnamed) - _SHOWN} more" if len(unnamed) > _SHOWN else ""
        paths = ", ".join(unnamed[:_SHOWN]) + more
        yield finding("file-unnamed", id=record.tc_id, paths=paths, word=quote(unnamed[0]))


def _commits(record: Record, seen: Seen) -> Iterator[Finding]:
    written = parse_moment(block_written(record))
    linked = {commit.sha for commit in record.git.commits} if record.git else set()
    for path in paths_of(record):
        last = seen.newer.get(path)
        moment = parse_moment(last.date) if last else None
        if last and moment and written and moment > written and not _among(last.sha, linked):
            yield finding("file-moved-on", path=path, subject=last.subject)
    for sha in sorted(seen.lost):
        yield finding("commit-lost", sha=sha[:12], branch=seen.branch or "HEAD")


def _claims(record: Record, seen: Seen) -> Iterator[Finding]:
    for test in record.test_cases:
        if test.status == "fail":
            told = {
                "result": (test.actual_result or test.title).strip(),
                "procedure": "; ".join(test.procedure),
            }
            yield finding("test-failed", test=test.test_id, **told)
    yield from evidence(record, seen.evidence_missing)


def evidence(record: Record, missing: frozenset[str]) -> Iterator[Finding]:
    """Files that are said to show something, and show nothing to whoever looks."""
    for test in record.test_cases:
        for item in test.evidence:
            if item.path and item.path in missing:
                yield finding("evidence-missing", id=record.tc_id, test=test.test_id, path=item.path)


def _among(sha: str, linked: set[str]) -> bool:
    """Records of other programs may hold the beginnings of ids."""
    return any(sha.startswith(known) for known in linked)


class Claimed(NamedTuple):
    """One text of the block, where it stands, and what it says is there."""

    field: str
    number: int
    text: str
    files: tuple[str, ...]
    names: tuple[str, ...]

    @property
    def where(self) -> str:
        return f"{BLOCK}.{self.field}" + (f", item {self.number}" if self.number else "")


def claimed(block: HandoffBlock) -> list[Claimed]:
    return [_claims_of(*told) for told in _texts(block)]


def _texts(block: HandoffBlock) -> Iterator[tuple[str, int, str]]:
    yield "progress_summary", 0, block.progress_summary
    for field, texts in (("next_steps", block.next_steps), ("key_context", block.key_context)):
        for number, text in enumerate(texts, 1):
            yield field, number, text


def _claims_of(field: str, number: int, text: str) -> Claimed:
    text = _ELSEWHERE.sub(" ", text[: prose.LOOKED_AT])
    to_come = field != "progress_summary"
    said = [
        sentence
        for sentence in _SENTENCE.split(text)
        if not _ABSENT.search(sentence) and not (to_come and _TO_BE_MADE.search(sentence))
    ]
    files = [path for sentence in said for path in prose.paths_in(sentence) if _is_file(path)]
    names = [name for sentence in said for find in (_FUNCTION, _TEST) for name in find.findall(sentence)]
    return Claimed(field, number, text, tuple(dict.fromkeys(files)), tuple(dict.fromkeys(names)))


def _is_file(path: str) -> bool:
    return bool(_FILE.fullmatch(path)) and not _BRAND.fullmatch(path) and ".." not in path
