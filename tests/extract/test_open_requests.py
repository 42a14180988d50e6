"""Which questions of the agent are open: a pick from its list answers them, and asking for details leaves a request open."""

from __future__ import annotations

import pytest

from segue.extract.facts import select

from .story import Story

PATHS = (
    "There are three paths.\n\nA. Set up the whole pipeline.\nB. Ship with placeholder sums.\n"
    "C. Build the formula from source.\n\nWhich way?"
)
NUMBERED = (
    "We can go about it like this:\n1. a nightly export\n2. streaming through a queue\n\nWhat do you prefer?"
)


def open_questions(story: Story) -> list[str]:
    return [question.text for question in story.index.questions]


def steps(story: Story) -> list[str]:
    return [step.text for step in select(story.index, "", budget=4000)[0].next_steps]


@pytest.mark.parametrize(
    ("message", "reply"),
    [
        (PATHS, "can we have C in the same repo? I'd actually be fine with that for now"),
        (PATHS, "placeholder sums would do until friday I think"),
        (PATHS, "let me think about it aloud: I like the second most"),
        (NUMBERED, "the customer wants to see it live so 2 it is"),
        (NUMBERED, "would streaming cope with a restart of the broker?"),
        (NUMBERED, "the former, as we have no broker"),
    ],
)
def test_a_prompt_that_speaks_of_what_was_offered_answers_the_question(
    story: Story, message: str, reply: str
) -> None:
    story.prompt("add a release")
    story.says(message)
    story.prompt(reply)
    story.edit("release.rb")
    story.says("Written.")
    assert open_questions(story) == []


@pytest.mark.parametrize(
    ("message", "reply"),
    [
        (PATHS, "by the way the footer shows a wrong year on every page, fix that"),
        (NUMBERED, "please also look at why a test in the login module is red"),
    ],
)
def test_a_prompt_about_something_else_leaves_the_question_open(
    story: Story, message: str, reply: str
) -> None:
    story.prompt("add a release")
    story.says(message)
    story.prompt(reply)
    story.edit("footer.html")
    story.says("Fixed.")
    assert len(open_questions(story)) == 1


@pytest.mark.parametrize(
    "needs",
    [
        "However, I need more information about which cases you mean. Please provide more details or examples.",
        "Could you share the two addresses so that I can embed them.",
        "The page is ready for the two addresses when you have them.",
        "Let me know which of the two layouts you want.",
        "Dafür brauche ich noch die beiden Adressen von dir.",
        "Necesito que me envíes las dos direcciones.",
        "どちらのレイアウトにするか教えてください。",
        "请提供这两个地址。",
    ],
)
def test_a_request_that_the_agent_needs_more_for_stays_open(story: Story, needs: str) -> None:
    story.prompt("show the two demos in the readme")
    story.edit("README.md")
    story.prompt("use the hosted ones instead")
    story.says(f"I see what you mean. {needs}")
    assert steps(story)[0] == f'Settle what the agent asked and nobody answered: "{needs}"'


@pytest.mark.parametrize(
    "offer",
    [
        "Let me know if you need anything else.",
        "Please let me know if you have any questions.",
        "Tell me if you want another layout.",
        "The script asks people to please provide a token.",
    ],
)
def test_an_offer_asks_for_nothing(story: Story, offer: str) -> None:
    story.prompt("show the two demos in the readme")
    story.edit("README.md")
    story.says(f"Done. {offer}")
    assert open_questions(story) == []
