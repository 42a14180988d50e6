"""What is mere housekeeping in a workspace's folder: privacy, the ignore file, leftovers. All of it can be
mended without touching truth.

A leftover is what an interrupted write did not finish. Stores hold a lock while they write; what is locked
is not left over. Where nothing can be written, nothing is mended.
"""

from __future__ import annotations

import fcntl
import os
import stat
from collections.abc import Iterator
from typing import TYPE_CHECKING

from segue.stores.private_files import open_file

if TYPE_CHECKING:
    from segue.model.answers import Check
    from segue.service.workspace import Workspace

_ROOM = 256 * 1024
"""Bytes: a commit writes whole pages, and a log of its own beside them."""


def check(name: str, ok: bool, message: str, hint: str = "") -> Check:
    verdict: Check = {"check": name, "ok": ok, "message": message}
    if hint:
        verdict["hint"] = hint
    return verdict


def housekeeping(workspace: Workspace, fix: bool) -> Iterator[Check]:
    """The verdicts; with `fix`, after mending."""
    from segue.service.workspace import enclosing, write_private

    if not workspace.exists:
        yield check(
            "workspace", True, f"There is no workspace in {workspace.root} yet; the first write makes it."
        )
        return
    around = enclosing(workspace)
    if around:
        yield check(
            "workspace", True, f"This workspace lies inside another one, in {around}; this one is used."
        )
    fault = unwritable(workspace)
    if fault:
        hint = "Make it writable, or make room; until then hooks say and record nothing."
        yield check("writing", False, fault, hint)
        fix = False
    loose = [path for path in tree(workspace.folder) if stat.S_IMODE(os.lstat(path).st_mode) & 0o077]
    if loose and fix:
        for path in loose:
            os.chmod(path, 0o700 if os.path.isdir(path) else 0o600)
    yield check(
        "permissions",
        not loose or fix,
        f"{len(loose)} files or folders were readable by others{'; mended' if fix else ''}."
        if loose
        else "Private to their owner.",
        "" if fix or not loose else "`segue doctor --fix` closes them.",
    )
    ignore = os.path.join(workspace.folder, ".gitignore")
    covered = os.path.exists(ignore)
    if not covered and fix:
        write_private(ignore, b"*\n")
    yield check(
        "gitignore",
        covered or fix,
        "The workspace is kept out of git." if covered or fix else "The workspace has no .gitignore.",
        "" if covered or fix else "`segue doctor --fix` writes it.",
    )
    leftovers = [path for path in tree(workspace.folder) if left_over(path, remove=fix)]
    todo = "removed" if fix else "harm nothing; `segue doctor --fix` removes them"
    yield check(
        "leftovers",
        True,
        f"{len(leftovers)} unfinished files of interrupted writes {todo}."
        if leftovers
        else "No unfinished writes.",
    )


def unwritable(workspace: Workspace) -> str:
    """Why nothing can be recorded in a workspace, as a sentence; nothing where it can be. Asked without writing."""
    folders = [path for path in tree(workspace.folder) if os.path.isdir(path)]
    for path in (*folders, os.path.join(workspace.folder, "log.db")):
        if os.path.exists(path) and not os.access(path, os.W_OK):
            read_only = os.statvfs(path).f_flag & os.ST_RDONLY
            why = "is on a read-only disk" if read_only else "may not be written by you"
            return f"{path} {why}: nothing can be recorded."
    return (
        f"{workspace.folder} is on a full disk: nothing can be recorded."
        if _is_full(workspace.folder)
        else ""
    )


def _is_full(folder: str) -> bool:
    """Without room for a small commit, or for another file where files are counted."""
    disk = os.statvfs(folder)
    return disk.f_bavail * disk.f_frsize < _ROOM or (disk.f_files > 0 and disk.f_favail == 0)


def tree(folder: str) -> Iterator[str]:
    """A folder and everything below it but links."""
    yield folder
    for place, folders, files in os.walk(folder):
        for name in (*folders, *files):
            path = os.path.join(place, name)
            if not os.path.islink(path):
                yield path


def left_over(path: str, remove: bool) -> bool:
    """True for an unfinished file that nobody is writing; with `remove`, it is gone afterwards."""
    folder, name = os.path.split(path)
    if name.endswith(".tmp"):
        if remove:
            os.unlink(path)
        return True
    if name.startswith(".partial-"):
        return _abandoned(path, path, remove)
    return name.startswith("log.db.new") and _abandoned(path, os.path.join(folder, "log.lock"), remove)


def _abandoned(path: str, lock: str, remove: bool) -> bool:
    try:
        held = open_file(lock, os.O_RDONLY if lock == path else os.O_RDONLY | os.O_CREAT)
    except OSError:
        return False
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if remove:
            os.unlink(path)
    except BlockingIOError:
        return False
    finally:
        os.close(held)
    return True
