"""What a run measured is told with it, and of other runs no number."""

from __future__ import annotations

import pytest

from segue.extract.commands.measured import readings

from ..story import Story


def outcome(story: Story, line: str, printed: str) -> str:
    story.run(line, printed)
    return next((run.last_ok.outcome for run in story.index.commands if run.last_ok), "")


@pytest.mark.parametrize(
    ("line", "printed", "told"),
    [
        ("stack bench", "benchmarking feed\ntime  13.10 s\nmemory 1.9 GB", "time 13.10 s; memory 1.9 GB"),
        (
            "ros2 topic hz /points",
            "average rate: 31.07\n\tmin: 0.01s max: 0.12s",
            "average rate: 31.07; min: 0.01s max: 0.12s",
        ),
        (
            "wrk -t4 http://localhost:8000",
            "Running 10s test\nLatency 12.5ms\nRequests/sec: 8123.4",
            "Latency 12.5ms; Requests/sec: 8123.4",
        ),
        ("du -sh dist", "4.1M\tdist", ""),
        ("ls -l", "total 12\nmemory 4 MB", ""),
    ],
)
def test_a_run_that_measures_is_told_with_what_it_measured(
    story: Story, line: str, printed: str, told: str
) -> None:
    assert outcome(story, line, printed) == told


def test_readings_are_known_by_their_labels() -> None:
    assert readings("average rate: 31.07; memory 1.9 GB") == {"average": 31.07, "rate": 31.07, "memory": 1.9}
