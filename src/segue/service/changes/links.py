"""Change records and git: commits and pull requests linked, registries merged."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from segue.changes import gitlink, merge, record, revisions
from segue.changes.document import OURS, Document, Manner, read, write
from segue.changes.draft import Draft
from segue.changes.sentences import refusal
from segue.errors import BadInput, Conflict, NotFound
from segue.model.change import PullState
from segue.model.thread import LIBRARY, Provenance
from segue.service.changes import git
from segue.service.changes.amend import Result, amend
from segue.service.changes.files import FOLDER, Tree
from segue.service.changes.prepare import cleaned

if TYPE_CHECKING:
    from segue.model.change_answers import ChangeUpdated
    from segue.service.workspace import Workspace

DRIVER = "segue-change"
_MERGED = (f"{FOLDER}/tc_registry.json", f"{FOLDER}/records/*/tc_record.json")


def link(
    workspace: Workspace,
    tc_id: str | None,
    commits: Sequence[str] = (),
    ranges: Sequence[str] = (),
    pulls: Sequence[str] = (),
    pull_state: PullState | None = None,
    releases: Sequence[str] = (),
    author: str | None = None,
    reason: str = "",
    by: Provenance = LIBRARY,
) -> ChangeUpdated:
    """Links commits, pull requests and releases to a change; HEAD if nothing is named.

    Without a change, the one that is in progress is meant, if it is the only one.
    """
    root = workspace.root
    wanted = list(commits) or ([] if ranges or pulls or releases else ["HEAD"])
    found = git.commits(root, wanted, ranges)
    branch = git.branch(root)
    origin = git.remote_url(root) if pulls else None
    requests = [gitlink.parse_pull(pull, origin and gitlink.without_credentials(origin)) for pull in pulls]

    def change(draft: Draft, _: Tree) -> None:
        gitlink.link_commits(draft, found, branch, "manual")
        for request in requests:
            gitlink.link_pull(draft, request, pull_state, branch)
        gitlink.link_releases(draft, list(releases), branch)

    name = tc_id or _only_one_at_work(Tree(root).require())
    return amend(workspace, name, change, author, cleaned(reason), by=by)


def _only_one_at_work(tree: Tree) -> str:
    at_work = [tc_id for tc_id, row in tree.rows()[2].items() if row["status"] == "in_progress"]
    if len(at_work) == 1:
        return at_work[0]
    if not at_work:
        raise NotFound("No change is in progress.", "Name one: `segue change link TC-012`.")
    raise refusal("several-at-work", count=len(at_work), names=", ".join(sorted(at_work)))


def merge_files(base: str, ours: str, theirs: str) -> Result:
    """Merges three versions of a registry or of a record into the second file, as git asks a merge driver to.

    What cannot be merged is left to a person: the file gets git's own conflict markers, and Conflict is raised.
    """
    try:
        made, manner, what = _merged(*(_side(name, name == base) for name in (base, ours, theirs)))
    except (BadInput, Conflict) as fault:
        places = [os.path.abspath(name) for name in (ours, base, theirs)]
        if all(map(os.path.isfile, places)):
            git.asked(os.path.dirname(places[0]), "merge-file", *places)
        raise refusal("unmerged", message=fault.message) from None
    with open(ours, "wb") as file:
        file.write(write(made, manner))
    return what


def _merged(*sides: tuple[Document, Manner]) -> tuple[Document, Manner, Result]:
    (base, _), (ours, manner), (theirs, _) = sides
    if "tc_id" not in ours:
        try:
            made = merge.merge_registries(base, ours, theirs)
        except ValueError as fault:
            raise refusal("no-registry", fault=fault) from None
        return made, manner, {"records": len(made["records"]), "next_tc_number": made["next_tc_number"]}
    for side in (ours, theirs):
        record.view(side)
    made, conflicts = merge.merge_records(base or {revisions.HISTORY: []}, ours, theirs)
    if conflicts:
        raise Conflict(f"both sides changed {', '.join(conflicts)}.", "Choose one side by hand.")
    known = {finding.message for side in (ours, theirs) for finding in record.errors(side)}
    if faults := [finding for finding in record.errors(made) if finding.message not in known]:
        raise Conflict(faults[0].message, faults[0].hint)
    return made, manner, {"tc_id": made["tc_id"], "revisions": len(made[revisions.HISTORY])}


def _side(name: str, may_be_empty: bool) -> tuple[Document, Manner]:
    try:
        with open(name, "rb") as file:
            data = file.read()
    except OSError as fault:
        raise refusal("unreadable", name=name, fault=fault.strerror) from None
    return ({}, OURS) if may_be_empty and not data.strip() else read(data, name)


def install_merge_driver(workspace: Workspace) -> Result:
    """Tells git, in this repository, to merge registry and records with us."""
    import shlex

    Tree(workspace.root).require()
    top = git.run(workspace.root, "rev-parse", "--show-toplevel").strip()
    command = f"{shlex.quote(sys.executable)} -m segue change merge-driver %O %A %B"
    git.run(workspace.root, "config", f"merge.{DRIVER}.name", "segue change records")
    git.run(workspace.root, "config", f"merge.{DRIVER}.driver", command)
    inside = os.path.relpath(os.path.realpath(workspace.root), os.path.realpath(top)).replace(os.sep, "/")
    prefix = "" if inside == "." else f"{inside}/"
    if any(ch.isspace() for ch in prefix):
        raise refusal("space-in-path", path=prefix)
    lines = [f"{prefix}{path} merge={DRIVER}" for path in _MERGED]
    path = os.path.join(top, ".gitattributes")
    text = ""
    if os.path.exists(path):
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            text = file.read()
    missing = [line for line in lines if line not in text.splitlines()]
    if missing:
        start = text if not text or text.endswith("\n") else text + "\n"
        added = "".join(f"{line}\n" for line in missing)
        Tree(top).replace(path, f"{start}{added}".encode(errors="surrogateescape"))
    return {"driver": command, "attributes": lines, "added": bool(missing)}
