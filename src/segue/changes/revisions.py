"""History: every difference between two versions of a record as one revision, sealed against rewriting.

`differences` is complete: undoing them gives the old record again. A revision that we append carries
`content`, the hash of the record as it left it, and `seal`, the hash of the whole history up to itself,
including what other programs wrote before. So an edit by hand and a rewritten past are both found, and a
history that had to be rewritten, as after a merge by hand, is sealed anew by a revision that says so.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

from segue.changes.document import Document
from segue.model import wire

HISTORY = "revision_history"
_BOOKKEEPING = frozenset(
    (
        HISTORY,
        "updated",
        "metadata.last_modified",
        "metadata.last_modified_by",
        "session_context.current_session.last_active",
    )
)
KEYS = {
    "files_affected": "path",
    "test_cases": "test_id",
    "sub_tcs": "sub_id",
    "commits": "sha",
    "remotes": "name",
    "files_in_progress": "path",
    "decisions_made": "decision",
}
_SUMMARY_LIMIT = 600


def differences(old: Document, new: Document, reason: str | None = None) -> list[Document]:
    """The field changes that lead from one version to the other, bookkeeping left out."""
    return [{**change, "reason": reason} for change in _between(old, new, "")]


def append(document: Document, changes: list[Document], phrases: list[str], author: str, at: str) -> Document:
    """Adds the revision, the dates and the seal to a record whose fields have already changed."""
    document["updated"] = at
    document["metadata"] = {**document["metadata"], "last_modified": at, "last_modified_by": author}
    history = document[HISTORY]
    summary = "; ".join(phrases)
    numbers = (str(row["revision_id"])[1:] for row in history)
    given = [int(number) for number in numbers if number.isdecimal()]  # also where revisions were taken out
    revision: Document = {
        "revision_id": f"R{max([len(history), *given]) + 1}",
        "timestamp": at,
        "author": author,
        "summary": summary if len(summary) <= _SUMMARY_LIMIT else summary[: _SUMMARY_LIMIT - 1] + "…",
        "field_changes": changes,
        "content": content_hash(document),
    }
    revision["seal"] = _seals([*history, revision])[-1]
    document[HISTORY] = [*history, revision]
    return revision


def content_hash(document: Document) -> str:
    """The hash of everything but the history."""
    return wire.content_id(wire.canonical({k: v for k, v in document.items() if k != HISTORY}))


def broken_seals(history: list[Document]) -> list[str]:
    """Ids of sealed revisions that do not fit the history before them."""
    return [
        revision["revision_id"]
        for revision, seal in zip(history, _seals(history), strict=True)
        if revision.get("seal", seal) != seal
    ]


def sealed_anew(history: list[Document]) -> int:
    """The number of the last revision that vouches for a rewritten history; 0 for none."""
    for number in range(len(history), 0, -1):
        changes = history[number - 1].get("field_changes") or []
        if any(change.get("field") == HISTORY for change in changes):
            return number
    return 0


def continues(older: list[Document], newer: list[Document]) -> bool:
    """True when the newer history only added to the older one, or was sealed anew since."""
    if newer[: len(older)] == older:
        return True
    vouched = sealed_anew(newer)
    return vouched > 0 and newer[vouched - 1] not in older


def has_sealed(history: list[Document], revision_id: Any, seal: Any) -> bool:
    """True when a history still has a revision that was seen with that seal, or was sealed anew since."""
    if not isinstance(revision_id, str) or not isinstance(seal, str):
        return True
    if any(row.get("revision_id") == revision_id and row.get("seal") == seal for row in history):
        return True
    number = revision_id[1:]
    return number.isdecimal() and sealed_anew(history) >= int(number)


def last_sealed(history: list[Document]) -> Document | None:
    return next((row for row in reversed(history) if isinstance(row.get("seal"), str)), None)


def _seals(history: list[Document]) -> list[str]:
    digest = hashlib.sha256()
    seals = []
    for body in wire.canonical_many([{k: v for k, v in row.items() if k != "seal"} for row in history]):
        digest.update(body)
        seals.append(digest.hexdigest())
    return seals


def _between(old: Document, new: Document, path: str) -> Iterator[Document]:
    for key in [*old, *(key for key in new if key not in old)]:
        field = f"{path}.{key}" if path else key
        if field in _BOOKKEEPING or (key == HISTORY and path):
            continue
        if key not in new:
            yield {"field": field, "action": "removed", "old_value": old[key]}
        else:
            yield from _value(old.get(key), new[key], field, key)


def _value(old: Any, new: Any, field: str, key: str) -> Iterator[Document]:
    if old == new and type(old) is type(new):
        return
    if isinstance(old, dict) and isinstance(new, dict):
        yield from _between(old, new, field)
    elif isinstance(old, list) and isinstance(new, list):
        yield from _items(old, new, field, key)
    elif isinstance(old, str) and isinstance(new, str) and old and new.startswith(old + "\n"):
        yield {"field": field, "action": "added", "new_value": new[len(old) + 1 :]}
    elif old is None or old == "":
        yield {"field": field, "action": "set", "new_value": new}
    else:
        yield {"field": field, "action": "changed", "old_value": old, "new_value": new}


def _items(old: list[Any], new: list[Any], field: str, key: str) -> Iterator[Document]:
    """Items gone and items added at the end, item by item; any other rearrangement as a whole."""
    names, new_names = _names(old, key), _names(new, key)
    known = None if names is None or new_names is None else [name for name in names if name in new_names]
    if names is None or new_names is None or known is None or list(new_names)[: len(known)] != known:
        yield {"field": field, "action": "changed", "old_value": old, "new_value": new}
        return
    for name, item in names.items():
        if name not in new_names:
            yield {"field": field, "action": "removed", "old_value": item}
        elif item != new_names[name]:
            yield from _between(item, new_names[name], f"{field}[{name}]")
    for name, item in new_names.items():
        if name not in names:
            yield {"field": field, "action": "added", "new_value": item}


def _names(items: list[Any], key: str) -> dict[str, Any] | None:
    """Items by what identifies them: their key field, or their whole value. None if two are alike."""
    field = KEYS.get(key)
    named = {
        str(item[field])
        if field and isinstance(item, dict) and field in item
        else wire.canonical(item).decode(): item
        for item in items
    }
    return named if len(named) == len(items) else None
