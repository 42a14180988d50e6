"""The client's methods by group, one for each operation; `groups.pyi` has their types.

Type checkers are told of awaited methods as well, which are the same ones with an `ask` that is awaited.
"""

from __future__ import annotations

from segue.sdk.methods import Ask, Group


class Threads(Group, operations="thread"):
    """Threads: append-only streams, branched and handed off by links."""


class Artifacts(Group, operations="artifact"):
    """Content-addressed bytes."""


class Sessions(Group, operations="session"):
    """Sessions that agents left behind in this project."""


class Handoffs(Group, operations="handoff"):
    """Handoffs: draft, commit, judge, check."""


class Drafts(Group, operations="draft"):
    """Rich handoffs, written and approved."""


class Changes(Group, operations="change"):
    """Change records."""


class Upkeep(Group, operations=""):
    """What concerns the workspace as a whole."""


AsyncThreads, AsyncArtifacts, AsyncSessions, AsyncHandoffs = Threads, Artifacts, Sessions, Handoffs
AsyncDrafts, AsyncChanges, AsyncUpkeep, AsyncAsk = Drafts, Changes, Upkeep, Ask
