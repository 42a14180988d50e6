"""A part of the project that builds says nothing of another part; the whole says it of each."""

from __future__ import annotations

import pytest

from ..story import Story

_PARTS = [
    "./gradlew :{}:build",
    "./gradlew :{}:compileJava",
    "./gradlew clean :{}:test",
    "nx build {}",
    "npx nx run {}:build",
    "bazel build //{}:server",
    "bazel test //{}/...",
    "turbo run build --filter={}",
    "npx turbo build --filter {}",
    "cargo build -p {}",
    "cargo test -p {}",
    "make -C {} all",
    "npm -w {} test",
    "npm run build --workspace={}",
    "pnpm --filter {} build",
    "yarn workspace {} build",
    "cmake --build build --target {}",
]


def _state(story: Story, failed: str, later: str) -> str:
    story.run(failed, "error: it is broken", 1)
    story.run(later, "done")
    return next(iter(set(story.states.values()) - {"ok"}))


@pytest.mark.parametrize("part", _PARTS)
def test_what_failed_in_one_part_is_open_after_another_part_went_well(story: Story, part: str) -> None:
    assert _state(story, part.format("api"), part.format("web")) == "open"


@pytest.mark.parametrize(
    ("failed", "later"),
    [
        *((part.format("api"), f"{part.format('api')} --info") for part in _PARTS),
        ("./gradlew :api:build", "./gradlew build"),
        ("./gradlew :api:core:compileJava", "./gradlew :api:build"),
        ("./gradlew :api:build :web:build", "./gradlew :web:build :api:build"),
        ("./gradlew :api:test", "./gradlew test"),
        ("bazel build //api:server", "bazel build //api/..."),
        ("bazel build //api:server", "bazel build //..."),
        ("cargo build -p api", "cargo test -p api"),
        ("cargo build -p api", "cargo build --workspace"),
        ("npm -w api test", "npm test"),
        ("turbo run build --filter=api", "turbo run build"),
    ],
)
def test_the_same_part_or_the_whole_makes_it_good(story: Story, failed: str, later: str) -> None:
    assert _state(story, failed, later) == "resolved"


@pytest.mark.parametrize(
    ("failed", "later", "state"),
    [
        ("cd api && npm test", "cd web && npm test", "open"),
        ("cd infra && terraform apply", "cd app && terraform apply", "open"),
        ("cd api && npm test", "npm test", "resolved"),
        ("npm test", "cd api && npm test", "resolved"),
        ("cd api && npm test", "cd /home/me/app/api && npm test", "resolved"),
        ("cd api && npm test", "cd ../beside && npm test", "resolved"),
        ("cd api && git push", "cd web && git push", "resolved"),
    ],
)
def test_what_ran_in_the_directory_beside_makes_nothing_good(
    story: Story, failed: str, later: str, state: str
) -> None:
    assert _state(story, failed, later) == state


def test_a_failure_is_told_with_its_directory_where_the_same_ran_beside_it(story: Story) -> None:
    story.run("cd api && npm test", "error: it is broken", 1)
    story.run("cd web && npm test", "done")
    (command,) = story.index.commands
    assert command.last_bad
    assert command.last_bad.command == "cd api && npm test"
