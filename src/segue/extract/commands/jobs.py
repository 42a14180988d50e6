"""Jobs in the background: what its harness says was started and did not say has ended."""

from __future__ import annotations

from collections.abc import Callable

from segue.extract.text.prose import clipped, flat
from segue.model.entry import Entry
from segue.model.facts import Background, Evidence

_JOBS = 200
_SHOWN = 6
_STOPPERS = ("kill", "taskstop", "stop")
"""How the names of tools begin that end a job."""
_HEAD = 2000
"""Characters of a result in which it says how its job is."""


class Jobs:
    def __init__(self) -> None:
        self._running: dict[str, tuple[str, Evidence]] = {}
        self._tasks: dict[str, str] = {}
        """By the name that its program gave a job, the call that began it."""

    def result(self, entry: Entry, command: str) -> None:
        """A result that says its call goes on, or the one that ends it."""
        if not entry.background:
            self._running.pop(entry.call_id, None)
            return
        self._running[entry.call_id] = command, Evidence(entry.line, entry.native_id)
        if task := entry.data.get("task"):
            self._tasks[str(task)] = entry.call_id
        for kept in (self._running, self._tasks):
            if len(kept) > _JOBS:
                del kept[next(iter(kept))]

    def end_job(self, entry: Entry, about: Entry | None = None) -> str:
        """What is told of jobs: by a notice, or by the result of the call `about` one. Gives the call that began
        the job which ended, else nothing."""
        if not self._tasks:
            return ""
        status = str(entry.data.get("status", "")) if about is None else _status(entry, about)
        if not status or status == "running":
            return ""
        task = str(entry.data.get("task", ""))
        ended = (c for t, c in self._tasks.items() if (f'"{t}"' in about.text if about else t == task))
        job = next(ended, "")
        self._running.pop(job, None)
        return job

    def close(self, clean: Callable[[str], str]) -> list[Background]:
        """Of each command the last job that was not seen to end."""
        running = {
            command: Background(text=clipped(clean(flat(command)), 200), evidence=(at,))
            for command, at in self._running.values()
        }
        return list(running.values())[-_SHOWN:]


def _status(entry: Entry, about: Entry) -> str:
    """How a job is, as the result of a call about it shows; empty where it shows nothing."""
    if about.tool.lower().startswith(_STOPPERS):
        return "" if entry.is_error else "stopped"
    return entry.text[:_HEAD].partition("<status>")[2].partition("</status>")[0].strip()
