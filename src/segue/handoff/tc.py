"""The handoff block of a change record: the same facts, in the six fields a record keeps.

Fields and states are exactly those of the record's schema. The summary is written from files, git and the harness's
verdicts on commands, in the past tense and in at most three sentences; what an agent said of itself is quoted as that.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from segue.handoff.items import pointer, unit
from segue.handoff.pieces import asked
from segue.handoff.quote import code, cut, inline, quoted
from segue.handoff.reported import Reported, Sentence, reported
from segue.handoff.stamp import stamp
from segue.model.facts import PROVEN, CommandFact, Facts, Item, Prompt
from segue.model.visible import visible

UNSTATED = "The session does not say why."

_STEPS, _PROMPTS, _SENTENCES, _FILES, _DECISIONS = 10, 24, 12, 60, 30
_SHOWN = 4
_TEXT, _PROMPT, _COMMAND = 300, 600, 120
_CHANGES = ("created", "modified", "renamed", "deleted")
_ENDED = {
    "mid_turn": "the session stopped in the middle of a turn",
    "interrupted": "the session was interrupted",
}


def handoff_block(
    facts: Facts, times: Mapping[int, int] | None = None, now_ms: int | None = None
) -> dict[str, Any]:
    """The block. `times` maps lines of the session to milliseconds, for the decisions' timestamps; where a
    line is not in it the end of the session stands in, and at last `now_ms`."""
    said, named = reported(facts), facts.source.from_root
    return {
        "progress_summary": _summary(facts),
        "next_steps": _next_steps(facts),
        "blockers": [
            f"Waiting for an answer to {quoted(q.text, _TEXT)}{pointer(q)}" for q in facts.questions
        ],
        "key_context": _context(facts, said),
        "files_in_progress": [
            {"path": visible(named(f.path)), "state": f.work_state, "notes": inline(f.why, _TEXT) or None}
            for f in facts.files
            if f.work_state and f.action not in ("deleted", "reverted", "stashed")
        ][:_FILES],
        "decisions_made": [
            {
                "decision": inline(one.text, _TEXT),
                "rationale": inline(one.cause, _TEXT) or UNSTATED,
                "timestamp": stamp(_time(one.report, facts, times or {}, now_ms)),
            }
            for one in said.decisions[-_DECISIONS:]
        ],
    }


def render_block(block: Mapping[str, Any]) -> str:
    """The block, or facts, as JSON text, in the order of their fields."""
    return json.dumps(block, ensure_ascii=False, indent=2) + "\n"


def _summary(facts: Facts) -> str:
    sentences = [_changed(facts), _git_proof(facts), _ran(facts)]
    return " ".join(f"{sentence[0].upper()}{sentence[1:]}." for sentence in sentences if sentence)


def _changed(facts: Facts) -> str:
    named = facts.source.from_root
    paths = {action: [code(named(f.path)) for f in facts.files if f.action == action] for action in _CHANGES}
    did = [f"{action} {_list(names)}" for action, names in paths.items() if names]
    if did:
        return "; ".join(did)
    read = len(facts.read_files)
    return f"Read {read} file{'s' * (read != 1)} and changed none" if read else "Changed no file"


def _git_proof(facts: Facts) -> str:
    proven = [inline(claim.text, _TEXT).rstrip(".") for claim in facts.claims if claim.state in PROVEN]
    return f"Git showed: {'; '.join(proven[-_SHOWN:])}" if proven else "No commit or push was seen"


def _ran(facts: Facts) -> str:
    """What fails, else the check that went well last; and that the session did not come to its end."""
    failing = [c for c in facts.commands if c.open]
    passed = [c for c in facts.commands if c.state == "ok" and c.check][-1:]
    said = []
    if failing:
        said.append(
            f"The last run of {_list([code(cut(c.command, _COMMAND)) for c in failing])} failed{_printed(failing[-1])}"
        )
    elif passed:
        said.append(
            f"The last run of {code(cut(passed[0].command, _COMMAND))} went well{_printed(passed[0])}"
        )
    return "; ".join([*said, *filter(None, [_ENDED.get(facts.source.ended)])])


def _printed(command: CommandFact) -> str:
    """The first complaint of a failing run, the last line of one that went well."""
    run = command.failed if command.state == "failing" else command.last
    lines = run.printed if run else ()
    line = lines[:1] if command.state == "failing" else lines[-1:]
    return f": {inline(line[0], _TEXT).rstrip('.…')}" if line else ""


def _next_steps(facts: Facts) -> list[str]:
    if not facts.next_steps and facts.goal.strip():
        return [f"Begin with the goal of the handoff: {quoted(facts.goal, _TEXT)}"]
    return [inline(step.text, _TEXT) for step in facts.next_steps[:_STEPS]]


def _context(facts: Facts, said: Reported) -> list[str]:
    """What the person said, what failed and why: the best of each, in their order; and what the pointers mean."""
    source = facts.source
    name = code(source.session_id or source.path)
    return [
        *(f"The person: {_asked(prompt)}" for prompt in _best(facts.prompts, _PROMPTS)),
        *(f"The agent reported: {_quoted(one)}" for one in said.learned[-_SENTENCES:]),
        f"Pointers like [#12] name {unit(source)}s of the {inline(source.agent)} session {name}",
    ]


def _asked(prompt: Prompt) -> str:
    text = prompt.text if len(prompt.text) <= _PROMPT else prompt.short or prompt.text
    return asked(prompt, inline(text, _PROMPT)).removeprefix("- ")


def _quoted(one: Sentence) -> str:
    return f"{quoted(one.text, _TEXT)}{pointer(one.report)}"


def _best(prompts: Sequence[Prompt], most: int) -> list[Prompt]:
    """Those that weigh most, rules of the person before all others, in the order in which they were said."""
    ranked = sorted(prompts, key=lambda p: (p.role != "rule", -p.score))[:most]
    return [prompt for prompt in prompts if prompt in ranked]


def _list(names: list[str]) -> str:
    shown = ", ".join(names[:_SHOWN])
    return f"{shown} and {len(names) - _SHOWN} more" if len(names) > _SHOWN else shown


def _time(item: Item, facts: Facts, times: Mapping[int, int], now_ms: int | None) -> int | None:
    known = (times[place.line] for place in item.evidence if place.line in times)
    ends = (facts.source.ended_ms, facts.source.started_ms, now_ms)
    return next(known, next((ms for ms in ends if ms is not None), None))
