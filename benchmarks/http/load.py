"""A crowd of callers in a process of its own: each keeps one connection and asks again when it was answered.

Cheap enough not to be what is measured: raw bytes over asyncio's protocols on uvloop, requests made
beforehand, answers read as far as their length. It cannot pipeline, and it measures from its own side, so
its share of the machine is part of every latency. `python load.py PORT PID CLIENTS SECONDS < requests.json`
prints one JSON object; requests is a list of whole requests as texts, and client n sends the n-th for ever. What
connecting costs is not counted: the window begins when all callers have been at it for a while.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time

import uvloop

WARM_UP_SECONDS = 0.5
"""At most; a short window needs no longer warm-up than it is itself."""


class Caller(asyncio.Protocol):
    """One connection that is always waiting for an answer."""

    def __init__(self, request: bytes, taken: list[float], faults: list[bytes]) -> None:
        self.request, self.taken, self.faults = request, taken, faults
        self.held = b""
        self.began = 0.0
        self.stopped = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self.transport = transport
        self.ask()

    def ask(self) -> None:
        self.began = time.perf_counter()
        self.transport.write(self.request)

    def data_received(self, data: bytes) -> None:
        self.held += data
        head, end, body = self.held.partition(b"\r\n\r\n")
        if not end:
            return
        at = head.lower().index(b"content-length: ") + 16
        if len(body) < int(head[at:].split(b"\r", 1)[0]):
            return
        self.taken.append(time.perf_counter() - self.began)
        if not head.startswith(b"HTTP/1.1 2"):
            self.faults.append(self.held)
        self.held = b""
        if not self.stopped:
            self.ask()


def busy(pid: int) -> float:
    """Seconds of processor time a process took so far."""
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:
        user, system = file.read().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


async def run(port: int, pid: int, clients: int, seconds: float, requests: list[bytes]) -> dict[str, float]:
    loop = asyncio.get_running_loop()
    taken: list[float] = []
    faults: list[bytes] = []
    callers = []
    for number in range(clients):
        request = requests[number % len(requests)]
        _, caller = await loop.create_connection(
            lambda r=request: Caller(r, taken, faults), "127.0.0.1", port
        )
        callers.append(caller)
    await asyncio.sleep(min(seconds, WARM_UP_SECONDS))
    first, began, before = len(taken), time.perf_counter(), busy(pid)
    await asyncio.sleep(seconds)
    while len(taken) == first:
        await asyncio.sleep(seconds)
    counted, elapsed, spent = sorted(taken[first:]), time.perf_counter() - began, busy(pid) - before
    for caller in callers:
        caller.stopped = True
    await asyncio.sleep(min(seconds, WARM_UP_SECONDS))
    if faults:
        raise SystemExit(f"{len(faults)} answers were not 2xx; the first: {faults[0][:300]!r}")
    return {
        "rate": len(counted) / elapsed,
        "rate_of_busy": len(counted) / max(spent, 1 / os.sysconf("SC_CLK_TCK")),
        "p99_ms": counted[len(counted) * 99 // 100] * 1000,
    }


if __name__ == "__main__":
    port, pid, clients, seconds = *map(int, sys.argv[1:4]), float(sys.argv[4])
    requests = [text.encode() for text in json.load(sys.stdin)]
    print(json.dumps(uvloop.run(run(port, pid, clients, seconds, requests))))
