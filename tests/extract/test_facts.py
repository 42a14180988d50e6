"""Facts for a goal: coverage first, quotas per class, steps from evidence."""

from __future__ import annotations

from typing import Any

import pytest

from segue.extract.facts import select
from segue.model.facts import Facts

from .story import Story


def chosen(story: Story, goal: str = "", budget: int = 2000, **options: Any) -> Facts:
    return select(story.index, goal, budget=budget, **options)[0]


def test_marker_words_in_every_turn_cannot_flood_the_rest(story: Story) -> None:
    story.prompt("Never touch the migrations.")
    for n in range(400):
        story.prompt(f"you must also look at item number {n} and never skip part {n * 7}")
        story.says("ok")
    story.edit("src/a.py", new="def next_delay(): ...")
    story.run("pytest", "FAILED tests/test_a.py - boom\n1 failed in 1s", 1)
    facts = chosen(story)
    assert len(facts.words) == 80
    assert [f.path for f in facts.files] == ["src/a.py"]
    assert [c.state for c in facts.commands] == ["open"]
    assert sum(d.what == "word of the person" and d.why == "quota" for d in facts.dropped) == 321


def test_the_next_steps_follow_from_what_was_seen(story: Story) -> None:
    story.prompt("wire the policy in")
    story.todos(("Describe retries", "pending"), ("Wire it", "in_progress"), ("Plan", "completed"))
    story.run("pytest", "FAILED tests/test_a.py::test_b - boom\n1 failed in 1s", 1)
    story.edit("src/client.py", new="def post_once(): ...")
    story.call("Bash", "shell", command="make deploy")
    steps = [(s.basis, s.text) for s in chosen(story, budget=4000).next_steps]
    assert steps[:4] == [
        ("in flight", "Find out how far `make deploy` got: it was started and its result never seen."),
        (
            "failure",
            "Run `pytest` again: it failed before the last edits — FAILED tests/test_a.py::test_b - boom",
        ),
        ("todo", "Do: Describe retries"),
        ("todo", "Finish: Wire it"),
    ]


def test_a_todo_list_nobody_kept_any_more_gives_no_steps(story: Story) -> None:
    story.prompt("one")
    story.todos(("Old thing", "pending"))
    for text in ("two", "three", "four"):
        story.prompt(text)
        story.says("ok")
    facts = chosen(story)
    assert [t.stale for t in facts.todos] == [True]
    assert not [s for s in facts.next_steps if s.basis == "todo"]


def test_a_question_nobody_answered_is_a_step_and_an_answered_one_is_not(story: Story) -> None:
    story.prompt("go")
    story.add("question", "Which queue?")
    assert [q.text for q in chosen(story).questions] == ["Which queue?"]
    story.prompt("redis")
    assert chosen(story).questions == ()


def test_files_that_were_asked_for_are_there(story: Story) -> None:
    story.prompt("go")
    for n in range(300):
        story.read(f"src/f{n}.py")
    facts = chosen(story, budget=300, include_files=("src/f0.py", "docs/new.md"))
    assert {"src/f0.py", "docs/new.md"} <= {f.path for f in facts.files}


def test_without_a_goal_the_last_prompt_is_what_counts(story: Story) -> None:
    story.prompt("look at src/alpha.py and src/omega.py")
    story.read("src/omega.py")
    story.read("src/alpha.py")
    story.prompt("continue with the omega part")
    best = max(chosen(story).files, key=lambda f: f.score)
    assert best.path == "src/omega.py"


def test_one_begins_with_what_was_edited_last_and_is_still_there(story: Story) -> None:
    story.prompt("go")
    for name in ("a.py", "b.py", "c.py"):
        story.edit(f"/home/me/app/{name}")
    story.edit("/home/me/app/gone.py", action="deleted")
    story.read("/home/me/app/a.py")
    facts, _ = select(story.index, "", budget=4000)
    (step,) = [s.text for s in facts.next_steps if s.basis == "recent"]
    assert step == "Begin with what was edited last: c.py, b.py."


@pytest.mark.parametrize(
    "aside",
    [
        "/tmp/reply.md",
        "/private/tmp/x/run.sh",
        "~/.claude/plans/quiet-river.md",
        "/home/me/.config/tool.toml",
    ],
)
def test_one_does_not_begin_with_a_scratch_file_or_a_setting_outside_the_project(
    story: Story, aside: str
) -> None:
    story.prompt("go")
    story.edit("src/app.py")
    story.edit(aside)
    story.says("Done.")
    facts, _ = select(story.index, "", budget=2000)
    assert [s.text for s in facts.next_steps if s.basis == "recent"] == [
        "Begin with what was edited last: src/app.py."
    ]


