"""What to do next, by what was left open, and what stands before it."""

from __future__ import annotations

from segue.model.facts import RepoState

from .story import Story


def steps(story: Story, goal: str = "") -> list[str]:
    return [step.basis for step in story.facts(goal).next_steps]


def test_what_broke_off_comes_first_then_what_fails_then_what_is_to_be_done(story: Story) -> None:
    story.prompt("Wire the policy in.")
    story.todos(("Describe retries", "pending"), ("Wire it", "in_progress"))
    story.run("pytest", "1 failed in 0.1s", 1)
    story.asks("Which queue?")
    story.call("Bash", "shell", command="make deploy")
    found = [(step.basis, step.text) for step in story.facts().next_steps]
    named = ("make deploy", "Wire the policy in.", "Which queue?", "pytest", "Wire it", "Describe retries")
    assert [basis for basis, _ in found] == ["in_flight", "request", "question", "failure", "todo", "todo"]
    assert all(name in text for name, (_, text) in zip(named, found, strict=True))


def test_every_step_points_to_its_evidence(story: Story) -> None:
    story.prompt("Wire the policy in.")
    story.todos(("Describe retries", "pending"))
    story.run("pytest", "1 failed in 0.1s", 1)
    story.says("Next steps: the release. Shall I?")
    assert all(step.evidence for step in story.facts().next_steps)


def test_a_session_that_ended_with_nothing_open_has_no_step(story: Story) -> None:
    story.prompt("Wire the policy in.")
    story.run("pytest", "4 passed in 0.1s")
    story.says("Wired.")
    assert steps(story) == []
    assert "ask what comes next" in story.packet("")


def test_the_goal_is_not_guessed_at(story: Story) -> None:
    story.prompt("Wire the policy in.")
    story.says("Wired.")
    text = story.packet("release version 2")
    assert '**Goal**: "release version 2"' in text
    assert [row for row in text.split("\n") if row.startswith("**Next**") and "version 2" in row] == []


def test_a_failure_that_another_line_of_its_kind_settled_is_no_step(story: Story) -> None:
    story.prompt("go on with it")
    story.run("go test ./a", "FAIL\tx/a\t0.1s", 1)
    story.run("go test ./...", "ok  \tx/a\t0.1s")
    story.says("Done.")
    assert steps(story) == []


def test_a_command_that_judges_nothing_is_no_step(story: Story) -> None:
    story.prompt("go on with it")
    story.run("./fetch.sh invoices", "curl: (7) refused", 7)
    story.says("Hm.")
    assert steps(story, "fetch the invoices") == []
    assert "`./fetch.sh invoices` exit 7" in story.packet()


def test_a_to_do_of_a_list_that_was_not_kept_is_no_step(story: Story) -> None:
    story.prompt("go on with it")
    story.todos(("Describe the importer", "pending"))
    for text in ("Now the exporter.", "And its tests.", "And a page about it."):
        story.prompt(text)
        story.says("Done.")
    assert steps(story) == []
    assert "A to-do list with open items was not kept since then. [#3]" in story.packet()


def test_failures_of_the_goal_come_first_among_failures(story: Story) -> None:
    story.prompt("go on with it")
    for name in ("alpha", "beta", "gamma", "delta"):
        story.run(f"pytest tests/test_{name}.py", "1 failed in 0.1s", 1)
    story.says("Hm.")
    first, *rest = (s.text for s in story.facts("repair the alpha test").next_steps)
    assert "test_alpha.py" in first
    assert len(rest) == 2


def test_an_interrupted_turn_is_told_with_what_the_agent_had_just_said(story: Story) -> None:
    story.prompt("Write the exporter.")
    story.says("Now the exporter.")
    story.run("ls", "a.py")
    story.add("interruption", by="person")
    assert steps(story) == ["in_flight"]
    assert '"Now the exporter."' in story.facts().next_steps[0].text


def test_what_stands_before_the_next_step_is_told(story: Story) -> None:
    story.prompt("go on with it")
    story.run("git checkout -b fix", "Switched to a new branch 'fix'")
    story.edit("a.py")
    story.run("git commit -am x", "[fix 1a2b3c4] x\n 1 file changed")
    story.edit("b.py")
    story.says("Done.")
    repo = RepoState(root="/home/me/app", branch="main", operation="rebase", status=(" M a.py", "?? c.py"))
    assert story.facts(repo=repo).standing == (
        "a rebase is under way",
        "`main` is checked out, the session worked on `fix`",
        "no push was seen of 1 commit on fix (1a2b3c4)",
        "no commit was seen of the last edits of b.py",
        "git lists 2 uncommitted paths now",
    )


def test_where_all_is_pushed_and_committed_nothing_stands_before_it(story: Story) -> None:
    story.prompt("go on with it")
    story.edit("a.py")
    story.run("git commit -am x", "[main 1a2b3c4] x\n 1 file changed")
    story.run("git push", "   0000abc..1a2b3c4  main -> main")
    story.says("Pushed.")
    assert story.facts(repo=RepoState(branch="main")).standing == ()
