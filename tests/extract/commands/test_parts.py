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
