"""The bundle of a handoff: the packet as its summary, and references to what the packet speaks of.

References never leave the workspace: a path that does is left out of the bundle, though the packet
may name it. Keys and order are those of `rip.handoff_context_bundle.v1`.
"""

from __future__ import annotations

from typing import Any

from segue.errors import BadInput
from segue.handoff.quote import inline
from segue.model.bundle import confined
from segue.model.facts import Facts, FileFact

_NOTE = 160


def file_refs(facts: Facts) -> list[dict[str, Any]]:
    """One reference for each file that was changed or read and should still be there, sorted by path."""
    notes: dict[str, str] = {}
    for file in facts.files:
        if file.action in ("mentioned", "deleted"):
            continue
        try:
            notes[confined(facts.source.from_root(file.path))] = _note(file)
        except BadInput:
            continue
    return [{"path": path, "note": notes[path]} for path in sorted(notes)]


def _note(file: FileFact) -> str:
    state = f", {file.work_state.replace('_', ' ')}" if file.work_state else ""
    why = inline(file.why, _NOTE)
    return f"{file.action}{state}{f': {why}' if why else ''}"
