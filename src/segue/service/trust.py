"""Accepting a workspace that somebody else made, or that came to another place: what it would bring, and the act.

Only a person accepts, never an agent, after seeing where its stores are and what it sets. A folder that git tracks, or that holds
anything but the user's own files and folders, is not accepted at all.
"""

from __future__ import annotations

import json
import os
import stat
from contextlib import closing, suppress
from typing import Any

from segue.errors import Unavailable
from segue.model.value import NamedTuple
from segue.service import withheld
from segue.service import workspace as workspaces
from segue.service.actors import acting, require_person
from segue.service.refusals import refusal
from segue.service.workspace import Workspace
from segue.stores import accepted, git_index, private_files


class Offer(NamedTuple):
    """What accepting a workspace would mean."""

    root: str
    accepted: bool
    """Whether all of it is accepted already."""
    store: str
    artifacts: str
    settings: dict[str, Any]
    """What its own `config.json` says."""
    log: bool
    """Whether there is a log in it already."""


def look(workspace: Workspace) -> Offer:
    """What is in a workspace. Raises NotFound where there is none, Refused for one that cannot be accepted."""
    folder = workspace.path
    if not os.path.lexists(folder):
        raise refusal("no-workspace", root=workspace.root)
    if git_index.tracks(folder):
        raise workspaces.tracked(workspace.root)
    _require_plain(folder)
    stores = workspaces.read_settings(os.path.join(folder, "workspace.json"))
    row = accepted.row(workspace.root) or {}
    known = {name: address for name, address in row.items() if name != "id"}
    return Offer(
        workspace.root,
        accepted.is_accepted(workspace.root) and known == workspaces.addresses(stores),
        stores["store"],
        stores["artifacts"],
        _settings(os.path.join(folder, "config.json")),
        os.path.lexists(os.path.join(folder, "log.db")),
    )


def accept(offer: Offer) -> None:
    """Puts the workspace on this user's list, with the addresses that were shown and an id of its own. Raises Refused
    for an agent: it may have been told to by what lies in the repository. What an older version of segue left in
    an embedded log is marked as this one would have."""
    require_person(acting("cli"), "Accepting a workspace")
    given = accepted.new_id()
    folder = os.path.join(offer.root, private_files.FOLDER)
    stores = workspaces.addresses({"store": offer.store, "artifacts": offer.artifacts})
    try:
        with accepted.changing():
            private_files.write_private(os.path.join(folder, accepted.ID), given.encode())
            private_files.write_private(os.path.join(folder, ".gitignore"), b"*\n")
            accepted.add(offer.root, {"id": given, **stores})
    except OSError as fault:
        raise refusal("trust-unwritable", folder=folder, why=fault.strerror) from None
    if offer.log and not stores:
        with suppress(Unavailable), closing(Workspace(offer.root)) as opened:
            withheld.mark_earlier(opened)


def listed() -> list[dict[str, Any]]:
    """Every workspace on the list, and whether it is there and still the accepted one."""
    return [
        {
            "workspace": path,
            "counts": accepted.is_accepted(path),
            **{name: value for name, value in row.items() if name != "id"},
        }
        for path, row in sorted(accepted.rows().items())
    ]


def remove(root: str) -> None:
    """Takes a workspace off the list; its folder stays as it is. Raises Refused for an agent: hooks would fall silent."""
    require_person(acting("cli"), "Taking a workspace off the list")
    if not accepted.remove(root):
        raise refusal("not-accepted-before", root=root)


def _require_plain(folder: str) -> None:
    """Raises Refused for a folder with a link, a pipe, a device or another user's file anywhere in it."""
    for place, folders, files in os.walk(folder):
        for path in (place, *(os.path.join(place, name) for name in (*folders, *files))):
            found = os.lstat(path)
            plain = stat.S_ISREG(found.st_mode) or stat.S_ISDIR(found.st_mode)
            if not plain or found.st_uid != os.geteuid():
                what = "belongs to another user" if plain else "is neither a file nor a folder"
                raise refusal("strange-file", path=path, what=what)


def _settings(path: str) -> dict[str, Any]:
    try:
        found = json.loads(private_files.read(path))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError) as fault:
        raise Unavailable(f"{path} cannot be read: {fault}.", "Mend or delete the file.") from None
    return found if isinstance(found, dict) else {}
