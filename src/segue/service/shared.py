"""A workspace that many threads of one process use at once: the server's.

Everything a workspace opens when first asked for is opened before it is shared, so that no two threads
open it twice; the log is seen through a group commit, the catalog and the connection take turns by
themselves. Settings are those of the start.
"""

from __future__ import annotations

from functools import partial

from segue.service.catalogs import is_level
from segue.service.workspace import Workspace
from segue.stores.catalog import Catalog
from segue.stores.contract import Head
from segue.stores.grouped import Committed, GroupedLog


def share(root: str, committed: Committed) -> Workspace:
    """The workspace in that directory, made if it is not there, ready for threads. `committed` hears which
    streams grew, after every commit. Raises Unavailable where a store cannot be used."""
    workspace = Workspace(root, wrapped=partial(GroupedLog, committed=committed)).establish()
    for opened in (workspace.config, workspace.artifacts, workspace.catalog):
        assert opened is not None
    return workspace


class Behind(Exception):
    """The catalog has not seen all of the log, so that a look at it would take a while."""


class Glance(Workspace):
    """A shared workspace for a look that must not wait: where its catalog would have to catch up first, it
    raises Behind."""

    def __init__(self, shared: Workspace) -> None:
        super().__init__(shared.root)
        self._log, self._known = shared.log, shared.catalog

    @property
    def exists(self) -> bool:
        return True

    @property
    def catalog(self) -> Catalog:
        if self.level() is None:
            raise Behind
        return self._known

    def level(self) -> Head | None:
        """The head that log and catalog are level at; None where they are not."""
        level = self._known.level
        return level if is_level(self.log, self._known) else None


def glance(workspace: Workspace) -> Glance | None:
    """For point lookups that take microseconds: only where the store is a file of this machine, whose readers
    wait for nobody."""
    return Glance(workspace) if workspace.settings["store"] == "sqlite" else None
