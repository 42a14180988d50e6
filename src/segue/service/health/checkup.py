"""Is everything still what it was? Verification, repair of what can be derived, and the state of things.

Truth is the log and the artifacts: what is wrong there is reported, never mended. What is derived from
them (heads, catalog) and what is mere housekeeping (permissions, leftovers) can be made right again.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from segue.errors import SegueError
from segue.model.frame import CONTINUITY
from segue.model.thread import LIBRARY, Provenance
from segue.service import catalogs
from segue.service.actors import require_person
from segue.service.health.housekeeping import check, housekeeping, unwritable
from segue.service.refusals import refusal
from segue.stores.accepted import user_folder
from segue.stores.contract import ERROR

if TYPE_CHECKING:
    from segue.model.answers import Check, Diagnosis, Rebuilt, SettingRow, Verdict, WorkspaceStatus
    from segue.model.answers import Finding as FindingRow
    from segue.service.workspace import Workspace
    from segue.stores.contract import Finding


def verify(workspace: Workspace, what: str = "all") -> Verdict:
    """Re-derives hashes, order, links and blobs, and compares caches with truth."""
    from segue.service.health.verification import findings

    found = findings(workspace, what) if workspace.exists else []
    ok = not any(finding.severity == ERROR for finding in found)
    return {"ok": ok, "findings": [_row(finding) for finding in found]}


def _row(finding: Finding) -> FindingRow:
    return {
        "kind": finding.kind,
        "where": finding.where,
        "severity": finding.severity,
        "message": finding.message,
        "hint": finding.hint,
    }


def rebuild(workspace: Workspace, accept_loss: bool = False, by: Provenance = LIBRARY) -> Rebuilt:
    """Makes every cache again from the frames, and says what is wrong with those. Where acknowledged frames are
    missing it refuses, unless the loss is accepted; then that is recorded."""
    if not workspace.exists:
        raise refusal("nothing-to-rebuild")
    if accept_loss:
        require_person(by, "Accepting a loss")
    streams = workspace.log.rebuild(by.stamp({}) if accept_loss else None)
    threads = catalogs.rebuild(workspace.folder, workspace.log)
    return {"streams": streams, "threads": threads, **verify(workspace, "log")}


def status(workspace: Workspace) -> WorkspaceStatus:
    """Where this workspace stands, in a few numbers."""
    from segue.service.workspace import enclosing

    answer: WorkspaceStatus = {"workspace": workspace.root, "exists": workspace.exists}
    if not workspace.exists:
        return answer
    heads = [head for head in workspace.log.heads() if head.stream_kind == CONTINUITY]
    states = workspace.catalog.states()
    artifacts = list(workspace.artifacts.ids())
    answer |= {
        "store": workspace.settings["store"].partition("://")[0],
        "threads": len(states),
        "archived": sum(row["archived"] for row in states),
        "frames": sum(head.seq + 1 for head in heads),
        "artifacts": len(artifacts),
        "artifact_bytes": sum(size for _, size in artifacts),
    }
    default = next((row["thread_id"] for row in states if row["default"]), None)
    if default:
        answer["default_thread_id"] = default
    if heads:
        newest = next(workspace.log.read(heads[-1].stream_id, heads[-1].seq), None)
        if newest:
            answer["last_frame"] = {
                "thread_id": newest.stream_id,
                "seq": newest.seq,
                "type": newest.type,
                "timestamp_ms": newest.data["timestamp_ms"],
            }
    from segue.service.boundary.status import status as boundary_status

    answer |= boundary_status(workspace)  # type: ignore[typeddict-item]
    if fault := unwritable(workspace):
        answer["unwritable"] = fault
    around = enclosing(workspace)
    if around:
        answer["inside_workspace"] = around
    return answer


def doctor(workspace: Workspace, fix: bool = False, channel: str | None = None) -> Diagnosis:
    """Every check with its verdict, and every setting with its source; mends what is safe to mend."""
    checks = [*_environment(), *housekeeping(workspace, fix)]
    settings: dict[str, SettingRow] = {}
    try:
        config = workspace.config
        settings = {name: {"value": s.value, "source": s.source} for name, s in config.settings.items()}
        checks += [
            check("settings", False, f"{source} sets {name}, which nobody reads.", "Check the spelling.")
            for name, source in config.unknown
        ]
        checks += [
            check(
                "settings",
                False,
                f"{source} sets {name}, which only your own settings may loosen; it does not count.",
                f"Set it in {os.path.join(user_folder(), 'config.json')}, for every workspace or for this one.",
            )
            for name, source in config.loosening
        ]
    except SegueError as fault:
        checks.append(check("settings", False, fault.message, fault.hint))
    if workspace.exists:
        try:
            verdict = verify(workspace)
            checks += [
                check(f["kind"], f["severity"] != ERROR, f"{f['where']}: {f['message']}", f["hint"])
                for f in verdict["findings"]
                if f["kind"] != "leftover"  # housekeeping counts them
            ]
            if verdict["ok"]:
                checks.append(check("store", True, "Frames, links, artifacts and caches agree."))
            from segue.service.health.boundary import checks as boundary_checks

            checks += boundary_checks(workspace, channel is None, fix)
        except SegueError as fault:
            checks.append(check("store", False, fault.message, fault.hint))
    else:
        from segue.service.health.boundary import elsewhere

        checks += elsewhere(workspace)
    return {"ok": all(verdict["ok"] for verdict in checks), "checks": checks, "settings": settings}


def _environment() -> Iterator[Check]:
    import sys

    import apsw

    version = ".".join(map(str, sys.version_info[:3]))
    yield check("python", sys.version_info >= (3, 11), f"Python {version}.", "segue needs 3.11 or newer.")
    linked = apsw.sqlite_lib_version()
    sound = tuple(map(int, linked.split("."))) >= (3, 51, 3)
    yield check(
        "sqlite", sound, f"SQLite {linked}.", "" if sound else "Older ones can corrupt a log: upgrade apsw."
    )
