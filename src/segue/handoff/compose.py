"""What a model is asked about a session, and what of its answer is taken.

The model reads the brief and answers with statements, most important first, each with the lines that show it. It
chooses and states; the person's words, paths, commands, error lines and lists of files are printed by code. Its answer
is a stranger's text: bounded, read with patience, and kept only as far as grounding finds it shown.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, get_args

from segue.handoff.quote import inline
from segue.model.facts import Evidence, NextStep, Statement, StatementKind
from segue.model.value import NamedTuple

KINDS: tuple[StatementKind, ...] = get_args(StatementKind)
MOST = 80
"""Statements of one answer that are read; an honest one has some thirty."""
LONGEST = 400
"""Characters of a statement; a longer one is refused, as it states more than one thing."""
_LINES, _QUOTES, _QUOTE = 8, 4, 300
_STEPS = 8
_ATTEMPTS = 500
"""Places of a broken answer where an object is looked for."""
_NUMBER = re.compile(r"\d{1,9}")

SCHEMA: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["statements", "replaced"],
    "properties": {
        "statements": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["kind", "text", "evidence"],
                "properties": {
                    "kind": {"type": "string", "enum": list(KINDS)},
                    "text": {"type": "string"},
                    "evidence": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "additionalProperties": False,
                            "required": ["line", "quote"],
                            "properties": {"line": {"type": "integer"}, "quote": {"type": "string"}},
                        },
                    },
                },
            },
        },
        "replaced": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["name", "line"],
                "properties": {"name": {"type": "string"}, "line": {"type": "integer"}},
            },
        },
    },
}
"""The answer, for models that take a schema."""


class Said(NamedTuple):
    """One statement as the model gave it."""

    kind: StatementKind
    text: str
    lines: tuple[int, ...]
    quotes: tuple[str, ...] = ()


class Replaced(NamedTuple):
    """A carried statement that, as the model says, no longer holds since a line of this session."""

    name: str
    line: int


class Answer(NamedTuple):
    statements: tuple[Said, ...]
    replaced: tuple[Replaced, ...] = ()


class Refused(NamedTuple):
    """A statement that was not kept, and why."""

    said: Said
    why: str


def request(template: str, brief: str, goal: str, carried: Sequence[Statement] = ()) -> str:
    """What the model is asked. `template` has places for the goal, the carried statements and the brief."""
    kept = "\n".join(f"{name_of(n)}: {inline(one.text)}" for n, one in enumerate(carried)) or "(none)"
    return _filled(template, GOAL=inline(goal) or "go on with the work", CARRIED=kept, BRIEF=brief)


def repair(template: str, brief: str, refused: Sequence[Refused]) -> str:
    """What the model is asked about the statements that were not kept."""
    rows = (f"- {one.said.kind}: {inline(one.said.text)}\n  refused: {inline(one.why)}" for one in refused)
    return _filled(template, REFUSED="\n".join(rows), BRIEF=brief)


def _filled(template: str, **values: str) -> str:
    return re.sub(r"@([A-Z]+)@", lambda place: values.get(place[1], place[0]), template)


def name_of(number: int) -> str:
    """How a carried statement is called in the request and in the answer."""
    return f"c{number + 1}"


def read(text: str) -> Answer | None:
    """The model's answer; None where it holds no statement in the form that was asked for. What is broken off or not in
    that form is left out, the rest stands."""
    whole = _decoded(text)
    if isinstance(whole, dict) and isinstance(whole.get("statements"), list):
        rows, named = whole["statements"], whole.get("replaced")
    else:
        rows, named = list(_objects(text)), ()
    statements = tuple(said for row in rows[:MOST] if (said := _parse_row(row)))
    replaced = [
        Replaced(str(row.get("name")), _line(row))
        for row in (named[:MOST] if isinstance(named, list) else ())
        if isinstance(row, dict)
    ]
    return Answer(statements, tuple(replaced)) if statements else None


def _decoded(text: str) -> Any:
    start, end = text.find("{"), text.rfind("}")
    try:
        return json.loads(text[start : end + 1]) if 0 <= start < end else None
    except (ValueError, RecursionError):
        return None


def _objects(text: str) -> Iterator[Any]:
    """The whole objects of an answer that was cut off, or has words between them."""
    at, decode = text.find('"statements"'), json.JSONDecoder().raw_decode
    for _ in range(_ATTEMPTS):
        at = text.find("{", at + 1)
        if at < 0:
            return
        try:
            value, end = decode(text, at)
        except (ValueError, RecursionError):
            continue
        yield value
        at = end - 1


def _parse_row(row: Any) -> Said | None:
    if not isinstance(row, dict) or not isinstance(row.get("text"), str):
        return None
    text = " ".join(row["text"].split())
    evidence = row.get("evidence")
    places = evidence if isinstance(evidence, list) else []
    lines = dict.fromkeys(line for place in places if (line := _line(place)))
    quotes = [place["quote"] for place in places if isinstance(place, dict) and _is_quote(place.get("quote"))]
    kind = row.get("kind")
    return (
        Said(
            kind if kind in KINDS else "finding",
            text,
            tuple(lines)[:_LINES],
            tuple(quotes[:_QUOTES]),
        )
        if text
        else None
    )


def _line(place: Any) -> int:
    """The line that a piece of evidence names: as a number, as `#12`, or beside its quotation; 0 for none."""
    given = place.get("line") if isinstance(place, dict) else place
    found = _NUMBER.search(given) if isinstance(given, str) else None
    if found:
        return int(found[0])
    return given if type(given) is int and 0 < given < 10**9 else 0


def _is_quote(value: Any) -> bool:
    return isinstance(value, str) and 0 < len(value.strip()) <= _QUOTE


def refusal(said: Said) -> str:
    """Why a statement cannot be judged at all; empty where it can."""
    if len(said.text) > LONGEST:
        return f"it has more than {LONGEST} characters: state one thing at a time"
    return "" if said.lines else "it names no line of the session"


def merged(statements: Iterable[Statement]) -> tuple[Statement, ...]:
    """Each thing once, at its first place; of two that say the same, the later stands, as it knows more."""
    found: dict[str, Statement] = {}
    for statement in statements:
        found[re.sub(r"\W+", " ", statement.text).strip().casefold()] = statement
    return tuple(found.values())


def still_holding(
    carried: Sequence[Statement], replaced: Iterable[Replaced], stated: Iterable[Statement]
) -> list[Statement]:
    """The statements of earlier handoffs without those that something new takes the place of: the model names them, and
    a statement that was kept rests on the line it names."""
    new = {place.line for one in stated for place in one.evidence}
    gone = {row.name for row in replaced if row.line in new}
    return [one for n, one in enumerate(carried) if name_of(n) not in gone]


def next_steps(statements: Iterable[Statement], mechanical: Sequence[NextStep]) -> tuple[NextStep, ...]:
    """The model's steps, then those that the evidence gives. What broke off comes first whoever says otherwise."""
    stated = [
        NextStep(text=one.text, basis="model", evidence=one.evidence)
        for one in statements
        if one.kind == "next_step"
    ]
    broken = [step for step in mechanical if step.basis == "in_flight"]
    rest = [step for step in mechanical if step.basis != "in_flight"]
    return (*broken, *stated[:_STEPS], *rest)[: _STEPS + len(broken)]


def statement(said: Said, lines: Iterable[int], seen: bool) -> Statement:
    """What is kept of a statement that the session shows at these lines."""
    places = tuple(Evidence(line) for line in dict.fromkeys(lines))
    return Statement(text=said.text, kind=said.kind, seen=seen, evidence=places)
