"""A directory that was renamed or moved takes its files with it; a file is one file before and after."""

from __future__ import annotations

import pytest

from ..story import Story


def told(story: Story) -> dict[str, tuple[str, int]]:
    return {file.path: (file.action, file.edits) for file in story.index.files}


@pytest.mark.parametrize(
    ("command", "there"),
    [
        ("git mv pkg/sync sync", "sync/a.go"),
        ("mv pkg/sync .", "sync/a.go"),
        ("cd pkg && mv sync ../lib/", "lib/sync/a.go"),
    ],
)
def test_files_go_on_where_their_directory_went(story: Story, command: str, there: str) -> None:
    story.prompt("go")
    story.edit("pkg/sync/a.go", new="x")
    story.run(command)
    story.edit(there, new="y")
    assert told(story) == {there: ("modified", 2)}


def test_a_directory_that_could_not_be_moved_is_where_it_was(story: Story) -> None:
    story.prompt("go")
    story.edit("pkg/sync/a.go", new="x")
    story.run("git mv pkg/sync sync", "fatal: destination exists", 128)
    assert told(story) == {"pkg/sync/a.go": ("modified", 1)}


def test_what_is_made_under_the_old_name_afterwards_stays_there(story: Story) -> None:
    story.prompt("go")
    story.edit("pkg/sync/a.go", new="x")
    story.run("git mv pkg/sync sync")
    story.edit("pkg/sync/b.go", new="y", action="created")
    assert told(story) == {"sync/a.go": ("modified", 1), "pkg/sync/b.go": ("created", 1)}


def test_a_file_that_was_moved_and_then_edited_is_one(story: Story) -> None:
    story.prompt("go")
    story.edit("old.py", new="x")
    story.run("git mv old.py new.py")
    story.edit("new.py", new="y")
    assert told(story) == {"new.py": ("modified", 3)}


def test_the_session_goes_on_in_its_directory_under_the_new_name(story: Story) -> None:
    story.prompt("go")
    story.edit("/home/me/app/src/a.go", new="x")
    story.run("cd .. && mv app shop")
    story.add("meta", by="harness", data={"id": "s-1", "cwd": "/home/me/shop"})
    story.read("/home/me/shop/src/a.go")
    index = story.index
    assert (index.source.cwd, told(story)) == ("/home/me/shop", {"src/a.go": ("modified", 1)})


GONE = 'Working directory "/home/me/app" was deleted; shell cwd recovered to "/home/me".'


@pytest.mark.parametrize(
    ("printed", "root"),
    [
        (GONE, "/home/me/shop"),
        ("bash: cd: /home/me/app: No such file or directory", "/home/me/shop"),
        ("cat: /home/me/app/x.md: No such file or directory", "/home/me/app"),
    ],
)
def test_a_directory_that_somebody_else_renamed_is_the_one_where_its_files_are_found(
    story: Story, printed: str, root: str
) -> None:
    story.prompt("go")
    story.edit("/home/me/app/src/a.go", new="x")
    story.run("pwd && ls", printed, 1)
    story.add("meta", by="harness", data={"id": "s-1", "cwd": "/home/me/shop"})
    story.read("/home/me/shop/src/a.go")
    story.add("meta", by="harness", data={"id": "s-1", "cwd": "/home/me/app"})
    assert story.index.source.cwd == root


def test_a_directory_that_is_gone_is_not_taken_for_another_project(story: Story) -> None:
    story.prompt("go")
    story.edit("/home/me/app/src/a.go", new="x")
    story.run("pwd && ls", GONE, 1)
    story.add("meta", by="harness", data={"id": "s-1", "cwd": "/home/me/shop"})
    story.read("/home/me/shop/lib/z.py")
    assert {file.path for file in story.index.files} >= {"/home/me/app/src/a.go"}


def test_a_bare_name_is_that_of_the_file_at_the_top_where_no_directory_is_told(story: Story) -> None:
    story.entries.clear()
    story.add("meta", by="harness", data={"id": "s"})
    story.prompt("go")
    story.edit("/home/me/thesis/thesis.tex", new="x")
    story.edit("/home/me/thesis/chapters/one.tex", new="x")
    story.run("cat thesis.tex", "text")
    assert told(story) == {"thesis.tex": ("modified", 1), "chapters/one.tex": ("modified", 1)}


def test_a_bare_name_that_may_be_of_another_directory_stays_as_it_is(story: Story) -> None:
    story.entries.clear()
    story.add("meta", by="harness", data={"id": "s"})
    story.prompt("go")
    story.edit("/home/me/thesis/docs/README.md", new="x")
    story.edit("/home/me/thesis/chapters/one.tex", new="x")
    story.run("cat README.md", "text")
    assert "README.md" in told(story)


@pytest.mark.parametrize(("named", "branch"), [("HEAD", ""), ("main", "main")])
def test_a_program_that_knows_of_no_branch_names_none(story: Story, named: str, branch: str) -> None:
    story.add("meta", by="harness", data={"id": "s-1", "branch": named})
    story.prompt("go")
    assert story.index.source.branch == branch
