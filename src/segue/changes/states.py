"""The life of a change: which status may follow which, and what must be true to enter one.

Both are tables. A later status keeps what the earlier ones needed. A condition that lasts also holds for as long as
the record has that status, so a record edited by hand into a status it has not earned is found by the validator.
"""

from __future__ import annotations

from collections.abc import Callable
from shlex import quote

from segue.changes.ids import is_tc_id
from segue.changes.sentences import refusal
from segue.errors import Refused
from segue.model.change import Record, Status, SubChange, TestCase
from segue.model.value import NamedTuple

TRANSITIONS: dict[Status, tuple[Status, ...]] = {
    "planned": ("in_progress", "blocked", "voided"),
    "in_progress": ("blocked", "implemented", "paused", "voided"),
    "blocked": ("in_progress", "planned", "paused", "voided"),
    "paused": ("in_progress", "voided"),
    "implemented": ("tested", "in_progress"),
    "tested": ("deployed", "in_progress"),
    "deployed": ("in_progress",),
    "voided": (),
}

UNFINISHED_STATES = ("editing", "partially_done")
UNFINISHED: tuple[Status, ...] = ("planned", "in_progress", "blocked", "paused")
"""What is in one of these still has work to be done."""
DONE: tuple[Status, ...] = ("implemented", "tested", "deployed")


class Condition(NamedTuple):
    """`missing` says what is missing, or nothing; `command` supplies it. One that does not last is asked for on
    entry alone: what comes later may well begin anew."""

    name: str
    missing: Callable[[Record], str]
    command: str
    lasts: bool = True

    def supplied(self, record: Record) -> str:
        """The command as one would type it for this record."""
        names = {
            "unlisted": quote(next(iter(_unlisted(record)), "PATH")),
            "unfinished": quote(next(iter(_unfinished(record)), "PATH")),
            "test": record.test_cases[-1].test_id if record.test_cases else "T1",
            "add_test": "" if record.test_cases else f"{_ADD_TEST} ",
            "another": f"; `{_ADD_TEST}` adds another test" if record.test_cases else "",
            "sub": _finish_first(record),
        }
        return self.command.format(id=record.tc_id, **names)


def _blocker(record: Record) -> str:
    return "" if record.session_context.handoff.blockers else "no blocker is named"


def _unlisted(record: Record) -> list[str]:
    """Files that were worked on and are not listed as affected."""
    known = [file.path for file in record.session_context.handoff.files_in_progress]
    known += [path for sub in record.sub_tcs for path in sub.files_affected]
    return sorted(set(known) - {file.path for file in record.files_affected})


def _unfinished(record: Record) -> dict[str, str]:
    """Files that are in the middle of an edit, with their state."""
    files = record.session_context.handoff.files_in_progress
    return {file.path: file.state for file in files if file.state in UNFINISHED_STATES}


def _files_listed(record: Record) -> str:
    missing = _unlisted(record)
    return f"{missing[0]} was worked on but is not listed as affected" if missing else ""


NO_FILES = "No files: "
"""A note that begins so says why a change touches none."""


def tells_no_files(record: Record) -> bool:
    """A note says why there is no file to list. Before its text a note has its date in brackets."""
    notes = (line.partition("] ")[2] or line for line in record.notes.splitlines())
    return any(note.startswith(NO_FILES) for note in notes)


def _files_named(record: Record) -> str:
    named = record.files_affected or _unlisted(record) or tells_no_files(record)
    return "" if named else "no file is listed as affected"


def _files_finished(record: Record) -> str:
    return next((f"{path} is still {state}" for path, state in _unfinished(record).items()), "")


def _parts_finished(record: Record) -> str:
    sub = _unfinished_part(record)
    return f"its part {sub.sub_id} ({sub.title}) is still {sub.status}" if sub else ""


def _unfinished_part(record: Record) -> SubChange | None:
    """The first one that has no unfinished part itself: those below are finished first."""
    unfinished = {sub.sub_id: sub for sub in record.sub_tcs if sub.status in UNFINISHED}
    above = {name.rpartition(".")[0] for name in unfinished}
    return next((sub for name, sub in unfinished.items() if name not in above), None)


def _finish_first(record: Record) -> str:
    """The flags that lead the first unfinished part to its end."""
    sub = _unfinished_part(record)
    steps = route(sub.status, "implemented") if sub else ()
    return " ".join(f"--sub-status {sub.sub_id} {step}" for step in steps) if sub else ""


def has_evidence(test: TestCase) -> bool:
    return any((item.content or "").strip() or (item.path or "").strip() for item in test.evidence)


