"""An update must not ask for a thing and its opposite: whichever of the two won, half of it would be lost."""

from __future__ import annotations

from segue.changes.draft import folded
from segue.errors import BadInput
from segue.model.change_update import Update

_NAMED_BY = {
    "files": "path",
    "files_in_progress": "path",
    "resolve_blockers": "blocker",
    "decisions": "decision",
}
"""What names the items of a field, where they are no texts."""
OPPOSITES = (
    ("add_tags", "remove_tags", "tag", "added and taken away"),
    ("relate", "unrelate", "relation to", "added and taken away"),
    ("add_breaking_changes", "remove_breaking_changes", "breaking change", "added and taken away"),
    ("add_dependencies", "remove_dependencies", "dependency", "added and taken away"),
    ("files", "remove_files", "file", "listed and taken away"),
    ("add_next", "complete_next", "next step", "added and completed"),
    ("add_next", "remove_next", "next step", "added and taken away"),
    ("complete_next", "remove_next", "next step", "completed and taken away"),
    ("add_blockers", "resolve_blockers", "blocker", "added and resolved"),
    ("add_context", "remove_context", "context", "added and taken away"),
    ("files_in_progress", "drop_files_in_progress", "file", "in progress and done"),
    ("decisions", "remove_decisions", "decision", "made and taken away"),
)
"""Two fields of an update that must not name the same thing, what it is, and what cannot be at once."""


def require_coherent(update: Update) -> None:
    """Raises BadInput for an update that contradicts itself."""
    hint = "Ask for one of the two, or for one after the other."
    if update.approve is not None and update.revoke_approval:
        raise BadInput("An approval cannot be given and taken back in one update.", hint)
    for one, other, what, verbs in OPPOSITES:
        if both := _names(update, one) & _names(update, other):
            raise BadInput(f"The {what} {min(both)!r} cannot be {verbs} in one update.", hint)
    results: dict[str, str] = {}
    for result in update.test_results:
        name = folded(result.test_id)
        if results.setdefault(name, result.status) != result.status:
            raise BadInput(
                f"{result.test_id} cannot be {results[name]} and {result.status} in one update.", hint
            )


def _names(update: Update, field: str) -> set[str]:
    named = _NAMED_BY.get(field)
    return {folded(getattr(item, named) if named else item) for item in getattr(update, field)}
