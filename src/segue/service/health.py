"""Is everything still what it was? Verification, repair of what can be derived, and the state of things.

Truth is the log and the artifacts: what is wrong there is reported, never mended. What is derived from
them (heads, catalog) and what is mere housekeeping (permissions, leftovers) can be made right again.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from segue.errors import NotFound, SegueError
from segue.model.frame import CHECKPOINT, COMPILED, CONTINUITY, REFERENCED
from segue.service import catalogs
from segue.stores.contract import Finding, Head
from segue.threads.lineage import parent_link

if TYPE_CHECKING:
    from segue.service.workspace import Workspace

Result = dict[str, Any]

_NAMED_BLOB = {CHECKPOINT: "summary_artifact_id", COMPILED: "bundle_artifact_id"}
_LOST = "Restore the artifact from a backup or another copy of the workspace."


def verify(workspace: Workspace, what: str = "all") -> Result:
    """Re-derives hashes, order, links and blobs, and compares caches with truth."""
    parts = {"log": (_log, _links, _cache), "artifacts": (_artifacts,)}
    chosen = [check for part, checks in parts.items() if what in (part, "all") for check in checks]
    findings: list[Finding] = []
    if workspace.exists:
        for check in chosen:
            findings += check(workspace)
    return {"ok": not findings, "findings": [finding._asdict() for finding in findings]}


def rebuild(workspace: Workspace) -> Result:
    """Makes every cache again from the frames."""
    if not workspace.exists:
        raise NotFound(
            "There is no workspace here, so there is nothing to rebuild.", "Name one with --workspace."
        )
    streams = workspace.log.rebuild()
    return {"streams": streams, "threads": catalogs.rebuild(workspace.folder, workspace.log)}


def status(workspace: Workspace) -> Result:
    """Where this workspace stands, in a few numbers."""
    from segue.service.workspace import enclosing

    answer: Result = {"workspace": workspace.root, "exists": workspace.exists}
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
    from segue.service import documents

    answer["handoff"] = documents.status(workspace)
    around = enclosing(workspace)
    if around:
        answer["inside_workspace"] = around
    return answer


def doctor(workspace: Workspace, fix: bool = False) -> Result:
    """Every check with its verdict, and every setting with its source; mends what is safe to mend."""
    checks = [*_environment(), *_housekeeping(workspace, fix)]
    settings: Result = {}
    try:
        config = workspace.config
        settings = {name: {"value": s.value, "source": s.source} for name, s in config.settings.items()}
        checks += [
            _check("settings", False, f"{source} sets {name}, which nobody reads.", "Check the spelling.")
            for name, source in config.unknown
        ]
    except SegueError as fault:
        checks.append(_check("settings", False, fault.message, fault.hint))
    if workspace.exists:
        try:
            found = verify(workspace)["findings"]
            checks += [_check(f["kind"], False, f"{f['where']}: {f['message']}", f["hint"]) for f in found]
            if not found:
                checks.append(_check("store", True, "Frames, links, artifacts and caches agree."))
            from segue.service.boundary_health import checks as boundary_checks

            checks += boundary_checks(workspace)
        except SegueError as fault:
            checks.append(_check("store", False, fault.message, fault.hint))
    return {"ok": all(check["ok"] for check in checks), "checks": checks, "settings": settings}


def _log(workspace: Workspace) -> Iterator[Finding]:
    return workspace.log.verify()


def _artifacts(workspace: Workspace) -> Iterator[Finding]:
    return workspace.artifacts.verify()


def _links(workspace: Workspace) -> Iterator[Finding]:
    """Links that lead nowhere, and blobs that frames name and the store does not have."""
    log = workspace.log
    heads = {head.stream_id: head for head in log.heads() if head.stream_kind == CONTINUITY}
    for thread_id in heads:
        link = parent_link(log, thread_id)
        if link is not None:
            yield from _dangling(heads, f"{thread_id}@1", link.parent_id, link.seq)
            if link.bundle_id is not None:
                yield from _blob(workspace, f"{thread_id}@1", link.bundle_id)
        for frame in log.read(thread_id, types=(REFERENCED, CHECKPOINT, COMPILED)):
            where, data = f"{thread_id}@{frame.seq}", frame.data
            if frame.type == REFERENCED:
                yield from _dangling(heads, where, data["to_thread_id"], data["to_seq"])
            else:
                yield from _blob(workspace, where, data[_NAMED_BLOB[frame.type]])


def _dangling(heads: dict[str, Head], where: str, thread_id: str, seq: int) -> Iterator[Finding]:
    head = heads.get(thread_id)
    if head is None or seq > head.seq:
        what = f"thread {thread_id}" if head is None else f"seq {seq} of thread {thread_id}"
        hint = "The log is incomplete: restore it from a backup or another copy."
        yield Finding("dangling_link", where, f"It points to {what}, which is not in this log.", hint)


def _blob(workspace: Workspace, where: str, artifact_id: str) -> Iterator[Finding]:
    if workspace.artifacts.size(artifact_id) is None:
        yield Finding("missing_blob", where, f"It names artifact {artifact_id}, which is not stored.", _LOST)


def _cache(workspace: Workspace) -> Iterator[Finding]:
    """What the catalog says of each thread, against a fold of its frames."""
    for row in workspace.catalog.states():
        truth = catalogs.folded(workspace.log, row["thread_id"])
        if {**row, "tags": tuple(row["tags"])} != truth._asdict():
            yield Finding(
                "stale_cache",
                row["thread_id"],
                "The catalog says something else of this thread than its frames.",
                "Run `segue rebuild`.",
            )


def _check(name: str, ok: bool, message: str, hint: str = "") -> Result:
    return {"check": name, "ok": ok, "message": message, **({"hint": hint} if hint else {})}


def _environment() -> Iterator[Result]:
    import sys

    import apsw

    version = ".".join(map(str, sys.version_info[:3]))
    yield _check("python", sys.version_info >= (3, 11), f"Python {version}.", "segue needs 3.11 or newer.")
    linked = apsw.sqlite_lib_version()
    sound = tuple(map(int, linked.split("."))) >= (3, 51, 3)
    yield _check(
        "sqlite", sound, f"SQLite {linked}.", "" if sound else "Older ones can corrupt a log: upgrade apsw."
    )


def _housekeeping(workspace: Workspace, fix: bool) -> Iterator[Result]:
    from segue.service.workspace import enclosing, write_private

    if not workspace.exists:
        yield _check(
            "workspace", True, f"There is no workspace in {workspace.root} yet; the first write makes it."
        )
        return
    around = enclosing(workspace)
    if around:
        yield _check(
            "workspace", True, f"This workspace lies inside another one, in {around}; this one is used."
        )
    loose = [path for path in _tree(workspace.folder) if stat.S_IMODE(os.lstat(path).st_mode) & 0o077]
    if loose and fix:
        for path in loose:
            os.chmod(path, 0o700 if os.path.isdir(path) else 0o600)
    yield _check(
        "permissions",
        not loose or fix,
        f"{len(loose)} files or folders were readable by others{'; mended' if fix else ''}."
        if loose
        else "Private to their owner.",
        "" if fix or not loose else "`segue doctor --fix` closes them.",
    )
    ignore = os.path.join(workspace.folder, ".gitignore")
    covered = os.path.exists(ignore)
    if not covered and fix:
        write_private(ignore, b"*\n")
    yield _check(
        "gitignore",
        covered or fix,
        "The workspace is kept out of git." if covered or fix else "The workspace has no .gitignore.",
        "" if covered or fix else "`segue doctor --fix` writes it.",
    )
    leftovers = [path for path in _tree(workspace.folder) if path.endswith(".tmp")]
    if fix:
        for path in leftovers:
            os.unlink(path)
    yield _check(
        "leftovers",
        not leftovers or fix,
        f"{len(leftovers)} unfinished files of interrupted writes{' removed' if fix else ''}."
        if leftovers
        else "No unfinished writes.",
        "" if fix or not leftovers else "`segue doctor --fix` removes them; no finished write is among them.",
    )


def _tree(folder: str) -> Iterator[str]:
    yield folder
    for place, folders, files in os.walk(folder):
        for name in (*folders, *files):
            path = os.path.join(place, name)
            if not os.path.islink(path):
                yield path
