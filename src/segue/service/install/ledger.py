"""The ledger of installations: what was changed where, so that it can be undone.

Per agent and path it holds the bytes before our first change, the hash after our last one, and the folders made. A file
whose hash is still that one was touched by nobody else. A ledger that names any file but those of the agent's
integration is not one that segue wrote: it is refused as a whole.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from segue.errors import SegueError, Unavailable
from segue.model.value import NamedTuple
from segue.service.install.places import known, resolved
from segue.service.install.settings import parsed
from segue.service.refusals import refusal
from segue.stores import private_files
from segue.stores.accepted import user_folder

if TYPE_CHECKING:
    from segue.service.workspace import Workspace

Row = dict[str, Any]


class Change(NamedTuple):
    """One file as it is and as it should be; None for a file that is not there."""

    path: str
    before: bytes | None
    after: bytes | None
    mode: int = 0o600
    ours: bool = False
    """True for a file that nobody else writes."""
    kept: bool = False
    """True for a file of ours that somebody edited, which is left as it is."""

    @property
    def needed(self) -> bool:
        return self.before != self.after


class Ledger:
    """The rows of a project or of a person."""

    def __init__(self, workspace: Workspace, project: bool) -> None:
        self._path = os.path.join(workspace.folder if project else user_folder(), "installed.json")
        held = parsed(self._path, contents(self._path, private_files.read))
        self.rows: dict[str, dict[str, Row]] = held.get("agents", {})
        self._folders: list[str] = held.get("folders", [])
        if not (_texts(self._folders) and isinstance(self.rows, dict)):
            raise self._refused("is not in the form that segue writes")
        for agent, rows in self.rows.items():
            if not isinstance(rows, dict) or not all(map(_sound, rows.values())):
                raise self._refused(f"has rows for {agent[:40]!r} that segue did not write")
            for path in rows.keys() - known(workspace, agent, project):
                raise self._refused(
                    f"names {path[:200]!r}, which is no file of {agent[:40]}'s integration here"
                )
            for path in rows:
                resolved(path, project)

    def _refused(self, why: str) -> SegueError:
        return refusal("strange-ledger", path=self._path, why=why)

    def row(self, path: str) -> Row | None:
        """What is known of a file, whichever agent it was changed for."""
        return next((rows[path] for rows in self.rows.values() if path in rows), None)

    def note(self, agent: str, change: Change) -> None:
        """Remembers a change; what stood there before our first one counts, also after an upgrade and for
        a file that several agents read."""
        row = self.row(change.path)
        if row is None:
            row = _first_row(change)
        elif not change.ours and _edited(row, change.before):
            row = {**row, "edited": True}
        whole = change.ours and not change.kept
        after = sha(change.after or b"") if change.needed or whole else row["after"]
        fresh = {name: value for name, value in row.items() if name != "left"} | {"after": after}
        for rows in (self.rows.setdefault(agent, {}), *self.rows.values()):
            if rows is self.rows[agent] or change.path in rows:
                rows[change.path] = fresh

    def shared(self, path: str, leaving: list[str]) -> bool:
        """True when an agent that stays uses the same file."""
        return any(
            path in rows and not rows[path].get("left")
            for agent, rows in self.rows.items()
            if agent not in leaving
        )

    def forget(self, agent: str, kept: list[str]) -> None:
        """Forgets an agent, but for files that were left where they are."""
        rows = {path: {**row, "left": True} for path, row in self.rows.pop(agent).items() if path in kept}
        if rows:
            self.rows[agent] = rows
        self.save()

    def drop(self, path: str) -> None:
        """Forgets a file, whichever agents it was written for."""
        for rows in self.rows.values():
            rows.pop(path, None)
        self.save()

    def save(self) -> None:
        from segue.service.workspace import write_private

        folder = os.path.dirname(self._path)
        if self.rows:
            self._folders = self._folders or _missing_folders(folder)
            os.makedirs(folder, mode=0o700, exist_ok=True)
            told = {"folders": self._folders, "agents": self.rows}
            write_private(self._path, (json.dumps(told, indent=1) + "\n").encode())
        elif os.path.exists(self._path):
            os.unlink(self._path)
            remove_folders(folder, self._folders)


def original(row: Row) -> bytes | None:
    """The bytes before our first change; None where there was no file."""
    return base64.b64decode(row["before"], validate=True) if row["before"] is not None else None


def sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def contents(path: str, read: Callable[[str], bytes] = lambda path: Path(path).read_bytes()) -> bytes | None:
    """The bytes of a file; None when there is none."""
    try:
        return read(path)
    except FileNotFoundError:
        return None
    except OSError as fault:
        hint = "Look at what lies there, and at its permissions."
        raise Unavailable(f"{path} cannot be read: {fault.strerror}.", hint) from None


def remove_folders(folder: str, made: list[str]) -> None:
    """Removes the folders that installing made, if they are empty again."""
    while folder in made:
        try:
            os.rmdir(folder)
        except OSError:
            return
        folder = os.path.dirname(folder)


def _sound(row: Any) -> bool:
    """True for a row as `note` makes it."""
    if not isinstance(row, dict) or not isinstance(row.get("before", ""), str | None):
        return False
    if not (
        isinstance(row.get("after"), str) and isinstance(row.get("ours"), bool) and _texts(row.get("folders"))
    ):
        return False
    try:
        original(row)
    except (KeyError, ValueError):
        return False
    return True


def _texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(text, str) for text in value)


def _first_row(change: Change) -> Row:
    """The row of a file that no agent's installation is known to have changed. One that holds our entries
    already cannot be restored, so nothing will match its hash and only those entries go."""
    kept = None if change.ours or change.before is None else base64.b64encode(change.before).decode()
    folders = _missing_folders(os.path.dirname(change.path))
    return {"before": kept, "after": "", "folders": folders, "ours": change.ours}


def _edited(row: Row, now: bytes | None) -> bool:
    """True for settings that are neither as we left them nor as they were before us. Restoring those would
    take somebody's edit away, so from then on only our entries go."""
    return now != original(row) and sha(now or b"") != row["after"]


def _missing_folders(folder: str) -> list[str]:
    missing = []
    while not os.path.isdir(folder):
        missing.append(folder)
        folder = os.path.dirname(folder)
    return missing
