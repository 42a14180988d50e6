"""What the agent remarked: decisions, dead ends, findings, what is left."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.mark.parametrize(
    "sentence",
    [
        "I decided to use exponential backoff instead of a fixed delay, because the provider punishes bursts.",
        "We're going with sqlite rather than files so that a crash loses nothing.",
        "Wir haben uns für Redis entschieden, weil die Datenbank zu langsam ist.",
    ],
)
def test_a_decision_is_kept_with_its_reason(story: Any, sentence: str) -> None:
    story.prompt("go")
    at = story.says(f"Looking around first.\n\n{sentence} More follows.")
    (decision,) = story.index.decisions
    assert (decision.text, decision.evidence[0].line) == (sentence, at)
    assert decision.why


def test_the_alternative_that_was_rejected_is_named(story: Any) -> None:
    story.prompt("go")
    story.says("I decided to use exponential backoff instead of a fixed delay, because it is kinder.")
    assert story.index.decisions[0].rejected == ("a fixed delay",)


def test_what_did_not_work_is_a_dead_end(story: Any) -> None:
    story.prompt("go")
    story.says("I tried patching the socket, but the pool keeps its own reference.")
    story.says("Mocking the clock did not work because asyncio reads it directly.")
    assert [d.tried for d in story.index.dead_ends] == [
        "I tried patching the socket, but the pool keeps its own reference.",
        "Mocking the clock did not work because asyncio reads it directly.",
    ]


def test_findings_and_warnings_are_notes(story: Any) -> None:
    story.prompt("go")
    story.says(
        "The root cause is that jitter is added after the cap.\nCaveat: the retry loop is not tested on Windows."
    )
    assert [(n.kind, n.text) for n in story.index.notes] == [
        ("finding", "The root cause is that jitter is added after the cap."),
        ("risk", "Caveat: the retry loop is not tested on Windows."),
    ]


@pytest.mark.parametrize(
    "sentence",
    [
        "Should I use sqlite instead of files here?",
        "If the root cause is jitter, we will see it soon enough.",
        "This might be the real cause of the trouble we saw.",
        "```\ndecided to run this code instead of that\n```",
        "The parser reads tokens and builds a tree.",
    ],
)
def test_questions_conditions_guesses_and_code_are_no_remarks(story: Any, sentence: str) -> None:
    story.prompt("go")
    story.says(sentence)
    index = story.index
    assert (index.decisions, index.notes, index.dead_ends) == ((), (), ())


def test_a_turn_full_of_markers_has_a_quota(story: Any) -> None:
    story.prompt("go")
    for n in range(50):
        story.says(f"I decided to use approach number {n} because it is the better one of the two.")
    assert len(story.index.decisions) == 3


@pytest.mark.parametrize(
    "sentence",
    [
        "D. Switch transport — use SSH instead of HTTP for materialized pushes if the timeout comes from HTTP.",
        "Looking at the code, the reason is a mix of design choices, not hard requirements.",
        "Succeeds → the stall in the middle of the stream was the real cause of the timeout.",
        "Fails after 6 KB → the root cause is the header that the edge rejects.",
    ],
)
def test_options_and_what_would_follow_are_neither_decided_nor_found(story: Any, sentence: str) -> None:
    story.prompt("go")
    story.says(sentence)
    assert (story.index.decisions, story.index.notes) == ((), ())
