"""What the session made is created, and stays so; what was there before is modified."""

from __future__ import annotations

import pytest

from segue.model.entry import Edit

from ..story import Story


def actions(story: Story) -> dict[str, tuple[str, int]]:
    return {file.path: (file.action, file.edits) for file in story.index.files if file.edits}


def write(story: Story, path: str, said: str = "Successfully wrote 40 bytes.", action: str = "") -> None:
    name = story.call("write", "write", paths=(path,), edits=(Edit(path=path, new="const theme = 1"),))
    told = (Edit(path=path, action=action),) if action else ()  # type: ignore[arg-type]
    story.add("tool_result", said, call_id=name, is_error=False, edits=told)


def test_a_file_written_whole_that_nobody_had_seen_is_created_also_once_it_is_edited(story: Story) -> None:
    story.prompt("go")
    write(story, "src/themes.ts")
    story.edit("src/themes.ts", new="b", old="a")
    assert actions(story) == {"src/themes.ts": ("created", 2)}


@pytest.mark.parametrize("look", ["cat src/themes.ts", "rg -n theme src/themes.ts", "git diff src/themes.ts"])
def test_a_file_written_whole_that_was_read_before_is_modified(story: Story, look: str) -> None:
    story.prompt("go")
    story.run(look, "const theme = 0")
    write(story, "src/themes.ts")
    assert actions(story) == {"src/themes.ts": ("modified", 1)}


def test_a_file_that_was_edited_before_it_was_written_whole_is_modified(story: Story) -> None:
    story.prompt("go")
    story.edit("src/themes.ts", new="b", old="a")
    write(story, "src/themes.ts")
    assert actions(story) == {"src/themes.ts": ("modified", 2)}


def test_what_the_result_says_became_of_a_file_counts(story: Story) -> None:
    story.prompt("go")
    write(story, "src/themes.ts", "The file has been updated.", action="modified")
    assert actions(story) == {"src/themes.ts": ("modified", 1)}


def test_a_line_that_only_adds_to_a_file_does_not_create_it(story: Story) -> None:
    story.prompt("go")
    story.run("echo dist >> docs/list.txt && echo x > notes.txt")
    assert actions(story) == {"docs/list.txt": ("modified", 1), "notes.txt": ("created", 1)}


def test_a_file_that_was_created_here_and_renamed_is_still_new(story: Story) -> None:
    story.prompt("go")
    story.edit("src/old.ts", new="x", action="created")
    story.run("git mv src/old.ts src/new.ts")
    assert actions(story) == {"src/new.ts": ("created", 2)}


def test_edits_that_were_cut_off_with_the_reply_that_held_them_were_not_made(story: Story) -> None:
    story.prompt("go")
    story.edit("src/a.ts", new="x")
    for name in ("k1", "k2"):
        story.add(
            "tool_call", tool="edit", tool_kind="edit", call_id=name, edits=(Edit(path="src/a.ts", new=name),)
        )
    story.add("interruption", "terminated", by="harness")
    story.prompt("go on")
    story.says("Going on.")
    assert actions(story) == {"src/a.ts": ("modified", 1)}


def test_an_edit_whose_result_was_lost_is_taken_as_made_though_the_turn_was_interrupted_later(
    story: Story,
) -> None:
    story.prompt("go")
    story.add(
        "tool_call", tool="edit", tool_kind="edit", call_id="k", edits=(Edit(path="src/a.ts", new="x"),)
    )
    story.run("pytest", "1 passed in 0.1s")
    story.add("interruption", "", by="person")
    story.prompt("go on")
    story.says("Going on.")
    assert actions(story) == {"src/a.ts": ("modified", 1)}
