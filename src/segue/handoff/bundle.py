"""The bundle of a handoff: the packet as its summary, and references to what the packet speaks of.

References never leave the workspace: a path that does is left out of the bundle, though the packet
may name it. Keys and order are those of `rip.handoff_context_bundle.v1`.
"""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from typing import Any

from segue.errors import BadInput
from segue.handoff.quote import inline
from segue.model.bundle import Bundle, confined, handoff_bundle
from segue.model.facts import Facts, FileFact

_NOTE = 160


def bundle_of(
    facts: Facts,
    packet: str,
    source: dict[str, Any],
    threads: Sequence[dict[str, Any]] = (),
    artifacts: Sequence[dict[str, Any]] = (),
    below: str = "",
) -> Bundle:
    """The bundle for a packet's text. `source` is the cut it was made at, `below` the session's working
    directory within the workspace, where it is not its root."""
    return handoff_bundle(packet, source, list(threads), list(artifacts), file_refs(facts, below))


def file_refs(facts: Facts, below: str = "") -> list[dict[str, Any]]:
    """One reference for each file that was changed or read and should still be there, sorted by path."""
    notes: dict[str, str] = {}
    for file in facts.files:
        if file.action in ("mentioned", "deleted"):
            continue
        try:
            notes[confined(_inside(file.path, facts.source.cwd, below))] = _note(file)
        except BadInput:
            continue
    return [{"path": path, "note": notes[path]} for path in sorted(notes)]


def _inside(path: str, cwd: str, below: str) -> str:
    """The path from the root of the workspace; one outside it stays as it is and will be refused."""
    if cwd and path.startswith(cwd.rstrip("/") + "/"):
        path = path[len(cwd.rstrip("/")) + 1 :]
    if posixpath.isabs(path) or path.startswith("~"):
        return path
    return posixpath.normpath(posixpath.join(below, path))


def _note(file: FileFact) -> str:
    state = f", {file.work_state.replace('_', ' ')}" if file.work_state else ""
    why = inline(file.why, _NOTE)
    return f"{file.action}{state}{f': {why}' if why else ''}"
