"""Moments that could not be recorded because the log was locked: kept on disk for the next process.

An entry bears the id of its workspace, which only hooks that run here know; whatever else lies in the folder is set
aside. What an entry holds and how many are taken up at once is bounded.
"""

from __future__ import annotations

import json
import os

from segue.errors import BadInput
from segue.model.ids import new_id
from segue.model.moment import Moment
from segue.service.boundary.transcript import objection
from segue.stores import private_files
from segue.stores.accepted import id_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MOST = 200
"""Entries that one process takes up; the rest is left to the next one."""
_LARGEST = 1024 * 1024
_TEXT = 64 * 1024
"""Characters of what the agent said last: more than any tail shows."""


def put(folder: str, moment: Moment, **more: Any) -> None:
    """Keeps a moment, synced."""
    place = os.path.join(folder, "spool")
    private_files.make_folder(place)
    held = moment._replace(text=moment.text[:_TEXT])._asdict()
    entry = {"workspace": id_in(os.path.dirname(folder)), "moment": held, **more}
    private_files.write_private(os.path.join(place, f"{new_id()}.json"), json.dumps(entry).encode())


def waiting(folder: str) -> list[str]:
    """What is to be taken up, the oldest first."""
    place = os.path.join(folder, "spool")
    private_files.require_folders(os.path.join(place, ""))
    names = sorted(os.listdir(place)) if os.path.isdir(place) else []
    return [os.path.join(place, name) for name in names if name.endswith(".json")][:MOST]


def read_moment(folder: str, path: str) -> tuple[Moment, dict[str, Any]]:
    """A moment, and what else was kept of it. Raises BadInput for what no hook of this workspace left,
    FileNotFoundError where another process took it up."""
    try:
        entry = json.loads(private_files.read(path, _LARGEST))
        if not entry["workspace"] or entry["workspace"] != id_in(os.path.dirname(folder)):
            raise ValueError("it was not left by a hook of this workspace")
        moment = Moment(**entry["moment"])
        if not all(isinstance(value, type(known)) for value, known in zip(moment, _BLANK, strict=True)):
            raise ValueError("its fields are not those of a moment")
    except FileNotFoundError:
        raise
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError) as fault:
        raise BadInput(f"{path} holds no moment: {fault}.", "It was set aside.") from None
    if why := objection(folder, moment):
        raise BadInput(f"{path} is of no use: {moment.transcript_path} {why}.", "It was set aside.")
    return moment, entry


_BLANK = Moment("", "", "", "", "")
