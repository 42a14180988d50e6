"""Claims rest on what programs printed."""

from __future__ import annotations

import pytest

from segue.model.claim import CLAIM_STATES, PROVEN, grounded

from .story import Story

pytestmark = pytest.mark.usefixtures("asked")


def test_commits_pushes_and_pull_requests_are_read_from_their_output(story: Story) -> None:
    story.run("git commit -m x", "[main 3f9c2d1] Add retries\n 1 file changed")
    story.run("git push", "To example.com:app.git\n   1111111..3f9c2d1  main -> main\n")
    story.run("gh pr create --fill", "https://example.com/o/r/pull/7\n")
    assert story.claims == [
        ("done", "commit 3f9c2d1 on main: Add retries"),
        ("pushed", "pushed main -> main (1111111..3f9c2d1)"),
        ("done", "opened https://example.com/o/r/pull/7"),
    ]


def test_a_check_that_passed_before_the_last_edit_no_longer_proves_it(story: Story) -> None:
    story.edit("a.py")
    story.run("pytest", "4 passed in 0.1s")
    assert story.claims == [("tested", "`pytest` passed — 4 passed in 0.1s")]
    story.edit("b.py")
    assert story.claims == [
        ("tested", "`pytest` passed — 4 passed in 0.1s"),
        ("not tested", "no check has passed since the last edits of b.py"),
    ]


def test_what_the_agent_says_it_did_is_only_reported(story: Story) -> None:
    story.says("All tests pass and it has been pushed.")
    assert story.claims == [("reported", "All tests pass and it has been pushed.")]


def test_a_printed_commit_outside_of_git_is_no_commit(story: Story) -> None:
    story.run("cat notes.txt", "[main 3f9c2d1] Add retries")
    story.run("git commit -m y", "[main 4a9c2d1] Add a cap")
    assert story.claims == [("done", "commit 4a9c2d1 on main: Add a cap")]


def test_a_state_above_inferred_needs_a_tool_result() -> None:
    assert {state: grounded(state, False) for state in CLAIM_STATES} == {
        state: "reported" if state in PROVEN else state for state in CLAIM_STATES
    }


@pytest.mark.parametrize("path", ["/tmp/reply.md", "~/.agent/plan.md", "README.md", "docs/guide.rst"])
def test_prose_and_files_outside_the_project_need_no_test(story: Story, path: str) -> None:
    story.edit("src/app.py")
    story.run("pytest -q", "3 passed in 0.1s")
    story.edit(path)
    story.says("Written.")
    assert story.claims == [("tested", "`pytest -q` passed — 3 passed in 0.1s")]


@pytest.mark.parametrize(
    ("command", "output", "claim"),
    [
        ("go build ./...", "(Bash completed with no output)", "built: `go build ./...` passed"),
        (
            "mise run lint:go | tail -3",
            "golangci-lint has version 2\n0 issues.",
            "done: `mise run lint:go` passed — 0 issues.",
        ),
    ],
)
def test_a_check_that_had_nothing_to_complain_of_has_passed(
    story: Story, command: str, output: str, claim: str
) -> None:
    story.edit("src/app.go")
    story.run(command, output)
    assert [f"{state}: {text}" for state, text in story.claims] == [claim]


def test_that_tests_were_compiled_is_no_proof_that_they_passed(story: Story) -> None:
    story.run("cargo test retries | head -3", "    Finished `test` profile [unoptimized] target(s) in 28.90s")
    assert (story.states, story.claims) == ({"cargo test retries": "ok"}, [])


def test_of_a_commit_that_was_made_again_the_last_one_stands(story: Story) -> None:
    for sha in ("1111111", "2222222"):
        story.run("git commit --amend --no-edit", f"[main {sha}] Retry uploads\n 1 file changed")
    story.run("git commit -m 'Test retries'", "[main 3333333] Test retries\n 1 file changed")
    assert [c.text for c in story.index.claims] == [
        "commit 2222222 on main: Retry uploads",
        "commit 3333333 on main: Test retries",
    ]


def test_a_recap_for_a_person_who_came_back_is_no_summary_and_is_old_once_work_goes_on(story: Story) -> None:
    story.prompt("Speed it up.")
    story.says("It is faster.")
    at = story.add("summary", "Goal: speed. Next: push the branch.", via="recap")
    index = story.index
    assert index.summaries == ()
    assert [(c.state, c.text, c.evidence[0].line) for c in index.claims] == [
        ("reported", "Goal: speed. Next: push the branch.", at)
    ]
    story.prompt("push")
    assert story.index.claims == ()


