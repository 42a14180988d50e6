"""The bridge between sessions and records: take a change up, fill its block from a session, promote decisions, and
find the thread that a change is worked on in."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, get_args

import msgspec

from segue.changes import drift, edit_block, edit_work, record, sessions
from segue.changes.document import Document
from segue.changes.draft import Draft, one_line, pick
from segue.changes.misfit import fitted
from segue.changes.packet import promoted, resume_packet
from segue.changes.revisions import differences
from segue.changes.sentences import refusal
from segue.errors import BadInput
from segue.model.change import HandoffBlock, Platform, Record, Session
from segue.model.change_update import FileEdit
from segue.model.ids import new_id
from segue.model.thread import CALLER, LIBRARY, Provenance
from segue.service.changes import git
from segue.service.changes.amend import Result, amend
from segue.service.changes.files import Tree, moment, now, writing
from segue.service.changes.prepare import cleaned, relative
from segue.service.sessions.own import own
from segue.service.threads.naming import resolve

if TYPE_CHECKING:
    from segue.model.change_answers import ChangeResumed, ChangeUpdated, DecisionsWritten
    from segue.service.workspace import Workspace

CURRENT = "current"
"""Stands for the thread that work is in now, if there is any."""
AtWork = tuple[str | None, str | None]
"""An agent and the id of its session, as far as they are known."""
_OVER = ("deployed", "voided")
_PLATFORMS: dict[str, Platform] = {platform: platform for platform in get_args(Platform)}


def resume(
    workspace: Workspace,
    tc_id: str,
    platform: str | None = None,
    model: str | None = None,
    session_id: str | None = None,
    summary: str | None = None,
    author: str | None = None,
    dry_run: bool = False,
    said: Callable[[str], str] = str,
    by: Provenance = LIBRARY,
) -> ChangeResumed:
    """Shows the block, checks it against the repository, archives the session before and opens a new one.

    The answer has the packet for the agent that goes on. With `dry_run` nothing is written.
    """
    from segue.service.changes.claims import broken_claims  # 16 ms

    tree, found = _found(workspace, tc_id)
    name = found["tc_id"]
    _require_open(found)
    view = record.view(found)
    drifted = [*drift.findings(view, look(workspace.root, view)), *broken_claims(workspace.root, view)]
    answer: ChangeUpdated = {"tc_id": name, "updated": False, "status": found["status"]}
    if not dry_run:
        platform, session_id = at_work(workspace, platform, session_id, by)

        def change(draft: Draft, _: Tree) -> None:
            _require_open(draft.document)
            sessions.archive(draft, cleaned(summary))
            sessions.begin(draft, open_session(draft.at, session_id, platform, model))

        answer = amend(workspace, name, change, author, "Session resumed", by=by)
        found = tree.read(name)[0]
    told = msgspec.structs.replace(view, status=sessions.taken_up(view.status))
    return {
        **answer,
        "session": found["session_context"]["current_session"],
        "handoff": found["session_context"].get("handoff", {}),
        "drift": [finding.to_json() for finding in drifted],
        "packet": resume_packet(told, drifted, said),
    }


def require_open(workspace: Workspace, tc_id: str) -> str:
    """The whole name of a change that work can go on with. Raises for one that is over, or is none."""
    found = _found(workspace, tc_id)[1]
    _require_open(found)
    return str(found["tc_id"])


def _found(workspace: Workspace, tc_id: str) -> tuple[Tree, Document]:
    """The tree and the record that is named."""
    tree = Tree(workspace.root).require()
    return tree, tree.read(tree.resolve(tc_id))[0]


def _require_open(document: Document) -> None:
    if document.get("status") in _OVER:
        raise refusal(f"over.{document['status']}", id=document["tc_id"])


def open_session(
    at: str, session_id: str | None = None, platform: str | None = None, model: str | None = None
) -> Session:
    """The session that begins now; the name of any agent does as a platform."""
    given = one_line(platform or "other")
    name = given.replace("-", "_").lower()
    kind = _PLATFORMS.get(name, "other")
    session = Session(
        session_id=one_line(session_id or "") or new_id(),
        platform=kind,
        model=one_line(model or "") or "unknown",
        started=at,
        last_active=at,
    )
    if kind == "other" and name != "other":
        session.agent = given
    return session


def look(root: str, view: Record) -> drift.Seen:
    """What disk and git say about the paths and commits of a record."""
    paths = drift.paths_of(view)
    head = git.asked(root, "rev-parse", "HEAD")
    linked = [commit.sha for commit in view.git.commits] if view.git else []
    return drift.Seen(
        branch=git.branch(root) or "",
        missing=frozenset(path for path in paths if not os.path.exists(os.path.join(root, path))),
        evidence_missing=Tree(root).evidence_missing(view),
        dirty=git.dirty(root) if head else frozenset(),
        newer=git.last_commits(root, paths) if head else {},
        lost=git.not_in_history(root, linked) if head else frozenset(),
    )


def propose_handoff(
    workspace: Workspace,
    tc_id: str,
    block: dict[str, Any],
    ended_ms: int | None = None,
    replace: bool = False,
) -> Result:
    """What a block drawn from a session would make of the record's own, for review. Nothing is written.

    What the record has and the session does not know is kept, and what was completed since stays so, unless
    `replace` is set. `ended_ms` is when the session ended.
    """
    tree, found = _found(workspace, tc_id)
    view = record.view(found)
    before = view.session_context.handoff
    fresh = _block(tree.root, block)
    made: Document = msgspec.to_builtins(fresh if replace else sessions.merged(view, fresh, ended_ms))
    return {
        "tc_id": found["tc_id"],
        "block": made,
        "changes": differences({"handoff": msgspec.to_builtins(before)}, {"handoff": made}),
    }


def apply_handoff(
    workspace: Workspace,
    tc_id: str,
    block: dict[str, Any],
    author: str | None = None,
    reason: str = "",
    source: tuple[str, str, str] | None = None,
    started_ms: int | None = None,
    by: Provenance = LIBRARY,
) -> ChangeUpdated:
    """Puts a reviewed block into the record, as one revision, and lists its files as affected. `source` names agent,
    id and model of the session that it tells of, `started_ms` its beginning."""

    def change(draft: Draft, tree: Tree) -> None:
        _require_open(draft.document)
        made = _block(tree.root, block)
        if source is not None and differences({"": draft.block}, {"": msgspec.to_builtins(made)}):
            began = draft.at if started_ms is None else moment(started_ms)
            sessions.told_by(draft, open_session(began, source[1], source[0], source[2]))
        edit_block.whole(draft, made)
        listed = {row["path"] for row in draft.document["files_affected"]}
        fresh = [file.path for file in made.files_in_progress if file.path not in listed]
        edit_work.files(draft, [FileEdit(path=path) for path in fresh])

    return amend(workspace, tc_id, change, author, cleaned(reason) or "Handoff from a session", by=by)


def _block(root: str, given: dict[str, Any]) -> HandoffBlock:
    """A block in the form of the schema. Paths outside the project are left out: they mean nothing here."""
    made = cleaned(given)
    at = now()
    rows = made.get("decisions_made") or []
    made["decisions_made"] = [{**row, "timestamp": row.get("timestamp") or at} for row in rows]
    files = []
    for row in made.get("files_in_progress") or []:
        try:
            files.append({**row, "path": relative(root, row["path"])})
        except BadInput:
            continue
    made["files_in_progress"] = files
    return fitted(made, HandoffBlock, "The handoff block", "`segue change schema handoff` prints its shape.")


def promote(workspace: Workspace, tc_id: str, refs: list[str]) -> DecisionsWritten:
    """Writes decisions of a change to `docs/decisions.md`, each once; all of them if none is named."""
    Tree(workspace.root).require()
    with writing(workspace) as tree:
        name = tree.resolve(tc_id)
        made = record.view(tree.read(name)[0]).session_context.handoff.decisions_made
        texts = [decision.decision for decision in made]
        chosen = [pick(texts, ref, "decision") for ref in refs] or texts
        path = os.path.join(workspace.root, "docs", "decisions.md")
        before = tree.text(path) if os.path.lexists(path) else ""
        log, added = promoted(before, name, [d for d in made if d.decision in chosen])
        if added:
            tree.replace(path, log.encode())
    return {"tc_id": name, "path": "docs/decisions.md", "added": added}


def at_work(workspace: Workspace, platform: str | None, session_id: str | None, by: Provenance) -> AtWork:
    """The session that works on a change: the one named, else the one this process runs in. What a server runs in is
    not its caller's."""
    if platform or session_id or by.kind == CALLER:
        return platform, session_id
    found = own(workspace.folder)
    return (found.agent, found.session_id or None) if found else (None, None)


def thread_of(workspace: Workspace, given: str | None, session: AtWork) -> str | None:
    """The whole id of the thread that is named; for `current` of the one that the session at work is kept in, if it
    is. A thread of other work is never meant."""
    if given != CURRENT:
        return None if given is None else resolve(workspace, given)
    if not workspace.exists or not all(session):
        return None
    bound = workspace.log.keyed(f"import:{session[0]}:{session[1]}")
    return bound[0].stream_id if bound else None


def tag(workspace: Workspace, thread_id: str, tc_id: str, by: Provenance) -> None:
    """Lets a thread be found by the change it serves."""
    from segue.service.threads import streams

    if tc_id not in streams.show(workspace, thread_id)["tags"]:
        streams.amend(workspace, thread_id, add_tags=[tc_id], by=by)
