"""A workspace that many threads of one process use at once: the server's.

Everything a workspace opens when first asked for is opened before it is shared, so that no two threads
open it twice; the log is seen through a group commit, the catalog and the connection take turns by
themselves. Settings are those of the start.
"""

from __future__ import annotations

from functools import partial

from segue.service.workspace import Workspace
from segue.stores.grouped import Committed, GroupedLog


def share(root: str, committed: Committed) -> Workspace:
    """The workspace in that directory, made if it is not there, ready for threads. `committed` hears which
    streams grew, after every commit. Raises Unavailable where a store cannot be used."""
    workspace = Workspace(root, wrapped=partial(GroupedLog, committed=committed)).establish()
    for opened in (workspace.config, workspace.artifacts, workspace.catalog):
        assert opened is not None
    return workspace


def answers_at_once(workspace: Workspace) -> bool:
    """True when a point lookup takes microseconds now: the store is a file of this machine, whose readers wait
    for nobody, and the catalog has seen all of the log."""
    return workspace.settings["store"] == "sqlite" and workspace.is_level
