"""How long an agent waits for `segue mcp`, beside a bare interpreter of the same environment.

From the start of the process to the answer: of `initialize`, which every client waits for, and of
`tools/list` after it. Run `python benchmarks/mcp.py [--rounds N]`.
"""

from __future__ import annotations

import compileall
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable

from measure import Line, options, rates, report

import segue

SCRIPT = [os.path.join(os.path.dirname(sys.executable), "segue"), "mcp"]
BARE, FIRST, LISTED = "bare interpreter", "first reply", "tools listed"
MOST = 150_000
HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}


def answered(place: str, *methods: str) -> Callable[[], int]:
    """Starts a server and waits for the answer to each method."""
    lines = [
        json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": HELLO}).encode() + b"\n"
        for number, method in enumerate(methods)
    ]

    def start() -> int:
        server = subprocess.Popen(SCRIPT, cwd=place, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert server.stdin and server.stdout
        for line in lines:
            server.stdin.write(line)
            server.stdin.flush()
            assert server.stdout.readline()
        ended.append(server)
        return 1

    return start


def bare() -> int:
    subprocess.run([sys.executable, "-c", "pass"], check=True)
    return 1


ended: list[subprocess.Popen[bytes]] = []


def end() -> None:
    """Ends the servers that have answered, outside the measured time."""
    while ended:
        ended.pop().communicate()


def main() -> int:
    given = options(__doc__, rounds=(30, 1))
    compileall.compile_dir(os.path.dirname(segue.__file__), quiet=2)  # as an installer leaves it
    with tempfile.TemporaryDirectory() as place:
        contenders = {
            BARE: bare,
            FIRST: answered(place, "initialize"),
            LISTED: answered(place, "initialize", "tools/list"),
        }
        found = {what: 1_000_000 / rate for what, rate in rates(contenders, given.rounds, end).items()}
        end()
    lines = [
        Line(what, found[what], "µs", found[BARE], f"< {MOST:,} µs", found[what] < MOST)
        for what in (FIRST, LISTED)
    ]
    return 0 if report("mcp", lines, judged=not given.smallest, rounds=given.rounds) else 1


if __name__ == "__main__":
    sys.exit(main())
