"""Command lines are understood without being run."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from segue.extract.commands import tools
from segue.extract.commands.command_line import simple_commands
from segue.extract.text import named

KEYS = [
    ("cd /x && go test -race ./pkg/... 2>&1 | tail -20", [("go", "test", "./pkg/...")]),
    ("bash -lc 'cargo test -p core && cargo fmt --all'", [("cargo", "test"), ("cargo", "fmt")]),
    ("FOO=1 timeout 30 npm run test:unit -- a.test.ts > out.log 2>&1 &", [("npm", "run", "test:unit")]),
    ("X=$(gh pr view 12 --json title) && echo $X", [("gh", "pr", "view", "12")]),
    ("mix credo --strict", [("mix", "credo")]),
    ("python - <<'EOF'\nimport os; os.system('make install')\nEOF", []),
    ("grep -rn 'make test' src | head", []),
    ("for f in a b; do make lint; done", [("make", "lint")]),
]


@pytest.mark.parametrize(("line", "keys"), KEYS)
def test_a_run_is_known_by_program_subcommand_and_first_argument(
    line: str, keys: list[tuple[str, ...]]
) -> None:
    found = [tools.key(s.words) for s in simple_commands(line) if s.words]
    assert [key for key in found if key] == keys


def test_a_simple_command_keeps_the_text_it_was_written_as() -> None:
    found = simple_commands("cd src && if pytest -k 'a or b' -q; then echo ok; fi")
    assert [s.text for s in found if tools.key(s.words)] == ["pytest -k 'a or b' -q"]


def test_files_that_a_command_writes_are_those_it_redirects_into() -> None:
    assert [s.writes for s in simple_commands("cat > a/b.py <<'EOF'\nx > y\nEOF\nls 2>&1 >log.txt")] == [
        ("a/b.py",),
        ("log.txt",),
    ]


PATHS = [
    ("sed -n 1,20p src/a.rs:12", ["src/a.rs"]),
    ("git show HEAD~2:lib/b.py", ["lib/b.py"]),
    ("git log origin/main..feature", []),
    ("git config user.email me@example.com", []),
    ("docker run image:1.2.3", []),
    ("make -f Makefile", ["Makefile"]),
    ("rg foo _test.go .d.ts .d.ts.svelte .spec.ts -test.js .ts", []),
    (
        "cat _index.md .eslintrc.json __init__.py .env.local.json",
        ["_index.md", ".eslintrc.json", "__init__.py", ".env.local.json"],
    ),
]


@pytest.mark.parametrize(("line", "paths"), PATHS)
def test_a_word_is_a_path_only_when_it_looks_like_a_file(line: str, paths: list[str]) -> None:
    assert named.named_paths(simple_commands(line)[0].words) == paths


@given(st.text(max_size=300))
def test_any_line_is_taken_apart_without_a_fault(line: str) -> None:
    for simple in simple_commands(line):
        if simple.words:
            tools.key(simple.words)
            named.named_paths(simple.words)


def test_what_follows_an_output_assigned_in_quotes_is_a_command() -> None:
    line = 'work="$(mktemp -d)"; cd "$work" && go test ./...'
    assert [s.words for s in simple_commands(line)] == [
        ("mktemp", "-d"),
        ("cd", "$work"),
        ("go", "test", "./..."),
    ]
