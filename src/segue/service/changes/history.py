"""Whether the past of a record is still what it was: compared with the registry's row and with its versions in git.

A record whose history was cut short or lost its seals is sound by itself. The registry remembers the last
sealed revision it saw, and git the versions before; a commit does not make a rewritten past true.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from segue.changes import revisions
from segue.changes.document import Document
from segue.errors import BadInput
from segue.model.finding import Finding
from segue.model.value import NamedTuple
from segue.service.changes import git
from segue.service.changes.amend import path_of
from segue.service.changes.files import FOLDER, Tree

_VERSIONS = 50
"""How many versions of a record are read from git, the latest ones."""


class Past(NamedTuple):
    """Rows of the registry by name, and versions in git, oldest first, as (commit, blob) by path."""

    rows: Mapping[str, Document]
    versions: Mapping[str, list[tuple[str, bytes]]]


def known_past(tree: Tree, tc_ids: list[str]) -> Past:
    """What registry and git remember of these records; one question to git for any number of them."""
    try:
        rows = {row["tc_id"]: row for row in tree.read_registry()[0].get("records", [])}
    except BadInput:
        rows = {}
    folder = f"{FOLDER}/records" if len(tc_ids) != 1 else path_of(tc_ids[0])
    return Past(rows, git.versions(tree.root, folder, _VERSIONS))


def findings(past: Past, document: Document) -> Iterator[Finding]:
    """A finding if the history of today does not continue the one that is remembered."""
    tc_id = document["tc_id"]
    history = document.get(revisions.HISTORY)
    if not isinstance(history, list) or not all(isinstance(row, dict) for row in history):
        return
    vouch = f"if it had to be, `segue change update {tc_id} --seal-anew --reason 'why'`."
    commit, trusted = _trusted(past.versions.get(path_of(tc_id), []))
    row = past.rows.get(tc_id, {})
    if not revisions.continues(trusted, history):
        yield Finding(
            "history-rewritten",
            "error",
            revisions.HISTORY,
            "The history does not begin with the one that was committed: revisions were changed or removed.",
            f"`git checkout {commit} -- {path_of(tc_id)}` brings it back; {vouch}",
        )
    elif not revisions.has_sealed(history, row.get("last_revision"), row.get("seal")):
        yield Finding(
            "history-rewritten",
            "error",
            revisions.HISTORY,
            f"The registry has seen {row['last_revision']} sealed, and the history has it no more.",
            f"Restore it from git; {vouch}",
        )


def _trusted(versions: list[tuple[str, bytes]]) -> tuple[str, list[Document]]:
    """The last version that continued those before it, and its commit."""
    commit: str = ""
    trusted: list[Document] = []
    for sha, data in versions:
        history = _history(data)
        if history and revisions.continues(trusted, history):
            commit, trusted = sha, history
    return commit, trusted


def _history(data: bytes) -> list[Document]:
    try:
        found: Any = msgspec.json.decode(data)
    except (msgspec.DecodeError, ValueError):
        return []
    rows = found.get(revisions.HISTORY) if isinstance(found, dict) else None
    return rows if isinstance(rows, list) and all(isinstance(row, dict) for row in rows) else []
