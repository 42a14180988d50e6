"""Verify and jobs in the background: what tells of a job's end shows how its command went."""

from __future__ import annotations

from typing import Any

import pytest

from segue.extract import facts, index
from segue.handoff.packet import compose, render
from segue.handoff.parse import parse
from segue.handoff.verify.transcript import against_transcript, witness
from segue.model.entry import Entry


def _entry(line: int, kind: Any, text: str = "", **fields: Any) -> Entry:
    return Entry(kind=kind, file="s.jsonl", line=line, text=text, **fields)


BEGUN = [
    _entry(1, "meta", by="harness", data={"id": "s-1"}),
    _entry(2, "user", "Run the tests.", by="person", via="prompt"),
    _entry(3, "tool_call", call_id="c1", tool="Bash", tool_kind="shell", command="pytest tests"),
    _entry(4, "tool_result", "in background", call_id="c1", background=True, data={"task": "b7"}),
]
PRINTED = "<status>completed</status>\n<exit_code>0</exit_code>\n<output>\n3 passed in 0.1s\n</output>"
SHOWN = [
    _entry(5, "tool_call", '{"task_id":"b7"}', call_id="c2", tool="TaskOutput"),
    _entry(6, "tool_result", PRINTED, call_id="c2", exit_code=0, is_error=False),
]
NOTICED = [
    _entry(
        5,
        "user",
        "it ended",
        by="harness",
        via="notification",
        exit_code=0,
        data={"task": "b7", "status": "completed"},
    )
]


@pytest.mark.parametrize("end", [SHOWN, NOTICED], ids=["output", "notice"])
def test_a_run_that_ended_in_the_background_holds(end: list[Entry]) -> None:
    session = [*BEGUN, *end, _entry(7, "agent", "There.")]
    built = index.build(session, "generic", "s.jsonl", lambda text: text)
    chosen, _ = facts.select(built, "", budget=40_000)
    text = render(compose(chosen, 40_000, len)[0])
    assert "- tested: `pytest tests` passed" in text
    handoff = parse(text)
    seen = witness(handoff)
    found = against_transcript(
        handoff, seen.saw(index.build(seen.along(session), "generic", "s.jsonl", lambda text: text))
    )
    assert [finding.message for finding in found if finding.state == "drifted"] == []
