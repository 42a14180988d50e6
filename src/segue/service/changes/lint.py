"""The whole judgement on a change record: its own faults, and its handoff block as every handoff is judged.

`change lint`, `change update --strict`, `change close` and `lint` on a record's file all ask here, so they agree.
"""

from __future__ import annotations

from segue.changes import drift, record
from segue.changes import lint as records
from segue.changes.document import Document, write
from segue.handoff.lint import LARGEST, lint
from segue.model.finding import Finding
from segue.service.changes.files import Tree

_OVER = ("deployed", "voided")
_EDITED = (*records.AT_WORK, "tested")
"""What is tested is about to be closed; what is implemented may still wait for its commit."""


def judged(
    document: Document, dirty: frozenset[str] = frozenset(), tree: Tree | None = None
) -> list[Finding]:
    """What is wrong with a record, and what could be better; `dirty` are the files of its repository with
    changes that are not committed, and `tree` is where it lies, if anywhere."""
    found = records.lint_record(document)
    if any(finding.rule == "shape" for finding in found):
        return found
    view = record.view(document)
    if tree is not None:
        found += drift.evidence(view, tree.evidence_missing(view))
    if document.get("status") in _OVER:
        return found
    if document["status"] in _EDITED:
        found += drift.unlisted(view, dirty)
    return [*found, *lint(_text(document), kind="tc").findings]


def _text(document: Document) -> str:
    """The record as a text. Evidence can be longer than any handoff; then the block must do."""
    text = write(document).decode()
    if len(text) <= LARGEST:
        return text
    block = {"handoff": document["session_context"]["handoff"]}
    return write({"status": document["status"], "session_context": block}).decode()
