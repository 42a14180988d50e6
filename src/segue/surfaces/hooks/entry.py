"""`segue hook AGENT EVENT`: the host's payload on standard input, the host's own reply on standard output.

The cheapest questions come first: is there a workspace here that this user accepted, and has enough time passed since
the last look at this session? Only then is anything imported. Whatever goes wrong, the exit code is 0 and the agent goes on; a
trace stays behind that `segue doctor` shows.

What a model does that segue itself runs is nobody's session: with SEGUE_INSIDE in the environment nothing is even read.
"""

from __future__ import annotations

import os
import sys
import time

from segue.model.marks import INSIDE

FOLDER = ".segue"
THROTTLE_S = 12
"""Tools may run many times a second; the context is looked at this often during autonomous work."""
FREQUENT = ("tool", "turn_end")
"""What the names of events that come with every tool have in them, in small letters: their host is not asked yet."""
_SESSION_KEYS = (b'"session_id":', b'"sessionId":', b'"sessionID":', b'"taskId":')
_LARGEST = 16 * 1024 * 1024


def main(argv: list[str]) -> int:
    """Answers one hook call. Returns 0, come what may."""
    if os.environ.get(INSIDE) == "1":
        return 0
    if len(argv) < 2:
        return _usage()
    host, event = argv[0], argv[1]
    place = os.environ.get("SEGUE_WORKSPACE") or _here()
    folder = upward(place, FOLDER)
    if folder is None or not counts(folder):
        return 0
    try:
        data = _payload()
        if idle(folder, host, event, data) or is_tracked(folder):
            return 0
        from segue.surfaces.hooks.call import answer  # the rest: json, and the store when it is needed

        answer(folder, host, event, data)
    except BaseException as fault:
        trace(folder, host, event, fault)
    return 0


def counts(folder: str) -> bool:
    """True for a workspace that this user made or accepted. In another one a hook reads, writes and says nothing."""
    from segue.stores.accepted import is_accepted

    return is_accepted(os.path.dirname(folder))


def is_tracked(folder: str) -> bool:
    """True for a workspace that git tracks, so that a pull can put anything into it. Asked after `idle`, which takes
    nothing from the folder but the times of two files: an index of 100,000 names takes 15 ms to search."""
    from segue.stores.git_index import tracks

    return tracks(folder)


def _here() -> str:
    """Where the agent works; its directory may have been deleted under it, such as a worktree."""
    try:
        return os.getcwd()
    except OSError:
        return os.environ.get("PWD") or os.sep


def _payload() -> bytes:
    """The payload; a host may give no standard input at all."""
    return sys.stdin.buffer.read(_LARGEST) if sys.stdin else b""


def upward(place: str, name: str) -> str | None:
    """The nearest folder of that name upwards, or None."""
    while True:
        folder = os.path.join(place, name)
        if os.path.isdir(folder):
            return folder
        above = os.path.dirname(place)
        if above == place:
            return None
        place = above


def idle(folder: str, host: str, event: str, data: bytes) -> bool:
    """True when a frequent event comes too soon after the last look at the same session and nothing waits to be
    said there."""
    session_id = session_in(data) if any(part in event.lower() for part in FREQUENT) else ""
    if not session_id:
        return False
    from segue.stores.marks import Marks

    return Marks(folder, host, session_id).resting(THROTTLE_S, time.time())


def session_in(data: bytes) -> str:
    """The session a payload names, found without decoding the rest: inside a JSON text the quotation marks of a key
    would be escaped."""
    for key in _SESSION_KEYS:
        _, found, rest = data.partition(key)
        value = rest[:400].lstrip()
        if found and value[:1] == b'"':
            return value[1:].partition(b'"')[0].decode(errors="replace")
    return ""


def trace(folder: str, host: str, event: str, fault: BaseException) -> None:
    """Leaves a line about a fault that `segue doctor` and `segue status` show."""
    from segue.stores.traces import append_trace

    append_trace(folder, host, event, f"{type(fault).__name__}: {str(fault)[:300]!r}")


def _usage() -> int:
    sys.stderr.write("usage: segue hook AGENT EVENT   (the payload is read from standard input)\n")
    return 0
