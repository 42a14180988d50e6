"""`segue hook AGENT EVENT`: the host's payload on standard input, the host's own reply on standard output.

The cheapest question comes first: is there a workspace here, and has enough time passed since the last
look? Only then is anything imported. Whatever goes wrong, the exit code is 0 and the agent goes on; a
trace stays behind that `segue doctor` shows.
"""

from __future__ import annotations

import os
import sys
import time

FOLDER = ".segue"
RECORDS = os.path.join("docs", "TC")
STARTS = {"SessionStart", "sessionStart", "session_start", "chat.message"}
"""Events that come once when a session begins; OpenCode's plugin sends the first message of each session alone."""
THROTTLE_S = 12
"""Tools may run many times a second; the context is looked at this often during autonomous work."""
FREQUENT = {
    "PostToolUse",
    "PreToolUse",
    "AfterTool",
    "postToolUse",
    "preToolUse",
    "turn_end",
}
_LARGEST = 16 * 1024 * 1024


def main(argv: list[str]) -> int:
    """Answers one hook call. Returns 0, come what may."""
    if len(argv) < 2:
        return _usage()
    host, event = argv[0], argv[1]
    place = os.environ.get("SEGUE_WORKSPACE") or os.getcwd()
    folder = upward(place, FOLDER)
    if folder is None:
        return _newcomer(place, host, event)
    if idle(folder, host, event):
        return 0
    try:
        from segue.surfaces.hooks.call import answer  # the rest: json, and the store when it is needed

        answer(folder, host, event, sys.stdin.buffer.read(_LARGEST))
    except BaseException as fault:
        trace(folder, host, event, fault)
    return 0


def _newcomer(place: str, host: str, event: str) -> int:
    """A project without a workspace, such as a fresh clone, may still have changes at work to tell of."""
    records = upward(place, RECORDS) if event in STARTS else None
    if records is not None:
        try:
            from segue.surfaces.hooks.call import report

            report(os.path.dirname(os.path.dirname(records)), host, event, sys.stdin.buffer.read(_LARGEST))
        except BaseException as fault:
            sys.stderr.write(f"segue: {fault}\n")
    return 0


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


def idle(folder: str, host: str, event: str) -> bool:
    """True when a frequent event comes too soon after the last look and nothing waits to be said."""
    if event not in FREQUENT:
        return False
    state = os.path.join(folder, "boundary")
    try:
        looked = os.stat(os.path.join(state, f"looked-{host}")).st_mtime
    except OSError:
        return False
    waiting = os.path.exists(os.path.join(state, f"waiting-{host}"))
    return not waiting and 0 <= time.time() - looked < THROTTLE_S


TRACES = 64 * 1024
"""Bytes of traces before the older half is dropped."""


def trace(folder: str, host: str, event: str, fault: BaseException) -> None:
    """Leaves a line that `segue doctor` and `segue status` show."""
    try:
        state = os.path.join(folder, "boundary")
        os.makedirs(state, mode=0o700, exist_ok=True)
        told = (host[:40], event[:60], f"{type(fault).__name__}: {str(fault)[:300]!r}")
        line = "\t".join((str(int(time.time())), *(" ".join(part.split()) for part in told)))
        path = os.path.join(state, "failures.log")
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            if os.fstat(handle).st_size > TRACES:
                recent = os.pread(handle, TRACES, os.fstat(handle).st_size - TRACES // 2)
                os.ftruncate(handle, 0)
                os.write(handle, recent[recent.find(b"\n") + 1 :])
            os.write(handle, f"{line}\n".encode(errors="replace"))
        finally:
            os.close(handle)
    except OSError:
        pass


def _usage() -> int:
    sys.stderr.write("usage: segue hook AGENT EVENT   (the payload is read from standard input)\n")
    return 0
