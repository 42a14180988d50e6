"""What was going on when a session stopped: calls without a result are quoted as they were made."""

from __future__ import annotations

import pytest

from .story import Story


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (
            "git worktree add ../old main && ninja -C ../old/build",
            "git worktree add ../old main && ninja -C ../old/build",
        ),
        ("rm -rf dist; npm run build | tail -3", "rm -rf dist; npm run build | tail -3"),
        ("sleep 5 && ./wait.sh || true", "sleep 5 && ./wait.sh || true"),
        ("mkdir -p out\nmake all \\\n  -j4\n", "mkdir -p out; make all -j4"),
        ("cd /home/me/app && make all", "make all"),
        ("cd /home/me/app/web && make all", "cd /home/me/app/web && make all"),
    ],
)
def test_a_call_without_a_result_is_told_whole(story: Story, command: str, told: str) -> None:
    story.prompt("go on")
    story.call("Bash", "shell", command=command)
    stop = story.index.in_flight
    assert stop and (stop.kind, stop.text) == ("call", told)


def test_a_very_long_call_is_cut_at_its_end(story: Story) -> None:
    story.prompt("go on")
    story.call("Bash", "shell", command="make all " + "x" * 40 + " word" * 400)
    stop = story.index.in_flight
    assert stop and stop.text.startswith("make all xxx")
    assert stop.text.endswith("word…")


def test_a_call_whose_kind_is_never_answered_is_over_when_the_agent_thinks_on(story: Story) -> None:
    story.prompt("Write the recommendations.")
    story.call("apply_patch", "edit", paths=("docs/a.md",))
    story.says("I draft the second part.")
    story.call("apply_patch", "edit", paths=("docs/b.md",))
    story.add("thought", "Checking the headings")
    stop = story.index.in_flight
    assert stop and (stop.kind, stop.text) == ("turn", "I draft the second part.")


def test_a_call_whose_kind_is_answered_is_open_without_its_result(story: Story) -> None:
    story.prompt("Run the tests.")
    story.run("make a")
    story.call("Bash", "shell", command="make b")
    story.add("thought", "Checking the headings")
    stop = story.index.in_flight
    assert stop and (stop.kind, stop.text) == ("call", "make b")
