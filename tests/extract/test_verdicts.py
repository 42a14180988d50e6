"""`Dead end.` by itself says nothing: it is told with what it is the verdict on."""

from __future__ import annotations

import pytest

from .story import Story

pytestmark = pytest.mark.usefixtures("asked")


def tried(story: Story) -> list[str]:
    return [end.tried for end in story.index.dead_ends]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (
            "I render the pages in a worker; the font cache is not shared there."
            " Dead end, so the pages are rendered in the main process.",
            "I render the pages in a worker; the font cache is not shared there."
            " Dead end, so the pages are rendered in the main process.",
        ),
        (
            "Ich wollte die Belege im Speicher sortieren; dafür sind es zu viele. Sackgasse."
            " Deshalb sortiert jetzt die Datenbank.",
            "Ich wollte die Belege im Speicher sortieren; dafür sind es zu viele. Sackgasse.",
        ),
        (
            "Restarting the broker did not help; the lease is held elsewhere. Dead end.",
            "Restarting the broker did not help; the lease is held elsewhere. Dead end.",
        ),
        (
            "J'ai essayé de lire le flux par blocs. Une impasse, car les blocs se chevauchent.",
            "J'ai essayé de lire le flux par blocs. Une impasse, car les blocs se chevauchent.",
        ),
        (
            "Dead end: the mirror answers 403 for every package of that name.",
            "Dead end: the mirror answers 403 for every package of that name.",
        ),
        (
            "Das Sperren der Zeile ging nicht, weil die Tabelle keine Zeilensperren kennt.",
            "Das Sperren der Zeile ging nicht, weil die Tabelle keine Zeilensperren kennt.",
        ),
    ],
)
def test_a_verdict_is_told_with_what_it_is_on(story: Story, said: str, told: str) -> None:
    story.says(f"Looking around.\n\n{said}")
    assert tried(story) == [told]


@pytest.mark.parametrize(
    "said",
    [
        "Dead end, so the pages are rendered in the main process from now on.",
        "Which of the two? Dead end, so the pages are rendered in the main process.",
    ],
)
def test_a_verdict_on_nothing_is_not_told(story: Story, said: str) -> None:
    story.says(f"Looking around.\n\n{said}")
    assert tried(story) == []
