"""A plan is told in full while it is ahead, and in one line once it was carried out."""

from __future__ import annotations

import pytest

from segue.extract.facts import select
from segue.model.facts import Plan

from .story import Story

PLAN = "# Resumable uploads\n1. Store the offset after each chunk.\n2. Ask the server where it stopped."


def approved(story: Story) -> int:
    story.prompt("Make uploads resumable.")
    return story.add("plan", PLAN, data={"outcome": "approved"})


def worked(story: Story) -> None:
    approved(story)
    story.edit("src/upload.py", new="def resume(): ...")
    story.run("pytest -q", "9 passed in 0.1s")
    story.says("Uploads resume where they stopped.")


def the_plan(story: Story) -> Plan:
    plan = select(story.index, "go on", budget=4000)[0].plan
    assert plan is not None
    return plan


@pytest.mark.parametrize(
    "later",
    [
        "is this the best description?",
        "commit only the upload change for now",
        "Please look at the download side as well.",
        "Warum ist der Test so langsam?",
    ],
)
def test_an_approved_plan_after_whose_edits_the_person_went_on_is_carried_out(
    story: Story, later: str
) -> None:
    worked(story)
    story.prompt(later)
    story.says("Looking.")
    assert the_plan(story).carried_out


def test_an_approved_plan_whose_edits_were_committed_at_the_end_of_the_turn_is_carried_out(
    story: Story,
) -> None:
    worked(story)
    story.run("git commit -am 'Resume uploads'", "[main 1a2b3c4] Resume uploads\n 1 file changed\n")
    story.says("Done and committed.")
    assert the_plan(story).carried_out


@pytest.mark.parametrize(
    "later",
    [
        "continue",
        "go on please",
        "Now phase 2.",
        "ok, the next step of the plan",
        "do the rest",
        "looks good, keep going",
    ],
)
def test_a_plan_that_the_person_has_the_agent_go_on_with_is_still_ahead(story: Story, later: str) -> None:
    worked(story)
    story.prompt(later)
    story.says("Looking.")
    assert not the_plan(story).carried_out


def test_a_plan_that_nothing_was_edited_for_is_still_ahead(story: Story) -> None:
    approved(story)
    story.prompt("Which server version do we need?")
    story.says("Version 4.")
    assert not the_plan(story).carried_out


def test_a_plan_in_whose_midst_the_session_stopped_is_still_ahead(story: Story) -> None:
    approved(story)
    story.edit("src/upload.py", new="def resume(): ...")
    story.run("git commit -am 'Store the offset'", "[main 1a2b3c4] Store the offset\n 1 file changed\n")
    story.edit("src/server.py", new="def where(): ...")
    assert not the_plan(story).carried_out


def test_a_plan_with_open_to_dos_is_still_ahead(story: Story) -> None:
    worked(story)
    story.todos(("Store the offset", "completed"), ("Ask the server", "pending"))
    story.prompt("is this the best description?")
    story.says("Yes.")
    assert not the_plan(story).carried_out


@pytest.mark.parametrize("outcome", ["proposed", "rejected"])
def test_a_plan_that_was_not_approved_is_not_called_carried_out(story: Story, outcome: str) -> None:
    story.prompt("Make uploads resumable.")
    story.add("plan", PLAN, data={"outcome": outcome})
    story.edit("src/upload.py", new="def resume(): ...")
    story.says("Done.")
    story.prompt("is this the best description?")
    story.says("Yes.")
    assert not the_plan(story).carried_out


def test_the_file_that_an_agent_keeps_its_plan_in_is_no_work_on_it(story: Story) -> None:
    approved(story)
    story.edit("/home/me/.claude/plans/quiet-river.md", new="# Resumable uploads", action="created")
    story.prompt("Which server version do we need?")
    story.says("Version 4.")
    assert not the_plan(story).carried_out


@pytest.mark.parametrize("outcome", ["proposed", "approved"])
def test_a_plan_in_work_is_told_with_how_much_was_edited_since(story: Story, outcome: str) -> None:
    story.prompt("Make uploads resumable.")
    story.add("plan", PLAN, data={"outcome": outcome})
    story.edit("src/upload.py", new="def resume(): ...")
    story.edit("src/server.py", new="def where(): ...")
    plan = the_plan(story)
    assert (plan.worked_on, plan.carried_out) == (2, False)


def test_a_plan_before_which_all_was_edited_is_not_in_work(story: Story) -> None:
    story.prompt("Make uploads resumable.")
    story.edit("src/upload.py", new="def resume(): ...")
    story.add("plan", PLAN, data={"outcome": "proposed"})
    story.says("Shall I?")
    assert the_plan(story).worked_on == 0
