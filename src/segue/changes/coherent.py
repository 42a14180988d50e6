"""An update must not ask for a thing and its opposite: whichever of the two won, half of it would be lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from segue.changes.draft import one_line
from segue.errors import BadInput
from segue.model.change_update import Update

_Name = Callable[[Any], str]


def _text(item: str) -> str:
    return one_line(item).casefold()


def _field(name: str) -> _Name:
    return lambda item: _text(getattr(item, name))


_PATH = _field("path")
OPPOSITES: tuple[tuple[str, _Name, str, _Name, str], ...] = (
    ("add_tags", _text, "remove_tags", _text, "The tag {} cannot be added and taken away"),
    ("relate", _text, "unrelate", _text, "The relation to {} cannot be added and taken away"),
    (
        "add_breaking_changes",
        _text,
        "remove_breaking_changes",
        _text,
        "The breaking change {} cannot be added and taken away",
    ),
    (
        "add_dependencies",
        _text,
        "remove_dependencies",
        _text,
        "The dependency {} cannot be added and taken away",
    ),
    ("files", _PATH, "remove_files", _text, "The file {} cannot be listed and taken away"),
    ("add_next", _text, "complete_next", _text, "The next step {} cannot be added and completed"),
    ("add_next", _text, "remove_next", _text, "The next step {} cannot be added and taken away"),
    ("complete_next", _text, "remove_next", _text, "The next step {} cannot be completed and taken away"),
    (
        "add_blockers",
        _text,
        "resolve_blockers",
        _field("blocker"),
        "The blocker {} cannot be added and resolved",
    ),
    ("add_context", _text, "remove_context", _text, "The context {} cannot be added and taken away"),
    (
        "files_in_progress",
        _PATH,
        "drop_files_in_progress",
        _text,
        "The file {} cannot be in progress and done",
    ),
    (
        "decisions",
        _field("decision"),
        "remove_decisions",
        _text,
        "The decision {} cannot be made and taken away",
    ),
)
"""Two fields of an update that must not name the same thing, how each names it, and what to say if they do."""


def require_coherent(update: Update) -> None:
    """Raises BadInput for an update that contradicts itself."""
    hint = "Ask for one of the two, or for one after the other."
    if update.approve is not None and update.revoke_approval:
        raise BadInput("An approval cannot be given and taken back in one update.", hint)
    for one, name_one, other, name_other, sentence in OPPOSITES:
        both = {*map(name_one, getattr(update, one))} & {*map(name_other, getattr(update, other))}
        if both:
            raise BadInput(f"{sentence.format(repr(min(both)))} in one update.", hint)
    results: dict[str, str] = {}
    for result in update.test_results:
        name = _text(result.test_id)
        if results.setdefault(name, result.status) != result.status:
            raise BadInput(
                f"{result.test_id} cannot be {results[name]} and {result.status} in one update.", hint
            )
