"""Of a compaction summary what remains to be done comes before the chronicle."""

from __future__ import annotations

import pytest

from .story import Story


def summary(story: Story, text: str) -> list[str]:
    story.prompt("go on")
    story.add("summary", text, by="harness")
    story.says("Going on.")
    (quote,) = story.index.summaries
    return [line for line in quote.text.split("\n") if line.strip()]


NUMBERED = """This session is being continued from an earlier one.

Analysis:
1. The person asked for an importer.
2. I wrote `load`.

Summary:
1. Primary Request:
   - An importer for bank files.

2. Pending Tasks:
   - Wire `load` into the menu.

3. Current Work:
   Half of the menu is wired.

4. Files:
   - menu.py
"""


def test_numbered_sections_about_what_is_left_come_first(story: Story) -> None:
    told = summary(story, NUMBERED)
    assert told[:4] == [
        "2. Pending Tasks:",
        "   - Wire `load` into the menu.",
        "3. Current Work:",
        "   Half of the menu is wired.",
    ]
    assert sorted(told) == sorted(line for line in NUMBERED.split("\n") if line.strip())


@pytest.mark.parametrize(
    ("before", "ahead", "after"),
    [
        ("## Progress", "## Next Steps", "## Critical Context"),
        ("**Done so far**", "**Remaining work**", "**Files**"),
        ("# Erledigt", "# Nächste Schritte", "# Dateien"),
        ("<completed>", "<next_steps>", "<files>"),
        ("## これまで", "## 次の作業", "## ファイル"),
    ],
)
def test_headed_sections_about_what_is_left_come_first(
    story: Story, before: str, ahead: str, after: str
) -> None:
    told = summary(
        story, f"{before}\n- wrote load\n- wrote dump\n\n{ahead}\n- wire the menu\n\n{after}\n- menu.py\n"
    )
    assert told == [ahead, "- wire the menu", before, "- wrote load", "- wrote dump", after, "- menu.py"]


@pytest.mark.parametrize(
    "text",
    [
        "The importer was written. Next the menu is wired.\nThe rest is done.",
        "## Progress\n- the next button works\n- remaining rows are drawn\n",
    ],
)
def test_a_summary_without_such_a_section_stays_as_it_is(story: Story, text: str) -> None:
    assert summary(story, text) == [line for line in text.split("\n") if line]
