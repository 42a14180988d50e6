"""What the person said last comes first among the steps, and before what a to-do list says."""

from __future__ import annotations

import pytest

from segue.extract.facts import select

from .story import Story


def steps(story: Story, goal: str = "continue the work") -> list[str]:
    return [step.text for step in select(story.index, goal, budget=4000)[0].next_steps]


def to_dos(story: Story, prompt: str, todo: str) -> list[str]:
    story.prompt("Move the billing tables to the new cluster.")
    story.edit("sql/move.sql")
    story.todos((todo, "pending"))
    story.prompt(prompt)
    story.run("psql -f sql/move.sql", "ok")
    return [text for text in steps(story) if text.startswith(("Do:", "Finish:"))]


@pytest.mark.parametrize(
    ("todo", "prompt"),
    [
        ("Write the rollback runbook", "the rollback runbook only after the deep check is clean"),
        ("Write the rollback runbook", "Don't start the rollback runbook until the deep check is clean."),
        ("Delete ops/old/*.sh", "delete the scripts in ops/old, but keep ops/old/failover.sh"),
        ("Backport to release/4.2", "The backport goes to release/4.2 only, not to 4.1"),
        ("Borrar ops/old", "cuando pase de verdad borra ops/old, pero deja el failover"),
        ("Response letter", "In the response letter don't mention the first attempt."),
    ],
)
def test_a_to_do_that_a_later_prompt_speaks_of_says_so(story: Story, todo: str, prompt: str) -> None:
    assert to_dos(story, prompt, todo) == [f"Do: {todo} (but see #6)"]


@pytest.mark.parametrize(
    "prompt",
    [
        "skip the rollback runbook",
        "Please don't write the rollback runbook.",
        "Forget the rollback runbook, ops has one.",
    ],
)
def test_a_to_do_that_a_later_prompt_forbids_is_no_step(story: Story, prompt: str) -> None:
    assert to_dos(story, prompt, "Write the rollback runbook") == []


@pytest.mark.parametrize(
    "prompt", ["now check the totals", "write the totals into a file", "skip the linter"]
)
def test_a_to_do_that_no_later_prompt_speaks_of_is_told_as_it_is(story: Story, prompt: str) -> None:
    assert to_dos(story, prompt, "Write the rollback runbook") == ["Do: Write the rollback runbook"]


def test_what_was_asked_last_leads_to_the_call_that_was_under_way_for_it(story: Story) -> None:
    story.prompt("Move the billing tables to the new cluster.")
    story.says("Moved.")
    story.prompt("is the overflow ours or old? find out before the backport")
    story.call("Bash", "shell", command="make -C ../old")
    assert steps(story)[0] == (
        'Take up "is the overflow ours or old? find out before the backport" and find out how far `make -C ../old` got:'
        " it was started and its result never seen."
    )


@pytest.mark.parametrize(
    "promise",
    [
        "I'll begin with the totals, then the letter.",
        "Noted: first the deep check.",
        "Empiezo con los totales, voy a leerlos.",
    ],
)
def test_what_the_agent_only_promised_to_do_is_the_first_step(story: Story, promise: str) -> None:
    story.prompt("Move the billing tables to the new cluster.")
    story.edit("sql/move.sql")
    story.todos(("Write the letter", "pending"))
    story.prompt("Check the totals against the ledger and tell me what differs.")
    story.says(promise)
    first = 'Take up "Check the totals against the ledger and tell me what differs.": the agent only said that it would.'
    assert steps(story)[0] == first


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        (
            "Explain how the totals are checked.",
            "Each partition is summed and compared with the ledger, row by row.",
        ),
        ("Why is the total off?", "Two rows were counted twice. I'll fix it if you want."),
        ("thanks, great", "You're welcome. I'll be here."),
        ("nice work, that is all for today", "Good night!"),
    ],
)
def test_what_was_answered_in_words_is_not_taken_up_again(story: Story, prompt: str, answer: str) -> None:
    story.prompt("Move the billing tables to the new cluster.")
    story.edit("sql/move.sql")
    story.prompt(prompt)
    story.says(answer)
    assert not any(text.startswith("Take up") for text in steps(story))


def test_a_tool_that_only_speaks_does_nothing_of_what_was_asked(story: Story) -> None:
    story.prompt("Move the billing tables to the new cluster.")
    story.edit("sql/move.sql")
    story.prompt("Check the totals against the ledger.")
    story.says("I'll begin with the totals.")
    story.add("tool_call", tool="attempt_completion", tool_kind="other")
    assert steps(story)[0].startswith('Take up "Check the totals against the ledger."')
