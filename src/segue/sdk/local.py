"""Operations on a workspace of this machine, called by their names."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from segue.model.thread import Provenance
from segue.service import workspace as workspaces
from segue.service.operations import named
from segue.service.signatures import perform
from segue.service.threads import streams
from segue.service.workspace import Workspace


class Local:
    """A workspace in a folder. A workspace serves one thread at a time, so each thread opens its own."""

    def __init__(self, workspace: str | Workspace | None) -> None:
        self._given = workspace if isinstance(workspace, Workspace) else None
        self._root = self._given.root if self._given else _root(workspace)
        self._turn = threading.Lock()
        self._mine = threading.local()
        self._opened: list[Workspace] = []
        self._closed = threading.Event()

    def call(
        self, name: str, values: Mapping[str, Any], by: Provenance | None = None, key: str | None = None
    ) -> Any:
        """What the operation answers."""
        return self._with(lambda workspace: perform(named(name), workspace, values, by or Provenance(), key))

    def events(
        self,
        thread_id: str,
        after_seq: int = -1,
        follow: bool = False,
        max_events: int | None = None,
        stop: Callable[[], bool] = lambda: False,
    ) -> Iterator[str]:
        """Frames after a sequence number as canonical JSON."""
        frames = self._with(
            lambda workspace: streams.events(
                workspace, thread_id, after_seq, follow, max_events, lambda: self._closed.is_set() or stop()
            )
        )
        return (frame.body.decode() for frame in frames)

    def close(self) -> None:
        self._closed.set()
        with self._turn:
            while self._opened:
                self._opened.pop().close()

    def _with(self, work: Callable[[Workspace], Any]) -> Any:
        if self._given is not None:
            with self._turn:
                return work(self._given)
        if not hasattr(self._mine, "workspace"):
            self._mine.workspace = Workspace(self._root)
            with self._turn:
                self._opened.append(self._mine.workspace)
        return work(self._mine.workspace)


def _root(directory: str | Workspace | None) -> str:
    found = workspaces.find() if directory is None else workspaces.named(str(directory))
    return found.root
