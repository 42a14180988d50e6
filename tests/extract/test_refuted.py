"""What the agent said and the session went on to refute is not told, or told as mended."""

from __future__ import annotations

import pytest

from .story import Story

PORTED = "The picker now draws its own rows, because the shared list cannot scroll."


def said(story: Story) -> list[str]:
    """What is told of the agent's words, without the last, which are told at length elsewhere."""
    story.says("Fine.")
    told = story.index
    return [note.text for note in (*told.notes, *told.said)]


@pytest.mark.parametrize(
    "prompt",
    [
        "you broke it. i undid your changes, try again",
        "Undo that please.",
        "revert everything and start over",
        "Mach das bitte rückgängig.",
        "Deshaz los cambios, por favor.",
        "元に戻してください。",
        "revert the picker rows, they flicker",
        "the picker rows are wrong, nobody can read them",
    ],
)
def test_what_the_person_took_back_next_is_not_told(story: Story, prompt: str) -> None:
    story.prompt("port the picker")
    story.says(PORTED)
    story.prompt(prompt)
    assert said(story) == []


@pytest.mark.parametrize(
    "prompt",
    [
        "great, now the sidebar",
        "if it flickers, undo it later",
        "don't revert anything",
        "revert the sidebar icons, they are too big",
        "the colours of the footer are wrong",
    ],
)
def test_what_the_person_did_not_take_back_is_told(story: Story, prompt: str) -> None:
    story.prompt("port the picker")
    story.says(PORTED)
    story.prompt(prompt)
    assert said(story) == [PORTED]


@pytest.mark.parametrize(
    "claim",
    [
        "Ledger totals match in every currency, so the import is complete.",
        "Listo: el módulo ya pasa en las dos plataformas.",
        "The ledger import works on all currencies, since rounding happens last.",
        "The ledger is now complete and valid for all 4 currencies.",
        "The problem in the ledger is solved; all 4 currencies are handled.",
    ],
)
def test_what_a_failing_check_disproves_is_not_told(story: Story, claim: str) -> None:
    story.prompt("import the ledger")
    story.run("pytest tests/test_ledger.py", "FAILED tests/test_ledger.py::test_totals - 3 != 4\n1 failed", 1)
    story.says(claim)
    assert said(story) == []


@pytest.mark.parametrize(
    "claim",
    [
        "The importer passes the rate table to each worker, because workers share no memory.",
        "The ledger does not match the bank in two currencies, since rounding happens last.",
        "Two workers share each session, so a lock is taken before `flush`.",
    ],
)
def test_a_failing_check_disproves_nothing_that_it_does_not_speak_of(story: Story, claim: str) -> None:
    story.prompt("import the ledger")
    story.run("pytest tests/test_ledger.py", "FAILED tests/test_ledger.py::test_totals - 3 != 4\n1 failed", 1)
    story.says(claim)
    assert claim in said(story)


def failing_then_mended(story: Story, explained: str) -> None:
    story.prompt("make it green")
    story.run("pytest tests/test_ledger.py", "FAILED tests/test_ledger.py::test_totals - 3 != 4\n1 failed", 1)
    story.says(explained)
    story.edit("src/ledger.py")
    story.run("pytest tests/test_ledger.py", "9 passed in 0.1s")


@pytest.mark.parametrize(
    "explained",
    [
        "test_totals fails because the rate is applied twice.",
        "The totals of the ledger are wrong, since the rate is applied twice.",
    ],
)
def test_why_a_check_failed_that_passed_since_is_not_told(story: Story, explained: str) -> None:
    failing_then_mended(story, explained)
    assert said(story) == []


def test_a_cause_that_was_found_is_told_as_mended(story: Story) -> None:
    cause = "The root cause: test_totals fails because the rate is applied twice."
    failing_then_mended(story, cause)
    assert said(story) == [f"mended since: {cause}"]


def test_why_a_check_fails_that_still_does_is_told(story: Story) -> None:
    story.prompt("make it green")
    story.run("pytest tests/test_ledger.py", "FAILED tests/test_ledger.py::test_totals - 3 != 4\n1 failed", 1)
    story.says("test_totals fails because the rate is applied twice.")
    assert said(story) == ["test_totals fails because the rate is applied twice."]


def test_a_test_that_failed_is_not_told_of_once_its_check_fails_for_another(story: Story) -> None:
    failing_then_mended(story, "test_totals fails because the rate is applied twice.")
    story.run("pytest tests/test_ledger.py", "FAILED tests/test_ledger.py::test_dates - 3 != 4\n1 failed", 1)
    assert said(story) == []


def test_what_is_about_a_file_that_is_gone_is_not_told(story: Story) -> None:
    story.prompt("show me the tree")
    story.edit("tools/dump_tree.py", new="print(1)", action="created")
    story.says("tools/dump_tree.py prints each node once, because cycles are cut at the root.")
    story.run("rm tools/dump_tree.py")
    assert said(story) == []


def test_why_a_file_is_gone_is_told(story: Story) -> None:
    story.prompt("show me the tree")
    story.edit("tools/dump_tree.py", new="print(1)", action="created")
    story.run("rm tools/dump_tree.py")
    why = "I deleted tools/dump_tree.py because the library has `tree --dump`."
    story.says(why)
    assert said(story) == [why]


@pytest.mark.parametrize(
    "line",
    [
        "- `/home/me/app/assets/header-of-the-readme.png`",
        "[assets/header.png](/home/me/app/assets/header.png)",
        '::open-pull-request{branch="header" url="https://example.com/pull/31" draft=false}',
    ],
)
def test_a_line_that_only_names_something_says_nothing(story: Story, line: str) -> None:
    story.prompt("add the header")
    story.says(line)
    assert said(story) == []
