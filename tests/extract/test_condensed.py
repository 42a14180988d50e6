"""A session condensed: every kind of entry has its row, nothing secret or unbounded passes."""

from __future__ import annotations

import json
from collections.abc import Iterable

import pytest

from segue.extract import condensed
from segue.extract.condensed import Condenser
from segue.extract.text.abridged import abridged, unwrapped
from segue.model.brief import BriefRow
from segue.model.entry import Entry
from segue.redaction.redact import without_sensitive_files
from segue.redaction.redactor import Redactor

from .story import Story


def rows(entries: Iterable[Entry]) -> list[BriefRow]:
    redactor, condenser = Redactor(), Condenser()
    for _ in condenser.along(without_sensitive_files(entries, redactor)):
        pass
    return list(condenser.close(redactor.redact))


def told(story: Story) -> list[BriefRow]:
    return rows(story.entries)


def test_a_prompt_is_told_whole_with_its_channel_and_turn() -> None:
    story = Story()
    story.prompt("Fix the retry.\n\n  Keep the indent.")
    story.says("On it.")
    story.prompt("and hurry", via="queued")
    first, _, queued = told(story)
    assert (first.who, first.text, first.turn, first.line) == (
        "person",
        "Fix the retry.\n\n  Keep the indent.",
        1,
        2,
    )
    assert (queued.kind, queued.turn) == ("queued", 1)


def test_a_long_prompt_that_comes_again_points_to_the_first() -> None:
    story = Story()
    story.prompt("Do it like this: " + "word " * 60)
    story.prompt("Do it like this: " + "word " * 60)
    first, again = told(story)
    assert len(first.text) > 300
    assert again.text.endswith("(the same as #2)") and len(again.text) < 130


def test_a_huge_paste_is_told_by_both_ends() -> None:
    story = Story()
    story.prompt("begin " + "x y " * 20_000 + " end")
    (row,) = told(story)
    assert row.text.startswith("begin") and row.text.endswith("end") and len(row.text) < 12_100


def test_the_packet_of_an_earlier_handoff_is_not_the_persons_words() -> None:
    story = Story()
    story.prompt('This handoff was drawn from pi session x.\n- "never"\nEnd of handoff: all.\n\nNow go on.')
    carried, prompt = told(story)
    assert carried.who == "harness" and prompt.text == "Now go on."


def test_a_call_is_one_row_with_the_harness_verdict_and_the_lines_that_tell_most() -> None:
    story = Story()
    story.prompt("test it")
    line = story.run(
        "pytest -q", "collected 3 items\nFAILED tests/test_a.py::test_x - assert 1 == 2\n1 failed", 1
    )
    row = told(story)[-1]
    assert (row.who, row.text, row.verdict, row.failed, row.at) == ("call", "pytest -q", "exit 1", True, line)
    assert "FAILED tests/test_a.py::test_x - assert 1 == 2" in row.printed
    assert row.printed[-1] == "1 failed"


def test_a_failure_behind_a_pipe_is_none_the_less_one() -> None:
    story = Story()
    story.prompt("test it")
    story.run("pytest -q | tail -3", "FAILED a.py::test_x\n1 failed, 3 passed in 0.41s")
    story.run("pytest -q | tail -3", "4 passed in 0.38s")
    story.run("make build 2>&1 | head -5", "cc -c a.c")
    assert [(row.failed, row.verdict) for row in told(story)[1:]] == [
        (True, "printed a failure"),
        (False, ""),
        (False, "outcome not recorded"),
    ]


def test_what_only_looks_is_told_by_its_size_and_what_is_short_whole() -> None:
    story = Story()
    story.prompt("look")
    story.run("cat a.py", "\n".join(f"line {n} of a long file" for n in range(60)))
    story.run("git rev-parse HEAD", "3f9c2d1")
    long, short = told(story)[1:]
    assert long.printed == ("(60 lines)",)
    assert short.printed == ("3f9c2d1",)


