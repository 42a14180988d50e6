"""Writes `docs/reference/drop-order.md` from the table in `handoff/ranks.py`.

    python docs/generate_drop_order.py

A test compares the page with the table, so neither changes without the other.
"""

from __future__ import annotations

from pathlib import Path

from segue.handoff import ranks

PAGE = Path(__file__).parent / "reference" / "drop-order.md"

INTRODUCTION = f"""\
# The drop order

<!-- Made by docs/generate_drop_order.py from src/segue/handoff/ranks.py. -->

A [packet](packet.md) takes what stands first in this table, as long as it fits the budget; what stands last goes first. A thing
that stands here several times is told more fully each time, the fuller form in place of the briefer. Where there are several of a kind, the best
has the rank of the row and each next one is a step below it. What has no number of characters is told whole, or by its name.

A file that was only read is {ranks.OUTSIDE} lower outside the project, and five times as much in a folder for scratch. Below {ranks.TINY}
tokens the first and last lines are told in few words. {ranks.VITAL_PROMPTS} rules of the person, or one for every {ranks.TOKENS_FOR_A_RULE} tokens if
that is more, and the {ranks.VITAL_FAILURES} best failing lines are never given up for what stands below them.
"""


def page() -> str:
    """The page as it should be."""
    found = (row for row in vars(ranks).values() if isinstance(row, ranks.Row))
    rows = sorted(found, key=lambda row: -row.rank)
    order = [f"| {row.rank:g} | {row.step or ''} | {row.told} | {row.room or ''} |" for row in rows]
    lifts = [
        f"| `{preset}` | {', '.join(f'{group} +{by:g}' for group, by in groups.items())} |"
        for preset, groups in ranks.PRESETS.items()
        if preset
    ]
    return "\n".join(
        [
            INTRODUCTION,
            "| rank | step | what | characters |",
            "|---|---|---|---|",
            *order,
            "",
            "| preset | lifts |",
            "|---|---|",
            *lifts,
            "",
        ]
    )


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
