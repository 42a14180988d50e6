"""What is kept only so long: archived transcripts, superseded handoff documents, and what nobody took up.

Settings say how many days; 0 keeps for ever. No frame is ever removed, and of the artifacts only versions of the handoff
document that were neither approved nor wait nor are current; the log records of each that it went.
"""

from __future__ import annotations

import glob
import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from segue.errors import BadInput
from segue.model import wire
from segue.model.frame import APPROVED
from segue.model.thread import LIBRARY, Provenance
from segue.model.value import NamedTuple
from segue.service import forgotten
from segue.service.actors import require_person
from segue.service.boundary import documents, drafts
from segue.service.health.housekeeping import left_over, tree
from segue.service.removal import files
from segue.service.withheld import STORED
from segue.stores import private_files
from segue.stores.private_files import cache_folder

if TYPE_CHECKING:
    from segue.model.answers import Collected
    from segue.service.workspace import Workspace

DAY_S = 86_400
_REASON = "kept longer than retention.drafts_days"


class Item(NamedTuple):
    """Something that may go, and how."""

    what: str
    name: str
    size: int
    remove: Callable[[], object]


def gc(workspace: Workspace, dry_run: bool = False, by: Provenance = LIBRARY) -> Collected:
    """Removes what was kept longer than settings say (`retention.*`), and what interrupted writes left. A dry run only
    says what would go, and how much; that is all an agent is told, for whom the settings are a few words in its
    environment."""
    if not dry_run:
        require_person(by, "Removing what was kept")
    items = list(_items(workspace, by)) if workspace.exists else []
    if not dry_run:
        for item in items:
            with suppress(FileNotFoundError):
                item.remove()
    return {
        "removed": not dry_run,
        "items": [{"what": one.what, "name": one.name, "bytes": one.size} for one in items],
        "bytes": sum(one.size for one in items),
    }


def _items(workspace: Workspace, by: Provenance) -> Iterator[Item]:
    yield from _aged(workspace)
    yield from earlier_caches()
    yield from _documents(workspace, by)
    for path in tree(workspace.folder):
        if left_over(path, remove=False):
            yield Item("leftover", path, os.lstat(path).st_size, partial(left_over, path, remove=True))


def earlier_caches() -> Iterator[Item]:
    """What earlier versions kept in a person's cache and nothing reads any more: indexes of sessions, compiled patterns."""
    folder = cache_folder()
    indexes = [path for path in [os.path.join(folder, "indexes")] if os.path.lexists(path)]
    patterns = sorted(glob.glob(os.path.join(glob.escape(folder), "patterns-*")))
    for what, path in (*(("index", path) for path in indexes), *(("patterns", path) for path in patterns)):
        folders = os.path.isdir(path) and not os.path.islink(path)
        inside = (os.path.join(place, name) for place, _, names in os.walk(path) for name in names)
        size = sum(os.lstat(one).st_size for one in (inside if folders else (path,)))
        yield Item(what, path, size, partial(shutil.rmtree if folders else os.unlink, path))


def _before(workspace: Workspace, setting: str) -> float:
    """The moment that a thing must be younger than to be kept."""
    days = int(workspace.config[f"retention.{setting}"])
    return time.time() - days * DAY_S if days else 0.0


def _aged(workspace: Workspace) -> Iterator[Item]:
    """Files that go by their age, and moments that no process can read."""
    for folder, what, setting, goes in _AGED:
        before = _before(workspace, setting)
        for path, status in files.listed(workspace, folder):
            aged = status.st_mtime < before and goes(os.path.basename(path))
            if aged or (what == "spool" and path.endswith(".json") and not _is_readable(path)):
                yield Item(what, path, status.st_size, partial(os.unlink, path))


_AGED: tuple[tuple[str, str, str, Callable[[str], bool]], ...] = (
    ("transcripts", "transcript", "transcripts_days", lambda name: name.endswith(".jsonl")),
    ("transcripts", "handoff", "drafts_days", lambda name: name.startswith(".handoff-")),
    ("boundary", "mark", "indexes_days", lambda name: not name.endswith(".log")),
    ("spool", "spool", "spool_days", lambda name: True),
)
"""The folder, what is in it, the setting that says how long it stays, and which of its files go."""


def _documents(workspace: Workspace, by: Provenance) -> Iterator[Item]:
    """Versions of the handoff document that others took the place of."""
    before = _before(workspace, "drafts_days")
    log, in_use = workspace.log, _in_use(workspace) if before else set()
    for head in log.heads() if before else ():
        for frame in log.read(head.stream_id, types=(STORED,)):
            artifact_id = str(frame.data.get("artifact_id"))
            if artifact_id in in_use or frame.data["timestamp_ms"] / 1000 >= before:
                continue
            size = workspace.artifacts.size(artifact_id)
            if size is not None:
                yield Item("handoff", artifact_id, size, partial(_forget, workspace, artifact_id, by))


def _in_use(workspace: Workspace) -> set[str]:
    """Documents that are current, wait for approval, or were approved."""
    current, waiting = documents.current(workspace), drafts.pending(workspace)
    used = {current.sha256} if current else set()
    used |= {waiting["artifact_id"]} if waiting else set()
    for head in workspace.log.heads():
        for frame in workspace.log.read(head.stream_id, types=(APPROVED,)):
            used.add(str(frame.data.get("artifact_id")))
    return used


def _forget(workspace: Workspace, artifact_id: str, by: Provenance) -> None:
    forgotten.record(workspace.log, artifact_id, _REASON, by)
    workspace.artifacts.forget(artifact_id)


def _is_readable(path: str) -> bool:
    try:
        return isinstance(wire.decode(private_files.read(path)), dict)
    except OSError:  # taken up, or somebody else's matter
        return True
    except (BadInput, UnicodeDecodeError):
        return False
