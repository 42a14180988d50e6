"""Texts made of a record: the first message of the session that takes a change up, and the project's decision log.

Texts of the record are quoted as data: each stands on lines of its own list and cannot open a
heading, a fence or a block of ours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from segue.changes.draft import one_line
from segue.model.change import Decision, Record
from segue.model.finding import Finding
from segue.model.tags import without_tags
from segue.model.visible import visible

HEADING = "# Decisions\n"
_PREAMBLE = (
    "You take up a change that others began. This is an aid to find your way, not an authority: the repository "
    "and the record win where they differ. Check what matters before you rely on it."
)


def resume_packet(record: Record, drift: Iterable[Finding] = (), said: Callable[[str], str] = str) -> str:
    """What the next session needs, in the order it needs it. `said` puts what is ours, not the record's, into the
    words of whoever hands it over."""
    block = record.session_context.handoff
    short = record.tc_id
    completing = "--complete-next 1 " if block.next_steps else ""
    parts = [
        f"# {short}: {_line(record.title)}",
        _PREAMBLE,
        f"Status {record.status}, priority {record.priority}. {_line(record.description.summary)}\n"
        f"Why: {_line(record.description.motivation)}",
        _section("What was done", [block.progress_summary] if block.progress_summary.strip() else []),
        _section("In the way", block.blockers),
        _section(
            "Does not fit the repository any more", [f"{f.message} {said(f.hint)}".strip() for f in drift]
        ),
        _section("Must know", block.key_context),
        _section("Decided", [f"{d.decision} ({_why(d.rationale)})" for d in block.decisions_made]),
        _section("Files at hand", [_file(f.path, f.state, f.notes) for f in block.files_in_progress]),
        _section("Tests", [f"{t.test_id} {t.status}: {t.title}" for t in record.test_cases]),
        _steps(block.next_steps),
        said(
            f"Keep the record up to date as you go: `segue change update {short} {completing}--progress '…'`; "
            f"`--blocker '…'` when stuck, `--decision '…' 'why'` when you decide, `--next '…'` before you stop."
        ),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def promoted(text: str, tc_id: str, decisions: Iterable[Decision]) -> tuple[str, list[str]]:
    """The log with these decisions at its end, and those that were not in it yet."""
    log = text if text.strip() else HEADING
    added = []
    for decision in decisions:
        title = one_line(decision.decision)
        heading = f"## {title}"
        if heading in log.splitlines():
            continue
        log = (
            log.rstrip("\n")
            + f"\n\n{heading}\n\n{decision.timestamp[:10]} · {tc_id}\n\n{one_line(decision.rationale)}\n"
        )
        added.append(title)
    return log, added


def _section(heading: str, texts: Iterable[str]) -> str:
    rows = [f"- {_line(text)}" for text in texts]
    return "\n".join((f"## {heading}", *rows)) if rows else ""


def _steps(steps: list[str]) -> str:
    rows = [f"{number}. {_line(step)}" for number, step in enumerate(steps, 1)]
    if not rows:
        return "## Next steps\nNone are recorded: read the record, then write some down before you begin."
    return "\n".join(("## Next steps, in this order", *rows))


def _why(rationale: str) -> str:
    return rationale if rationale.lower().startswith("because") else f"because {rationale}"


def _file(path: str, state: str, notes: str | None) -> str:
    return f"{path} ({state})" + (f": {notes}" if notes else "")


def _line(text: str) -> str:
    """One line that holds no fence, no tag of ours and nothing hidden."""
    return without_tags(" ".join(visible(text).split())).replace("```", "'''").replace("~~~", "'''")
