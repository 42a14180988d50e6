"""How a run of SWE-agent ended is told as what it means: the turn is over, or something cut it short."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from segue.agents import swe_agent
from segue.extract import index


def ended(path: Path, status: str | None) -> str:
    run = {
        "history": [{"role": "user", "content": "Fix the rounding."}],
        "trajectory": [
            {
                "thought": "I submit it.",
                "action": "submit\n",
                "observation": "diff --git a/x b/x",
                "state": {},
            }
        ],
        "info": {"exit_status": status} if status else {},
    }
    path.write_text(json.dumps(run))
    return index.build(swe_agent.read(str(path)), "swe-agent", str(path), str).source.ended


@pytest.mark.parametrize(
    ("status", "how"),
    [
        ("submitted", "finished"),
        ("submitted (exit_cost)", "interrupted"),
        ("exit_context", "interrupted"),
        (None, "mid_turn"),
    ],
)
def test_only_a_submission_of_the_agents_own_ends_its_turn(
    tmp_path: Path, status: str | None, how: str
) -> None:
    assert ended(tmp_path / "run.traj", status) == how
