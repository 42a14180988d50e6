"""A commit that was reverted is still there: it is told as reverted, here and by the sessions after."""

from __future__ import annotations

from segue.service.handoffs.walk import Draft, Source, draft

from .story import Story

REVERTED = "reverted by `git revert`: commit 1a2b3c4 (Export rows)"


def losses(made: Draft) -> list[str]:
    return [claim.text for claim in made.facts.claims if claim.act == "loss"]


def hand_off(story: Story) -> Draft:
    return draft(Source("pi", "s", story.entries), "finish the exporter", budget=3000)


def test_a_reverted_commit_is_told_as_reverted_and_so_after_a_hop() -> None:
    story = Story("first")
    story.prompt("Ship the exporter.")
    story.edit("src/exporter.py")
    story.run("git commit -am 'Export rows'", "[feat 1a2b3c4] Export rows\n 1 file changed")
    story.run("git revert --no-edit HEAD", '[feat 77aa88b] Revert "Export rows"\n 1 file changed')
    story.says("Reverted.")
    made = hand_off(story)
    later = Story("second")
    later.prompt(made.text)
    later.says("I looked at it.")
    assert losses(made) == [REVERTED]
    assert losses(hand_off(later)) == [REVERTED]
