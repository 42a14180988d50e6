"""A failure from before later edits does not refute what the agent says at the end; it only was not run again."""

from __future__ import annotations

import pytest

from .story import Story


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("src/a.py", " before the last edits, and was not run since"),
        ("README.md", ""),
        ("", ""),
    ],
)
def test_a_failure_is_told_with_what_was_edited_since(story: Story, path: str, told: str) -> None:
    story.prompt("Mend the parser.")
    at = story.run("pytest -q", "1 failed", 1)
    if path:
        story.edit(path, "x = 1")
    story.says("All tests pass.")
    said = [text for _, text in story.claims if text.startswith("the agent said")]
    assert said == [f'the agent said "All tests pass.", but `pytest -q` failed [#{at}]{told}']
