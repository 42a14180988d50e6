"""The table of programs: each row has a line that has its role and one that has not."""

from __future__ import annotations

import os

import pytest

from segue.extract.commands import tools
from segue.extract.commands.command_line import simple_commands

from .story import Story

TABLE = os.path.join(os.path.dirname(tools.__file__), "tools.tsv")


def _rows() -> list[tuple[str, str, str]]:
    with open(TABLE, encoding="utf-8") as file:
        parts = [line.rstrip("\n").split("\t") for line in file if line[0] != "#"]
    assert all(len(row) == 4 for row in parts)
    return [(role, example, counterexample) for role, _, example, counterexample in parts]


def _words(line: str) -> tuple[str, ...]:
    return simple_commands(line)[0].words


def _first(line: str) -> str:
    return tools.bare(_words(line)[0])


def _has(role: str, line: str) -> bool:
    words = _words(line)
    if role in ("test", "test-word"):
        return tools.is_test(words)
    if role in ("check", "check-word"):
        return tools.is_check(words)
    if role == "look":
        return tools.only_looks(simple_commands(line))
    if role in ("plumbing", "formatter"):
        return _first(line) in tools.names(role) and tools.key(words) == ()
    if role in ("runner", "runner-named"):
        return tools.inner(words) != ()
    if role == "value-flag":
        return not tools.names(role).isdisjoint(words)
    if role == "sets-up":
        return not tools.names(role).isdisjoint(words[1:2])
    return _first(line) in tools.names(role)


ROWS = _rows()


@pytest.mark.parametrize(("role", "example"), [(role, example) for role, example, _ in ROWS])
def test_the_example_of_a_row_has_its_role(role: str, example: str) -> None:
    assert _has(role, example)


@pytest.mark.parametrize(("role", "counterexample"), [(role, other) for role, _, other in ROWS])
def test_the_counterexample_of_a_row_has_it_not(role: str, counterexample: str) -> None:
    assert not _has(role, counterexample)


@pytest.mark.parametrize("role", [role for role, _, _ in ROWS])
def test_every_role_is_asked_for_by_the_code(role: str) -> None:
    folder = os.path.dirname(tools.__file__)
    sources = ""
    for name in sorted(os.listdir(folder)):
        if name.endswith(".py"):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                sources += file.read()
    assert f'"{role}"' in sources


@pytest.mark.parametrize(
    ("line", "ran"),
    [
        ("uv run --frozen pytest -q", ("pytest", "-q")),
        ("docker exec web pytest", ("pytest",)),
        ("docker compose exec -T app pytest", ("pytest",)),
        ("python -m pytest tests", ("pytest", "tests")),
        ("poetry run -- make test", ("make", "test")),
        ("pytest tests", ()),
    ],
)
def test_a_runner_is_seen_through(line: str, ran: tuple[str, ...]) -> None:
    assert tools.inner(_words(line)) == ran


@pytest.mark.parametrize(
    "line",
    [
        "pytest -q",
        "npm run lint",
        "cargo clippy",
        "go vet ./...",
        "tsc --noEmit",
        "make check",
        "mvn -q test",
        "mvn -q -pl server test",
        "gradle -q check",
        "uv run --frozen pytest -q",
        "pnpm -C web run build",
        "ninja -C build",
        "docker compose exec -T app pytest",
        "python -m pytest tests/unit",
        "python3 tests/test_load.py",
        "bash run_tests.sh unit",
        "./scripts/lint.sh src",
        "bun test src/a.test.ts",
        "bin/rails test test/models",
        "poetry run python -m unittest tests/load.py",
    ],
)
def test_tests_builds_and_linters_are_checks(line: str) -> None:
    assert tools.is_check(_words(line))


@pytest.mark.parametrize(
    "line",
    [
        "gh workflow run test.yml",
        "curl localhost/test",
        "git checkout test",
        "ls tests",
        "node app.js",
        "uv pip install pytest",
        "npm install",
        "python tools/regen.py tests/golden",
        "node tools/make-fixtures.js test/fixtures",
        "bash scripts/deploy.sh test",
        "uv run tools/regen.py tests/golden",
        "npx tsx tools/seed.ts test",
        "python -m etl.regen tests/golden",
        "python manage.py loaddata tests/fixtures/a.json",
    ],
)
def test_what_only_mentions_a_check_is_none(line: str) -> None:
    assert not tools.is_check(_words(line))


@pytest.mark.parametrize(
    ("line", "looks"),
    [
        ("rg -n retry src | head", True),
        ("cat a.py && wc -l a.py", True),
        ("cat a.py > b.py", False),
        ("cat a.py | sh", False),
        ("", False),
    ],
)
def test_a_line_only_looks_where_all_its_commands_do_and_none_writes(line: str, looks: bool) -> None:
    assert tools.only_looks(simple_commands(line)) is looks


def test_what_only_looks_is_no_command_of_the_session(story: Story) -> None:
    story.prompt("go")
    story.run("ls && cat src/a.py | head", "x")
    story.run("mkdir -p build && cp a b", "")
    assert story.states == {}


def test_a_flag_without_a_value_does_not_swallow_what_follows_it() -> None:
    assert tools.key(("go", "test", "-v", "./pkg/...")) == ("go", "test", "./pkg/...")


@pytest.mark.parametrize("line", ["python manage.py test shop/orders", "php artisan test"])
def test_the_verb_of_a_script_may_be_a_test(line: str) -> None:
    assert tools.is_test(simple_commands(line)[0].words)
