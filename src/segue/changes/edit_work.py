"""Edits of the work itself: files, tests and their evidence, the approval, sub-changes."""

from __future__ import annotations

import msgspec

from segue.changes import ids, states
from segue.changes.document import Document
from segue.changes.draft import Draft, folded, one_line, pick_named, quoted
from segue.changes.sentences import refusal
from segue.errors import BadInput
from segue.model.change import Status, TestCase
from segue.model.change_update import (
    Approve,
    FileEdit,
    NewEvidence,
    NewSub,
    NewTest,
    SubEdit,
    TestResult,
)

_FILE_FIELDS = ("action", "description", "lines_added", "lines_removed")


def files(draft: Draft, edits: list[FileEdit]) -> None:
    listed: list[Document] = draft.document["files_affected"]
    for edit in edits:
        given = {name: getattr(edit, name) for name in _FILE_FIELDS if getattr(edit, name) is not None}
        known = next((file for file in listed if file["path"] == edit.path), None)
        if known is None:
            row = {"path": edit.path, "action": "modified", **dict.fromkeys(_FILE_FIELDS[1:]), **given}
            listed.append(row)
            draft.done.append(f"+file {edit.path} ({row['action']})")
        elif any(known.get(name) != value for name, value in given.items()):
            known.update(given)
            draft.done.append(f"file {edit.path}: {', '.join(given)}")


def remove_files(draft: Draft, paths: list[str]) -> None:
    listed: list[Document] = draft.document["files_affected"]
    for path in paths:
        listed.remove(pick_named(listed, "path", path, "affected file"))
        draft.done.append(f"-file {path}")


def add_tests(draft: Draft, tests: list[NewTest]) -> None:
    cases: list[Document] = draft.document["test_cases"]
    titles = {folded(case["title"]) for case in cases}
    for test in tests:
        title = one_line(test.title)
        if folded(title) in titles:
            continue
        titles.add(folded(title))
        case = TestCase(
            test_id=f"T{len(cases) + 1}",
            title=title,
            procedure=[one_line(step) for step in test.procedure],
            expected_result=test.expected_result.strip(),
        )
        cases.append(msgspec.to_builtins(case))
        draft.done.append(f"+test {cases[-1]['test_id']}: {title}")


def test_results(draft: Draft, results: list[TestResult]) -> None:
    for result in results:
        case = test_case(draft, result.test_id)
        run = result.status != "pending"
        given: Document = {
            "status": result.status,
            "actual_result": case.get("actual_result")
            if result.actual_result is None
            else result.actual_result,
        }
        if all(case.get(name) == value for name, value in given.items()) and result.tested_by is None:
            continue
        given["tested_by"] = (result.tested_by or draft.author) if run else None
        given["tested_date"] = (result.tested_date or draft.at) if run else None
        case.update(given)
        draft.done.append(f"{case['test_id']}: {result.status}")


def add_evidence(draft: Draft, items: list[NewEvidence]) -> None:
    for item in items:
        case = test_case(draft, item.test_id)
        if not (item.content or "").strip() and not (item.path or "").strip():
            raise refusal("evidence-empty", test=case["test_id"])
        row: Document = {
            "type": item.type,
            "description": one_line(item.description),
            "content": item.content,
            "path": item.path,
            "timestamp": draft.at,
        }
        evidence: list[Document] = case.setdefault("evidence", [])
        if not any({**known, "timestamp": None} == {**row, "timestamp": None} for known in evidence):
            evidence.append(row)
            draft.done.append(f"+evidence {case['test_id']}: {quoted(item.description)}")


def test_case(draft: Draft, test_id: str) -> Document:
    """The test of that id. Raises BadInput if there is none."""
    name = test_id.strip().upper()
    name = f"T{name}" if name.isdecimal() else name
    return pick_named(draft.document["test_cases"], "test_id", name, "test")


