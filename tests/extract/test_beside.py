"""The reason, the cause or the option that was rejected is told, though it stands in the sentence beside."""

from __future__ import annotations

import pytest

from .story import Story

pytestmark = pytest.mark.usefixtures("asked")


def told(story: Story) -> list[str]:
    index = story.index
    return [
        *(decision.text for decision in index.decisions),
        *(end.tried for end in index.dead_ends),
        *(note.text for note in (*index.notes, *index.said)),
    ]


@pytest.mark.parametrize(
    ("said", "beside"),
    [
        (
            "I decided on Avro over plain JSON because the reader needs the schema of the writer."
            " Thrift was rejected: nobody here can debug it.",
            "Thrift was rejected: nobody here can debug it.",
        ),
        (
            "My first idea was a full disk. That is ruled out: both volumes are half empty."
            " Cause: the log shipper holds deleted files open.",
            "Cause: the log shipper holds deleted files open.",
        ),
        (
            "I will not use the async driver: it hides errors because nobody awaits the last call."
            " Decision: the blocking driver with a pool of eight.",
            "I will not use the async driver: it hides errors because nobody awaits the last call.",
        ),
        (
            "Two services write the same row. So I decided to put the counter into its own table.",
            "Two services write the same row. So I decided to put the counter into its own table.",
        ),
    ],
)
def test_what_stands_beside_is_told(story: Story, said: str, beside: str) -> None:
    story.says(said)
    story.says("That was all for now.")
    assert beside in told(story)


def test_what_stands_beside_and_gives_no_reason_is_not_told_alone(story: Story) -> None:
    story.says(
        "I decided on Avro over plain JSON because the reader needs the schema of the writer."
        " The files end in .avro from now on."
    )
    story.says("That was all for now.")
    assert [text for text in told(story) if "end in .avro" in text] == []


def test_a_sentence_that_is_told_elsewhere_is_not_told_again_on_the_way(story: Story) -> None:
    told = "I tried pinning the plugin from the old suite, but the resolver refuses it."
    beside = "The plugin was split in the new suite: its headers are a package of their own, named plugin-headers-extra."
    story.prompt("upgrade the web servers")
    story.says(f"{beside} {told}")
    story.says("I go on with the next host.")
    assert [end.tried for end in story.index.dead_ends] == [told]
    assert [note.text for note in story.index.said] == [beside]
