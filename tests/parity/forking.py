"""`segue` as a program that starts at once: a process that has imported it forks for every command line.

    python forking.py serve SOCKET
    python -I -S forking.py SOCKET WORD…

The second takes standard input and output, does what `segue WORD…` does, and ends with its exit code. A client
that starts the command for each call is compared with the others in a fifth of the time; that it starts the real
one is for its own suite to show.
"""

from __future__ import annotations

import json
import os
import socket
import sys

_LONGEST = 1 << 20


def serve(place: str) -> None:
    """Forks for every connection, until it is ended."""
    from segue.service.operations import OPERATIONS
    from segue.service.signatures import signature
    from segue.surfaces.cli import app

    for operation in OPERATIONS:
        signature(operation)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(place)
        listening.listen()
        print("ready", flush=True)
        while True:
            asked, _ = listening.accept()
            with asked:
                said, given, _, _ = socket.recv_fds(asked, _LONGEST, 3)
                child = os.fork()
                if child == 0:
                    for number, descriptor in enumerate(given):
                        os.dup2(descriptor, number)
                    code = app.run(json.loads(said))
                    sys.stdout.flush()
                    os._exit(code)
                for descriptor in given:
                    os.close(descriptor)
                asked.send(bytes([os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])]))


def ask(place: str, words: list[str]) -> int:
    with socket.socket(socket.AF_UNIX) as asking:
        asking.connect(place)
        socket.send_fds(asking, [json.dumps(words).encode()], [0, 1, 2])
        return asking.recv(1)[0]


if __name__ == "__main__":
    if sys.argv[1] == "serve":
        serve(sys.argv[2])
    sys.exit(ask(sys.argv[1], sys.argv[2:]))
