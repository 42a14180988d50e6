"""Symbols tied to a file: those put into it, sought in it or named with it in one sentence."""

from __future__ import annotations

import pytest

from segue.extract.text.symbols import spelled

from ..story import Story


def tied(story: Story, path: str) -> set[str]:
    return {symbol for file in story.index.files if file.path == path for symbol in file.symbols}


def test_a_symbol_of_the_sentence_before_or_after_is_not_of_the_file(story: Story) -> None:
    story.prompt("go")
    story.edit(
        "src/simd/dot.cpp", new="__attribute__((target_clones)) double dot_product();", action="created"
    )
    story.says(
        "residual_4096 is off: contraction in the clone. Next step: one flag for src/simd/dot.cpp. "
        "Still to do: a job for qemu (IvyBridge)."
    )
    assert tied(story, "src/simd/dot.cpp") == {"target_clones", "dot_product", "__attribute__"} - {
        "__attribute__"
    }


def test_a_symbol_named_with_the_file_in_one_sentence_is_of_it(story: Story) -> None:
    story.prompt("go")
    story.says("First testDesk! `src/queue.py` holds parcelQueue, e.g. for the night run. Then reviewDesk.")
    assert tied(story, "src/queue.py") == {"parcelQueue"}


@pytest.mark.parametrize(
    ("text", "symbols"),
    [
        (r'print("\nType exit"); print("\nWith remainder")', []),
        (r'log("done\tmaxRetry: ", max_retry)', ["max_retry"]),
        (r"use App\Models\UserProfile;", ["UserProfile"]),
        (r"\textWidth = lineWidth", ["lineWidth"]),
        (r"C:\Work\notesDir and C:\Work\OpenDesk", ["OpenDesk"]),
        ('print(f"{user_name}\\\\n")', ["user_name"]),
        ("nType of nodeType", ["nType", "nodeType"]),
    ],
)
def test_the_letter_of_an_escape_begins_no_symbol(text: str, symbols: list[str]) -> None:
    assert spelled(text) == symbols
