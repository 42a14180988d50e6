"""Is a moment's transcript the one to look at? Asked before anything reads it, by hooks and for what they had to leave.

A payload names a session and a file. The file may be another session's, something of the workspace's own folder, or so
large that the agent would wait for its hook: then the moment counts, and the file is not looked at.
"""

from __future__ import annotations

import os

from segue.agents.live_transcript import another_session
from segue.model.moment import Moment

LARGEST = 256 * 1024 * 1024
"""Bytes of the largest transcript a hook reads and keeps: a second or two."""


def objection(folder: str, moment: Moment) -> str:
    """Why a moment's transcript is not looked at, as half a sentence; nothing where it is."""
    path = moment.transcript_path
    if not path:
        return ""
    if os.path.realpath(path).startswith(os.path.realpath(folder) + os.sep):
        return "lies in the workspace's own folder"
    if (size := size_of(path)) > LARGEST:
        return f"has {size:,} bytes, more than the {LARGEST:,} that a hook reads"
    if other := another_session(moment.host, moment.session_id, path):
        return f"is the transcript of session {other[:80]}"
    return ""


def size_of(path: str) -> int:
    try:
        return os.stat(path).st_size
    except (OSError, ValueError):
        return 0
