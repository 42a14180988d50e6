"""An edit that the person rejected is told like a command that they did not let run."""

from __future__ import annotations

from segue.model.entry import Edit

from .story import Story

REFUSED = "The user doesn't want to proceed with this tool use. The tool use was rejected."


def call(story: Story, path: str) -> str:
    return story.call("Edit", "edit", paths=(path,), edits=(Edit(path=path, new="x"),))


def refuse(story: Story, path: str) -> int:
    name = call(story, path)
    line = story.add("tool_result", REFUSED, call_id=name, is_error=True)
    story.add("rejection", "", by="person", via="rejection", call_id=name)
    return line


def test_an_edit_that_the_person_rejected_is_told(story: Story) -> None:
    line = refuse(story, "/home/me/app/tasks/lint/licenses")
    story.says("Without it, then.")
    (claim,) = story.index.claims
    assert (claim.text, claim.evidence[0].line) == (
        "rejected by the person: an edit of `tasks/lint/licenses`",
        line,
    )


def test_a_rejection_without_a_result_is_told_where_the_edit_was_asked_for(story: Story) -> None:
    name = call(story, "src/app.py")
    story.add("rejection", "not there", by="person", via="rejection", call_id=name)
    assert ("inferred", "rejected by the person: an edit of `src/app.py`") in story.claims


def test_a_file_that_was_edited_after_all_is_not_told_as_rejected(story: Story) -> None:
    refuse(story, "src/app.py")
    story.edit("src/app.py")
    story.run("python app.py", "")
    assert not any("rejected" in text for _, text in story.claims)


def test_an_edit_that_did_not_match_was_not_rejected(story: Story) -> None:
    story.edit("src/app.py", ok=False)
    assert not any("rejected" in text for _, text in story.claims)


def test_a_rejected_edit_outlives_edits_of_other_files(story: Story) -> None:
    refuse(story, "src/app.py")
    story.edit("src/other.py")
    assert ("inferred", "rejected by the person: an edit of `src/app.py`") in story.claims
