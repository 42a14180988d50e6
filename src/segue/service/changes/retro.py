"""Past changes: gathered from git or read from a changelog file, and recorded all in one go."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from segue.changes import gitlink, ids, record, registry, retro, states
from segue.changes.document import OURS, Document
from segue.changes.draft import Draft
from segue.changes.gitlink import LoggedCommit
from segue.changes.sentences import refusal
from segue.model.change import Approval, Description, FileAffected, TestCase
from segue.model.change_registry import RetroChange, RetroFile
from segue.model.thread import LIBRARY
from segue.service.changes import git
from segue.service.changes.amend import author_of, path_of
from segue.service.changes.files import Tree, now, writing
from segue.service.changes.prepare import cleaned, relative
from segue.service.changes.sessions import open_session

if TYPE_CHECKING:
    from segue.model.change_answers import ChangesMade
    from segue.service.workspace import Workspace

_AFTERWARDS = "Recorded after the fact."
_UNTOLD = "they were not told when it was recorded after the fact."
_UNTESTED = TestCase(
    test_id="T1",
    title="Tests from before the record",
    procedure=["Look them up in the history"],
    expected_result="They passed",
    status="skip",
    actual_result="Recorded after the fact: how it was tested is not known.",
)


def history_as_changes(
    workspace: Workspace,
    since: str | None = None,
    until: str | None = None,
    author: str | None = None,
    window_hours: float = 2.0,
) -> RetroFile:
    """The git history as past changes, without the commits that records already link."""
    tree = Tree(workspace.root).require()
    limits = [
        f"--{name}={value}"
        for name, value in (("since", since), ("until", until), ("author", author))
        if value
    ]
    known = _linked(tree)
    found = [
        commit
        for commit in git.log(workspace.root, *limits, "HEAD", "--", ".")
        if not any(commit.sha.startswith(sha) for sha in known)
        and not (commit.files and all(gitlink.is_own(path) for _, path in commit.files))
    ]
    merges = [commit.sha for commit in found if commit.parents > 1]
    groups = retro.group(found, git.merged_by(workspace.root, merges), window_hours)
    if not groups:
        raise refusal("nothing-past")
    return RetroFile(
        project=tree.project(),
        default_author="retroactive",
        changes=[retro.change_of(group) for group in groups],
    )


def record_past(workspace: Workspace, past: RetroFile) -> ChangesMade:
    """Makes a record of each past change, all in one go, with its commits linked."""
    commits = {commit.sha: commit for commit in _commits_of(workspace.root, past)}
    branch = git.branch(workspace.root)
    Tree(workspace.root).require()
    with writing(workspace) as tree:
        at = now()
        listed = tree.rows()
        number = registry.next_number(listed[0], listed[2])
        names = [
            ids.make(number + position, change.date or at, change.title)
            for position, change in enumerate(past.changes)
        ]
        documents = [
            _past_record(tree, name, names, past, change, at, commits, branch)
            for name, change in zip(names, past.changes, strict=True)
        ]
        tree.write_records([(document, OURS) for document in documents], at, listed)
    return {"changes": [{"tc_id": name, "path": path_of(name)} for name in names]}


def _past_record(
    tree: Tree,
    tc_id: str,
    names: list[str],
    past: RetroFile,
    change: RetroChange,
    at: str,
    commits: dict[str, LoggedCommit],
    branch: str | None,
) -> Document:
    moment = f"{change.date}T00:00:00+00:00" if change.date else at
    who = author_of(tree, past.default_author, LIBRARY)
    approval = (
        Approval(approved=True, approved_by=who, approved_date=moment, approval_notes=_AFTERWARDS)
        if change.status == "deployed"
        else Approval()
    )
    description = Description(
        summary=change.description,
        motivation=change.motivation or change.description,
        scope=change.scope,
        detailed_design=change.detailed_design,
        breaking_changes=change.breaking_changes,
        dependencies=change.dependencies,
    )
    blank = record.new(
        tc_id,
        change.title,
        description,
        project=past.project,
        author=who,
        at=moment,
        session=open_session(moment, "retro", "other", "none"),
        priority=change.priority,
        status=change.status,
        approval=approval,
    )
    draft = Draft(cleaned(blank), who, at)
    paths = [] if change.commits else dict.fromkeys(change.files)
    affected = [FileAffected(path=relative(tree.root, path), action="modified") for path in paths]
    draft.document["files_affected"] = msgspec.to_builtins(affected)
    if change.status in ("tested", "deployed"):
        draft.document["test_cases"] = [msgspec.to_builtins(_UNTESTED)]
    draft.document["tags"] = list(dict.fromkeys([*change.tags, "retro"]))
    draft.document["related_tcs"] = [names[index] for index in change.related_indices]
    linked = [commits[sha] for sha in change.commits if sha in commits]
    if linked:
        gitlink.link_commits(draft, linked, branch, "retro")
    if change.version:
        gitlink.link_releases(draft, [change.version], branch)
    if change.status in states.DONE and not draft.document["files_affected"]:
        draft.document["notes"] = f"{states.NO_FILES}{_UNTOLD}"
    return record.begin(draft.document, who, at, [_AFTERWARDS], _AFTERWARDS)


def _commits_of(root: str, past: RetroFile) -> list[LoggedCommit]:
    named = [sha for change in past.changes for sha in change.commits]
    return [
        commit
        for start in range(0, len(named), 200)
        for commit in git.commits(root, named[start : start + 200], ())
    ]


def _linked(tree: Tree) -> set[str]:
    shas: set[str] = set()
    for tc_id in tree.ids():
        links = tree.read(tc_id)[0].get("git") or {}
        shas.update(commit["sha"] for commit in links.get("commits", []))
    return shas


def written_past(past: RetroFile) -> str:
    """A changelog file as text, to be reviewed and given to `retro` later."""
    return msgspec.json.format(msgspec.json.encode(past), indent=2).decode() + "\n"
