"""Files and commits that are no longer there, or never were, are not told as if they were."""

from __future__ import annotations

import pytest

from segue.model.entry import Edit
from segue.service.handoffs.walk import Source, draft

from .story import Story


def actions(story: Story) -> dict[str, tuple[str, int]]:
    return {file.path: (file.action, file.edits) for file in story.index.files}


@pytest.mark.parametrize(
    "command",
    ["rm -r scratch", "rm -rf ./scratch/", "cd scratch && rm -rf deep *.py", "rm -rf /home/me/app/scratch"],
)
def test_files_go_with_their_directory(story: Story, command: str) -> None:
    story.prompt("go")
    story.edit("scratch/a.py", action="created")
    story.edit("scratch/deep/b.py", action="created")
    story.edit("src/a.py")
    story.run(command)
    assert actions(story) == {
        "scratch/a.py": ("deleted", 2),
        "scratch/deep/b.py": ("deleted", 2),
        "src/a.py": ("modified", 1),
    }


def test_a_pattern_takes_what_it_stands_for(story: Story) -> None:
    story.prompt("go")
    for path in ("bin/a.sh", "bin/b.py", "bin/old/c.sh"):
        story.edit(path)
    story.run("rm bin/*.sh")
    assert [path for path, (action, _) in actions(story).items() if action == "deleted"] == ["bin/a.sh"]


@pytest.mark.parametrize("exit_code", [0, None])
def test_what_was_made_again_is_there(story: Story, exit_code: int | None) -> None:
    story.prompt("go")
    story.edit("out/a.py", action="created")
    story.run("rm -rf out", exit_code=exit_code)
    story.edit("out/a.py", action="created")
    assert actions(story)["out/a.py"][0] == "created"


def test_a_file_whose_directory_nobody_names_is_one_file(story: Story) -> None:
    del story.entries[0]
    story.prompt("go")
    story.edit("/srv/app/src/a.ts", action="created")
    story.edit("/srv/app/src/b.ts", action="created")
    story.run("cat src/b.ts")
    story.run("rm src/a.ts")
    assert actions(story)["src/a.ts"][0] == "deleted"


def test_a_read_that_failed_is_no_read(story: Story) -> None:
    story.prompt("go")
    story.read("src/there.py")
    name = story.call("Read", "read", paths=("src/missing.py",))
    story.add("tool_result", "Path does not exist", call_id=name, is_error=True)
    assert list(actions(story)) == ["src/there.py"]


def test_what_was_read_before_a_read_that_failed_was_read(story: Story) -> None:
    story.prompt("go")
    story.read("src/a.py")
    name = story.call("Read", "read", paths=("src/a.py",))
    story.add("tool_result", "offset beyond the end", call_id=name, is_error=True)
    assert [(file.path, file.reads) for file in story.index.files] == [("src/a.py", 1)]


def test_one_write_is_one_edit_whose_result_says_that_the_file_is_new(story: Story) -> None:
    story.prompt("go")
    name = story.call(
        "Write", "edit", paths=("a.py",), edits=(Edit(path="a.py", new="def parse_header(): ..."),)
    )
    story.add("tool_result", "ok", call_id=name, is_error=False, edits=(Edit(path="a.py", action="created"),))
    (file,) = story.index.files
    assert (file.action, file.edits, file.symbols) == ("created", 1, ("parse_header",))


@pytest.mark.parametrize(
    ("onto", "left"),
    [("origin/main", ["Keep this"]), ("HEAD~2", ["First", "Keep this"]), ("1111111", ["First", "Keep this"])],
)
def test_a_transplanted_branch_leaves_what_lies_below_its_old_base(
    story: Story, onto: str, left: list[str]
) -> None:
    story.prompt("go")
    for id, subject in (("1111111", "First"), ("2222222", "Drop this"), ("3333333", "Keep this")):
        story.run(f"git commit -m '{subject}'", f"[work {id}] {subject}\n 1 file changed")
    story.run(f"git rebase --onto {onto} 2222222", "Successfully rebased and updated refs/heads/work.")
    commits = [text.rpartition(": ")[2] for state, text in story.claims if state == "done"]
    assert commits == left


@pytest.mark.parametrize(
    ("command", "output", "branch"),
    [
        ("git switch -c fix/arm", "Switched to a new branch 'fix/arm'", "fix/arm"),
        ("git checkout -b fix/arm", "Switched to a new branch 'fix/arm'", "fix/arm"),
        ("git branch fix/arm", "", "main"),
    ],
)
def test_the_session_is_on_the_branch_it_went_to(
    story: Story, command: str, output: str, branch: str
) -> None:
    story.add("meta", by="harness", data={"branch": "main"})
    story.prompt("go")
    story.run(command, output)
    assert story.index.source.branch == branch


def whys(story: Story) -> dict[str, str]:
    return {file.path: file.why for file in story.index.files}


def test_a_sentence_about_another_file_is_no_reason(story: Story) -> None:
    story.prompt("write the numbers in hex")
    story.says("The parser in src/parse.py looks fine and needs no change at all.")
    story.edit("src/emit.py", "x = 1")
    assert whys(story)["src/emit.py"] == 'for: "write the numbers in hex"'


def test_of_a_long_prompt_only_what_speaks_of_the_file_is_its_reason(story: Story) -> None:
    story.prompt(
        "The simulation runs at thirty hertz. The jitter buffer drops packets under load. Nobody may touch the wire"
        " format. Tests live beside the code. Please be quick about it."
    )
    story.edit("src/jitter.rs", "x")
    story.edit("src/replay.rs", "x")
    assert whys(story) == {
        "src/jitter.rs": 'for: "The jitter buffer drops packets under load."',
        "src/replay.rs": "",
    }


def test_what_was_only_spoken_of_is_so_after_any_number_of_hops(story: Story) -> None:
    story.prompt("You must update docs/CHANGES.md before the end.")
    for name in ("s-2", "s-3"):
        text = draft(Source("pi", "s", story.entries), "go on").text
        assert "CHANGES.md (mentioned)" in text
        assert "<read-files>" not in text
        story = Story(name)
        story.prompt(text)
    assert [(file.path, file.action) for file in story.index.files] == [("docs/CHANGES.md", "mentioned")]
