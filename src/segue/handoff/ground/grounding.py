"""A whole text against the session: every statement of it, and what it lost of what the next agent must know."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from segue.handoff.ground.atoms import atoms
from segue.handoff.ground.judgement import Judgement, Statement, checkable, judge, stems
from segue.handoff.ground.session import Session
from segue.handoff.ground.statements import POINTER, pointed, statements
from segue.handoff.headings import DOCUMENT, headings, lines
from segue.handoff.quote import code, plain, quoted
from segue.handoff.wording import says
from segue.model.facts import CommandFact, Facts, Prompt
from segue.model.value import NamedTuple

PUT_BACK = "Put back from the session"
_MOST = 2_000
"""Statements of one text that are judged."""
_QUOTED = 600
_TOLD = 0.5
"""How much of a thing's words one row must have to tell of it."""
_HOMES = ("Notes", DOCUMENT[-1])


class Missing(NamedTuple):
    """What a text does not tell: something `demanded` by the person, `failing` now, or `uncommitted`."""

    what: str
    text: str
    lines: tuple[int, ...] = ()


class Grounding(NamedTuple):
    """`judged` are all statements that could be checked; of these `findings` are not plainly shown, and `corrected` counts
    those that stand elsewhere."""

    judged: tuple[Judgement, ...]
    findings: tuple[Judgement, ...] = ()
    checked: int = 0
    shown: int = 0
    corrected: int = 0
    missing: tuple[Missing, ...] = ()


def ground(text: str, session: Session, facts: Facts | None = None) -> Grounding:
    """The verdict on every statement of a text, in order, and what the text lost of the facts."""
    every = list(statements(text))[:_MOST]
    told = frozenset(line for statement in every for line in statement.lines)
    judged = tuple(judge(statement, session, facts, told) for statement in every if checkable(statement))
    findings = tuple(found for found in judged if found.severity != "ok")
    shown, corrected = (sum(found.verdict == one for found in judged) for one in ("shown", "elsewhere"))
    lost = tuple(_lost(text, every, facts)) if facts else ()
    return Grounding(judged, findings, len(judged), shown, corrected, lost)


def _lost(text: str, every: list[Statement], facts: Facts) -> Iterator[Missing]:
    rows = [stems(" ".join((row.text, *row.quotes))) for row in every]
    pointing = {line for row in every for line in row.lines}
    here = [prompt for prompt in facts.prompts if not prompt.origin]
    for prompt in here:
        if prompt.role == "rule" or prompt is here[-1]:
            words = _words(prompt)
            if (
                not pointing.intersection(_places(prompt))
                and not says(text, words)
                and not _told(words, rows)
            ):
                yield Missing("demanded", words, _places(prompt))
    for command in facts.commands:
        run = command.failed or command.last
        if command.state == "failing" and command.open and not command.origin and run:
            lines = (run.evidence.line,)
            if not pointing.intersection(lines) and not says(text, command.command):
                yield Missing("failing", _failed(command), lines)
    for claim in facts.claims:
        left = claim.act == "uncommitted" and claim.state == "pending" and not claim.origin
        if left and not _names(text, claim.text) and not _told(claim.text, rows):
            yield Missing("uncommitted", claim.text, tuple(e.line for e in claim.evidence))


def _words(prompt: Prompt) -> str:
    said = (prompt.text, prompt.long, prompt.short, prompt.brief)
    return next((words for words in said if words and len(words) <= _QUOTED), prompt.text[:_QUOTED])


def _failed(command: CommandFact) -> str:
    run = command.failed or command.last
    ended = f" exit {run.exit_code}" if run and run.exit_code else " failed"
    printed = f": {run.printed[-1]}" if run and run.printed else ""
    return f"{code(command.command)}{ended}{printed}"


def _places(prompt: Prompt) -> tuple[int, ...]:
    return tuple(evidence.line for evidence in prompt.evidence)


def _told(words: str, rows: Iterable[set[str]]) -> bool:
    """One row has most of these words."""
    sought = stems(words)
    return not sought or any(len(sought & row) >= _TOLD * len(sought) for row in rows)


def _names(text: str, told: str) -> bool:
    """The text names all that this names: its paths and ids."""
    found = [atom.text for atom in atoms(told)[0] if atom.kind in ("path", "id", "code")]
    return bool(found) and all(says(text, name) for name in found)


def repaired(text: str, grounding: Grounding) -> str:
    """The text with corrected pointers, and with what it lost, verbatim, under a heading of its own or among the notes."""
    rows = text.split("\n")
    for found in grounding.judged:
        if found.verdict == "elsewhere" and found.lines:
            _point(rows, found)
    put_back = [_row(missing) for missing in grounding.missing]
    if not put_back:
        return "\n".join(rows)
    places = {heading.title: heading.line.number for heading in headings(lines("\n".join(rows)))}
    home = next((places[name] for name in _HOMES if name in places), 0)
    if home:
        return "\n".join([*rows[:home], *put_back, *rows[home:]])
    return "\n".join([*rows, *([] if rows[-1] == "" else [""]), f"## {PUT_BACK}", *put_back, ""])


def _point(rows: list[str], found: Judgement) -> None:
    """Puts the right pointer where the wrong one stands, or behind a row that has none."""
    right = f"[{', '.join(f'#{line}' for line in found.lines)}]"
    wrong = found.statement.lines
    for n in range(found.statement.at - 1, len(rows) if wrong else found.statement.at):
        for match in POINTER.finditer(rows[n]):
            if pointed(match[0]) == wrong and not match["origin"]:
                rows[n] = rows[n][: match.start()] + right + rows[n][match.end() :]
                return
    if not wrong and re.match(r"\s*(?:[-*+•]|\d+[.)]) ", rows[found.statement.at - 1]):
        rows[found.statement.at - 1] += f" {right}"


def _row(missing: Missing) -> str:
    words = quoted(missing.text) if missing.what == "demanded" else plain(missing.text)
    pointer = f" [{', '.join(f'#{line}' for line in missing.lines)}]" if missing.lines else ""
    return f"- {missing.what}: {words}{pointer}"
