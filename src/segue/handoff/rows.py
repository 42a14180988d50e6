"""How each kind of fact is written as a row of the handoff document.

Session prose stands in quotation marks, commands and paths as code, and every row ends with the places
where the fact was seen.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from segue.handoff.items import written
from segue.handoff.quote import code, inline, plain, quoted
from segue.model.facts import Background, Claim, CommandFact, Decision, FileFact, NextStep, RepoState, Word

TEXT = 280
"""Characters of one text; a person's own words are never cut."""

_STRENGTH = {3: "must ", 2: "firm ", 1: "wish "}
_SYMBOLS = 6


def claim(fact: Claim) -> str:
    text = quoted(fact.text, TEXT) if fact.state == "reported" else inline(fact.text, TEXT)
    return written(text, fact, fact.state)


def failure(command: CommandFact) -> str:
    """The last bad run: the line as it was run, and where."""
    bad = command.last_bad
    if bad is None:
        return written(f"{code(command.command)}: failed", command)
    status = f"exit {bad.exit_code}" if bad.exit_code is not None else "failed"
    shown = "; ".join(code(line) for line in bad.error_lines)
    seen = command if command.origin else replace(command, evidence=(bad.evidence,))
    return written(f"{code(bad.command or command.command)}: {status}{f': {shown}' if shown else ''}", seen)


def success(command: CommandFact) -> str:
    if command.state == "running":
        return written(f"{code(command.command)} was still running", command, "pending")
    outcome = (
        f": {inline(command.last_ok.outcome, TEXT)}" if command.last_ok and command.last_ok.outcome else ""
    )
    mended = " (failed before)" if command.state == "resolved" else ""
    return written(f"{code(command.command)}{outcome}{mended}", command)


def repository(repo: RepoState | None) -> list[str]:
    if repo is None:
        return []
    rows = [f"branch {code(repo.branch)} at {code(repo.head)}"] if repo.head else []
    rows += [f"{inline(repo.operation)} under way"] if repo.operation else []
    rows += [f"status: {_codes(repo.status)}"] if repo.status else []
    rows += [f"diff: {_codes(repo.diff_stat)}"] if repo.diff_stat else []
    rows += [f"last commits: {_codes(repo.log)}"] if repo.log else []
    rows += [plain(repo.note)] if repo.note else []
    return [written(row) for row in rows]


def file(fact: FileFact) -> str:
    state = fact.work_state.replace("_", " ") if fact.work_state else ""
    action = "" if fact.action == "read" else fact.action
    about = ", ".join(
        part for part in (action, state, f"{fact.edits} edits" if fact.edits > 1 else "") if part
    )
    why = f": {inline(fact.why, TEXT)}" if fact.why else ""
    symbols = f"; see {_codes(fact.symbols[:_SYMBOLS])}" if fact.symbols else ""
    return written(f"{code(fact.path)}{f' ({about})' if about else ''}{why}{symbols}", fact)


def decision(fact: Decision) -> str:
    dead = "superseded: " if fact.state == "superseded" else ""
    rejected = f"; rejected: {', '.join(quoted(r, TEXT) for r in fact.rejected)}" if fact.rejected else ""
    return written(f"{dead}{because(fact.text, fact.why)}{rejected} (by the {fact.by})", fact)


def because(text: str, why: str) -> str:
    """A statement with its reason, unless the statement says it already."""
    reason = "" if not why or why in text else f"; why: {quoted(why, TEXT)}"
    return f"{quoted(text, TEXT)}{reason}"


def word(fact: Word) -> str:
    if fact.superseded_by:
        whose = f" of {fact.superseded_in}" if fact.superseded_in else ""
        part = "in part " if fact.superseded_in_part else ""
        return written(
            f"{fact.kind}: {quoted(fact.text)} ({part}replaced at #{fact.superseded_by.line}{whose})", fact
        )
    return written(f"{_STRENGTH.get(fact.strength, '')}{fact.kind}: {quoted(fact.text)}", fact)


def running(label: str, facts: Iterable[Background]) -> list[str]:
    return [written(f"{label}: {quoted(b.text, TEXT)}", b) for b in facts if b.state == "running"]


def step(number: int, fact: NextStep) -> str:
    return written(plain(fact.text, TEXT), fact, mark=f"{number}.")


def _codes(values: Iterable[str]) -> str:
    return ", ".join(code(value) for value in values)
