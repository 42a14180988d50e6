"""What the agent reported: the last message of each turn first, chosen by what it says and not by its wording alone."""

from __future__ import annotations

import pytest

from segue.extract import rank
from segue.extract.text.relevance import aim_of
from segue.extract.text.sentence import parsed
from segue.model.facts import Report

from .story import Story, rows, told


def midway(story: Story) -> list[tuple[str, bool]]:
    return [(report.remarks[0].text, report.midway) for report in story.index.reports]


def test_the_last_message_of_a_turn_is_its_report(story: Story) -> None:
    story.prompt("Add retries.")
    story.says("Let me look at the client first.")
    story.run("ls", "a.py")
    story.says("The client retries three times now.")
    story.prompt("Thanks.")
    story.says("Any time you like.")
    assert midway(story) == [
        ("Let me look at the client first.", True),
        ("The client retries three times now.", False),
        ("Any time you like.", False),
    ]


def test_the_newest_report_is_told_whole(story: Story) -> None:
    story.prompt("Add retries.")
    story.says("Done.\n\n- retries: 3\n- backoff: yes\n\nShall I push?")
    last = told(story.packet(), "Last report")
    assert "> - retries: 3" in last
    assert "> Shall I push?" in last


def test_a_report_is_marked_as_unverified(story: Story) -> None:
    story.prompt("Add retries.")
    story.says("It works.")
    story.prompt("And now?")
    story.says("Nothing is left.")
    text = story.packet()
    assert "**Last report of the agent** (unverified)" in text


def test_decisions_causes_and_dead_ends_of_earlier_turns_are_told(story: Story) -> None:
    said = (
        "I decided to keep one writer because sqlite locks the whole file.",
        "Patching the driver is a dead end, it is compiled in.",
        "The root cause is a stale lock in `src/pool.py`.",
    )
    for text in said:
        story.prompt("Go on with the queue.")
        story.says(f"Sure. {text} Fine so far.")
    story.prompt("And the docs?")
    story.says("Written.")
    reported = told(story.packet(), "Reported")
    assert all(text in reported for text in said)
    assert "Sure." not in reported


def test_what_was_said_on_the_way_is_told_only_where_it_decides_or_fails(story: Story) -> None:
    story.prompt("Fix the queue.")
    story.says("Reading the broker at `src/broker.py` with its 14 handlers now.")
    story.says("The broker drops messages because `ack_late` is off in `src/broker.py`.")
    story.says("Fixed.")
    story.prompt("And the docs?")
    story.says("Written.")
    reported = told(story.packet("the 14 handlers of the broker in src/broker.py"), "Reported")
    assert "because `ack_late` is off" in reported
    assert "14 handlers" not in reported


def test_a_sentence_that_was_said_before_is_told_once(story: Story) -> None:
    said = "The root cause is a stale lock in `src/pool.py`."
    for _ in range(5):
        story.prompt("Go on with the queue.")
        story.says(said)
    story.prompt("And the docs?")
    story.says("Written.")
    assert story.packet().count(said) == 1


def test_sentences_about_the_goal_come_first(story: Story) -> None:
    for n in range(40):
        story.prompt(f"Look at topic {n} now, please.")
        story.says(f"The module number{n} of layer{n} keeps value{n} in slot{n} because reason{n} holds.")
    story.prompt("Bye.")
    story.says("Bye.")
    reported = told(story.packet("continue with layer3 and slot3", budget=1500), "Reported")
    assert "layer3 " in reported


def test_a_report_points_to_where_it_was_said(story: Story) -> None:
    story.prompt("Fix the queue.")
    at = story.says("The queue stalls because the lock is never released in `src/pool.py`.")
    story.prompt("And?")
    story.says("Fixed.")
    assert rows(story.packet(), "Reported")[0].endswith(f"[#{at}]")


def test_code_and_logs_in_a_report_are_not_its_sentences(story: Story) -> None:
    story.prompt("go")
    story.says("Look:\n```\nthis never worked\n```\nerror: it failed\nThe cache is cold.")
    (report,) = story.index.reports
    assert [remark.text for remark in report.remarks] == ["Look:", "The cache is cold."]


def test_a_session_without_a_report_has_none(story: Story) -> None:
    story.prompt("go")
    story.run("make all", "")
    assert story.index.reports == ()
    assert "Last report" not in story.packet()


def weights(*texts: str, goal: str = "") -> list[float]:
    return rank.weighed([rank.Candidate(parsed(text), n, 0.0) for n, text in enumerate(texts)], aim_of(goal))


@pytest.mark.parametrize(
    ("heavier", "lighter"),
    [
        ("It fails because the port is taken.", "It works on the port that is taken."),
        ("The writer lives in `src/pool.py` since 3.12.", "The writer lives in another place since then."),
    ],
)
def test_what_decides_explains_or_names_weighs_more(heavier: str, lighter: str) -> None:
    assert weights(heavier)[0] > weights(lighter)[0]


def test_what_was_said_before_weighs_less() -> None:
    first, again = weights("The writer keeps one lock per file.", "The writer keeps one lock per file.")
    assert first > again


def test_what_the_goal_speaks_of_weighs_more() -> None:
    text = "The writer keeps one lock per file."
    assert weights(text, goal="the writer lock")[0] > weights(text)[0]


def test_two_sentences_that_say_the_same_are_not_both_chosen() -> None:
    texts = ("The writer keeps one lock per file.", "The writer keeps one lock for each file.")
    candidates = [rank.Candidate(parsed(text), n, 0.0) for n, text in enumerate(texts)]
    assert len(rank.chosen(candidates, [2.0, 1.9], 1000, 0.0, ())) == 1


def test_a_role_that_must_be_covered_is_chosen_before_what_weighs_more() -> None:
    texts = ("It broke the build of the reader.", "A long road leads to the green hills of home.")
    candidates = [rank.Candidate(parsed(text), n, 0.0) for n, text in enumerate(texts)]
    assert rank.chosen(candidates, [1.0, 9.0], 40, 0.0, ("failed",)) == [0]


def test_the_sentences_of_a_report_stay_in_their_order(story: Story) -> None:
    story.prompt("go")
    story.says("First the reader broke in `a.py`. Then the writer failed because of `b.py`.")
    story.prompt("and?")
    story.says("Done.")
    report: Report = story.facts().reports[0]
    assert [remark.text for remark in report.remarks] == [
        "First the reader broke in `a.py`.",
        "Then the writer failed because of `b.py`.",
    ]


def test_a_long_message_on_the_way_is_a_report(story: Story) -> None:
    plan = [
        "The renderer keeps every line and marks groups of ten.",
        "`toggle_group` lives in the shared computer, so both pages have it.",
        "The selection hook is merged into the highlighter in `assets/app.js`.",
        "The style sheet and the tests of both pages come last, after the hooks are one.",
        "Nothing of the old panel stays, not even its template.",
    ]
    story.says("\n".join(f"{n}. {row}" for n, row in enumerate(plan, 1)))
    story.run("make", "ok")
    story.says("Now let me look at the style sheet of the old panel.")
    story.run("make", "ok")
    story.says("Built.")
    reported = told(story.packet(), "Reported")
    assert "merged into the highlighter" in reported
    assert "let me look" not in reported
