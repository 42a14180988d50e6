"""What a command line names was read only where something of it was shown; what a program makes was not read."""

from __future__ import annotations

import pytest

from ..story import Story


def told(story: Story) -> dict[str, str]:
    return {file.path: file.action for file in story.index.files}


def ran(story: Story, command: str, output: str = "", exit_code: int = 0) -> dict[str, str]:
    story.prompt("go")
    story.run(command, output, exit_code)
    return told(story)


@pytest.mark.parametrize(
    ("command", "output", "exit_code"),
    [
        ("grep -A 3 wrap src/wrap.ts", "grep: src/wrap.ts: No such file or directory", 2),
        ("sed -n 1,40p src/wrap.ts", "sed: can't read src/wrap.ts: No such file or directory", 2),
        (
            "head -3 src/wrap.ts | nl",
            "head: cannot open 'src/wrap.ts' for reading: No such file or directory",
            0,
        ),
        ("cat src/wrap.ts 2>/dev/null", "", 1),
        ("find . -name wrap.ts", "./lib/wrap.ts", 0),
        ("python3 /tmp/fix.py", "Fixed!", 0),
        ("go test -c ./pkg -o /tmp/pkg.test", "", 0),
    ],
)
def test_what_is_not_there_or_only_a_pattern_or_scratch_is_no_file(
    story: Story, command: str, output: str, exit_code: int
) -> None:
    assert ran(story, command, output, exit_code) == {}


@pytest.mark.parametrize(
    "command",
    [
        "ansible-playbook -l pool-b site/ca.yml",
        "npx playwright test site/ca.yml",
        "git add site/ca.yml",
        "ls -l site/ca.yml",
        "cat site/ca.yml 2>/dev/null; echo ---; ls internal",
    ],
)
def test_what_a_program_was_only_given_is_mentioned(story: Story, command: str) -> None:
    assert ran(story, command, "---\nsomething") == {"site/ca.yml": "mentioned"}


@pytest.mark.parametrize(
    "command",
    [
        "cat site/ca.yml",
        "cat site/ca.yml 2>/dev/null | head",
        "git diff site/ca.yml",
        "git show HEAD:site/ca.yml",
    ],
)
def test_what_was_shown_is_read(story: Story, command: str) -> None:
    assert ran(story, command, "hosts: all") == {"site/ca.yml": "read"}


@pytest.mark.parametrize(
    ("command", "made", "given"),
    [
        ("inkscape figures/flow.svg -o figures/flow.pdf", "figures/flow.pdf", "figures/flow.svg"),
        ("pandoc docs/a.md --output=docs/a.html", "docs/a.html", "docs/a.md"),
        ("terraform plan tf/dev.tf -out=tf/plan.json", "tf/plan.json", "tf/dev.tf"),
        ('"$FF" -y -i rec/a.mp4 -vf fps=10 assets/a.gif', "assets/a.gif", "rec/a.mp4"),
    ],
)
def test_what_a_program_made_is_created(story: Story, command: str, made: str, given: str) -> None:
    assert ran(story, command, "done") == {given: "mentioned", made: "created"}


def test_a_search_that_found_nothing_ties_no_symbol_to_the_file(story: Story) -> None:
    story.prompt("go")
    story.run("grep -n borderColor src/custom.ts", "", 1)
    (file,) = story.index.files
    assert (file.action, file.symbols) == ("read", ())


def test_a_search_that_found_nothing_and_would_not_say_why_only_names_its_files(story: Story) -> None:
    assert ran(story, "grep -E cobra go.mod go.sum 2>/dev/null | head -20") == {
        "go.mod": "mentioned",
        "go.sum": "mentioned",
    }


def test_a_line_that_nobody_saw_run_only_names_its_files(story: Story) -> None:
    story.prompt("go")
    story.call("Bash", "shell", command="cat src/a.py")
    assert told(story) == {"src/a.py": "mentioned"}


@pytest.mark.parametrize(
    "loop",
    [
        'for f in docs/a.md docs/b.md; do echo "== $f"; cat "$f"; done',
        "for x in docs/a.md docs/b.md\ndo\n  sed -n 1,20p ${x}\ndone",
    ],
)
def test_what_a_loop_shows_was_read(story: Story, loop: str) -> None:
    assert ran(story, loop, "# A") == {"docs/a.md": "read", "docs/b.md": "read"}


def test_what_a_loop_changes_was_changed(story: Story) -> None:
    assert ran(story, "for f in a.md b.md; do sed -i s/x/y/ $f; done") == {
        "a.md": "modified",
        "b.md": "modified",
    }


def test_what_a_loop_copied_elsewhere_and_a_pattern_brought_again_is_not_told_as_deleted(
    story: Story,
) -> None:
    story.run("for f in a.ts b.ts; do cp $f ui/; done")
    story.run("rm -rf ui")
    assert "deleted" not in ran(story, "mkdir ui; for f in *.ts; do mv $f ui/; done").values()


def test_what_a_loop_gives_to_a_program_was_only_named(story: Story) -> None:
    assert ran(story, "for f in src/a.py src/b.py; do ruff check $f; done", "ok") == {
        "src/a.py": "mentioned",
        "src/b.py": "mentioned",
    }


@pytest.mark.parametrize(
    ("command", "printed"),
    [
        ("head -5 docs/*.md", "==> docs/a.md <==\n# A\n\n==> docs/b.md <==\n# B"),
        ('for f in docs/*.md; do echo "=== $f ==="; cat "$f"; done', "=== docs/a.md ===\n=== docs/b.md ==="),
    ],
)
def test_files_that_were_shown_under_their_names_were_read(story: Story, command: str, printed: str) -> None:
    assert ran(story, command, printed) == {"docs/a.md": "read", "docs/b.md": "read"}


@pytest.mark.parametrize("command", ["ls -1 docs/*.md", "prettier --list docs/*.md", "cat notes/*.md"])
def test_names_that_no_pattern_stands_for_or_nothing_is_shown_of_were_not(story: Story, command: str) -> None:
    assert ran(story, command, "=== docs/a.md ===\n=== docs/b.md ===") == {}
