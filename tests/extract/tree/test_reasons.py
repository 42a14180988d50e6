"""The reason of a change names what was changed or announces it; the nearest sentence is none."""

from __future__ import annotations

import pytest

from ..story import Story


def why(story: Story, path: str) -> str:
    (found,) = [file.why for file in story.index.files if file.path == path]
    return found


def changed(
    story: Story, said: str, path: str = "src/client.py", new: str = "retries = max_retries + 1"
) -> str:
    story.prompt("The upload gives up too early. Have a look at the log as well. We ship on Friday. Thanks!")
    story.says(said)
    story.edit(path, new=new)
    story.edit("docs/other.md", new="words")
    return why(story, path)


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("Now let me add a backoff.", "add a backoff"),
        ("I’ll add a backoff — and a limit.", "add a backoff — and a limit"),
        ("Switching to a later deadline.", "Switching to a later deadline"),
        ("The client never waits between two tries.", "The client never waits between two tries"),
        ("All of it hangs on max_retries, which is 0.", "All of it hangs on max_retries, which is 0"),
        ("The retries of an upload are off by one.", ""),
        (
            "The limit is 3.5 s. I set max_retries=4 for the night run.",
            "I set max_retries=4 for the night run",
        ),
    ],
)
def test_a_sentence_that_announces_the_change_or_names_what_it_touches_is_its_reason(
    story: Story, said: str, reason: str
) -> None:
    assert changed(story, said) == reason


@pytest.mark.parametrize(
    "said",
    [
        "The publishing skill defaults to drafts, but this team wants them ready.",
        "`cargo fetch` hit the sandbox's DNS boundary.",
        "Checking one more place before I change anything.",
        "Correct, 2 of 6.",
        "So the limit is 120 minutes with identical output.",
        "I tried src/client.py with a longer timeout; bad idea.",
        "Now `src/client.py`:",
        "Let me fix src/server.py.",
        "I’ll also use the commit format of the team and stage only the test file.",
        "I'll help you resolve this.",
    ],
)
def test_a_sentence_of_something_else_is_no_reason(story: Story, said: str) -> None:
    assert changed(story, said) == ""


@pytest.mark.parametrize(
    ("prompt", "others", "reason"),
    [
        ("What about Iceberg?", 0, ""),
        ("Not assertive please, Petra finds it rude.", 1, ""),
        (
            "Not assertive please, Petra finds it rude.",
            0,
            'for: "Not assertive please, Petra finds it rude."',
        ),
        ("Make the stepper buttons larger. Then tell me.", 1, 'for: "Make the stepper buttons larger."'),
        ("yes for both, go ahead", 0, ""),
        ("yes, let's do this, make a new branch, make meaningful commits", 0, ""),
        ("What about Iceberg? No wait, forget it, no new table formats this year.", 0, ""),
        ("Please do not touch src/legacy.rs, the lab has signed that file.", 0, ""),
    ],
)
def test_a_prompt_is_the_reason_of_what_it_names_or_of_the_one_file_that_was_edited_for_it(
    story: Story, prompt: str, others: int, reason: str
) -> None:
    story.prompt("Begin with the shop.")
    story.says("Done.")
    story.prompt(prompt)
    story.edit("src/Stepper.tsx", new="size: 24")
    for number in range(others):
        story.edit(f"src/Other{number}.tsx", new="x")
    assert why(story, "src/Stepper.tsx") == reason
