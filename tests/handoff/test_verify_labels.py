"""Verify against the transcript: what stands before a quoted sentence is the handoff's word, not the agent's."""

from __future__ import annotations

from typing import Any

from segue.extract import facts, index
from segue.handoff.packet import compose, render
from segue.handoff.parse import parse
from segue.handoff.verify.transcript import against_transcript, witness
from segue.model.entry import Entry


def entry(line: int, kind: Any, text: str = "", **fields: Any) -> Entry:
    return Entry(kind=kind, file="s.jsonl", line=line, text=text, **fields)


SESSION = [
    entry(1, "meta", by="harness", data={"id": "s-1"}),
    entry(2, "user", "Make the solver faster.", by="person", via="prompt"),
    entry(3, "agent", "Decision: compile for armv8-a53 with link time optimisation."),
    entry(4, "agent", "Verification is blocked by the old compiler: this shell has 1.7 and it needs 1.9."),
    entry(5, "tool_call", call_id="c", tool="Bash", tool_kind="shell", command="pytest -q"),
    entry(6, "tool_result", "3 passed in 0.1s", call_id="c", exit_code=0, is_error=False),
    entry(7, "user", "The lab has older boards too. So armv7-a53.", by="person", via="prompt"),
    entry(8, "agent", "Changing to armv7-a53."),
]


def test_a_changed_decision_and_a_mended_finding_hold() -> None:
    read = index.build(SESSION, "generic", "s.jsonl", str)
    text = render(compose(facts.select(read, "", budget=8000)[0], 8000, lambda text: len(text) // 4)[0])
    assert "changed by the person since: Decision: compile for armv8-a53" in text
    assert "mended since: Verification is blocked" in text
    parsed = parse(text)
    watch = witness(parsed)
    seen = watch.saw(index.build(watch.along(SESSION), "generic", "s.jsonl", str))
    assert [found.message for found in against_transcript(parsed, seen) if found.state == "drifted"] == []
