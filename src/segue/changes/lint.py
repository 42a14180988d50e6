"""Quality of a handoff block: the rules a fresh session would thank its predecessor for.

A block is good if somebody with no other context can go on within five minutes. A rule is a row
with a text that breaks it and one that does not; adding a rule is adding a row.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import msgspec

from segue.changes import record as records
from segue.changes.document import Document
from segue.model import prose_rules as prose
from segue.model.change import HandoffBlock, Record, Status
from segue.model.finding import Finding, Severity

BLOCK = "session_context.handoff"
NOT_STATED = "Not stated."
_STALE_AFTER = datetime.timedelta(hours=1)
_AT_WORK: tuple[Status, ...] = ("in_progress", "blocked", "paused")
_UNSTATED = ("", "tbd", "todo", "n/a", "none", "-", "?")


class TextRule(NamedTuple):
    """A rule about one text. `bad` and `good` are examples of it, checked by the tests."""

    name: str
    severity: Severity
    breaks: Callable[[str], bool]
    message: str
    bad: str
    good: str


PROGRESS = (
    TextRule(
        "progress_vague",
        "warning",
        prose.is_vague,
        "The progress does not say what was done.",
        "Working on auth.",
        "Implemented JWT signing with HS256, wired the middleware into the router and added two passing tests.",
    ),
    TextRule(
        "progress_tense",
        "note",
        lambda text: not prose.is_past(text),
        "The progress tells of no finished action: use the past tense.",
        "Auth middleware and `router.py`.",
        "Moved the auth middleware into `router.py`.",
    ),
    TextRule(
        "progress_long",
        "warning",
        lambda text: prose.sentence_count(text) > 3,
        "The progress has more than three sentences: details belong in key_context and decisions_made.",
        "Added a. Added b. Added c. Added d.",
        "Added the parser, its tests and the command line flag.",
    ),
)
STEP = (
    TextRule(
        "step_vague",
        "error",
        prose.is_vague,
        "This step is not actionable.",
        "continue",
        "Add an integration test for an invalid token (401)",
    ),
    TextRule(
        "step_not_imperative",
        "warning",
        lambda text: not prose.is_imperative(text),
        "A step is an order: begin it with a verb.",
        "We should update the README for POST /login",
        "Update the README for POST /login",
    ),
    TextRule(
        "step_too_big",
        "warning",
        prose.is_too_much,
        "This is more than 5 to 15 minutes: split it.",
        "Write the parser, add the tests, update the docs, tag the release and then publish it",
        "Write the parser for `key = value` lines",
    ),
)
BLOCKER = (
    TextRule(
        "blocker_vague",
        "error",
        prose.is_complaint,
        "This is not a blocker: nobody could remove it.",
        "It's hard.",
        "Test fixtures for the user model do not exist; create `tests/fixtures/user.py`",
    ),
)
CONTEXT = (
    TextRule(
        "context_vague",
        "warning",
        prose.is_empty_warning,
        "This tells the next session nothing it could use.",
        "Be careful.",
        "`legacy_auth` is being phased out: do not extend it, new code goes in `src/auth/`",
    ),
)
RATIONALE = (
    TextRule(
        "decision_unexplained",
        "warning",
        lambda text: text.strip(" .").casefold() in _UNSTATED,
        "The decision has no rationale.",
        "TBD",
        "Secret rotation does not support asymmetric keys; tokens live for 15 minutes only",
    ),
)
NOTE = (
    TextRule(
        "decision_in_notes",
        "warning",
        prose.tells_decision,
        "A decision is buried in the notes and loses its rationale there.",
        "Decision: use HS256",
        "Looked at the rotation tooling with the platform team.",
    ),
    TextRule(
        "blocker_in_notes",
        "warning",
        prose.tells_blocker,
        "A blocker is buried in the notes, where the status cannot see it.",
        "Blocked by missing fixtures",
        "Fixtures arrived on Monday.",
    ),
)
_MOVE = {
    "decision_in_notes": "Record it with `--decision TEXT WHY`.",
    "blocker_in_notes": "Record it with `--blocker TEXT`.",
}


def lint_block(block: HandoffBlock, status: Status = "in_progress", notes: str = "") -> list[Finding]:
    """What could be better about a handoff block, by itself."""
    return [
        *_emptiness(block, status),
        *_texts(block),
        *_contradictions(block, status),
        *_notes(block, notes),
    ]


def lint_record(document: Document) -> list[Finding]:
    """Faults of the record, then everything about its block."""
    found = records.findings(document)
    if any(finding.rule == "shape" for finding in found):
        return found
    record = msgspec.convert(document, Record)
    block = record.session_context.handoff
    if record.status not in ("deployed", "voided"):
        found += lint_block(block, record.status, record.notes)
    return [*found, *_motivation(record), *_listing(record), *_staleness(record), *_tests(record)]


def _apply(rules: Iterable[TextRule], where: str, text: str) -> Iterator[Finding]:
    """Stops at the first rule a text breaks: a vague step is not also reported as too big."""
    for rule in rules:
        if rule.breaks(text):
            hint = _MOVE.get(rule.name) or f"For example: {rule.good}"
            yield Finding(rule.name, rule.severity, where, f"{rule.message} ({_clip(text)})", hint)
            return


def _texts(block: HandoffBlock) -> Iterator[Finding]:
    if block.progress_summary.strip():
        yield from _apply(PROGRESS, f"{BLOCK}.progress_summary", block.progress_summary)
    for rules, name in ((STEP, "next_steps"), (BLOCKER, "blockers"), (CONTEXT, "key_context")):
        texts: list[str] = getattr(block, name)
        for number, text in enumerate(texts, 1):
            yield from _apply(rules, f"{BLOCK}.{name}[{number}]", text)
        for number in _repeats(texts):
            message = f"This repeats an earlier entry: {_clip(texts[number - 1])}."
            yield Finding(
                "repeated", "warning", f"{BLOCK}.{name}[{number}]", message, "Remove one of the two."
            )
    for number, decision in enumerate(block.decisions_made, 1):
        yield from _apply(RATIONALE, f"{BLOCK}.decisions_made[{number}]", decision.rationale)


def _emptiness(block: HandoffBlock, status: Status) -> Iterator[Finding]:
    if status not in _AT_WORK:
        return
    said = [block.progress_summary.strip(), *block.next_steps, *block.blockers, *block.key_context]
    if not any(said):
        hint = "`segue change update ID --progress 'what was done' --next 'what to do first'`."
        yield Finding(
            "block_empty", "error", BLOCK, "The handoff block is empty: the next session starts blind.", hint
        )
        return
    if not block.progress_summary.strip():
        hint = f"For example: {PROGRESS[0].good}"
        yield Finding(
            "progress_missing", "warning", f"{BLOCK}.progress_summary", "Nothing says what was done.", hint
        )
    if not block.next_steps:
        hint = f"For example: {STEP[0].good}"
        yield Finding(
            "steps_missing", "warning", f"{BLOCK}.next_steps", "Nothing says what to do next.", hint
        )


def _contradictions(block: HandoffBlock, status: Status) -> Iterator[Finding]:
    if block.blockers and status == "in_progress":
        hint = "Resolve them with `--resolve-blocker N`, or set `--status blocked`."
        message = "There are blockers, but the status is in_progress."
        yield Finding("blockers_ignored", "note", f"{BLOCK}.blockers", message, hint)


def _notes(block: HandoffBlock, notes: str) -> Iterator[Finding]:
    told = [decision.decision.casefold() for decision in block.decisions_made]
    told += [blocker.casefold() for blocker in block.blockers]
    for number, line in enumerate(notes.splitlines(), 1):
        known = any(text in line.casefold() for text in told)
        if not known and "Resolved: " not in line:
            yield from _apply(NOTE, f"notes[{number}]", line)


def _motivation(record: Record) -> Iterator[Finding]:
    if record.description.motivation == NOT_STATED:
        hint = f"`segue change update {record.tc_id} --motivation 'why'`."
        yield Finding("motivation_missing", "warning", "description.motivation", "Nothing says why.", hint)


def _listing(record: Record) -> Iterator[Finding]:
    listed = {file.path for file in record.files_affected}
    for file in record.session_context.handoff.files_in_progress:
        if file.path not in listed and record.status not in ("implemented", "voided"):
            yield Finding(
                "file_unlisted",
                "warning",
                f"{BLOCK}.files_in_progress[{file.path}]",
                f"{file.path} is in progress but not listed as affected.",
                f"`segue change update {record.tc_id} --add-file {file.path}`.",
            )
    if not listed and record.status in ("implemented", "tested"):
        hint = f"`segue change update {record.tc_id} --add-file PATH:modified`, or `segue change link`."
        yield Finding("files_missing", "warning", "files_affected", "No file is listed as affected.", hint)


def _staleness(record: Record) -> Iterator[Finding]:
    """The block was written once and the work went on for more than an hour without it."""
    if record.status not in _AT_WORK:
        return
    written = record.revision_history[0].timestamp
    for revision in record.revision_history:
        if any(change.field.startswith(BLOCK) for change in revision.field_changes):
            written = revision.timestamp
    since = records.parse_moment(written)
    latest = records.parse_moment(record.revision_history[-1].timestamp)
    if since and latest and latest - since > _STALE_AFTER:
        hint = f"`segue change update {record.tc_id} --progress … --complete-next N --next …`."
        message = f"The block was last written at {written}; the work went on until {record.updated}."
        yield Finding("block_stale", "warning", BLOCK, message, hint)


def _tests(record: Record) -> Iterator[Finding]:
    if record.status not in ("tested", "deployed"):
        return
    for test in record.test_cases:
        if test.status in ("fail", "pending", "blocked"):
            hint = f"`segue change update {record.tc_id} --test-result {test.test_id} pass|skip …`."
            message = f"{test.test_id} is {test.status}, but the change is {record.status}."
            yield Finding("test_open", "warning", f"test_cases[{test.test_id}]", message, hint)
    for sub in record.sub_tcs:
        if sub.status in ("planned", "in_progress", "blocked"):
            hint = f"`segue change update {record.tc_id} --sub-status {sub.sub_id} …`."
            message = f"{sub.sub_id} is {sub.status}, but the change is {record.status}."
            yield Finding("sub_change_open", "warning", f"sub_tcs[{sub.sub_id}]", message, hint)


def _repeats(texts: list[str]) -> list[int]:
    seen: set[str] = set()
    repeats = []
    for number, text in enumerate(texts, 1):
        folded = " ".join(text.split()).casefold()
        if folded in seen:
            repeats.append(number)
        seen.add(folded)
    return repeats


def _clip(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 80 else line[:79] + "…"