def _test_settled(record: Record) -> str:
    for test in record.test_cases:
        if test.status == "pass" and has_evidence(test):
            return ""
        if test.status == "skip" and (test.actual_result or "").strip():
            return ""
    if any(test.status == "pass" for test in record.test_cases):
        return "no passing test has evidence"
    if any(test.status == "skip" for test in record.test_cases):
        return "the skipped test does not say why"
    return "no test has passed with evidence, and none is skipped with a reason"


def _approved(record: Record) -> str:
    approval = record.approval
    if not approval.approved:
        return "it is not approved"
    if not (approval.approved_by or "").strip():
        return "the approval does not say by whom"
    return "" if approval.approved_date else "the approval has no date"


_EVIDENCE = (
    "`segue change update {id} {add_test}--test-result {test} pass"
    " --evidence {test} command_output 'what it shows' 'its output'`, or `--test-result {test} skip 'why'` instead{another}"
)
_ADD_TEST = "--add-test TITLE --test-procedure STEP --test-expected TEXT"

_PARTS = Condition(
    "parts_finished",
    _parts_finished,
    "`segue change update {id} {sub}` once it is done, or `--sub-status … voided` if it is not wanted",
    lasts=False,
)

_IMPLEMENTED = (
    Condition(
        "files_named",
        _files_named,
        "`segue change update {id} --add-file PATH:ACTION`, or `--no-files 'why'` if there is none"
        " (a note that begins with `No files: `)",
    ),
    Condition("files_listed", _files_listed, "`segue change update {id} --add-file {unlisted}`"),
    Condition(
        "files_finished", _files_finished, "`segue change update {id} --file-state {unfinished} ready`"
    ),
    _PARTS,
)
_TESTED = (*_IMPLEMENTED, Condition("test", _test_settled, _EVIDENCE))
_DEPLOYED = (*_TESTED, Condition("approval", _approved, "`segue change update {id} --approve NAME`"))

CONDITIONS: dict[Status, tuple[Condition, ...]] = {
    "planned": (),
    "in_progress": (),
    "blocked": (
        Condition(
            "blocker", _blocker, "`segue change update {id} --status blocked --blocker 'what is in the way'`"
        ),
    ),
    "paused": (),
    "implemented": _IMPLEMENTED,
    "tested": _TESTED,
    "deployed": _DEPLOYED,
    "voided": (),
}


def unmet(record: Record, entering: bool = False) -> list[tuple[Condition, str]]:
    """The conditions of its status that a record does not fulfil, with what is missing."""
    asked = [condition for condition in CONDITIONS[record.status] if entering or condition.lasts]
    return [(condition, missing) for condition in asked if (missing := condition.missing(record))]


def require_step(name: str, old: Status, new: Status) -> None:
    """Raises Refused unless the table leads from one status to the other."""
    allowed = TRANSITIONS[old]
    if new == old or new in allowed:
        return
    ways = " or ".join(allowed) or "nothing: it is final"
    hint = f"From {old} it can become {ways}. {way(name, old, new)}".strip()
    raise Refused(f"{name} is {old} and cannot become {new} directly.", hint, "illegal_transition")


def way(name: str, old: Status, new: Status) -> str:
    """The steps from one status to another, and the command for the first; empty when nothing leads there."""
    steps = route(old, new)
    told = [f"The way to {new} is {' → '.join((old, *steps))}."] if len(steps) > 1 else []
    if steps and is_tc_id(name):
        told.append(f"`segue change update {name} --status {steps[0]}` takes the first step.")
    return " ".join(told)


def require_entry(record: Record, old: Status, reason: str) -> None:
    """Raises Refused unless a record that was `old` has earned the status it has now."""
    require_step(record.tc_id, old, record.status)
    if record.status == old:
        return
    if record.status == "voided" and not reason.strip():
        raise refusal("void-unexplained", id=record.tc_id)
    blockers = record.session_context.handoff.blockers
    if (old, record.status) == ("blocked", "in_progress") and blockers:
        raise refusal("still-blocked", id=record.tc_id, blocker=blockers[0])
    lacking = unmet(record, entering=True)
    if lacking:
        what = ", and ".join(missing for _, missing in lacking)
        how = " and ".join(condition.supplied(record) for condition, _ in lacking)
        raise Refused(f"{record.tc_id} cannot become {record.status}: {what}.", f"{how}.", "entry_condition")


def route(old: Status, new: Status) -> tuple[Status, ...]:
    """The shortest way through the table; empty when there is none."""
    ways: list[tuple[Status, ...]] = [(step,) for step in TRANSITIONS[old]]
    seen = {old}
    while ways:
        way = ways.pop(0)
        if way[-1] == new:
            return way
        if way[-1] not in seen:
            seen.add(way[-1])
            ways += [(*way, step) for step in TRANSITIONS[way[-1]]]
    return ()
