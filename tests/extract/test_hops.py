"""A session that began with a packet hands on what that packet said and nobody has settled since."""

from __future__ import annotations

import pytest

from segue.service.handoffs.walk import Draft, Source, draft

from .story import Story

ASK = "Rewrite the uploader so that a broken connection resumes where it stopped."
FAILED = "E   AssertionError: offset 0, expected 512"
TODO = "document the resume header for operators"
EDITED = "src/uploader/resume.py"


def hand_off(story: Story, goal: str = "go on with the uploader", budget: int = 3000) -> Draft:
    return draft(Source("pi", "s", story.entries), goal, budget=budget)


@pytest.fixture
def first() -> Draft:
    """A session that left a failing test, a to-do, a file in mid-edit and a proposal behind."""
    story = Story("first")
    story.prompt(ASK)
    story.todos(
        (TODO, "pending"), ("write the resume loop", "in_progress"), ("read the old code", "completed")
    )
    story.edit(EDITED, "def resume_from(offset):\n    return send_chunks(offset)\n")
    story.edit("src/uploader/limits.py", "MAX_CHUNK_SIZE = 512\n")
    story.run("pytest tests/test_resume.py", f"{FAILED}\n1 failed in 0.1s", 1)
    story.run("npm run lint", "src/a.ts:1:1: error unused variable\n1 problem (1 error)", 1)
    story.says("Next steps: the chunk checksums still need to be verified on the server side.")
    return hand_off(story)


def second(first: Draft) -> Story:
    story = Story("second")
    story.prompt(first.text)
    return story


def rows(text: str, label: str) -> list[str]:
    """The rows below a label that begins like this."""
    lines = text.split("\n")
    begin = next(n for n, line in enumerate(lines) if line.startswith(f"**{label}"))
    end = next(n for n in range(begin + 1, len(lines)) if lines[n].startswith(("**", "## ", "<")))
    return [line for line in lines[begin + 1 : end] if line]


def test_what_nobody_settled_is_in_the_third_packet_once_and_marked(first: Draft) -> None:
    story = second(first)
    story.run("ls src", "uploader")
    story.says("I looked around.")
    middle = hand_off(story, "see what is left")
    story = Story("third")
    story.prompt(middle.text)
    story.read("README.md")
    story.says("Read the manual.")
    last = hand_off(story, "finish it")

    asked = rows(last.text, "Asked for")
    assert [row for row in asked if ASK in row] == [f'- first: "{ASK}" [#2 of first]']
    failing = rows(last.text, "Failing in an earlier session")
    assert failing.count("- `pytest tests/test_resume.py` exit 1 [#9 of first]") == 1
    assert sum(FAILED.removeprefix("E   ") in row for row in failing) == 1
    assert "**Failing now**" not in last.text
    todos = rows(last.text, "To-do list")
    assert todos == [f"- [ ] {TODO} [#3 of first]", "- [~] write the resume loop"]
    files = [f for f in last.facts.files if f.path == EDITED]
    assert [(f.action, f.work_state, f.origin, f.evidence[0].line) for f in files] == [
        ("modified", "partially_done", "first", 4)
    ]
    assert "resume_from" in files[0].symbols
    assert last.text.count("- resume.py (modified, partially done)") == 1
    steps = rows(last.text, "Next steps")
    assert sum("chunk checksums" in row and "of first]" in row for row in steps) == 1
    assert sum("pytest tests/test_resume.py" in row for row in steps) == 1