@pytest.mark.parametrize(
    ("command", "output", "claim"),
    [
        pytest.param(
            "go test ./... && golangci-lint run",
            "ok  \tx/a\t0.1s\n0 issues.\n",
            ("tested", "`go test ./...` passed — ok x/a 0.1s"),
            id="not summed up by what another check of the line said",
        ),
        pytest.param(
            "go test ./... > log && golangci-lint run",
            "0 issues.\n",
            ("tested", "`go test ./...` passed"),
            id="without a sum where they printed nothing",
        ),
        pytest.param(
            "python -m pytest tests/test_a.py -q",
            "4 passed in 0.1s",
            ("tested", "`python -m pytest tests/test_a.py -q` passed — 4 passed in 0.1s"),
            id="by the command that runs the module",
        ),
        pytest.param(
            "go test ./... -run '^$'",
            "ok  \tx/a\t0.2s [no tests to run]",
            ("built", "`go test ./... -run '^$'` built the tests and ran none"),
            id="only built where none was run",
        ),
        pytest.param(
            "go test ./a ./b ./c",
            "ok  ./a 0.1s\nok  ./b 0.1s\nok  ./c 0.1s",
            ("tested", "`go test ./a ./b ./c` passed — ok ./c 0.1s (and 2 more)"),
            id="of several things as they were run",
        ),
        pytest.param(
            "go test ./internal/strategy/replicate ./internal/strategy/bootstrap ./internal/strategy/incremental"
            " ./internal/strategy/mirror",
            "ok  ./internal/strategy/replicate 0.1s",
            (
                "tested",
                "`go test ./internal/strategy/replicate …` passed — ok ./internal/strategy/replicate 0.1s",
            ),
            id="cut where they are too long to tell",
        ),
    ],
)
def test_tests_are_claimed_in_one_line(
    story: Story, command: str, output: str, claim: tuple[str, str]
) -> None:
    story.run(command, output)
    assert story.claims == [claim]


def test_tests_of_which_only_some_were_run_are_claimed_as_they_were_run(story: Story) -> None:
    story.run("go test ./a", "ok  \tx/a\t0.2s")
    story.run("go test -run TestB ./a", "ok  \tx/a\t0.1s")
    assert story.claims == [
        ("tested", "`go test ./a` passed — ok x/a 0.2s"),
        ("tested", "`go test -run TestB ./a` passed — ok x/a 0.1s"),
    ]


def _three_commits(story: Story) -> None:
    for number, subject in enumerate(("One", "Two", "Three"), 1):
        story.run("git commit -am x", f"[main {number}aaaaaa] {subject}\n 1 file changed")


def _standing(story: Story) -> list[str]:
    return [claim.text.rpartition(": ")[2] for claim in story.index.claims if claim.state == "done"]


@pytest.mark.parametrize(
    ("command", "left"),
    [
        ("git reset --hard HEAD~1", ["One", "Two"]),
        ("git reset --soft HEAD^", ["One", "Two"]),
        ("git reset HEAD~2", ["One"]),
        ("git reset --hard 1aaaaaa", ["One"]),
        ("git reset --hard 9bbbbbbb", []),
        ("git -C /other reset --hard HEAD~1", ["One", "Two", "Three"]),
        ("git revert --no-edit 2aaaaaa", ["One", "Three", 'Revert "Two"']),
        ("git reset", ["One", "Two", "Three"]),
        ("git reset --hard", ["One", "Two", "Three"]),
        ("git reset HEAD~1 -- a.py", ["One", "Two", "Three"]),
        ("git reset HEAD a.py", ["One", "Two", "Three"]),
        ("cd ../other && git reset --hard HEAD~1", ["One", "Two", "Three"]),
    ],
)
def test_a_commit_that_was_taken_back_is_not_told_as_done(
    story: Story, command: str, left: list[str]
) -> None:
    _three_commits(story)
    story.run(command, "")
    assert _standing(story) == left


def test_a_reset_that_failed_takes_nothing_back(story: Story) -> None:
    _three_commits(story)
    story.run("git reset --hard HEAD~1", "fatal: unable to write", 128)
    assert _standing(story) == ["One", "Two", "Three"]


def test_a_reset_to_what_was_pushed_leaves_it(story: Story) -> None:
    _three_commits(story)
    story.run("git push", "   1111111..3aaaaaa  main -> main\n")
    story.run("git commit -am x", "[main 4aaaaaa] Four\n 1 file changed")
    story.run("git reset --hard origin/main")
    assert _standing(story) == ["One", "Two", "Three"]


