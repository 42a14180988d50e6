"""What became of maintenance: parts that failed, runs that died, and what it proposed. For `segue status` and
`segue doctor`.

A run leaves a mark when it starts and takes it away when its frame is written, or spooled; a mark that stays tells
of a run that died.
"""

from __future__ import annotations

import os
import time
from typing import Any

from segue.model.frame import MAINTAINED
from segue.model.moment import Moment
from segue.service.workspace import Workspace
from segue.stores import private_files
from segue.stores.marks import safe, touch

PARTS = ("archive", "backfill", "consolidation")
LONGEST_S = 600
"""A run that takes longer is taken for dead."""
_RUNNING = "maintaining-"
_PROPOSALS = "proposals-"


def log_path(workspace: Workspace) -> str:
    """Where runs write what they could not record."""
    return os.path.join(workspace.folder, "boundary", "maintenance.log")


def begin(workspace: Workspace, moment: Moment) -> None:
    touch(_mark(workspace, moment))


def end(workspace: Workspace, moment: Moment) -> None:
    if os.path.exists(_mark(workspace, moment)):
        os.unlink(_mark(workspace, moment))


def proposals_path(workspace: Workspace, host: str, session_id: str) -> str:
    """The candidates for durable memory of one session."""
    name = f"{_PROPOSALS}{safe(host)}-{safe(session_id)}.md"
    return os.path.join(workspace.folder, "transcripts", name)


def proposals(workspace: Workspace) -> list[dict[str, Any]]:
    """Path and number of candidates of every session with some."""
    found = []
    for path in _listed(os.path.join(workspace.folder, "transcripts"), _PROPOSALS):
        lines = private_files.read(path).decode(errors="replace").split("\n")
        found.append({"path": path, "candidates": sum(line.startswith("- ") for line in lines)})
    return found


def faults(workspace: Workspace) -> list[str]:
    """What of the last maintenance of each session failed, and which runs died, as sentences."""
    found = []
    for head in workspace.log.heads():
        last: dict[str, Any] = {}
        for frame in workspace.log.read(head.stream_id, types=(MAINTAINED,)):
            last = frame.data
        for part in PARTS:
            row = last.get(part, {})
            if row.get("status") == "failed":
                found.append(
                    f"The {part} after the last compaction of thread {head.stream_id} failed: {row['reason']}"
                )
    return found + _died(workspace)


def _died(workspace: Workspace) -> list[str]:
    log, found = log_path(workspace), []
    written = os.stat(log).st_mtime if private_files.is_file(log) and os.path.getsize(log) else 0.0
    for mark in _listed(os.path.dirname(log), _RUNNING):
        started = os.stat(mark).st_mtime
        if written < started and time.time() - started < LONGEST_S:
            continue
        session = os.path.basename(mark).removeprefix(_RUNNING)
        reason = _last_line(log) if written >= started else "it left no word"
        found.append(f"The maintenance after a compaction of {session} died: {reason}")
    return found


def _last_line(path: str) -> str:
    lines = private_files.read(path).decode(errors="replace")[-4_000:].split("\n")
    return next((line.strip()[:300] for line in reversed(lines) if line.strip()), "it left no word")


def _listed(folder: str, beginning: str) -> list[str]:
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    found = [os.path.join(folder, name) for name in names if name.startswith(beginning)]
    return [path for path in found if private_files.is_file(path)]


def _mark(workspace: Workspace, moment: Moment) -> str:
    name = f"{_RUNNING}{safe(moment.host)}-{safe(moment.session_id)}"
    return os.path.join(workspace.folder, "boundary", name)
