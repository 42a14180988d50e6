"""What the agent remarked: decisions, dead ends, findings, what is left."""

from __future__ import annotations

import pytest

from .story import Story

pytestmark = pytest.mark.usefixtures("asked")

CHOSEN = "We picked the append-only log, as nothing else survives a crash in the middle."
"""A decision, told beside what is none: who listens hears this one alone."""
FOUND = "The root cause is that jitter is added after the cap."
"""A finding, for the same."""


def decided(story: Story) -> list[str]:
    return [decision.text for decision in story.index.decisions]


@pytest.mark.parametrize(
    ("choice", "why"),
    [
        (
            "I decided to use exponential backoff instead of a fixed delay,",
            "because the provider punishes bursts.",
        ),
        ("We're going with sqlite rather than files", "so that a crash loses nothing."),
        ("Wir haben uns für Redis entschieden,", "weil die Datenbank zu langsam ist."),
    ],
)
def test_a_decision_is_kept_with_its_reason(story: Story, choice: str, why: str) -> None:
    at = story.says(f"Looking around first.\n\n{choice} {why} More follows.")
    (decision,) = story.index.decisions
    assert (decision.text, decision.why) == (f"{choice} {why}", why)
    assert [place.line for place in decision.evidence] == [at]


def test_the_alternative_that_was_rejected_is_named(story: Story) -> None:
    story.says("I decided to use exponential backoff instead of a fixed delay, because it is kinder.")
    assert story.index.decisions[0].rejected == ("a fixed delay",)


def test_what_did_not_work_is_a_dead_end(story: Story) -> None:
    story.says("I tried patching the socket, but the pool keeps its own reference.")
    story.says("Mocking the clock did not work because asyncio reads it directly.")
    assert [d.tried for d in story.index.dead_ends] == [
        "I tried patching the socket, but the pool keeps its own reference.",
        "Mocking the clock did not work because asyncio reads it directly.",
    ]


def test_findings_and_warnings_are_notes(story: Story) -> None:
    story.says(f"{FOUND}\nCaveat: the retry loop is not tested on Windows.")
    assert [(n.kind, n.text) for n in story.index.notes] == [
        ("finding", FOUND),
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
        "Let me look at the log to understand the actual problem here.",
    ],
)
def test_questions_conditions_guesses_and_code_are_no_remarks(story: Story, sentence: str) -> None:
    story.says(sentence)
    story.says(FOUND)
    story.says(CHOSEN)
    assert (decided(story), [note.text for note in story.index.notes]) == ([CHOSEN], [FOUND])
    assert story.index.dead_ends == ()


def test_a_turn_full_of_markers_has_a_quota(story: Story) -> None:
    for n in range(50):
        story.says(f"I decided to use approach number {n} because it is the better one of the two.")
    assert decided(story) == [
        f"I decided to use approach number {n} because it is the better one of the two." for n in (47, 48, 49)
    ]


@pytest.mark.parametrize(
    "sentence",
    [
        "D. Swap the queue — use Redis instead of the database for jobs if the lock turns out to be slow.",
        "**Option d)** use Redis instead of the database for jobs if the lock is slow.",
        "Looking at the code, the reason is a mix of design choices, not hard requirements.",
        "Succeeds → the stall in the middle of the stream was the real cause of the timeout.",
        "Fails after 6 KB → the root cause is the header that the edge rejects.",
    ],
)
def test_options_and_what_would_follow_are_neither_decided_nor_found(story: Story, sentence: str) -> None:
    story.says(sentence)
    story.says(FOUND)
    story.says(CHOSEN)
    assert (decided(story), [note.text for note in story.index.notes]) == ([CHOSEN], [FOUND])


@pytest.mark.parametrize(
    "sentence",
    [
        "Next I'm reading the old parser so I can reuse its table instead of writing one.",
        "The build is slow, so I'm waiting for the full log rather than the first lines of it.",
        "I'm now collecting where each page sets its title rather than its body.",
        "I decided to look at the server log first, because the client says nothing.",
        "I'm adding a test so the cache is seen to expire instead of being trusted.",
        "The request is odd, so I'm digging into the client instead of guessing.",
        "The old pages use one template per route, so a change is made twice instead of once.",
        "This causes the last column to use the default width instead of its own.",
        "It lets the server send only what is missing instead of the whole file.",
        "I picked up the thread from where the last summary ended this morning.",
        "The run was empty because the file name I chose was not one that is looked for.",
        "One naming decision is worth a word because it becomes part of the interface.",
        "The time is the same (sorting dominates; we're only moving it instead of dropping it)",
    ],
)
def test_what_the_agent_does_next_and_what_it_is_for_is_no_decision(story: Story, sentence: str) -> None:
    story.says(sentence)
    story.says(CHOSEN)
    assert decided(story) == [CHOSEN]