def test_what_the_next_session_settled_is_gone(first: Draft) -> None:
    story = second(first)
    story.todos((TODO, "completed"), ("write the resume loop", "completed"))
    story.edit(EDITED, "def resume_from(offset):\n    return send_chunks(offset + 1)\n")
    story.run("pytest tests/test_resume.py", "3 passed in 0.1s")
    story.says("Done.")
    middle = hand_off(story)
    states = {(c.key, c.state, c.origin) for c in middle.facts.commands}
    assert states == {
        ("pytest tests/test_resume.py", "resolved", "first"),
        ("pytest tests/test_resume.py", "ok", ""),
        ("npm run lint", "open", "first"),
    }
    assert [(t.text, t.state, t.origin) for t in middle.facts.todos] == [
        (TODO, "completed", ""),
        ("write the resume loop", "completed", ""),
    ]
    edited = {f.path: (f.work_state, f.origin) for f in middle.facts.files}
    assert edited[EDITED] == ("ready", "")
    assert edited["src/uploader/limits.py"] == ("partially_done", "first")
    story = Story("third")
    story.prompt(middle.text)
    story.says("Fine.")
    last = hand_off(story)
    assert TODO not in last.text
    assert "pytest tests/test_resume.py` exit" not in last.text


def test_a_failure_that_fails_again_is_told_as_it_is_now(first: Draft) -> None:
    story = second(first)
    line = story.run("pytest tests/test_resume.py", "E   KeyError: 'offset'\n1 failed in 0.1s", 1)
    story.says("Still red.")
    runs = [c for c in hand_off(story).facts.commands if c.key == "pytest tests/test_resume.py"]
    assert [(c.origin, c.last_bad and c.last_bad.evidence.line) for c in runs] == [("", line)]


def test_a_file_thrown_back_by_git_is_no_longer_being_edited(first: Draft) -> None:
    story = second(first)
    story.run(f"git checkout -- {EDITED}")
    story.says("Reverted.")
    states = {f.path: (f.action, f.work_state) for f in hand_off(story).facts.files}
    assert states[EDITED] == ("reverted", None)


def test_a_file_that_was_only_read_since_keeps_its_state(first: Draft) -> None:
    story = second(first)
    story.read(EDITED)
    story.says("I see.")
    files = [f for f in hand_off(story).facts.files if f.path == EDITED]
    assert [(f.action, f.work_state, f.origin, f.reads) for f in files] == [
        ("modified", "partially_done", "first", 1)
    ]


def test_a_to_do_that_a_commit_names_is_done(first: Draft) -> None:
    story = second(first)
    story.run(
        "git commit -am 'Document the resume header for operators'",
        "[main 1234567] Document the resume header for operators\n 1 file changed",
    )
    story.says("Committed.")
    assert [t.text for t in hand_off(story).facts.todos] == ["write the resume loop"]


def test_a_step_that_a_person_wrote_into_the_packet_is_handed_on(first: Draft) -> None:
    written = first.text.replace("**Next steps**\n", "**Next steps**\n1. Ask the storage team for a quota.\n")
    assert written != first.text
    story = Story("second")
    story.prompt(written)
    story.says("Will do.")
    assert any(s.text == "Ask the storage team for a quota." for s in hand_off(story).facts.next_steps)


def test_the_goal_of_a_packet_is_what_was_asked_for_last(first: Draft) -> None:
    story = second(first)
    story.says("On it.")
    objective = hand_off(story, "").facts.objective
    assert objective.first is not None and objective.current is not None
    assert (objective.first.text, objective.current.text) == (ASK, "go on with the uploader")


def test_a_packet_that_a_hook_put_into_the_session_is_carried_too(first: Draft) -> None:
    story = Story("second")
    story.add("user", first.text, by="harness", via="hook")
    story.prompt("please continue")
    story.says("On it.")
    made = hand_off(story)
    assert made.facts.objective.first is not None
    assert made.facts.objective.first.text == ASK
    assert [t.text for t in made.facts.todos] == [TODO, "write the resume loop"]


def test_a_secret_added_to_a_packet_is_not_handed_on(first: Draft) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6" * 3
    story = Story("second")
    story.prompt(first.text.replace(TODO, f"{TODO} with {secret}"))
    story.says("On it.")
    made = hand_off(story)
    assert secret not in made.text
    assert [todo.text for todo in made.facts.todos] == [
        f"{TODO} with [redacted:github-token]",
        "write the resume loop",
    ]


PLAN = "# Resumable uploads\n1. Store the offset after each chunk.\n2. Ask the server where it stopped."


