"""The handoff block of a change record: the same facts, in the six fields a record keeps.

Fields and states are exactly those of the record's schema. The summary is written from claims, files
and commands, in the past tense and in at most three sentences; nothing in it is taken on trust from
what an agent said about itself.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from segue.handoff.items import pointer, unit
from segue.handoff.quote import code, inline, quoted
from segue.handoff.said import replaced, replaces
from segue.handoff.stamp import stamp
from segue.model.claim import PROVEN
from segue.model.facts import CommandFact, Facts, FileFact, Item
from segue.model.visible import visible

UNSTATED = "The session does not say why."

_STEPS, _CONTEXT, _FILES, _DECISIONS = 10, 30, 60, 30
_SHOWN = 4
_TEXT = 300
_ENDED = {
    "mid_turn": "The session stopped in the middle of a turn",
    "interrupted": "The session was interrupted",
}


def handoff_block(
    facts: Facts, times: Mapping[int, int] | None = None, now_ms: int | None = None
) -> dict[str, Any]:
    """The block. `times` maps lines of the session to milliseconds, for the decisions' timestamps; where a
    line is not in it the end of the session stands in, and at last `now_ms`."""
    return {
        "progress_summary": _summary(facts),
        "next_steps": _next_steps(facts),
        "blockers": _blockers(facts),
        "key_context": _context(facts)[:_CONTEXT],
        "files_in_progress": [
            {"path": visible(file.path), "state": file.work_state, "notes": inline(file.why, _TEXT) or None}
            for file in facts.files
            if file.work_state and file.action not in ("deleted", "reverted", "stashed")
        ][:_FILES],
        "decisions_made": [
            {
                "decision": inline(decision.text, _TEXT),
                "rationale": inline(decision.why, _TEXT) or UNSTATED,
                "timestamp": stamp(_time(decision, facts, times or {}, now_ms)),
            }
            for decision in facts.decisions
            if decision.state == "standing"
        ][:_DECISIONS],
    }


def render_block(block: Mapping[str, Any]) -> str:
    """The block as JSON text, in the order of its fields."""
    return json.dumps(block, ensure_ascii=False, indent=2) + "\n"


def _summary(facts: Facts) -> str:
    sentences = [_changed(facts), _shown(facts), _stopped(facts)]
    return " ".join(f"{sentence}." for sentence in sentences if sentence)


def _changed(facts: Facts) -> str:
    did = [
        f"{verb} {_list([code(f.path) for f in files])}"
        for action, verb in (
            ("created", "created"),
            ("modified", "modified"),
            ("renamed", "renamed"),
            ("deleted", "deleted"),
        )
        if (files := _with(facts, action))
    ]
    if not did:
        return f"Read {len(facts.read_files)} files and changed none" if facts.files else "Changed no file"
    sentence = "; ".join(did)
    return sentence[0].upper() + sentence[1:]


def _with(facts: Facts, action: str) -> list[FileFact]:
    return [file for file in facts.files if file.action == action]


def _shown(facts: Facts) -> str:
    proven = [inline(claim.text, _TEXT).rstrip(".") for claim in facts.claims if claim.state in PROVEN]
    return (
        f"Tool results showed: {'; '.join(proven[-_SHOWN:])}"
        if proven
        else "No tool result showed anything built, tested or pushed"
    )


def _stopped(facts: Facts) -> str:
    failing = [command for command in facts.commands if command.state == "open"]
    if failing:
        return f"The last run of {_list([code(c.command) for c in failing])} failed{_reason(failing[-1])}"
    return _ENDED.get(facts.source.ended, "")


def _reason(command: CommandFact) -> str:
    lines = command.last_bad.error_lines if command.last_bad else ()
    return f": {inline(lines[0], _TEXT).rstrip('.')}" if lines else ""


def _next_steps(facts: Facts) -> list[str]:
    if not facts.next_steps and facts.goal.strip():
        return [f"Begin with the goal of the handoff: {quoted(facts.goal, _TEXT)}"]
    return [inline(step.text, _TEXT) for step in facts.next_steps[:_STEPS]]


def _blockers(facts: Facts) -> list[str]:
    blocked = [f"{inline(note.text, _TEXT)}{pointer(note)}" for note in facts.notes if note.kind == "blocked"]
    blocked += [
        f"{inline(claim.text, _TEXT)}{pointer(claim)}" for claim in facts.claims if claim.state == "blocked"
    ]
    asked = [
        f"Waiting for the person's answer to {quoted(q.text, _TEXT)}{pointer(q)}" for q in facts.questions
    ]
    return blocked + asked


def _context(facts: Facts) -> list[str]:
    words = [w for w in facts.words if w.superseded_by is None]
    before = replaced(facts.words, words)
    rows = [
        f"The person said ({word.kind}): {quoted(word.text)}{pointer(word)}{replaces(word, before.get(i, []))}"
        for i, word in enumerate(words)
    ]
    for dead in facts.dead_ends:
        because = f"; {inline(dead.why, _TEXT)}" if dead.why and dead.why not in dead.tried else ""
        rows.append(f"Do not redo: {inline(dead.tried, _TEXT)}{because}{pointer(dead)}")
    rows += [
        f"{n.kind.capitalize()}: {inline(n.text, _TEXT)}{pointer(n)}"
        for n in facts.notes
        if n.kind != "blocked"
    ]
    source = facts.source
    rows.append(
        f"Pointers like [#12] name {unit(source)}s of the {inline(source.agent)} session {code(source.session_id or source.path)}"
    )
    return rows


def _list(names: list[str]) -> str:
    shown = ", ".join(names[:_SHOWN])
    return f"{shown} and {len(names) - _SHOWN} more" if len(names) > _SHOWN else shown


def _time(item: Item, facts: Facts, times: Mapping[int, int], now_ms: int | None) -> int | None:
    known = (times[place.line] for place in item.evidence if place.line in times)
    ends = (facts.source.ended_ms, facts.source.started_ms, now_ms)
    return next(known, next((ms for ms in ends if ms is not None), None))
