"""A workspace for the tests of programs that use segue: empty, in memory, gone afterwards.

    with segue.sdk.testing.client() as client:
        thread = client.threads.create("A test")

Log and artifacts are kept in memory and obey the same contract as the real ones; what else an operation
writes (drafts, change records) goes into a temporary directory.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from segue.sdk.client import Client
from segue.service.workspace import Workspace
from segue.stores import accepted, memory


@contextmanager
def client(actor_id: str = "user", origin: str = "test") -> Iterator[Client]:
    """A client of an empty workspace in memory."""
    with tempfile.TemporaryDirectory(prefix="segue-test-") as root:
        workspace = Workspace(root).establish(store="memory", artifacts="memory")
        try:
            with Client(root, actor_id=actor_id, origin=origin) as made:
                yield made
        finally:
            memory.forget(workspace.folder)
            accepted.remove(root)
