"""The workspaces that this user made or accepted: a list in the user's own configuration.

A workspace counts only if its real path stands in the list with the id that lies in the workspace's folder, too. So
neither a folder that a repository brought along counts, nor a copy of an accepted one elsewhere, nor another folder in
its place. A row also holds the addresses of stores that were accepted for it. The list is replaced as a whole, by one
process at a time; every workspace has a line of its own, so that a hook finds it without decoding the rest.
"""

from __future__ import annotations

import os

from segue.errors import Unavailable
from segue.stores import private_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    Row = dict[str, str]

ID = "id"
FORMAT = 1
_LARGEST = 16 * 1024 * 1024
_ID_BYTES = 128


def user_folder(env: Mapping[str, str] | None = None) -> str:
    """Where this user's own settings lie."""
    env = os.environ if env is None else env
    home = env.get("HOME") or os.path.expanduser("~")
    return os.path.join(env.get("XDG_CONFIG_HOME") or os.path.join(home, ".config"), "segue")


def list_path() -> str:
    return os.path.join(user_folder(), "workspaces.json")


def is_accepted(root: str) -> bool:
    """True for a workspace that counts; a list that cannot be read has none. A look at two small files, where the list
    is as we write it."""
    given = id_in(root)
    if not given:
        return False
    try:
        data = _bytes()
    except OSError:
        return False
    path = os.path.realpath(root)
    if given.encode() not in data:
        return False
    if path.isascii() and path.isprintable() and '"' not in path and "\\" not in path:
        line = f'\n"{path}": {{"id": "{given}"'
        if line.encode() in data:
            return True
    try:
        return rows().get(path, {}).get("id") == given
    except Unavailable:
        return False


def id_in(root: str) -> str:
    """The id that lies in a workspace's folder; nothing where there is none."""
    try:
        told = private_files.read(os.path.join(root, private_files.FOLDER, ID), _ID_BYTES)
    except OSError:
        return ""
    text = told.decode("ascii", "replace").strip()
    return text if len(text) == 32 and text.isalnum() and text.isascii() else ""


def row(root: str) -> Row | None:
    """What the list says of a workspace, whether or not its folder is the accepted one. Raises Unavailable."""
    return rows().get(os.path.realpath(root))


def rows() -> dict[str, Row]:
    """The whole list, by path. Raises Unavailable for one that cannot be understood."""
    import json  # 4 ms

    try:
        value: Any = json.loads(_bytes() or b'{"workspaces": {}}')
        found = value["workspaces"]
        if value.get("format", FORMAT) != FORMAT or not all(_is_row(one) for one in found.values()):
            raise ValueError("it is not a list that this version of segue writes")
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError) as fault:
        raise Unavailable(
            f"{list_path()}, the list of workspaces you accepted, cannot be read: {fault}.",
            "Mend it, or delete it and run `segue trust` in each of them again.",
        ) from None
    return dict(found)


def new_id() -> str:
    return os.urandom(16).hex()


def add(root: str, row: Row) -> None:
    """Puts a workspace on the list, in place of what the list says of it. Directories that were deleted, such as those
    of tests, leave it. The caller holds the lock."""
    known = {path: row for path, row in rows().items() if not _is_deleted(path)}
    _save({**known, os.path.realpath(root): row})


def remove(path: str) -> bool:
    """Takes a workspace off the list; False where it was not on it."""
    with changing():
        known = rows()
        if known.pop(os.path.realpath(path), None) is None:
            return False
        _save(known)
        return True


class changing:
    """`with changing():` one process at a time reads the list and replaces it."""

    def __enter__(self) -> None:
        import fcntl

        try:
            os.makedirs(user_folder(), 0o700, exist_ok=True)
            self._lock = os.open(f"{list_path()}.lock", os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as fault:
            raise _unwritable(fault) from None
        try:  # noqa: SIM105  contextlib costs a hook 1 ms
            fcntl.flock(self._lock, fcntl.LOCK_EX)
        except OSError:  # where the disk knows no locks
            pass

    def __exit__(self, *_: object) -> None:
        os.close(self._lock)


def _save(known: dict[str, Row]) -> None:
    import json

    lines = ",\n".join(f"{json.dumps(path)}: {json.dumps(known[path])}" for path in sorted(known))
    body = f'{{"format": {FORMAT}, "workspaces": {{\n{lines}\n}}}}\n'
    try:
        private_files.write_private(os.path.realpath(list_path()), body.encode())
    except OSError as fault:
        raise _unwritable(fault) from None


def _unwritable(fault: OSError) -> Unavailable:
    return Unavailable(
        f"{list_path()}, the list of workspaces you accepted, cannot be written: {fault.strerror}.",
        "Check the rights on it, or set XDG_CONFIG_HOME to a directory you may write to.",
    )


def _is_deleted(path: str) -> bool:
    """True for a directory that is gone from where it was; one on a disk that is not there now is not."""
    return not os.path.lexists(path) and os.path.isdir(os.path.dirname(path))


def _is_row(value: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(one, str) for one in value.values())


def _bytes() -> bytes:
    """The list as it lies on the disk, wherever a person keeps it; nothing where there is none."""
    try:
        handle = os.open(list_path(), os.O_RDONLY | os.O_NONBLOCK)
    except FileNotFoundError:
        return b""
    data = b""
    try:
        while len(data) < _LARGEST and (piece := os.read(handle, min(_LARGEST - len(data), 1 << 20))):
            data += piece
    finally:
        os.close(handle)
    return data
