"""Loaded by every Python process of the hostile-repository suite: writes down what it connects to and what it starts."""

import os
import sys

_LOG = os.environ.get("SEGUE_GUARD_LOG", "")
_WATCHED = {
    "socket.connect": lambda args: args[1],
    "socket.sendto": lambda args: args[1],
    "socket.getaddrinfo": lambda args: args[0],
    "subprocess.Popen": lambda args: args[1],
    "os.system": lambda args: args[0],
    "os.exec": lambda args: args[1],
    "os.posix_spawn": lambda args: args[1],
    "os.spawn": lambda args: args[2],
}


def _written(event, args):
    told = _WATCHED.get(event)
    if told is None:
        return
    handle = os.open(_LOG, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    os.write(handle, f"{event}\t{told(args)!r}\n".encode())
    os.close(handle)


if _LOG:
    sys.addaudithook(_written)
