"""The facts that a packet stands for, where nothing is left of it but its text.

A session may begin with a packet that the workspace does not know: pasted from elsewhere, or made on another machine.
What it tells is then carried on from its items, as they stand: prompts verbatim, open to-dos, git, what fails, files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from segue.handoff.file_reading import listed
from segue.handoff.item_reading import ParsedItem, said
from segue.handoff.parse import Parsed, parse
from segue.handoff.run_reading import told_run
from segue.model.facts import (
    Claim,
    CommandFact,
    Evidence,
    Facts,
    FileFact,
    Prompt,
    Run,
    SourceFacts,
    Statement,
    TodoFact,
    TodoState,
)
from segue.model.packet import ASKED, FAILING, GIT, GOAL, NEXT, STATED, STEPS, TODOS

_BOXES: dict[str, TodoState] = {" ": "pending", "~": "in_progress"}
_MORE = re.compile(r" and (\d{1,9}) before it$")
_TODO_STEPS: dict[str, TodoState] = {"Go on with the to-do": "in_progress", "Take up the to-do": "pending"}
"""How a step begins that stands for a to-do, which the list then does not repeat."""
_CHANGED = ("created", "modified", "renamed", "deleted")


def facts_in(packet_text: str) -> Facts | None:
    """What the packet tells; None for what is no packet of this version."""
    parsed = parse(packet_text, "packet")
    source = parsed.source
    if source is None or not parsed.losses:
        return None
    return Facts(
        source=SourceFacts(
            agent=source.agent,
            session_id="" if source.session_id == "unknown" else source.session_id,
            branch=source.branch,
            turns=source.turns,
        ),
        goal=next((item.text.removeprefix('"').removesuffix('"') for item in parsed.under(GOAL)), ""),
        prompts=tuple(_prompts(parsed)),
        commands=tuple(_failing(parsed)),
        files=tuple(_files(parsed)),
        todos=tuple(_todos(parsed)),
        claims=tuple(
            Claim(text=item.text, state=item.state, evidence=_places(item), origin=item.origin)
            for item in parsed.under(GIT)
            if item.state
        ),
        statements=tuple(_statements(parsed)),
    )


def _places(item: ParsedItem) -> tuple[Evidence, ...]:
    return tuple(Evidence(line) for line in item.evidence)


def _statements(parsed: Parsed) -> Iterator[Statement]:
    for kind, label in STATED.items():
        for item in parsed.under(label):
            yield Statement(
                text=item.text,
                kind=kind,  # type: ignore[arg-type]
                seen=item.state != "reported",
                evidence=_places(item),
                origin=item.origin,
            )


def _prompts(parsed: Parsed) -> Iterator[Prompt]:
    for item in parsed.under(ASKED):
        if words := said(item.text):
            asked = item.aside
            yield Prompt(
                text=words.text,
                kind=words.kind,
                count=words.times,
                last=words.last,
                to=asked.text[1:-1] if asked else words.to,
                to_line=asked.evidence[0] if asked and asked.evidence else 0,
                evidence=_places(item),
                origin=item.origin,
            )


def _failing(parsed: Parsed) -> Iterator[CommandFact]:
    for item in parsed.under(FAILING):
        told = told_run(item.text)
        if told and item.evidence:
            failed = Run(
                evidence=Evidence(item.evidence[0]),
                verdict="failed",
                exit_code=told.exit_code,
                printed=item.below[:1],
                through=told.through,
            )
            yield CommandFact(
                command=told.command,
                key=told.command,
                failures=1,
                state="failing",
                open=True,
                last=failed,
                failed=failed,
                evidence=_places(item),
                origin=item.origin,
            )


def _files(parsed: Parsed) -> Iterator[FileFact]:
    rows = {file.path: file for file in listed(parsed)}
    for path in dict.fromkeys((*rows, *parsed.modified_files)):
        row = rows.get(path)
        action = (row and row.action) or ("modified" if path in parsed.modified_files else "read")
        if action in _CHANGED:
            item = row.item if row else ParsedItem(text="")
            yield FileFact(path=path, action=action, edits=1, evidence=_places(item), origin=item.origin)


def _todos(parsed: Parsed) -> Iterator[TodoFact]:
    for item in parsed.under(NEXT, STEPS):
        text, state = todo_of(item)
        if text:
            yield TodoFact(text=text, state=state, evidence=_places(item), origin=item.origin)
    for item in parsed.under(TODOS):
        if item.box in _BOXES:
            text, state = listed_todo(item)[0], _BOXES[item.box]
            yield TodoFact(text=text, state=state, evidence=_places(item), origin=item.origin)


def listed_todo(item: ParsedItem) -> tuple[str, int]:
    """The to-do on a row of the list, and how many more that row stands for: of those that are done the last is named."""
    more = _MORE.search(item.text) if item.done else None
    return (item.text[: more.start()], int(more[1])) if more else (item.text, 0)


def todo_of(step: ParsedItem) -> tuple[str, TodoState]:
    """The to-do that a step stands for, and its state; without a text where it stands for none."""
    lead, _, text = step.text.partition(": ")
    return (text, _TODO_STEPS[lead]) if lead in _TODO_STEPS else ("", "pending")
