"""What a person wrote into a packet, wherever it stands, is a rule for the sessions after it."""

from __future__ import annotations

import pytest

from segue.service.handoffs.walk import Source, draft

from .story import Story

RULE = "Never deploy on Fridays."


def packet_of(story: Story) -> str:
    return draft(Source("pi", "s", story.entries), "go on").text


@pytest.fixture
def packet() -> str:
    story = Story("first")
    story.prompt("Use port 9090. Write the importer for the new files.")
    story.edit("src/importer.py", "def read_rows(): ...")
    story.run("pytest -q", "1 failed", 1)
    story.says("The importer is written; one test fails because the fixture is old.")
    return packet_of(story)


@pytest.mark.parametrize(
    ("before", "line"),
    [
        ("## Notes\n", f"- {RULE}\n"),
        ("## Notes\n", f"{RULE}\n\n"),
        ("## Context\n", f"{RULE}\n"),
        ("## Task\n", f"* {RULE}\n"),
        ("", f"\n## My rules\n- {RULE}\n\n"),
    ],
)
def test_a_rule_added_by_hand_is_carried_on(packet: str, before: str, line: str) -> None:
    at = packet.index(before or "## Notes\n")
    text = packet[:at] + before + line + packet[at + len(before) :]
    for name in ("second", "third"):
        story = Story(name)
        story.prompt(text)
        assert RULE in [word.text for word in story.index.words]
        text = packet_of(story)


def test_nothing_of_a_packet_as_it_was_made_is_taken_for_added(packet: str) -> None:
    story = Story("second")
    story.prompt(packet)
    assert [word.text for word in story.index.words] == ["Use port 9090."]
