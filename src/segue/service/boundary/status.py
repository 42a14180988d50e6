"""Where the boundary stands, for `segue status`: the current handoff, a draft that waits, and what went wrong unread."""

from __future__ import annotations

import os
from typing import Any

from segue.model.value import NamedTuple
from segue.service.boundary import approvals, drafts, outcomes
from segue.service.workspace import Workspace
from segue.stores import private_files


class Traces(NamedTuple):
    """What hooks left behind: how many lines, and the last one as a person reads it."""

    path: str
    lines: int
    last: str


def status(workspace: Workspace) -> dict[str, Any]:
    """`handoff`, and where there is something to tell `draft`, `hooks`, `spooled`, `maintenance` and `proposals`."""
    answer: dict[str, Any] = {"handoff": approvals.status(workspace)}
    waiting = drafts.pending(workspace)
    if waiting:
        answer["draft"] = {name: value for name, value in waiting.items() if name != "text"}
    found = traces(workspace)
    if found.lines:
        answer["hooks"] = {"traces": found.lines, "last": found.last, "path": found.path}
    waiting_moments = spooled(workspace)
    if waiting_moments:
        answer["spooled"] = waiting_moments
    if failed := outcomes.faults(workspace):
        answer["maintenance"] = failed
    if proposed := outcomes.proposals(workspace):
        answer["proposals"] = proposed
    return answer


def traces(workspace: Workspace) -> Traces:
    """The lines of hook calls that failed or were not understood. Old ones are dropped when there are many."""
    path = os.path.join(workspace.folder, "boundary", "failures.log")
    try:
        lines = private_files.read(path).decode(errors="replace").splitlines(keepends=True)
    except OSError:
        return Traces(path, 0, "")
    return Traces(path, len(lines), " ".join(lines[-1].rstrip("\n").split("\t")[1:]) if lines else "")


def spooled(workspace: Workspace) -> int:
    """How many moments wait to be recorded."""
    place = os.path.join(workspace.folder, "spool")
    private_files.require_folders(os.path.join(place, ""))
    return len(os.listdir(place)) if os.path.isdir(place) else 0
