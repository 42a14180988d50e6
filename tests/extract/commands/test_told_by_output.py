"""What a run printed tells how it ended, where its exit does not; and what proves nothing although it ended well."""

from __future__ import annotations

import pytest

from ..story import Story


def ran(story: Story) -> dict[str, bool]:
    """Whether each run that went well is proved, by its key."""
    return {run.key: run.last_ok.proved for run in story.index.commands if run.last_ok}


VALIDATED = (
    "  • checking   path=.goreleaser.yaml\n  • 1 configuration file(s) validated\n  • thanks for using it!"
)


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("./gradlew assembleRelease", "> Task :app:assembleRelease\nBUILD SUCCESSFUL in 3m 12s"),
        ("./gradlew :app:bundleRelease", "BUILD SUCCESSFUL in 2m 50s"),
        ("./gradlew lintDebug", "BUILD SUCCESSFUL in 9s"),
        ("goreleaser check", VALIDATED),
        ("npm run lint", "Checked 40 files\nLint passed"),
    ],
)
def test_a_check_of_unknown_exit_that_says_at_its_end_that_it_passed_did(
    story: Story, command: str, output: str
) -> None:
    story.run(command, output, exit_code=None)
    assert list(ran(story).values()) == [True]


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("goreleaser check || true", VALIDATED),
        ('goreleaser check 2>&1 || echo "not here"', VALIDATED),
    ],
)
def test_a_check_whose_exit_is_hidden_by_what_stands_for_its_failure_passed_where_it_says_so(
    story: Story, command: str, output: str
) -> None:
    story.run(command, output)
    assert list(ran(story).values()) == [True]


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("make lint; git status", "nothing to commit\nPushed successfully"),
        ("make lint || echo lint passed", "lint passed"),
        ("make lint | head -2", "a.py\n2 files validated"),
        ("make lint || true", "Dependencies installed successfully\nLooking at a.py"),
        ("make lint || true", "a.py: 1 issue\n3 files validated"),
        ("make lint || true", "0 files validated"),
        ("make lint || true", "not validated"),
        ("make lint; make build", "lint\n3 files validated"),
    ],
)
def test_a_word_of_success_that_is_not_the_last_of_the_one_check_proves_nothing(
    story: Story, command: str, output: str
) -> None:
    story.run(command, output)
    assert not any(ran(story).values())


@pytest.mark.parametrize(
    ("task", "check"),
    [
        ("assembleRelease", True),
        ("bundleRelease", True),
        (":app:lintDebug", True),
        ("connectedDebugAndroidTest", True),
        ("testClasses", True),
        (":app:dependencies", False),
        ("signingReport", False),
    ],
)
def test_a_task_of_many_words_judges_what_its_first_or_last_word_says(
    story: Story, task: str, check: bool
) -> None:
    story.run(f"./gradlew {task}", "fine")
    assert [run.check for run in story.index.commands] == [check]


@pytest.mark.parametrize(
    "line",
    [
        "go test -json ./a > out; status=$?; rm -f out; exit $status",
        'set -o pipefail; cd a && go test -json ./a > "$out" && python - "$out" <<\'PY\'\nprint(1)\nPY\nstatus=$?; rm -f "$out"; exit $status',
        "code=0; go test -json ./a > out || code=$?; cat out; exit ${code}",
    ],
)
def test_an_exit_that_a_line_keeps_and_ends_with_is_its_own(story: Story, line: str) -> None:
    story.run(line)
    assert ran(story)["go test ./a"]


@pytest.mark.parametrize(
    "line",
    [
        "go test -json ./a > out; status=$?; rm -f out; exit 0",
        "go test -json ./a > out; ls; status=$?; rm -f out; exit $status",
        "go test -json ./a | cat > out; status=$?; exit $status",
        "go vet ./b; status=$?; go test -json ./a > out; exit $status",
    ],
)
def test_an_exit_that_is_another_command_s_proves_nothing(story: Story, line: str) -> None:
    story.run(line)
    assert not ran(story)["go test ./a"]


@pytest.mark.parametrize(
    "command",
    [
        "python reproduce_issue.py",
        "node scripts/repro.mjs",
        "./bug_42.sh",
        "npm run repro",
        "cd /x && python3 a/repro_crash.py",
    ],
)
def test_a_run_that_is_to_show_a_fault_proves_nothing_by_its_end(story: Story, command: str) -> None:
    story.run(command, "Expected True, got 1")
    assert list(ran(story).values()) == [False]


@pytest.mark.parametrize("command", ["python make_report.py", "pytest tests/test_reproduce.py", "./debug.sh"])
def test_any_other_run_that_ended_well_worked(story: Story, command: str) -> None:
    story.run(command, "fine")
    assert list(ran(story).values()) == [True]


LUA = 'local M = {}\nfunction M.get()\n  -- Configure\n  error("Failed to fetch")\nend\n### Package not found'


@pytest.mark.parametrize(
    "command",
    [
        "gh api 'repos/a/b/contents/x.lua?ref=main' --jq .content | base64 -d",
        "gh api repos/a/b/commits/main --jq .sha | head -1",
        "gh repo view a/b --json url | cat",
        "gh pr list --limit 5 | head",
        "gh api graphql -f query='query { viewer { login } }' | head",
        "kubectl get pods | head -3",
    ],
)
def test_a_look_of_unknown_end_is_no_run_to_tell(story: Story, command: str) -> None:
    story.run(command, LUA if "contents" in command else "one\ntwo")
    assert story.index.commands == ()


@pytest.mark.parametrize(
    "command",
    [
        "gh api -X POST repos/a/b/issues | head",
        "gh api repos/a/b/issues -f title=x | head",
        "gh api graphql -f query='mutation { x }' | head",
        "gh pr create --title x | head",
        "./deploy.sh list-all | head",
        "npx tsx src/cli.ts --help | head -20",
    ],
)
def test_what_changes_something_or_shows_a_usage_is_told_although_its_end_is_unknown(
    story: Story, command: str
) -> None:
    story.run(command, "one\ntwo")
    assert len(story.index.commands) == 1


def test_what_was_fetched_beside_another_command_is_no_run_to_tell(story: Story) -> None:
    story.run("mise ls-remote php | head -1; gh api repos/a/b/contents/x.lua | head -9", LUA)
    assert [run.key for run in story.index.commands] == ["mise ls-remote php"]


def test_what_others_wrote_is_no_trouble_of_the_program_that_shows_it(story: Story) -> None:
    story.run("curl -s https://x.test/a.lua | head -20", LUA)
    assert [run.last_ok.outcome for run in story.index.commands if run.last_ok] == [""]


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("gh api repos/a/b/contents/x | head", '{"message": "Not Found"}\ngh: Not Found (HTTP 404)'),
        (
            "curl -s https://x.test/a | head -20",
            "a\nb\nc\nd\ncurl: (7) could not connect: connection refused",
        ),
    ],
)
def test_what_a_program_says_in_its_own_name_is_told(story: Story, command: str, output: str) -> None:
    story.run(command, output)
    assert [run.last_ok.outcome for run in story.index.commands if run.last_ok] == [output.split("\n")[-1]]
