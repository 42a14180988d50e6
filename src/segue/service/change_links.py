"""Change records and git: commits and pull requests linked, registries merged."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from segue.changes import gitlink, merge
from segue.changes.document import OURS, Document, Manner, read, write
from segue.changes.draft import Draft
from segue.errors import BadInput, NotFound, Refused
from segue.model.change import PullState
from segue.service import change_git
from segue.service.change_amend import Result, amend
from segue.service.change_files import FOLDER, Tree
from segue.service.change_prepare import cleaned

if TYPE_CHECKING:
    from segue.service.workspace import Workspace

DRIVER = "segue-change"
_ATTRIBUTE = f"{FOLDER}/tc_registry.json merge={DRIVER}"


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
) -> Result:
    """Links commits, pull requests and releases to a change; HEAD if nothing is named.

    Without a change, the one that is in progress is meant, if it is the only one.
    """
    root = workspace.root
    wanted = list(commits) or ([] if ranges or pulls or releases else ["HEAD"])
    found = change_git.commits(root, wanted, ranges)
    branch = change_git.branch(root)
    origin = change_git.remote_url(root) if pulls else None
    requests = [gitlink.parse_pull(pull, origin and gitlink.without_credentials(origin)) for pull in pulls]

    def change(draft: Draft, _: Tree) -> None:
        gitlink.link_commits(draft, found, branch, "manual")
        for request in requests:
            gitlink.link_pull(draft, request, pull_state, branch)
        gitlink.link_releases(draft, list(releases), branch)

    name = tc_id or _only_one_at_work(Tree(root).require())
    return amend(workspace, name, change, author, cleaned(reason))


def _only_one_at_work(tree: Tree) -> str:
    at_work = [tc_id for tc_id, row in tree.rows()[2].items() if row["status"] == "in_progress"]
    if len(at_work) == 1:
        return at_work[0]
    if not at_work:
        raise NotFound("No change is in progress.", "Name one: `segue change link TC-012`.")
    raise BadInput(
        f"{len(at_work)} changes are in progress: {', '.join(sorted(at_work))}.", "Name one of them."
    )


def merge_files(base: str, ours: str, theirs: str) -> Result:
    """Merges three registry files into the second, as git asks a merge driver to. Raises if it cannot."""
    sides: list[tuple[Document, Manner]] = []
    for name in (base, ours, theirs):
        try:
            with open(name, "rb") as file:
                data = file.read()
        except OSError as fault:
            raise BadInput(f"{name} cannot be read: {fault.strerror}.") from None
        sides.append(read(data, name) if data.strip() or name != base else ({}, OURS))
    try:
        made = merge.merge_registries(*(side for side, _ in sides))
    except ValueError as fault:
        raise BadInput(f"These are not three registries: {fault}.", "Settle the conflict by hand.") from None
    with open(ours, "wb") as file:
        file.write(write(made, sides[1][1]))
    return {"records": len(made["records"]), "next_tc_number": made["next_tc_number"]}


def install_merge_driver(workspace: Workspace) -> Result:
    """Tells git, in this repository, to merge the registry with us."""
    import shlex

    Tree(workspace.root).require()
    top = change_git.run(workspace.root, "rev-parse", "--show-toplevel").strip()
    command = f"{shlex.quote(sys.executable)} -m segue change merge-driver %O %A %B"
    change_git.run(workspace.root, "config", f"merge.{DRIVER}.name", "segue registry of change records")
    change_git.run(workspace.root, "config", f"merge.{DRIVER}.driver", command)
    if os.path.realpath(top) != os.path.realpath(workspace.root):
        inside = os.path.relpath(os.path.realpath(workspace.root), os.path.realpath(top)).replace(os.sep, "/")
    else:
        inside = ""
    line = f"{inside}/{_ATTRIBUTE}" if inside else _ATTRIBUTE
    if " " in line.split(" merge=")[0]:
        raise Refused(f"{line} holds a space, which .gitattributes cannot express.")
    path = os.path.join(top, ".gitattributes")
    text = ""
    if os.path.exists(path):
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            text = file.read()
    added = line not in text.splitlines()
    if added:
        start = text if not text or text.endswith("\n") else text + "\n"
        Tree(top).replace(path, f"{start}{line}\n".encode(errors="surrogateescape"))
    return {"driver": command, "attribute": line, "added": added}
