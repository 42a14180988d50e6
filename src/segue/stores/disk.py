"""Private, durable files: what both embedded stores ask of the file system.

Folders are made 0700 and files 0600. A new name is only safe once its folder is synced, so
whoever creates or renames a file calls `sync_folder` before acknowledging anything.
"""

from __future__ import annotations

import errno
import os

from segue.errors import Unavailable
from segue.stores.private_files import require_folders

PRIVATE_FILE = 0o600
PRIVATE_FOLDER = 0o700

_FAULTS = {
    errno.ENOSPC: ("full", "The disk is full", "Free some space and try again; nothing was half-written."),
    errno.EDQUOT: ("full", "The disk quota is used up", "Free some space and try again."),
    errno.EFBIG: ("full", "The file may not grow any further", "Raise the file size limit and try again."),
    errno.EROFS: ("read_only", "The disk is read-only", "Use a workspace on a disk that can be written."),
    errno.EACCES: ("read_only", "Permission is denied", "Check who owns the workspace folder."),
    errno.EPERM: ("read_only", "Permission is denied", "Check who owns the workspace folder."),
}


def disk_fault(fault: OSError, path: str) -> Unavailable:
    """What the operating system refused, as a sentence about `path`."""
    code, reason, hint = _FAULTS.get(
        fault.errno or 0,
        ("unavailable", fault.strerror or str(fault), "Run `segue doctor` to see what is wrong."),
    )
    return Unavailable(f"{reason}: {path} cannot be used.", hint, code)


def private_folder(path: str) -> None:
    """Makes a folder and its missing parents, for the owner alone, durable. Raises OSError for a link in a
    workspace's folder."""
    require_folders(os.path.join(path, ""))
    if os.path.isdir(path):
        return
    parent = os.path.dirname(os.path.abspath(path))
    private_folder(parent)
    try:
        os.mkdir(path, PRIVATE_FOLDER)
    except FileExistsError:
        return
    sync_folder(parent)


def sync_folder(path: str) -> None:
    """Makes the names in a folder as durable as the files behind them."""
    folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
