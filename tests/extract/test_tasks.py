"""To-dos, the plan, structured questions and sub-agents: what the harness recorded of them."""

from __future__ import annotations

import pytest

from .story import Story, told

pytestmark = pytest.mark.usefixtures("asked")


def test_the_last_snapshot_of_the_list_counts(story: Story) -> None:
    story.todos(("Wire it", "pending"), ("Plan", "in_progress"))
    at = story.todos(("Wire it", "completed"), ("Describe it", "pending"))
    assert [(t.text, t.state, t.evidence[0].line) for t in story.index.todos] == [
        ("Wire it", "completed", at),
        ("Describe it", "pending", at),
    ]


@pytest.mark.parametrize(("turns", "stale"), [(0, False), (2, False), (3, True)])
def test_a_list_is_stale_after_three_turns(story: Story, turns: int, stale: bool) -> None:
    story.todos(("Wire it", "pending"))
    for n in range(turns):
        story.prompt(f"And what about number {n}?")
        story.says("Fine.")
    assert [todo.stale for todo in story.index.todos] == [stale]


def test_what_is_done_or_cancelled_gives_no_step(story: Story) -> None:
    story.todos(("Wire it", "completed"), ("Drop it", "cancelled"))
    story.says("Done.")
    assert story.facts().next_steps == ()
    listed = told(story.packet(), "To-do list")
    assert "- [x] Wire it" in listed
    assert "Drop it" not in listed


@pytest.mark.parametrize("outcome", ["proposed", "approved", "rejected"])
def test_a_plan_is_told_with_what_became_of_it(story: Story, outcome: str) -> None:
    story.add("plan", "1. Read the code\n2. Write the page", data={"outcome": outcome})
    story.says("That is the plan.")
    plan = told(story.packet(), "Plan")
    assert plan.startswith(f"- {outcome}")
    assert "> 1. Read the code" in plan


def test_files_edited_after_a_plan_are_counted(story: Story) -> None:
    story.edit("before.py")
    story.add("plan", "Write the page", data={"outcome": "approved"})
    for path in ("a.py", "b.py", "b.py"):
        story.edit(path)
    assert story.index.plan.edits_since == 2
    assert "- approved, 2 files edited since" in story.packet()


def test_the_outcome_of_a_plan_may_come_after_its_text(story: Story) -> None:
    story.add("plan", "Write the page")
    story.add("plan", "", data={"outcome": "approved"})
    assert (story.index.plan.text, story.index.plan.outcome) == ("Write the page", "approved")


def test_a_question_is_open_until_the_person_says_anything(story: Story) -> None:
    story.asks("Which queue?")
    assert [question.text for question in story.index.questions] == ["Which queue?"]
    story.prompt("never mind, stop here")
    assert story.index.questions == ()


def test_several_questions_may_be_open(story: Story) -> None:
    story.asks("Which queue?")
    story.asks("Which port?")
    assert [question.text for question in story.index.questions] == ["Which queue?", "Which port?"]


def test_a_question_in_the_last_report_is_quoted_as_a_step(story: Story) -> None:
    at = story.says("All is pushed. Want me to open a pull request?")
    (step,) = story.facts().next_steps
    assert (step.basis, step.evidence[0].line) == ("report", at)
    assert '"All is pushed. Want me to open a pull request?"' in step.text


def test_a_sub_agent_runs_until_its_end_was_seen(story: Story) -> None:
    for name in ("one", "two"):
        story.add("subagent_start", f"Convert part {name}", agent_id=name)
    story.add("subagent_end", by="subagent", agent_id="one")
    assert [(agent.text, agent.state) for agent in story.index.subagents] == [
        ("Convert part one", "ended"),
        ("Convert part two", "running"),
    ]
    running = told(story.packet(), "Still running")
    assert "Convert part two" in running
    assert "part one" not in running


def test_what_a_sub_agent_says_and_is_told_is_not_the_session_s(story: Story) -> None:
    story.add("subagent_start", "Convert all", agent_id="x")
    story.add("user", "Never use tabs.", by="agent", via="prompt", agent_id="x")
    story.add("agent", "I decided to use tabs because of x.", agent_id="x")
    story.add("subagent_end", by="subagent", agent_id="x")
    story.says("Converted.")
    text = story.packet()
    assert "tabs" not in text


def test_of_very_many_sub_agents_the_latest_are_known(story: Story) -> None:
    for n in range(100):
        story.add("subagent_start", f"Part {n}", agent_id=str(n))
    assert [agent.text for agent in story.index.subagents] == [f"Part {n}" for n in range(60, 100)]
