"""What Aider does by itself is told as if it had been asked to."""

from __future__ import annotations

from pathlib import Path

from segue.agents import aider
from segue.extract.index import build

FIXTURE = Path(__file__).parent.parent / "fixtures" / "agents" / "aider" / "transcript" / "input.md"


def test_a_commit_that_aider_made_is_a_claim_with_its_place() -> None:
    claims = build(aider.read(str(FIXTURE)), "aider", str(FIXTURE), lambda text: text).claims
    (claim,) = [claim for claim in claims if claim.state == "done"]
    assert claim.text == "commit c177e29: aider: mock the input"
    assert [place.line for place in claim.evidence] == [35]
