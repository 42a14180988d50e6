"""After a boundary: archive what is new, bring the session into the log, propose what is worth keeping.

It runs in a process of its own, so that no agent waits for it. Each part has its real status and a
reason; nothing becomes durable memory without a person's approval, so consolidation only proposes.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

from segue.errors import SegueError, Unavailable
from segue.model.frame import MAINTAINED, Draft
from segue.model.moment import Moment
from segue.model.thread import Provenance
from segue.service.boundary import outcomes, spool
from segue.service.workspace import Workspace
from segue.stores import private_files

COMPLETED, SKIPPED, PENDING, FAILED = "completed", "skipped", "pending_policy", "failed"
_HEAD = "# Proposed for durable memory\n\nNothing here was written anywhere else. Keep what should last.\n\n"
_FORGOTTEN = "something of this session was forgotten"
_CODE = (
    "import json, sys; from segue.model.moment import Moment; from segue.service import workspace;"
    "from segue.service.boundary import maintenance;"
    "maintenance.run(workspace.Workspace(sys.argv[1]), Moment(**json.loads(sys.argv[2])))"
)


def start(workspace: Workspace, moment: Moment) -> None:
    """Starts maintenance in the background; its output goes to a file that `segue doctor` looks at."""
    import subprocess

    outcomes.begin(workspace, moment)
    handle = private_files.open_file(outcomes.log_path(workspace), os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    with os.fdopen(handle, "ab") as log:
        subprocess.Popen(
            [sys.executable, "-c", _CODE, workspace.root, json.dumps(moment._asdict())],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
            cwd=workspace.root,
        )


def run(workspace: Workspace, moment: Moment) -> dict[str, Any]:
    """Does the maintenance and records how each part went; a log that is locked gets it from the spool later."""
    done = {
        "archive": _part(_archive, workspace, moment),
        "backfill": _part(_backfill, workspace, moment),
        "consolidation": _part(_consolidate, workspace, moment),
    }
    try:
        record(workspace, moment, done)
    except Unavailable:
        spool.put(workspace.folder, moment, maintained=done)
    outcomes.end(workspace, moment)
    return done


def record(workspace: Workspace, moment: Moment, done: dict[str, Any]) -> None:
    """Records how each part went."""
    from segue.service.boundary.log import bound_thread

    by = Provenance("maintenance", moment.host)
    thread_id = bound_thread(workspace, moment.host, moment.session_id, by)
    workspace.log.append(thread_id, [Draft(MAINTAINED, by.stamp(done))])


def _part(work: Any, workspace: Workspace, moment: Moment) -> dict[str, str]:
    try:
        status, reason = work(workspace, moment)
    except (SegueError, OSError) as fault:
        return {"status": FAILED, "reason": str(fault)}
    except Exception as fault:  # a defect in one part must neither hide itself nor stop the others
        return {"status": FAILED, "reason": f"{type(fault).__name__}: {fault}"}
    return {"status": status, "reason": reason}


def _archive(workspace: Workspace, moment: Moment) -> tuple[str, str]:
    from segue.service.boundary.archive import archive, is_forgotten

    if is_forgotten(workspace, moment.host, moment.session_id):
        return SKIPPED, _FORGOTTEN
    kept = archive(workspace, moment.host, moment.session_id, moment.transcript_path)
    if kept is None:
        return SKIPPED, "there is no transcript file"
    return COMPLETED, f"{kept.size} bytes, sha256 {kept.sha256[:16]}"


def _backfill(workspace: Workspace, moment: Moment) -> tuple[str, str]:
    from segue.service.imports import intake
    from segue.service.sessions import lookup

    if not os.path.exists(moment.transcript_path):
        return SKIPPED, "there is no transcript file"
    done = intake.import_session(workspace, lookup.Source(moment.host, moment.transcript_path))
    return COMPLETED, f"{done['added']} frames added"


def _consolidate(workspace: Workspace, moment: Moment) -> tuple[str, str]:
    from segue.handoff.reported import reported
    from segue.service.boundary.archive import is_forgotten
    from segue.service.handoffs.draft import Session, draft
    from segue.service.sessions import lookup
    from segue.service.workspace import write_private

    if is_forgotten(workspace, moment.host, moment.session_id):
        return SKIPPED, _FORGOTTEN
    if not os.path.exists(moment.transcript_path):
        return SKIPPED, "there is no transcript file"
    source = lookup.Source(moment.host, moment.transcript_path)
    facts = draft(Session(source.agent, source.path, source.entries())).facts
    rules = [
        prompt.short or prompt.text
        for prompt in facts.prompts
        if prompt.kind == "rejection" or (prompt.role == "rule" and prompt.kind != "command")
    ]
    decided = [sentence.text for sentence in reported(facts).decisions]
    lines = [f"- {' '.join(text.split())}" for text in (*rules, *decided)]
    if not lines:
        return SKIPPED, "nothing worth keeping was seen"
    path = outcomes.proposals_path(workspace, moment.host, moment.session_id)
    before = _HEAD
    if os.path.exists(path):
        before = private_files.read(path).decode(errors="replace")
    known = set(before.splitlines())
    fresh = [line for line in dict.fromkeys(lines) if line not in known]
    if fresh:
        write_private(path, (before + "\n".join(fresh) + "\n").encode())
    place = os.path.relpath(path, workspace.folder)
    if not fresh:
        return PENDING, f"no new candidates; those in {place} await approval"
    return PENDING, f"{len(fresh)} new candidates proposed in {place}, awaiting approval"