def test_one_begins_with_what_was_edited_last_in_whichever_repository_it_is(story: Story) -> None:
    story.prompt("go")
    story.edit("src/app.py")
    story.edit("/home/me/lib/core.py")
    story.says("Done.")
    facts, _ = select(story.index, "", budget=2000)
    assert [s.text for s in facts.next_steps if s.basis == "recent"] == [
        "Begin with what was edited last: /home/me/lib/core.py, src/app.py."
    ]


def test_a_proposal_of_long_ago_is_no_step(story: Story) -> None:
    story.prompt("go")
    story.says("Next step: the cache still needs to be cleared on every node.")
    assert [s.basis for s in chosen(story).next_steps] == ["said"]
    for number in range(12):
        story.prompt(f"what about number {number}")
        story.says("That is fine.")
    assert [s.text for s in chosen(story).next_steps] == [
        'Ask what comes next: "what about number 11" was answered.'
    ]


def test_that_a_tool_is_missing_is_told_before_other_failures_of_the_past(story: Story) -> None:
    story.prompt("go")
    story.run("python tools/gen.py", "bash: python: command not found", 127)
    story.run("python3 tools/gen.py", "done")
    for number in range(9):
        story.run(f"make part{number}", "error: it is broken", 2)
        story.run(f"make part{number}", "done")
    facts, _ = select(story.index, "", budget=2000)
    resolved = [c for c in facts.commands if c.state == "resolved"]
    assert max(resolved, key=lambda c: c.score).key == "python tools/gen.py"


@pytest.mark.parametrize(
    ("command", "state"),
    [
        ("pytest tests/test_parser.py -q", "open"),
        ("cargo clippy", "open"),
        ("git push origin main", "open"),
        ("ab -n 10 localhost:8080/", "resolved"),
    ],
)
def test_what_a_check_found_is_open_however_long_ago(story: Story, command: str, state: str) -> None:
    story.prompt("go")
    story.run(command, "error: it is broken", 1)
    for number in range(110):
        story.run(f"node tools/draw{number}.js", "drawn")
    facts, _ = select(story.index, "", budget=20_000)
    assert [run.state for run in facts.commands if run.failures] == [state]


def test_every_open_failure_competes_for_a_packet_that_has_room_for_it(story: Story) -> None:
    story.prompt("go")
    for number in range(40):
        story.run(f"pytest tests/test_{number}.py", "1 failed", 1)
    facts, _ = select(story.index, "", budget=4000)
    assert sum(run.state == "open" for run in facts.commands) == 40
    assert "failure" not in {drop.what for drop in facts.dropped}


def test_what_was_proposed_before_a_commit_is_no_step(story: Story) -> None:
    story.prompt("Speed it up.")
    story.says("Next steps: add a cache in front of the parser.")
    assert [s.basis for s in chosen(story).next_steps if "cache" in s.text] == ["said"]
    story.prompt("yes")
    story.run("git commit -am cache", "[main 1a2b3c4] Add a cache\n 1 file changed\n")
    story.says("Done.")
    assert [s for s in chosen(story).next_steps if "cache in front" in s.text] == []


def test_what_failed_long_before_work_was_handed_in_is_told_but_is_no_step(story: Story) -> None:
    story.prompt("Try the generator.")
    story.run("make sample", "make: *** [sample] Error 2", 2)
    assert [s.basis for s in chosen(story).next_steps if "make sample" in s.text] == ["failure"]
    story.prompt("Leave it.")
    story.run("git commit -am more", "[main 1a2b3c4] More\n 1 file changed\n")
    for word in ("And the docs?", "And the readme?", "And the changelog?"):
        story.prompt(word)
        story.says("Yes.")
    facts = chosen(story)
    assert [s for s in facts.next_steps if "make sample" in s.text] == []
    assert [c.state for c in facts.commands if c.key == "make sample"] == ["open"]


def test_decisions_of_the_last_turns_come_before_those_of_the_goal(story: Story) -> None:
    story.prompt("Write the importer.")
    for part in ("reader", "writer", "cache", "index"):
        story.says(
            f"I decided to keep the importer's {part} in memory because files are slow for the {part}."
        )
    story.prompt("Now the exporter.")
    story.says("I'll use one thread instead of a pool.")
    story.prompt("Go on.")
    facts, _ = select(story.index, "finish the importer", budget=500)
    best = max(facts.decisions, key=lambda d: d.score)
    assert best.text == "I'll use one thread instead of a pool."
