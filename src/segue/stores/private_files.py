"""Files of a workspace's folder: one way to open, read, replace and make them.

Whatever lies in `.segue/` may have been put there by somebody else: a link out of it, a pipe, a device, a file
without end. So nothing in the folder is opened that is not a regular file of this user's, reached through real folders
and of a bounded size; a link is never followed, a pipe never waited for, and nothing is truncated before it was looked
at. What is refused raises OSError with a reason. The folder itself is made by nobody here.

A new name is only safe once its folder is synced, so whoever creates or renames a file of the log or of the artifacts
calls `sync_folder` before acknowledging anything.
"""

from __future__ import annotations

import _thread
import errno
import os
import stat

from segue.errors import Unavailable

FOLDER = ".segue"
LARGEST = 64 * 1024 * 1024
"""Bytes of the largest file that is read whole."""

_INSIDE = f"{os.sep}{FOLDER}{os.sep}"


class NotRegular(OSError):
    """Something else than a file of this user's, reached through real folders."""


def open_file(path: str, flags: int = os.O_RDONLY) -> int:
    """A handle of the file, which is made where `flags` say so. Raises OSError."""
    require_folders(path)
    try:
        handle = os.open(path, (flags & ~os.O_TRUNC) | os.O_NOFOLLOW | os.O_NONBLOCK, 0o600)
    except OSError as fault:
        if fault.errno in (errno.ELOOP, errno.ENXIO):
            raise _refused(path, "It is a link" if fault.errno == errno.ELOOP else "It is a pipe") from None
        raise
    try:
        _require_own_file(path, os.fstat(handle))
        if flags & os.O_TRUNC:
            os.ftruncate(handle, 0)
    except BaseException:
        os.close(handle)
        raise
    return handle


def read(path: str, most: int = LARGEST) -> bytes:
    """All of a file. Raises OSError, also for one of more than `most` bytes."""
    handle = open_file(path)
    try:
        if os.fstat(handle).st_size > most:
            raise _refused(path, f"It is larger than {most:,} bytes")
        parts = []
        while part := os.read(handle, min(most, 1024 * 1024)):
            parts.append(part)
    finally:
        os.close(handle)
    return b"".join(parts)


def write_private(path: str, data: bytes) -> None:
    """Replaces a small file in one step, readable by its owner alone."""
    replace(path, data, 0o600)


def replace(path: str, data: bytes, mode: int, exactly: bool = False) -> None:
    """Replaces a file in one step, its bytes on disk; the old one stays if anything fails. Of `mode` the user's mask
    takes away what it does, unless it is to be had exactly."""
    require_folders(path)
    scratch = f"{path}.{os.getpid()}-{_thread.get_ident()}.tmp"
    if os.path.lexists(scratch):  # of a process that died, whose number is ours now
        os.unlink(scratch)
    handle = os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, mode)
    try:
        with os.fdopen(handle, "wb") as file:
            if exactly:
                os.fchmod(handle, mode)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(scratch, path)
    except OSError:
        os.unlink(scratch)
        raise


def make_folder(path: str) -> None:
    """Makes a folder, for its owner alone, and those between it and the workspace's folder."""
    at = path.rfind(_INSIDE)
    if at < 0:
        os.makedirs(path, 0o700, exist_ok=True)
        return
    require_folders(path[: at + len(_INSIDE)])
    end = at + len(_INSIDE)
    while end >= 0:
        end = path.find(os.sep, end + 1)
        folder = path if end < 0 else path[:end]
        try:
            os.mkdir(folder, 0o700)
        except FileExistsError:
            _require_folder(folder)


def require_folders(path: str) -> None:
    """Raises OSError where a folder on the way to a file, from the workspace's own on, is none. Folders elsewhere are
    their owner's business."""
    at = path.rfind(_INSIDE)
    end = at + len(_INSIDE) - 1 if at >= 0 else -1
    try:
        while end >= 0:
            _require_folder(path[:end])
            end = path.find(os.sep, end + 1)
    except FileNotFoundError:
        return


def require_file(path: str) -> None:
    """Raises OSError for what must not be opened under a name; a name that nobody took yet is fine. For libraries
    that open by path."""
    require_folders(path)
    try:
        _require_own_file(path, os.lstat(path))
    except FileNotFoundError:
        return


def is_file(path: str) -> bool:
    """True for a file that may be opened."""
    try:
        require_folders(path)
        _require_own_file(path, os.lstat(path))
    except OSError:
        return False
    return True


def _require_own_file(path: str, found: os.stat_result) -> None:
    if stat.S_ISLNK(found.st_mode):
        raise _refused(path, "It is a link")
    if not stat.S_ISREG(found.st_mode):
        raise _refused(path, "It is not a regular file")
    if found.st_uid != os.geteuid() and _INSIDE in path:
        raise _refused(path, "It belongs to another user")


def _require_folder(path: str) -> None:
    found = os.lstat(path)
    if stat.S_ISLNK(found.st_mode):
        raise _refused(path, "It is a link")
    if not stat.S_ISDIR(found.st_mode):
        raise _refused(path, "It is not a folder")


def _refused(path: str, why: str) -> NotRegular:
    return NotRegular(errno.EINVAL, why, path)


def cache_folder() -> str:
    """Where this person's machine keeps what can be made again."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(base, "segue")


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