def test_an_edit_shows_what_it_changes() -> None:
    story = Story()
    story.prompt("raise it")
    story.edit("/home/me/app/a.py", new="def f():\n    TIMEOUT = 60", old="def f():\n    TIMEOUT = 30")
    row = told(story)[-1]
    assert (row.kind, row.to, row.verdict) == ("edit", "- TIMEOUT = 30 + TIMEOUT = 60", "")


def test_a_call_without_a_result_says_so() -> None:
    story = Story()
    story.prompt("go")
    story.call("Bash", "shell", command="sleep 600")
    assert told(story)[-1].verdict == "no result seen"


def test_the_fields_of_a_result_in_json_are_lines() -> None:
    story = Story()
    story.prompt("measure")
    result = {"p95_ms": 412, "cost": {"usd": 1.25}, "note": "warm cache\nsecond run", "empty": None}
    story.run("bench --json", json.dumps(result))
    assert told(story)[-1].printed == ("p95_ms: 412", "cost.usd: 1.25", "note: warm cache", "second run")
    assert unwrapped('{"a":"x","b":"y","c":[{"d":1},{"d').split("\n")[:2] == ['{"a":"x"', '"b":"y"']


def test_a_sub_agents_report_and_its_figures_are_kept() -> None:
    story = Story()
    story.prompt("look around")
    name = story.call("Task", "task", text="Explore")
    story.add("subagent_start", "Find the retry loop.", call_id=name)
    report = "I looked.\n\nThe loop retries 7 times.\n\nNothing else."
    story.add("tool_result", report, call_id=name, is_error=False)
    story.add("subagent_end", by="subagent", call_id=name, data={"tokens": 57239, "calls": 21})
    row = told(story)[-1]
    assert row.to == "Find the retry loop."
    assert row.verdict == "tokens 57,239, calls 21"
    assert "The loop retries 7 times." in row.printed


def test_the_report_of_one_in_the_background_comes_with_its_notice_once() -> None:
    story = Story()
    story.prompt("look around")
    notice = "<task-notification><result>It has 12 callers.</result></task-notification>"
    story.add("user", notice, by="harness", via="notification")
    story.add("subagent_end", "It has 12 callers.", by="subagent", agent_id="a1")
    assert [(row.who, row.text) for row in told(story)[1:]] == [("subagent", "It has 12 callers.")]


def test_questions_answers_and_rejections_say_what_they_are_about() -> None:
    story = Story()
    story.prompt("go")
    story.asks("Which port?")
    story.answers("8081")
    name = story.call("Bash", "shell", command="rm -rf build")
    story.rejects(name, "not that")
    question, answer, call, rejection = told(story)[1:]
    assert (question.kind, answer.kind, answer.to) == ("question", "answer", "Which port?")
    assert call.verdict == "rejected by the person"
    assert (rejection.kind, rejection.to, rejection.text) == ("rejection", "rm -rf build", "not that")


def test_what_a_harness_adds_is_kept_but_for_what_serves_itself() -> None:
    story = Story()
    story.prompt("go")
    story.add("user", "a.py: error: name x is undefined", by="harness", via="output")
    story.add("user", "remember the tools", by="harness", via="reminder")
    story.add("user", "# Rules\n- Never push.", by="harness", via="instructions")
    story.add("user", "# Rules\n- Never push.", by="harness", via="instructions")
    story.add("other", "https://example.org/pull/7", by="harness", data={"type": "pr-link"})
    assert [(row.kind, row.text) for row in told(story)[1:]] == [
        ("output", "a.py: error: name x is undefined"),
        ("instructions", "# Rules\n- Never push."),
        ("pr-link", "https://example.org/pull/7"),
    ]


def test_boundaries_summaries_plans_and_to_dos_have_rows() -> None:
    story = Story()
    story.prompt("go")
    kept = story.says("Before.")
    story.todos(("write", "pending"), ("test", "pending"))
    story.todos(("write", "completed"), ("test", "pending"))
    story.add("plan", "1. write\n2. test", data={"outcome": "approved"})
    story.add("compaction", by="harness", data={"tokens_before": 170251, "kept_from": f"e{kept}"})
    story.add("summary", "We wrote it.", by="harness", via="summary")
    story.add("model_change", model="other-model")
    story.add("interruption", by="person")
    _, _, todos, done, plan, compacted, summary, model, stopped = told(story)
    assert todos.text == "[pending] write\n[pending] test" and done.text == "[completed] write"
    assert plan.kind == "plan approved"
    assert (compacted.text, compacted.at) == ("the context was compacted (tokens before 170,251)", kept)
    assert (summary.who, model.text, stopped.text) == (
        "summary",
        "the model is now other-model",
        "interrupted by the person",
    )