def approve(draft: Draft, given: Approve) -> None:
    approval: Document = draft.document["approval"]
    by = one_line(given.by)
    if (
        approval.get("approved")
        and approval.get("approved_by") == by
        and given.date is None
        and given.notes is None
    ):
        return
    approval.update(approved=True, approved_by=by, approved_date=given.date or draft.at)
    if given.notes is not None:
        approval["approval_notes"] = given.notes.strip()
    draft.done.append(f"approved by {by}")


def revoke_approval(draft: Draft, _: bool) -> None:
    approval: Document = draft.document["approval"]
    if approval.get("approved"):
        approval.update(approved=False, approved_by=None, approved_date=None)
        draft.done.append("approval taken back")


def add_subs(draft: Draft, subs: list[NewSub]) -> None:
    known: list[Document] = draft.document.setdefault("sub_tcs", [])
    for sub in subs:
        names = [row["sub_id"] for row in known]
        if sub.under is not None:
            parent = _sub(draft, sub.under)["sub_id"]
            if parent.count(".") > 1:
                raise BadInput(f"{parent} is on the lowest level.", "Add it beside, without --under.")
            sub_id = ids.next_sub_id(draft.document["tc_id"], names, parent)
        else:
            sub_id = ids.next_sub_id(draft.document["tc_id"], names)
        row: Document = {
            "sub_id": sub_id,
            "title": one_line(sub.title),
            "status": "planned",
            "description": sub.description,
            "files_affected": list(dict.fromkeys(sub.files)),
            "revision_history": [],
        }
        known.append(row)
        _revise(draft, row, "Created")
        draft.done.append(f"+sub-change {sub_id}: {row['title']}")


def sub_edits(draft: Draft, edits: list[SubEdit]) -> None:
    for edit in edits:
        row = _sub(draft, edit.sub_id)
        phrases = []
        if edit.status is not None and edit.status != row["status"]:
            states.require_step(row["sub_id"], row["status"], edit.status)
            _require_parts_finished(draft, row["sub_id"], edit.status)
            phrases.append(f"status: {row['status']} -> {edit.status}")
            row["status"] = edit.status
        for name, value in (("title", edit.title), ("description", edit.description)):
            if value is not None and value != row.get(name):
                row[name] = one_line(value) if name == "title" else value
                phrases.append(f"{name} set")
        paths: list[str] = row.setdefault("files_affected", [])
        for path in edit.add_files:
            if path not in paths:
                paths.append(path)
                phrases.append(f"+file {path}")
        if phrases:
            _revise(draft, row, "; ".join(phrases))
            draft.done.append(f"{row['sub_id']} {', '.join(phrases)}")


def _require_parts_finished(draft: Draft, sub_id: str, status: Status) -> None:
    """Raises Refused if a sub-change would be done before what is below it."""
    if status not in states.DONE:
        return
    for row in draft.document["sub_tcs"]:
        if row["sub_id"].startswith(f"{sub_id}.") and row["status"] in states.UNFINISHED:
            steps = states.route(row["status"], "implemented")
            flags = " ".join(f"--sub-status {row['sub_id']} {step}" for step in steps)
            raise refusal(
                "part-unfinished",
                sub=sub_id,
                status=status,
                part=row["sub_id"],
                title=row["title"],
                state=row["status"],
                id=draft.document["tc_id"],
                flags=flags,
            )


def _sub(draft: Draft, given: str) -> Document:
    """A sub-change by its whole id or by the letters behind the record's number."""
    subs: list[Document] = draft.document.setdefault("sub_tcs", [])
    name = given.strip().upper()
    if not name.startswith("TC-"):
        name = f"TC-{ids.number_of(draft.document['tc_id']):03d}.{name.lstrip('.')}"
    return pick_named(subs, "sub_id", name, "sub-change")


def _revise(draft: Draft, row: Document, summary: str) -> None:
    history: list[Document] = row.setdefault("revision_history", [])
    history.append(
        {
            "revision_id": f"R{len(history) + 1}",
            "timestamp": draft.at,
            "author": draft.author,
            "summary": summary,
        }
    )
