"""What Aider does by itself is told as if it had been asked to."""

from __future__ import annotations

from pathlib import Path

from segue.agents import aider
from segue.extract.claims import Ledger

FIXTURE = Path(__file__).parent.parent / "fixtures" / "agents" / "aider" / "transcript" / "input.md"


def test_a_commit_that_aider_made_is_a_claim_with_its_place() -> None:
    ledger, commands = Ledger(), dict[str, str]()
    for entry in aider.read(str(FIXTURE)):
        if entry.kind == "tool_call":
            commands[entry.call_id] = entry.command
        elif entry.kind == "tool_result":
            ledger.result(commands.get(entry.call_id, ""), entry)
    (claim,) = ledger.close(lambda text: text, [], [], "", 0)
    assert (claim.text, claim.state) == ("commit c177e29 on HEAD: aider: mock the input", "done")
    assert [place.line for place in claim.evidence] == [35]