def test_a_plan_survives_ten_hops_and_names_the_session_it_was_made_in() -> None:
    story = Story("planned")
    story.prompt(ASK)
    line = story.add("plan", PLAN, data={"outcome": "approved"})
    story.says("I will follow it.")
    made = hand_off(story)
    for hop in range(10):
        story = Story(f"hop-{hop}")
        story.prompt(made.text)
        story.says("Working on it.")
        made = hand_off(story)
    assert made.facts.plan is not None
    assert (made.facts.plan.outcome, made.facts.plan.origin) == ("approved", "planned")
    assert rows(made.text, "Plan") == [
        f"- approved [#{line} of planned]",
        *(f"> {row}" for row in PLAN.split("\n")),
    ]


def test_a_plan_of_this_session_replaces_the_one_handed_on() -> None:
    story = Story("planned")
    story.prompt(ASK)
    story.add("plan", PLAN, data={"outcome": "approved"})
    made = hand_off(story)
    story = second(made)
    line = story.add("plan", "Throw the uploader away.")
    assert rows(hand_off(story).text, "Plan") == [f"- proposed [#{line}]", "> Throw the uploader away."]


def test_a_commit_that_got_another_id_in_a_later_session_is_told_with_the_one_its_line_shows() -> None:
    story = Story("first")
    story.prompt("Add the bucket.")
    story.edit("src/bucket.py", "class Bucket: ...\n")
    story.run("git commit -am bucket", "[main 1111aaa] Add the bucket\n 1 file changed")
    later = second(hand_off(story))
    later.run(
        "git pull --rebase && git push",
        "Successfully rebased and updated refs/heads/main.\nTo origin\n   0000aaa..2222bbb  main -> main",
    )
    again = hand_off(later)
    told = "done: commit 2222bbb (1111aaa when it was made) on main: Add the bucket"
    assert f"- {told} [#6 of first]" in again.text
    last = Story("third")
    last.prompt(again.text)
    last.says("Fine.")
    assert f"- {told} [#6 of first]" in hand_off(last).text


@pytest.mark.parametrize(
    ("question", "reply"),
    [
        ("Shall I also document the Lua script?", "yes, briefly"),
        ("Which format should be the default, CSV or JSON?", "JSON."),
        ("Should we keep the old endpoint for a release?", "not yet"),
        ("Which port shall the example use?", "8080"),
    ],
)
@pytest.mark.parametrize("greeted", [False, True])
def test_an_answer_is_told_with_the_question_of_the_session_before(
    question: str, reply: str, greeted: bool
) -> None:
    story = Story("first")
    story.prompt("Write the docs of the limiter.")
    story.edit("docs/limits.md", "# Limits\n")
    story.says(f"The outline is there. {question}")
    later = second(hand_off(story, "docs"))
    if greeted:
        later.says("I have read the handoff.")
    later.prompt(reply)
    later.edit("docs/limits.md", "# Limits\n\nMore.\n")
    again = hand_off(later, "release")
    told = [row for row in again.text.split("\n") if f'"{reply}"' in row]
    assert any(f'(to the agent\'s "{question}" [#' in row and " of first])" in row for row in told), told
    if not greeted:
        assert any(row.startswith("1. ") and f'said to "{question}"' in row for row in told)
    last = Story("third")
    last.prompt(again.text)
    last.edit("docs/limits.md", "# Limits\n\nEven more.\n")
    assert f'"{reply}" [#' in hand_off(last, "ship").text
    assert f'(to the agent\'s "{question}" [#' in hand_off(last, "ship").text


def test_an_answer_to_what_this_session_asked_is_not_told_with_an_older_question() -> None:
    story = Story("first")
    story.prompt("Write the docs of the limiter.")
    story.says("Which port shall the example use?")
    later = second(hand_off(story, "docs"))
    later.says("The outline is there. Shall I push it?")
    later.prompt("yes")
    later.edit("docs/limits.md", "# Limits\n")
    text = hand_off(later, "release").text
    assert '(to the agent\'s "The outline is there. Shall I push it?"' in text
    assert 'Which port shall the example use?" [#' not in text.partition("## Operational")[0]
