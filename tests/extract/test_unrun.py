"""What was edited last and nothing was run after: told also where no check ever passed."""

from __future__ import annotations

import pytest

from .story import Story


def test_that_no_command_followed_the_last_edit_is_told_where_no_check_ever_passed(story: Story) -> None:
    story.prompt("Make the preview smaller.")
    story.edit("src/preview.tsx")
    story.run("pnpm fix", "")
    story.edit("docs/preview.mdx")
    lack = "nothing was tried since the last edits of docs/preview.mdx"
    assert story.claims == [("not tested", lack)]


def test_an_edit_of_a_file_that_is_known_by_its_whole_path_counts(story: Story) -> None:
    story.run("python reproduce.py", "still wrong")
    story.edit("/testbed/lib/compose.py")
    assert (
        "not tested",
        "nothing was tried since the last edits of /testbed/lib/compose.py",
    ) in story.claims


@pytest.mark.parametrize("command", ["python reproduce.py", "pnpm fix", "git commit -am x"])
def test_a_command_after_the_last_edit_may_have_checked_it(story: Story, command: str) -> None:
    story.edit("src/preview.tsx")
    story.run(command, "")
    assert not any(state == "not tested" for state, _ in story.claims)


def test_a_command_that_is_still_running_was_run(story: Story) -> None:
    story.edit("src/preview.tsx")
    story.call("Bash", "shell", command="npm test")
    assert not any(state == "not tested" for state, _ in story.claims)


@pytest.mark.parametrize("path", ["README.md", "/tmp/try.py", "/home/me/.agent/notes.json"])
def test_prose_scratch_and_settings_need_no_run(story: Story, path: str) -> None:
    story.edit(path)
    story.says("Written.")
    assert story.claims == []


def test_a_look_around_is_no_run(story: Story) -> None:
    story.edit("src/preview.tsx")
    story.run("cat src/preview.tsx", "…")
    assert [state for state, _ in story.claims] == ["not tested"]


def test_a_program_that_nobody_knows_was_run(story: Story) -> None:
    story.edit("assets/run.tape")
    story.run("ffmpeg -i run.mp4 assets/run.gif", "")
    assert not any(state == "not tested" for state, _ in story.claims)
