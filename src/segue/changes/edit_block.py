"""Edits of the handoff block: progress, next steps, blockers, key context, files at hand, decisions."""

from __future__ import annotations

import msgspec

from segue.changes.document import Document
from segue.changes.draft import Draft, folded, one_line, pick, pick_named, quoted
from segue.model.change import HandoffBlock
from segue.model.change_update import FileProgress, Move, NewDecision, Resolution


def whole(draft: Draft, block: HandoffBlock) -> None:
    """Puts another block in place of the old one; fields this version does not know stay."""
    given: Document = msgspec.to_builtins(block)
    before = draft.block
    if {**before, **given} != before:
        draft.document["session_context"]["handoff"] = {**before, **given}
        draft.done.append(f"handoff block {_became(before, given)}")


def _became(before: Document, given: Document) -> str:
    """What happened to a block: its lists are all still there, or not; one without any was filled."""
    lists = [(old, given[name]) for name, old in before.items() if isinstance(old, list) and name in given]
    if not any(old for old, _ in lists):
        return "filled"
    return "merged" if all(item in new for old, new in lists for item in old) else "replaced"


def progress(draft: Draft, text: str) -> None:
    text = text.strip()
    if draft.block["progress_summary"] != text:
        draft.block["progress_summary"] = text
        draft.done.append(f"progress: {quoted(text)}")


def move_next(draft: Draft, moves: list[Move]) -> None:
    steps: list[str] = draft.block["next_steps"]
    for move in moves:
        step = pick(steps, move.step, "next step")
        to = min(move.to, len(steps))
        if steps.index(step) != to - 1:
            steps.remove(step)
            steps.insert(to - 1, step)
            draft.done.append(f"next step {quoted(step)} moved to {to}")


def resolve_blockers(draft: Draft, resolutions: list[Resolution]) -> None:
    """Takes blockers away and keeps them, with what became of them, in the notes."""
    gone = draft.remove_texts(
        draft.block["blockers"], [item.blocker for item in resolutions], "blocker", "resolved "
    )
    for blocker, item in zip(gone, resolutions, strict=True):
        how = f" ({one_line(item.how)})" if item.how and item.how.strip() else ""
        draft.note(f"Resolved: {blocker}{how}")


def files_in_progress(draft: Draft, files: list[FileProgress]) -> None:
    rows: list[Document] = draft.block["files_in_progress"]
    for file in files:
        known = next((row for row in rows if row["path"] == file.path), None)
        if known is None:
            rows.append({"path": file.path, "state": file.state, "notes": file.notes})
            draft.done.append(f"{file.path} is {file.state}")
            continue
        given = {"state": file.state, **({} if file.notes is None else {"notes": file.notes})}
        if any(known.get(name) != value for name, value in given.items()):
            known.update(given)
            draft.done.append(f"{file.path} is {file.state}")


def drop_files(draft: Draft, paths: list[str]) -> None:
    rows: list[Document] = draft.block["files_in_progress"]
    for path in paths:
        rows.remove(pick_named(rows, "path", path, "file in progress"))
        draft.done.append(f"{path} is no longer in progress")


def decisions(draft: Draft, given: list[NewDecision]) -> None:
    rows: list[Document] = draft.block["decisions_made"]
    for decision in given:
        text, rationale = one_line(decision.decision), decision.rationale.strip()
        known = next((row for row in rows if folded(row["decision"]) == folded(text)), None)
        if known is None:
            rows.append(
                {"decision": text, "rationale": rationale, "timestamp": decision.timestamp or draft.at}
            )
            draft.done.append(f"+decision {quoted(text)}")
        elif known["rationale"] != rationale:
            known["rationale"] = rationale
            draft.done.append(f"decision {quoted(text)}: rationale set")


def remove_decisions(draft: Draft, refs: list[str]) -> None:
    rows: list[Document] = draft.block["decisions_made"]
    texts = [row["decision"] for row in rows]
    for text in [pick(texts, ref, "decision") for ref in refs]:
        rows.remove(pick_named(rows, "decision", text, "decision"))
        draft.done.append(f"-decision {quoted(text)}")
