"""The client's methods to be awaited: those of `groups`, whose answer is what their `ask` returns.

Given an `ask` that is awaited, each method answers with what is to be awaited. `async_groups.pyi` says so to type checkers.
"""

from __future__ import annotations

from segue.sdk.groups import Artifacts as AsyncArtifacts
from segue.sdk.groups import Ask
from segue.sdk.groups import Changes as AsyncChanges
from segue.sdk.groups import Drafts as AsyncDrafts
from segue.sdk.groups import Handoffs as AsyncHandoffs
from segue.sdk.groups import Sessions as AsyncSessions
from segue.sdk.groups import Threads as AsyncThreads
from segue.sdk.groups import Upkeep as AsyncUpkeep

__all__ = [
    "Ask",
    "AsyncArtifacts",
    "AsyncChanges",
    "AsyncDrafts",
    "AsyncHandoffs",
    "AsyncSessions",
    "AsyncThreads",
    "AsyncUpkeep",
]
