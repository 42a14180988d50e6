"""A crowd of callers in a process of its own: each keeps one connection and asks again when it was answered.

Cheap enough not to be what is measured: raw bytes over asyncio's protocols on uvloop, requests made
beforehand, answers read as far as their length. It cannot pipeline, and it measures from its own side, so
its share of the machine is part of every latency. `python load.py PORT CLIENTS SECONDS < requests.json`
prints one JSON object; requests is a list of whole requests as texts, and client n sends the n-th for ever.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time

import uvloop


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


async def run(port: int, clients: int, seconds: float, requests: list[bytes]) -> dict[str, float]:
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
    began = time.perf_counter()
    busy = time.process_time()
    await asyncio.sleep(seconds)
    elapsed, busy = time.perf_counter() - began, time.process_time() - busy
    counted = sorted(taken)
    for caller in callers:
        caller.stopped = True
    await asyncio.sleep(0.2)
    if faults:
        raise SystemExit(f"{len(faults)} answers were not 2xx; the first: {faults[0][:300]!r}")
    return {
        "rate": len(counted) / elapsed,
        "answers": len(taken),
        "p50_ms": counted[len(counted) // 2] * 1000,
        "p99_ms": counted[len(counted) * 99 // 100] * 1000,
        "own_share": busy / elapsed,
    }


if __name__ == "__main__":
    port, clients, seconds = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
    requests = [text.encode() for text in json.load(sys.stdin)]
    print(json.dumps(uvloop.run(run(port, clients, seconds, requests))))
