"""Reads a file of the project because somebody named it: a reference of a handoff, evidence of a change, a claim.

A name leads nowhere else: not out of the project by `..` or by a link, not into `.segue/` or `.git/`, not to a pipe or
a device, and never beyond a size. What holds secrets by profession is withheld, by its own name or by that of the file
a link leads to. Redacting the text is the caller's part.
"""

from __future__ import annotations

import errno
import os
import stat

from segue.errors import BadInput, NotFound
from segue.model.bundle import confined
from segue.model.value import NamedTuple
from segue.service.refusals import refusal

_PRIVATE = (".segue", ".git")
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
_STEP = os.O_DIRECTORY | os.O_NOFOLLOW | getattr(os, "O_PATH", 0)


class Content(NamedTuple):
    """The bytes of a file and its permissions, or why they are withheld, as the end of a sentence about it."""

    data: bytes = b""
    mode: int = 0o600
    withheld: str = ""


def locate(root: str, path: object) -> str:
    """Where the file of that name really is, relative to the project. Raises BadInput for one that leads out of it or
    is private, NotFound where there is nothing."""
    named = confined(path)
    base = os.path.realpath(root)
    real = os.path.realpath(os.path.join(base, *named.split("/")))
    if not inside(base, real):
        raise BadInput(f"The path {named!r} leads out of the workspace.", "Reference files inside it.")
    place = os.path.relpath(real, base)
    if _private(named) or _private(place):
        raise refusal("private-file")
    if not os.path.lexists(real):
        raise refusal("no-such-file", named=named)
    return place


def holds(root: str, path: object) -> bool:
    """Whether that name is one of a file that may be read."""
    try:
        place = locate(root, path)
    except (BadInput, NotFound):
        return False
    return os.path.isfile(os.path.join(os.path.realpath(root), place))


def read(root: str, path: object, most: int) -> Content:
    """A file of the project, of at most so many bytes. Raises as `locate` does, and for a folder."""
    return _content(os.path.realpath(root), locate(root, path), confined(path), most)


def read_anywhere(path: str, most: int) -> Content:
    """A file that the person at this machine named, wherever it is. Raises BadInput for a private one and for a folder,
    NotFound where there is nothing."""
    real = os.path.realpath(path)
    if _private(real):
        raise BadInput(f"{path} is private and is never handed on.", "Name a file of the project.")
    if not os.path.lexists(real):
        raise NotFound(f"There is no file {path}.", "Check the path.")
    return _content(os.path.dirname(real), os.path.basename(real), path, most)


def read_plain(path: str, most: int) -> bytes:
    """A file at a place that segue chose, no link and no pipe, cut off beyond `most` bytes. Raises OSError."""
    handle = os.open(path, _READ)
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(errno.EINVAL, "not a regular file")
        with open(handle, "rb", closefd=False) as file:
            return file.read(most)
    finally:
        os.close(handle)


def inside(base: str, real: str) -> bool:
    """Whether a path without links lies below another."""
    return real.startswith(base.rstrip(os.sep) + os.sep)


def open_inside(base: str, place: str) -> int:
    """A handle on what lies at a place below `base`, through no link on the way. Raises OSError."""
    *folders, name = place.split(os.sep)
    folder = os.open(base, os.O_RDONLY | os.O_DIRECTORY)
    try:
        for part in folders:
            above, folder = folder, os.open(part, _STEP, dir_fd=folder)
            os.close(above)
        return os.open(name, _READ, dir_fd=folder)
    finally:
        os.close(folder)


def _content(base: str, place: str, named: str, most: int) -> Content:
    from segue.redaction.files import is_sensitive  # 2 ms

    if is_sensitive(named) or is_sensitive(os.path.join(base, place)):
        return Content(withheld="is a file that holds secrets")
    try:
        handle = open_inside(base, place)
    except OSError as fault:
        return Content(withheld=f"cannot be read ({fault.strerror})")
    try:
        found = os.fstat(handle)
        if stat.S_ISDIR(found.st_mode):
            raise BadInput(f"{named!r} is a folder.", "Reference the files in it that matter.")
        if not stat.S_ISREG(found.st_mode):
            return Content(withheld="is not a regular file")
        with open(handle, "rb", closefd=False) as file:
            data = file.read(most + 1)
    except OSError as fault:
        return Content(withheld=f"cannot be read ({fault.strerror})")
    finally:
        os.close(handle)
    if len(data) > most:
        return Content(withheld=f"is larger than {most // 1024} KiB")
    return Content(data, stat.S_IMODE(found.st_mode))


def _private(path: str) -> bool:
    return any(part.lower() in _PRIVATE for part in path.split(os.sep))
