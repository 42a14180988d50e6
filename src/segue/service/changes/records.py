"""Change records: make, update, close.

Results are plain JSON values, the same for every surface. Reading is in `reading`, upkeep of the
tree in `upkeep`, what concerns sessions in `sessions`, git in `links` and `retro`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import structs

from segue.changes import edit, edit_work, ids, lint, record, registry, sessions, states
from segue.changes.document import OURS
from segue.changes.draft import Draft, one_line
from segue.changes.sentences import finding as found_wrong
from segue.changes.sentences import refusal
from segue.errors import BadInput, Refused
from segue.model.change import PRIORITIES, SCOPES, Description
from segue.model.change_update import Approve, Update
from segue.model.finding import Finding
from segue.model.thread import LIBRARY, Provenance
from segue.service.actors import require_approver
from segue.service.changes import git
from segue.service.changes.amend import amend, author_of, path_of
from segue.service.changes.files import Tree, now, writing
from segue.service.changes.prepare import cleaned, file_evidence, prepared
from segue.service.changes.reading import one_of
from segue.service.changes.sessions import CURRENT, at_work, open_session, tag, thread_of

if TYPE_CHECKING:
    from segue.model.change_answers import ChangeClosed, ChangeMade, ChangeUpdated
    from segue.service.workspace import Workspace

_VOIDED = "A voided change stays so: begin another with `segue change new`."
EvidenceFile = tuple[str, str, str]
"""(test, path of a file, what it shows)"""


def new(
    workspace: Workspace,
    title: str,
    scope: str = "feature",
    summary: str | None = None,
    motivation: str | None = None,
    *,
    name: str | None = None,
    priority: str = "medium",
    author: str | None = None,
    session_id: str | None = None,
    platform: str | None = None,
    model: str | None = None,
    thread: str | None = CURRENT,
    more: Update | None = None,
    by: Provenance = LIBRARY,
) -> ChangeMade:
    """Makes a record with the next free number, linked to the thread of the session at work, or to the one named.

    `more` fills in further fields in the same revision. What is not told yet says so, and lint asks for it.
    """
    one_of(scope, SCOPES, "scope")
    one_of(priority, PRIORITIES, "priority")
    words = cleaned(
        {
            "title": one_line(title),
            "summary": (summary or "").strip() or f"{one_line(title)} (no summary yet)",
            "motivation": (motivation or "").strip() or lint.NOT_STATED,
        }
    )
    _require_words(words)
    Tree(workspace.root).require()
    if more is not None and more.approve is not None:
        require_approver(by, "Approving a change")
    platform, session_id = at_work(workspace, platform, session_id, by)
    thread_id = thread_of(workspace, thread, (platform, session_id))
    with writing(workspace) as tree:
        at = now()
        who = author_of(tree, author, by)
        listed = tree.rows()
        blank = record.new(
            ids.make(registry.next_number(listed[0], listed[2]), at, name or words["title"]),
            words["title"],
            Description(summary=words["summary"], motivation=words["motivation"], scope=scope),  # type: ignore[arg-type]
            project=tree.project(),
            author=who,
            at=at,
            priority=priority,  # type: ignore[arg-type]
            session=open_session(at, session_id, platform, model),
        )
        draft = Draft(blank, who, at)
        if thread_id is not None:
            edit.apply(draft, Update(threads=[thread_id]))
        if more is not None:
            edit.apply(draft, prepared(tree, blank, more))
        made = record.begin(draft.document, who, at, draft.done, "Initial creation")
        tree.write_records([(made, OURS)], at, listed)
    if thread_id is not None:
        tag(workspace, thread_id, made["tc_id"], by)
    return {"tc_id": made["tc_id"], "path": path_of(made["tc_id"])}


def update(
    workspace: Workspace,
    tc_id: str,
    wanted: Update,
    author: str | None = None,
    reason: str = "",
    strict: bool = False,
    seal_anew: bool = False,
    evidence_files: Sequence[EvidenceFile] = (),
    by: Provenance = LIBRARY,
) -> ChangeUpdated:
    """Applies an update as one revision. `strict` refuses a record that lint would complain about."""
    if wanted.approve is not None:
        require_approver(by, "Approving a change")
    session = at_work(workspace, None, None, by) if CURRENT in wanted.threads else (None, None)
    threads = [thread_id for given in wanted.threads if (thread_id := thread_of(workspace, given, session))]
    wanted = structs.replace(wanted, threads=threads)

    def change(draft: Draft, tree: Tree) -> None:
        edit.apply(draft, prepared(tree, draft.document, wanted))
        for test_id, path, description in evidence_files:
            name = edit_work.test_case(draft, test_id)["test_id"]
            filed = file_evidence(tree, draft.document["tc_id"], name, path, description)
            edit.apply(draft, Update(add_evidence=[filed]))

    answer = amend(workspace, tc_id, change, author, cleaned(reason), strict, seal_anew, by)
    for thread_id in threads:
        tag(workspace, thread_id, answer["tc_id"], by)
    return answer


def close(
    workspace: Workspace,
    tc_id: str,
    approve_by: str | None = None,
    approval_notes: str | None = None,
    summary: str | None = None,
    author: str | None = None,
    reason: str = "",
    by: Provenance = LIBRARY,
) -> ChangeClosed:
    """Deploys a tested change: approval, status and the end of its session, in one revision.

    Refused while blockers are left or lint finds an error: whoever reads the record later has nothing
    else to go by.
    """
    if approve_by is not None:
        require_approver(by, "Approving a change")
    warnings: list[Finding] = []

    def change(draft: Draft, tree: Tree) -> None:
        warnings.extend(_ready_to_close(draft, git.dirty(tree.root), tree))
        if approve_by is None and not draft.document["approval"]["approved"]:
            raise refusal("not-approved", id=draft.document["tc_id"])
        if approve_by is not None:
            edit_work.approve(draft, Approve(by=cleaned(approve_by), notes=cleaned(approval_notes)))
        sessions.archive(draft, cleaned(summary))
        edit.apply(draft, Update(status="deployed"))

    answer = amend(workspace, tc_id, change, author, cleaned(reason) or "Closed", by=by)
    return {**answer, "warnings": [finding.to_json() for finding in warnings]}


def _ready_to_close(draft: Draft, dirty: frozenset[str], tree: Tree) -> list[Finding]:
    """Warnings about a change that may be closed. Raises Refused for one that may not."""
    tc_id, status = draft.document["tc_id"], draft.document["status"]
    if status == "deployed":
        raise refusal("closed", id=tc_id)
    if status != "tested":
        way = states.way(tc_id, status, "tested") or _VOIDED
        raise refusal("not-tested", id=tc_id, status=status, way=way)
    if blockers := draft.block["blockers"]:
        raise refusal("blocker-left", id=tc_id, blocker=blockers[0])
    from segue.service.changes.lint import judged  # 40 ms

    found = judged(draft.document, dirty, tree)
    if faults := [finding for finding in found if finding.severity == "error"]:
        told = "\n".join(f"{fault.where}: {fault.message}" for fault in faults)
        raise Refused(told, faults[0].hint, "lint")
    left = [finding for finding in found if finding.severity == "warning"]
    if steps := draft.block["next_steps"]:
        verb = "is" if len(steps) == 1 else "are"
        left.insert(0, found_wrong("steps-left", count=len(steps), verb=verb, step=steps[0]))
    return left


def _require_words(words: dict[str, str]) -> None:
    if not words["title"]:
        raise BadInput("A change needs a title.", "`segue change new 'What is to be changed'`.")
    limits = {"title": (5, 120), "summary": (10, None), "motivation": (1, None)}
    for name, (least, most) in limits.items():
        size = len(words[name])
        if size < least or (most is not None and size > most):
            span = f"{least} to {most}" if most else f"at least {least}"
            raise BadInput(f"The {name} has {size} characters; it needs {span}.", f"Give a better --{name}.")
