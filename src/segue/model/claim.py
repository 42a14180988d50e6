"""Claim states: how sure we are that something happened, and what it takes to say so.

A state above `inferred` needs evidence from a tool result; what somebody merely said is
`reported`. `tests/extract/test_claims.py` keeps the table and the rule in step.
"""

from __future__ import annotations

from typing import Literal, get_args

ClaimState = Literal[
    "done",
    "built",
    "tested",
    "verified live",
    "pushed",
    "not tested",
    "inferred",
    "pending",
    "blocked",
    "reported",
]

ClaimAct = Literal["", "commit", "push", "opening", "uncommitted", "loss"]
"""What a claim tells of: a commit, a push, a request that was opened, that nothing was committed since, or work that is no
longer there."""

CLAIM_STATES: tuple[ClaimState, ...] = get_args(ClaimState)

PROVEN: frozenset[ClaimState] = frozenset(("done", "built", "tested", "verified live", "pushed"))
"""States that only the result of a tool call can give."""