def test_a_revert_stands_in_the_place_of_what_it_reverted(story: Story) -> None:
    _three_commits(story)
    story.run("git revert --no-edit HEAD", '[main 4aaaaaa] Revert "Three"\n 1 file changed')
    assert _standing(story) == ["One", "Two", 'Revert "Three"']


def test_an_amended_commit_stands_in_the_place_of_the_last_one(story: Story) -> None:
    _three_commits(story)
    story.run("git commit --amend -m Third", "[main 4aaaaaa] Third\n 1 file changed")
    assert _standing(story) == ["One", "Two", "Third"]


def test_commits_that_were_squashed_are_told_as_one(story: Story) -> None:
    _three_commits(story)
    story.run("git reset --soft 0aaaaaa && git commit -m All", "[main 4aaaaaa] All\n 3 files changed")
    assert _standing(story) == ["All"]


@pytest.mark.parametrize(
    "command",
    [
        "pytest -q",
        "cargo +1.96.0 test --release --workspace",
        "CI=1 npx vitest run --coverage",
        './gradlew :app:test --tests "com.x.FooTest" --info',
        ".venv/bin/pytest -x",
    ],
)
def test_a_check_is_told_as_it_was_typed(story: Story, command: str) -> None:
    story.run(f"cd app && {command} 2>&1", "4 passed in 0.1s")
    assert story.claims == [("tested", f"`cd app && {command}` passed — 4 passed in 0.1s")]


@pytest.mark.parametrize(
    "command",
    [
        'cd $(mktemp -d) && git init -q -b main && git commit --allow-empty -m "seed"',
        'D=$(mktemp -d); cd "$D"; git init; git commit -m "seed"',
        'work="$(mktemp -d)"\ncd "$work"\ngit init\ngit commit -m seed',
        "mkdir -p /tmp/fx && cd /tmp/fx && git init && git commit -m seed",
        "git -C /var/folders/ab/x commit -m seed",
        'git -C "$TMPDIR/work" commit -m seed',
        '(cd "${TMPDIR:-/tmp}/fix" && git init && git commit -m seed)',
        "mkdir testdata/repo && cd testdata/repo && git init && git commit -m seed",
        "git init fixtures/one && cd fixtures/one && git commit -m seed",
    ],
)
def test_a_commit_in_a_repository_made_to_be_thrown_away_is_none_of_the_project(
    story: Story, command: str
) -> None:
    story.run(command, "[main (root-commit) 1a2b3c4] seed")
    assert story.claims == []


@pytest.mark.parametrize(
    "command",
    ["git init && git commit -m seed", 'cd "$REPO" && git commit -m seed', "git -C sub commit -m seed"],
)
def test_a_commit_in_the_directory_of_the_session_is_the_project_s(story: Story, command: str) -> None:
    story.run(command, "[main 1a2b3c4] seed")
    assert story.claims == [("done", "commit 1a2b3c4 on main: seed")]


def test_a_commit_in_a_tree_of_the_repository_that_lies_elsewhere_is_the_project_s(story: Story) -> None:
    story.run("git worktree add /tmp/tree main", "Preparing worktree")
    story.run("cd /tmp/tree && git commit -m x", "[fix 1a2b3c4] Fix it")
    assert story.claims == [("done", "commit 1a2b3c4 on fix: Fix it")]


def test_a_session_in_a_temporary_directory_has_its_repository_there(story: Story) -> None:
    story.entries.clear()
    story.add("meta", by="harness", cwd="/tmp/app", data={"id": "s", "cwd": "/tmp/app"})
    story.run("cd /tmp/app && git commit -m x", "[main 1a2b3c4] Fix it")
    story.run("cd /tmp/other && git commit -m x", "[main 1a2b3c5] seed")
    assert story.claims == [("done", "commit 1a2b3c4 on main: Fix it")]


