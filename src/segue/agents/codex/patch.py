"""The files a patch touches: as a call asked for it, and as Codex reports it done.

A patch comes raw, as a JSON argument, in a here-document of a shell command or in a JavaScript
literal. What Codex reports afterwards is the reliable list, with absolute paths.
"""

from __future__ import annotations

from collections.abc import Mapping

from segue.agents._toolcall import excerpt, of_patch, sides
from segue.agents.codex.wire import Change
from segue.model.entry import Action, Edit

BEGIN = "*** Begin Patch"
END = "*** End Patch"
_ACTIONS: dict[str, Action] = {"add": "created", "update": "modified", "delete": "deleted"}


def asked(text: str) -> tuple[Edit, ...]:
    """The edits of every patch in a text; none where there is no patch."""
    return tuple(of_patch(text)) if BEGIN in text else ()


def done(changes: Mapping[str, Change], announced: tuple[Edit, ...], cwd: str) -> tuple[Edit, ...]:
    """The edits that Codex reports as made and their call did not spell out; relative paths are from `cwd`."""
    known = {_absolute(edit.path, cwd) for edit in announced}
    return tuple(
        _edit(path, change)
        for path, change in changes.items()
        if _absolute(change.move_path or path, cwd) not in known
    )


def _absolute(path: str, cwd: str) -> str:
    return path if path.startswith("/") or not cwd else f"{cwd.rstrip('/')}/{path.removeprefix('./')}"


def _edit(path: str, change: Change) -> Edit:
    if change.unified_diff is not None:
        old, new = sides(change.unified_diff)
        if change.move_path:
            return Edit(change.move_path, "renamed", new, old)
        return Edit(path, "modified", new, old)
    content = excerpt(change.content or "")
    if change.type == "delete":
        return Edit(path, "deleted", old=content)
    return Edit(path, _ACTIONS.get(change.type, "modified"), new=content)