@pytest.mark.parametrize(
    "sentence",
    [
        "I'm standardizing on snake case, so the interface is explicit everywhere rather than just at the top.",
        "The queue is empty, so I'm building the worker from scratch rather than mending the old one.",
        "Use the system ssh instead of a library: it reads the person's own configuration.",
        "The fix is simple: use a queue instead of a direct call while the answer streams.",
        "I'll extract the check into a function so it can be tested, rather than hidden in a closure.",
        "Going with one request per file plus a test for the order of answers.",
        CHOSEN,
    ],
)
def test_what_binds_whoever_goes_on_is_a_decision(story: Story, sentence: str) -> None:
    story.says(sentence)
    assert decided(story) == [sentence]


@pytest.mark.parametrize(
    "sentence",
    [
        "Picked the trie over a hash map: lookups are by prefix.",
        "Opted for polling rather than webhooks as the customer lets nothing in.",
        "Sticking with callbacks; promises would break the contract of the plugins.",
        "I'm keeping the old parser as the default because three clients rely on it.",
        "The state lives on disk, not in memory, because two workers share it.",
        "Dates are stored as text rather than numbers so that the table stays readable.",
        "I went for a ring buffer over a list since the writer must never wait.",
    ],
)
def test_a_choice_in_ordinary_words_is_a_decision(story: Story, sentence: str) -> None:
    story.says(sentence)
    assert decided(story) == [sentence]


@pytest.mark.parametrize(
    "sentence",
    [
        "The value is null instead of empty because the loader runs first.",
        "The log goes to stdout rather than stderr because of a bug in the wrapper.",
        "These are examples, not orders for whoever comes next to carry out.",
        "The cursor is over the button since the last frame.",
        "Used memory went over the limit.",
    ],
)
def test_a_fault_or_a_mere_fact_in_the_same_form_is_no_decision(story: Story, sentence: str) -> None:
    story.says(sentence)
    story.says(CHOSEN)
    assert decided(story) == [CHOSEN]


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("My pick is the ring buffer. It never allocates on the hot path.", 2),
        ("Conclusion: keep the two tables apart. Joining them would lock the importer.", 2),
        ("Settled on one worker per shard. Otherwise two of them fight over the lease.", 2),
        ("The flat file wins because every tool can read it. Now the writer.", 1),
        ("Decision: amounts are stored as integers. That avoids rounding at the till. Tests come next.", 2),
        ("I'm going to mirror the old rollout instead of inventing another mechanism.", 1),
    ],
)
def test_a_choice_is_announced_and_takes_its_reason_along(story: Story, said: str, kept: int) -> None:
    story.says(said)
    parts = said.replace(". ", ".|").split("|")
    assert decided(story) == [" ".join(parts[:kept])]


@pytest.mark.parametrize(
    "said",
    [
        "Giving it time rather than downgrading the test to a cheaper profile.",
        "I've fixed the adapter to use the public API instead of internals.",
        "We've updated the fixtures to use ids instead of names.",
        "The last writer wins on a conflict of two rows.",
        "Conclusion: the parser reads the header twice and drops a row.",
        "Waiting for the build rather than polling the page myself.",
    ],
)
def test_what_was_done_or_is_waited_for_is_no_choice(story: Story, said: str) -> None:
    story.says(said)
    story.says(CHOSEN)
    assert decided(story) == [CHOSEN]


@pytest.mark.parametrize(
    "said",
    [
        "Then I'll wrap this up with the likely workaround.",
        "Next I'd wait with a filter that drops what is older than 100 ms.",
        "Post a comment on the ticket with the workaround and the root cause; or",
    ],
)
def test_what_comes_next_and_half_a_choice_are_no_knowledge(story: Story, said: str) -> None:
    story.prompt("go")
    story.says(said)
    assert not story.index.notes


def test_a_decision_is_told_without_the_steps_behind_it(story: Story) -> None:
    choice = "I'll keep the links of the image instead of following them, and add a test for the loop"
    story.prompt("go")
    story.says(f"{choice}, then commit, push, and open a draft.")
    assert [decision.text for decision in story.index.decisions] == [f"{choice}."]