def test_a_document_that_the_person_speaks_of_is_quoted() -> None:
    story = Story()
    story.prompt("Follow docs/RULES.md")
    name = story.call("Read", "read", paths=("/home/me/app/docs/RULES.md",))
    story.add("tool_result", "     1→# Rules\n     2→- Never touch main.", call_id=name, is_error=False)
    name = story.call("Read", "read", paths=("/home/me/app/OTHER.md",))
    story.add("tool_result", "words", call_id=name, is_error=False)
    spoken_of, other = told(story)[1:]
    assert spoken_of.printed == ("# Rules", "- Never touch main.")
    assert other.printed == ()


def test_the_last_message_of_a_turn_is_its_report() -> None:
    story = Story()
    story.prompt("go")
    story.says("First.")
    story.says("Done: 3 files.")
    story.prompt("more")
    assert [(row.kind, row.closing) for row in told(story) if row.who == "agent"] == [
        ("midway", False),
        ("", True),
    ]


def test_a_key_on_several_lines_is_gone_whichever_line_would_be_chosen() -> None:
    body = "\n".join(f"MIIEpAIBAAKCAQEAxQ7dQ9y7Vv3kq2r8G1h5J6k7L8m9N0pQrStUvWxYz{n}012345" for n in range(4))
    key = f"-----BEGIN RSA {'PRIVATE'} KEY-----\n{body}\n-----END RSA {'PRIVATE'} KEY-----"
    story = Story()
    story.prompt("go")
    story.run("make keys", f"error: cannot read\n{key}", 1)
    story.run("show", key)
    assert "MIIEpAIB" not in repr(told(story))


def test_a_secret_that_is_told_late_is_gone_from_what_came_before() -> None:
    story = Story()
    story.prompt("use tok-5f1c9a7be2d84c06 for it")
    story.run("echo tok-5f1c9a7be2d84c06", "tok-5f1c9a7be2d84c06")
    story.run("cat .env", "API_TOKEN=tok-5f1c9a7be2d84c06\n")
    assert "5f1c9a7be2d84c06" not in repr(told(story))


def test_a_very_long_session_is_held_within_bounds_and_says_what_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(condensed, "_HELD", 30_000)
    story = Story()
    for n in range(60):
        story.prompt(f"prompt {n}")
        story.says(f"answer {n} " + "word " * 200)
    found = told(story)
    assert sum(len(row.text) for row in found) < 40_000
    assert [row.text for row in found if row.who == "person"] == [f"prompt {n}" for n in range(60)]
    assert next(row for row in found if row.kind == "left out").text.endswith(
        "rows of this very long session are not held"
    )
    assert found[-1].text.startswith("answer 59")


@pytest.mark.parametrize("room", [120, 400, 900])
def test_a_long_message_keeps_its_ends_and_its_figures(room: int) -> None:
    middle = [
        f"Paragraph {'abcdefghij'[n]} says little, in many words, of what was thought." for n in range(10)
    ]
    middle[6] = "- p95 fell from 412 ms to 97 ms"
    text = "\n\n".join(["What was asked is done.", *middle, "Next: push it."])
    short = abridged(text, room)
    assert len(short) <= room + 20
    assert short.startswith("What was asked is done.") and short.endswith("Next: push it.")
    assert "- p95 fell from 412 ms to 97 ms" in short
    assert abridged(text, 10_000) == text


def test_a_long_fence_loses_its_middle() -> None:
    code = "\n".join(f"row {n}" for n in range(40))
    assert abridged(f"Look:\n```py\n{code}\n```\nThat is it.", 500) == (
        "Look:\nrow 0\nrow 1\nrow 2\nrow 3\n…\nrow 38\nrow 39\nThat is it."
    )