@pytest.mark.parametrize(
    ("command", "remote"),
    [
        ("git push --dry-run origin main", "github.com:acme/app.git"),
        ("git push -n origin main", "github.com:acme/app.git"),
        ("git push origin main", "/tmp/tmp.x/o.git"),
        ("git push origin main", "file:///var/folders/x/o.git"),
        ('git -C "$TMP/w" push origin main', "../o.git"),
    ],
)
def test_a_push_that_reaches_nobody_is_none(story: Story, command: str, remote: str) -> None:
    story.run(command, f"To {remote}\n   aaa1111..bbb2222  main -> main")
    assert story.claims == []


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("go test ./... -run TestNone", "ok  \tacme/app\t0.1s [no tests to run]"),
        ("go test -c ./pkg/x", ""),
        ("cargo test --no-run", "    Finished test profile\n  Executable unittests src/lib.rs"),
        ("pytest -q tests/test_db.py", "ssssss\n6 skipped in 0.20s"),
        ("npx jest db", "Tests:       6 skipped, 6 total"),
        ("cargo test", "test result: ok. 0 passed; 0 failed; 4 ignored; 0 measured; 0 filtered out"),
        ("python -m unittest", "Ran 3 tests in 0.001s\n\nOK (skipped=3)"),
        ("mvn test", "[INFO] Tests run: 4, Failures: 0, Errors: 0, Skipped: 4\n[INFO] BUILD SUCCESS"),
        ("mvn test-compile", "[INFO] BUILD SUCCESS"),
        ("npx eslint test/a.test.ts", ""),
        ("ruff check tests", "All checks passed!"),
        ("go vet ./test", ""),
        ("pytest -q -k nothing", "14 deselected in 0.05s"),
    ],
)
def test_what_ran_no_test_has_tested_nothing(story: Story, command: str, output: str) -> None:
    story.run(command, output)
    assert [state in ("built", "done", "not tested") for state, _ in story.claims] == [True]


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("pytest -q", "ss....\n4 passed, 2 skipped in 0.20s"),
        (
            "go test ./...",
            "ok  \tacme/app\t0.1s\nok  \tacme/x\t0.1s [no tests to run]\n?   \tacme/y [no test files]",
        ),
        (
            "cargo test",
            "test result: ok. 3 passed; 0 failed; 1 ignored\ntest result: ok. 0 passed; 0 failed; 1 ignored",
        ),
        ("mvn test", "[INFO] Tests run: 4, Failures: 0, Errors: 0, Skipped: 1\n[INFO] BUILD SUCCESS"),
        ("make lint test", "5 passed in 1s"),
        ("./gradlew build test", "BUILD SUCCESSFUL in 3s"),
    ],
)
def test_some_tests_that_ran_are_enough(story: Story, command: str, output: str) -> None:
    story.run(command, output)
    assert [state for state, _ in story.claims] == ["tested"]


@pytest.mark.parametrize(
    "claim", ["All 31 tests pass.", "Alle Tests laufen durch.", "テストはすべて通りました。"]
)
def test_a_report_that_a_run_refutes_says_so(story: Story, claim: str) -> None:
    at = story.run("./gradlew test", "FareTest > surcharge() FAILED\n31 tests completed, 1 failed", 1)
    story.says(claim)
    assert story.claims == [
        ("inferred", f'the agent said "{claim}", but `./gradlew test` failed [#{at}]'),
    ]


def test_a_piped_check_whose_end_is_clean_has_passed_as_far_as_it_was_seen(story: Story) -> None:
    story.edit("src/app.ts")
    story.run(
        "npm run check 2>&1 | tail -10",
        "> app@1.0.0 check\n> tsgo --noEmit && biome check\n\nChecked 40 files.",
    )
    assert story.claims == [("done", "`npm run check` passed as far as its last lines show")]


def test_what_a_commit_hook_checked_has_passed(story: Story) -> None:
    story.edit("src/app.ts")
    story.run(
        'git commit -am "x"',
        "Running pre-commit checks\n✅ All pre-commit checks passed!\n[main 1a2b3c4] Fix it",
    )
    assert story.claims == [
        ("done", "`git commit` passed its hook"),
        ("done", "commit 1a2b3c4 on main: Fix it"),
    ]


def test_a_commit_past_its_hook_proves_nothing(story: Story) -> None:
    story.edit("src/app.ts")
    story.run('git commit --no-verify -am "x"', "pre-commit skipped\n[main 1a2b3c4] Fix it")
    assert story.claims == [("done", "commit 1a2b3c4 on main: Fix it")]


@pytest.mark.parametrize(
    ("command", "state"),
    [
        ("npm run build", "built"),
        ("./gradlew build", "built"),
        ("make -j8", "built"),
        ("docker build -t app .", "built"),
        ("cmake --build out", "built"),
        ("make lint", "done"),
        ("npx tsc --noEmit", "done"),
        ("ruff check build/lib.py", "done"),
        ("bundle exec rubocop", "done"),
        ("cargo clippy", "done"),
        ("pytest -q", "tested"),
    ],
)
def test_only_a_build_is_called_built(story: Story, command: str, state: str) -> None:
    story.run(command, "3 passed in 0.1s" if state == "tested" else "BUILD SUCCESSFUL")
    assert [told for told, _ in story.claims] == [state]
