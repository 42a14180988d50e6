"""What the agent claimed and then took back is not handed on; what nobody denied is."""

from __future__ import annotations

import pytest

from .story import Story


def told(story: Story) -> list[str]:
    index = story.index
    return [fact.text for fact in (*index.decisions, *index.notes, *index.said)]


def talk(story: Story, claim: str, objection: str, answer: str) -> list[str]:
    story.prompt("Look after the release.")
    story.says(claim)
    story.prompt(objection)
    story.says(answer)
    story.prompt("And now the change log.")
    story.says("The change log is written by hand, so I left its order alone.")
    return told(story)


@pytest.mark.parametrize(
    ("claim", "objection", "answer"),
    [
        (
            "The nightly import finishes in under 40 minutes now.",
            "The log has 1h12m. That is not under 40.",
            "Right, 1h12m. The index build at the end takes most of it.",
        ),
        (
            "The cluster is stable, all 9 brokers are in sync.",
            "only 4 of 9! get the others back, then write the report",
            "Correct, 4 of 9. The others lack the new key.",
        ),
        (
            "The diff is clean: no public function is renamed.",
            "Look again, it says 1 renamed.",
            "You are right, parse_row would be renamed.",
        ),
        (
            "The encoding problem is solved; the feed is now valid.",
            "The validator still says invalid, stop telling me that.",
            "Right: line 80 has no closing tag.",
        ),
        (
            "Die Migration ist fertig, alle 12 Tabellen sind übernommen.",
            "Das stimmt nicht, es sind erst 7 Tabellen da.",
            "Du hast recht, fünf Tabellen fehlen noch.",
        ),
        (
            "Both dashboards show the same totals for all 3 regions.",
            "The totals for region 2 are not the same.",
            "I'll look at the rounding of region 2.",
        ),
    ],
)
def test_a_claim_that_the_person_denied_is_not_told(
    story: Story, claim: str, objection: str, answer: str
) -> None:
    assert not [text for text in talk(story, claim, objection, answer) if text in claim or claim in text]


@pytest.mark.parametrize(
    ("said", "reply", "answer"),
    [
        (
            "The import is slow because every row opens its own connection.",
            "ok, so do one connection for all rows",
            "Right: one connection.",
        ),
        (
            "The token is renewed by a timer, so a long pause loses it.",
            "it asked me 3 times today",
            "You're right, that is the long pause.",
        ),
        (
            "The upload hangs since the proxy has no read timeout. I have set the timeout.",
            "The timeout is not in the diff. You did not change it.",
            "Correct, the proxy file was not saved.",
        ),
        (
            "All 4 exporters write UTF-8 now, so the old converter is not needed.",
            "do not touch the exporters any more, next comes the importer",
            "Understood, the importer.",
        ),
        (
            "Every worker has its own queue now, so a slow job blocks no other.",
            "commit only the queue change for now",
            "Committed as 1a2b3c4.",
        ),
        (
            "The totals are rounded per line, not per invoice, because the tax office wants it.",
            "great, that is not easy to see from the code",
            "Thanks.",
        ),
    ],
)
def test_what_was_not_denied_is_told(story: Story, said: str, reply: str, answer: str) -> None:
    first = said.split(". ")[0]
    assert [text for text in talk(story, said, reply, answer) if first in text]


def test_a_message_that_the_agent_calls_wrong_later_is_not_told(story: Story) -> None:
    story.prompt("Does the sorter handle umlauts?")
    story.says("The sorter handles umlauts since version 4, so `sort_key` needs no change.")
    story.prompt("post that")
    story.says("Posted it in the thread.")
    story.prompt("read what they say")
    story.says(
        "They are right; the sorter puts umlauts last.\n\n"
        "My earlier answer was wrong. `sort_key` has to fold umlauts before it compares."
    )
    story.prompt("go on")
    story.says("Folding them in `sort_key`.")
    assert not [text for text in told(story) if "since version 4" in text]
    assert [text for text in told(story) if "has to fold umlauts" in text]


@pytest.mark.parametrize(
    ("claim", "later", "stands"),
    [
        (
            "The archive with all its symbols is now below 20 MB.",
            "It has 22.9 MB, so I was wrong about 20 MB: the maps are in it twice.",
            False,
        ),
        (
            "The thumbnail cache is now shared by all 4 workers.",
            "I misread the thumbnail cache: each worker has its own, because it forks late.",
            False,
        ),
        (
            "The archive is unpacked twice because the maps are in it under two names.",
            "It has 22.9 MB, so I was wrong about 20 MB: the maps are in it twice.",
            True,
        ),
        (
            "The thumbnail cache is now shared by all 4 workers.",
            "What I misread was the log, because its lines are in two time zones.",
            True,
        ),
    ],
)
def test_what_the_agent_says_that_it_was_wrong_about_is_not_told(
    story: Story, claim: str, later: str, stands: bool
) -> None:
    story.prompt("Make it smaller.")
    story.says(claim)
    story.run("ls -l build", "total 4")
    story.says(later)
    story.says("Reading on.")
    assert (claim in told(story)) is stands
