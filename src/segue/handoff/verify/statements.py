"""What a handoff states about its session, one statement each, against the transcript as it is today.

The label that a row stands under says what it is and so which check it has to pass. A row under a label of a person's
own, or of a document, is judged by what it names. What cannot be checked is said once, with how much of it there is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from segue.handoff.item_reading import ParsedItem, codes
from segue.handoff.parse import Parsed
from segue.handoff.run_reading import told_run
from segue.handoff.verify import claims, files, runs, words
from segue.handoff.verify.finding import CHECK, GIVE, Finding, judged
from segue.handoff.verify.transcript import Transcript, Witness
from segue.handoff.wording import says
from segue.model.packet import (
    ALSO,
    ASKED,
    FAILED_EARLIER,
    FAILING,
    LAST_REPORT,
    NEXT,
    PLAN,
    RAN,
    REPORTED,
    REPOSITORY,
    RUNNING,
    STEPS,
    STOPPED,
    SUMMARY,
    TODOS,
)
from segue.model.value import NamedTuple

Check = Callable[[ParsedItem, Transcript], Iterator[str]]

_MOST = 500
_CHECKS: dict[str, tuple[str, Check]] = {
    ASKED: ("quote", words.asked),
    REPORTED: ("quote", words.reported),
    LAST_REPORT: ("quote", words.reported),
    SUMMARY: ("quote", words.stands),
    FAILING: ("command", runs.ran),
    FAILED_EARLIER: ("command", runs.ran),
    RAN: ("command", runs.ran),
    RUNNING: ("command", runs.running),
    STOPPED: ("command", runs.stopped),
    TODOS: ("to-do", words.todo),
    PLAN: ("quote", words.plan),
    NEXT: ("step", words.step),
    STEPS: ("step", words.step),
}
_WORLD = (REPOSITORY, "Repository when this was made")
"""Labels whose rows are compared with the repository."""
_STEPS = ("Task", "Immediate next actions")
"""Sections whose rows are steps where no label says otherwise."""
_ELSEWHERE = ("Files", "Projects and files touched recently")


class Statement(NamedTuple):
    where: str
    item: ParsedItem

    @property
    def commands(self) -> list[str]:
        """Commands that a row lists by their lines alone."""
        return codes(self.item.text.removeprefix(ALSO)) if self.item.group == RAN else []

    @property
    def told(self) -> str:
        item = self.item
        return f"{item.state}: {item.text}" if item.state else item.text or " ".join(item.below)


def statements(parsed: Parsed) -> list[Statement]:
    """Everything that points into the session, and the commands that are listed without a pointer."""
    rows = [Statement(f"line {item.line}", item) for item in parsed.head if item.group == NEXT]
    rows += [
        Statement(f"{section.name}, line {item.line}", item)
        for section in parsed.sections
        if section.name not in _ELSEWHERE
        for item in section.items
        if not item.group.startswith(_WORLD)
    ]
    return [row for row in rows if row.item.evidence or row.item.state or row.commands][:_MOST]


def witness(parsed: Parsed) -> Witness:
    """Somebody who looks for what this handoff tells while the session is read."""
    stated = [row.item for row in statements(parsed)] + [file.item for file in files.listed(parsed)]
    lines = {line for item in stated if not item.origin for line in item.evidence}
    lines |= {line for item in stated if item.aside for line in item.aside.evidence}
    told = [run for item in stated if (run := told_run(item.text))]
    lines |= {
        line for run in told for line in (run.failed_before, run.edited_since, run.settled_line, run.again)
    }
    commands = [run.command for run in told]
    commands += [command for row in statements(parsed) for command in row.commands]
    commits = [sha for item in stated if item.state for sha in claims.ids(item.text)]
    return Witness(lines, commands, files.names(parsed), commits)


def against_transcript(parsed: Parsed, transcript: Transcript | None) -> Iterator[Finding]:
    """Every statement about the session, with how it stands; without a transcript none can be known."""
    stated = statements(parsed)
    here = [row for row in stated if not row.item.origin]
    carried = sum(bool(row.item.origin) for row in stated)
    if transcript is None:
        if here:
            yield _unchecked(len(here), "the transcript was not read", GIVE)
    else:
        yield from _session(parsed, transcript)
        for row in here:
            if row.item.evidence or row.commands:
                yield _judged(row, transcript)
        nowhere = sum(not row.item.evidence and not row.commands for row in here)
        if nowhere:
            yield _unchecked(nowhere, "no line is given that shows it", "Point to it, as in `[#12]`.")
        yield from files.against_session(parsed, transcript)
    if carried:
        yield _unchecked(carried, "it comes from an earlier session", CHECK)


def _judged(row: Statement, transcript: Transcript) -> Finding:
    if row.commands:
        return judged("command", row.where, row.item.text, runs.listed(row.commands, transcript))
    label = STEPS if row.where.startswith(_STEPS) and not row.item.group else row.item.group
    kind, check = _CHECKS.get(label, ("claim", claims.claimed))
    return judged(kind, row.where, row.told, check(row.item, transcript))


def _unchecked(count: int, why: str, hint: str) -> Finding:
    message = f"{count} statement{'s' * (count != 1)} not checked: {why}."
    return Finding("unknown", "session", "transcript", message, hint)


def _session(parsed: Parsed, transcript: Transcript) -> Iterator[Finding]:
    source = parsed.source
    if source is None:
        return
    if transcript.session_id and not says(transcript.session_id, source.session_id):
        message = f"The transcript is of session {transcript.session_id}; the handoff was drawn from {source.session_id}."
        yield Finding("drifted", "session", "transcript", message, "Give the transcript it was drawn from.")
    elif source.turns != transcript.turns:
        message = f"The handoff tells of {source.turns} turns; the transcript has {transcript.turns}."
        yield Finding(
            "drifted", "session", "transcript", message, "Make the handoff again, or read the rest."
        )
