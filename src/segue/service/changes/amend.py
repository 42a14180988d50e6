"""The one way a record changes: read, edit, judge, record the difference, write, all under the lock.

Whatever asks for a change gives a function of a draft. The result is refused if it breaks a rule that
held before, so an update can mend a faulty record step by step but never make one worse.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from segue.changes import record, revisions, states
from segue.changes.document import Document
from segue.changes.draft import Draft
from segue.changes.sentences import refusal
from segue.errors import Refused
from segue.model.thread import AGENT, LIBRARY, PERSON, Provenance
from segue.service.actors import USER, require_own_name, require_person
from segue.service.changes import git
from segue.service.changes.files import FOLDER, RECORD, Tree, now, writing

if TYPE_CHECKING:
    from segue.model.change_answers import ChangeUpdated
    from segue.service.workspace import Workspace

NOBODY = "agent"
"""The author where nobody is known: what a configuration says that was made without naming one."""
Result = dict[str, Any]
Change = Callable[[Draft, Tree], None]


def amend(
    workspace: Workspace,
    tc_id: str,
    change: Change,
    author: str | None = None,
    reason: str = "",
    strict: bool = False,
    seal_anew: bool = False,
    by: Provenance = LIBRARY,
) -> ChangeUpdated:
    """Applies a change as one revision; one that leaves everything as it was writes nothing."""
    if seal_anew:
        require_person(by, "Sealing a history anew")
    if seal_anew and not reason.strip():
        raise refusal("seal-unexplained")
    Tree(workspace.root).require()
    with writing(workspace) as tree:
        tc_id = tree.resolve(tc_id)
        before, manner = tree.read(tc_id)
        old = record.view(before)
        who = author_of(tree, author, by)
        draft = Draft(before, who, _not_before(before))
        change(draft, tree)
        if seal_anew:
            draft.done.append("history sealed anew")
        if not draft.done or not (seal_anew or revisions.differences(before, draft.document)):
            return _answer(before, None)
        after = draft.document
        states.require_entry(record.view(after), old.status, reason)
        after["session_context"]["current_session"]["last_active"] = draft.at
        revision = _revise(before, draft, reason, seal_anew)
        _require_no_worse(before, after)
        if strict:
            _require_clean(before, after, git.dirty(tree.root), tree)
        listed = tree.rows()
        if after["status"] != old.status:
            _require_parts_done(after, listed[2])
            _require_evidence_there(after, tree)
        tree.write_records([(after, manner)], draft.at, listed)
        return _answer(after, revision)


def author_of(tree: Tree, given: str | None, by: Provenance) -> str:
    """Who acts: an agent by its own name, the one given, whom the project names for all, or the person that git knows
    here."""
    name = " ".join((given or "").split())
    if by.kind == AGENT:
        require_own_name(by.actor_id, name)
        return by.actor_id
    if name:
        return name
    default = tree.read_config().get("default_author")
    if isinstance(default, str) and default not in ("", NOBODY):
        return default
    if by.kind != PERSON:
        return NOBODY if by.actor_id == USER else by.actor_id
    return " ".join((git.asked(tree.root, "config", "user.name") or "").split()) or by.actor_id


def path_of(tc_id: str) -> str:
    return f"{FOLDER}/records/{tc_id}/{RECORD}"


def _not_before(document: Document) -> str:
    """Now, or the time of the last revision if the clock has gone back since."""
    moment = now()
    last = str(document[revisions.HISTORY][-1]["timestamp"])
    then, here = record.parse_moment(last), record.parse_moment(moment)
    return last if then and here and then > here else moment


def _revise(before: Document, draft: Draft, reason: str, seal_anew: bool) -> Document:
    why = reason.strip() or None
    changes = revisions.differences(before, draft.document, why)
    last = before[revisions.HISTORY][-1]
    if seal_anew:
        changes.append({"field": revisions.HISTORY, "action": "changed", "reason": why})
    elif "content" in last and last["content"] != revisions.content_hash(before):
        draft.done.insert(0, f"edited by hand after {last['revision_id']}")
    return revisions.append(draft.document, changes, draft.done, draft.author, draft.at)


def _require_no_worse(before: Document, after: Document) -> None:
    known = {(finding.rule, finding.where) for finding in record.errors(before)}
    fresh = [finding for finding in record.errors(after) if (finding.rule, finding.where) not in known]
    if fresh:
        first = fresh[0]
        hint = (
            f"{first.hint} Or change the status in the same update."
            if first.where == "status"
            else first.hint
        )
        raise refusal("invalid", id=after["tc_id"], message=first.message, hint=hint)


def _require_parts_done(document: Document, rows: Mapping[str, Document]) -> None:
    """Refuses to call a change done while another that names it as its parent is not."""
    tc_id, status = document["tc_id"], document["status"]
    if status not in states.DONE:
        return
    for part, row in rows.items():
        if row.get("parent_tc") == tc_id and row["status"] in states.UNFINISHED:
            raise refusal(
                "change-unfinished",
                id=tc_id,
                status=status,
                part=part,
                state=row["status"],
                way=states.way(part, row["status"], "implemented"),
            )


def _require_evidence_there(document: Document, tree: Tree) -> None:
    """Refuses to call a change tested by files that are gone."""
    from segue.changes import drift

    if document["status"] not in ("tested", "deployed"):
        return
    view = record.view(document)
    for fault in drift.evidence(view, tree.evidence_missing(view)):
        message = fault.message[0].lower() + fault.message[1:]
        raise Refused(f"{view.tc_id} cannot become {view.status}: {message}", fault.hint, "entry_condition")


def _require_clean(before: Document, after: Document, dirty: frozenset[str], tree: Tree) -> None:
    """Refuses what lint complains about, and tells all of it: what this update brings first."""
    from segue.service.changes.lint import judged  # 40 ms

    found = [finding for finding in judged(after, dirty, tree) if finding.severity != "note"]
    if not found:
        return
    known = {(finding.rule, finding.message) for finding in judged(before, dirty, tree)}
    old = [finding for finding in found if (finding.rule, finding.message) in known]
    new = [finding for finding in found if (finding.rule, finding.message) not in known]
    told = [f"{finding.where}: {finding.message}" for finding in new]
    told += [f"{finding.where}: {finding.message} (as before)" for finding in old]
    raise Refused("\n".join(told), (*new, *old)[0].hint, "lint")


def _answer(document: Document, revision: Document | None) -> ChangeUpdated:
    answer: ChangeUpdated = {
        "tc_id": document["tc_id"],
        "updated": revision is not None,
        "status": document["status"],
        "path": path_of(document["tc_id"]),
    }
    if revision is not None:
        answer["revision"] = revision["revision_id"]
        answer["summary"] = revision["summary"]
    return answer
