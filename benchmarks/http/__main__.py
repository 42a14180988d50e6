"""The server beside bare Starlette and the raw store, in one run: `python benchmarks http [--seconds N]`.

Reads are compared by the processor time the server spends on one, which others on the machine do not disturb.
Appends wait for the disk, so they are compared by the clock: over HTTP beside Starlette answering the same
requests without storing anything, and beside one caller who waits for each append; in the store beside one
append for each commit. Sharing a sync gains what a sync takes, so all of it is measured on the disk as it is and
on one whose sync takes 2 ms more (`slow_disk.py`), and the target stands where there is a sync to share.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import NamedTuple
from urllib.request import Request, urlopen

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from measure import Line, Sizes, bounded, compared, options, report
from slow_disk import SYNC_MS, slow_down

from segue.model.frame import MESSAGE, Draft
from segue.model.ids import new_id
from segue.stores.grouped import GroupedLog
from segue.stores.sqlite import SqliteLog

HERE = os.path.dirname(os.path.abspath(__file__))
CONTENT = "The retry test still fails when the server closes the connection early. " * 3
DRAFT = Draft(MESSAGE, {"role": "user", "content": CONTENT, "actor_id": "user", "origin": "server"})
CROWDS = (64, 256)
FEW = (4, 8)
"""The crowds of the smallest run."""
TIMES = 5
"""How many times the appends of a single caller a crowd must have, on a disk whose sync is worth sharing."""
WORTH_SHARING_MS = 1.0
NOTE = (
    f"Many appends are compared with one where a sync takes {WORTH_SHARING_MS:g} ms or more; on a faster disk a single"
    " caller waits for the processor, too, and the ratio says how much of that there is, not what sharing gains."
)


class Commits(NamedTuple):
    appends: float
    commits: float


class Server(NamedTuple):
    port: int
    process: subprocess.Popen[bytes]
    token: str = ""

    def megabytes(self) -> float:
        with open(f"/proc/{self.process.pid}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6

    def ask(self, method: str, path: str, said: object) -> dict[str, str]:
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        asked = Request(
            f"http://127.0.0.1:{self.port}{path}", json.dumps(said).encode(), headers, method=method
        )
        with urlopen(asked, timeout=30) as response:
            answer: dict[str, str] = json.load(response)
            return answer

    def commits(self) -> Commits:
        """What was committed so far."""
        headers = {"Authorization": f"Bearer {self.token}"}
        asked = Request(f"http://127.0.0.1:{self.port}/metrics", headers=headers)
        with urlopen(asked, timeout=30) as response:
            told = dict(line.rsplit(" ", 1) for line in response.read().decode().splitlines())
        return Commits(*(float(told[f"segue_commit_appends_{what}"]) for what in ("sum", "count")))

    def request(self, method: str, path: str, body: str = "") -> str:
        """A whole request, as the crowd of callers sends it."""
        return (
            f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {self.token}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}"
        )


class Load(NamedTuple):
    rate: float
    p99_ms: float
    rate_of_busy: float
    """Answers for each second of the server's processor time."""


SEGUE = ("-m", "segue")
SEGUE_ON_A_SLOW_DISK = (os.path.join(HERE, "slow_disk.py"),)


@contextmanager
def ours(folder: str, program: Sequence[str] = SEGUE) -> Iterator[Server]:
    command = [sys.executable, *program, "serve", "--port", "0", "--json", "--workspace", folder]
    environment = {**os.environ, "HOME": folder, "XDG_CONFIG_HOME": folder}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment
    ) as process:
        assert process.stdout is not None
        told = json.loads(process.stdout.readline())
        try:
            yield Server(int(told["url"].rpartition(":")[2]), process, told["token"])
        finally:
            process.terminate()


@contextmanager
def bare() -> Iterator[Server]:
    with subprocess.Popen([sys.executable, os.path.join(HERE, "bare.py")], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        try:
            yield Server(int(process.stdout.readline()), process)
        finally:
            process.terminate()


def load(server: Server, clients: int, seconds: float, requests: list[str]) -> Load:
    about = map(str, (server.port, server.process.pid, clients, seconds))
    command = [sys.executable, os.path.join(HERE, "load.py"), *about]
    ran = subprocess.run(command, input=json.dumps(requests).encode(), stdout=subprocess.PIPE, check=True)
    return Load(**json.loads(ran.stdout))


def best(loads: list[Load]) -> Load:
    return max(loads, key=lambda one: one.rate)


def grouped(folder: str, clients: int, rounds: int, times: int) -> dict[str, float]:
    """Appends a second: one for each commit, and so many at a time as the server does it."""
    log = SqliteLog(folder)
    log.append(new_id(), [DRAFT])
    group = GroupedLog(log)
    found = {"raw": 0.0, "ours": 0.0}
    for _ in range(rounds):
        began, stream = time.perf_counter(), new_id()
        for _ in range(5 * times):
            log.append(stream, [DRAFT])
        found["raw"] = max(found["raw"], 5 * times / (time.perf_counter() - began))
        began = time.perf_counter()
        _append_together(group, clients, times)
        found["ours"] = max(found["ours"], clients * times / (time.perf_counter() - began))
    log.close()
    return found


def _append_together(log: GroupedLog, clients: int, times: int) -> None:
    """Appends to so many streams at once, so many times each, a thread for each stream."""

    def write(stream: str) -> None:
        for _ in range(times):
            log.append(stream, [DRAFT])

    with ThreadPoolExecutor(clients) as threads:
        list(threads.map(write, [new_id() for _ in range(clients)]))


def sync_ms(folder: str) -> float:
    """Milliseconds that the disk takes to sync a page while nobody else keeps it: the lowest tenth of a hundred."""
    taken = []
    with open(os.path.join(folder, "sync"), "wb") as file:
        for _ in range(100):
            file.write(bytes(4096))
            file.flush()
            began = time.perf_counter()
            os.fsync(file.fileno())
            taken.append(time.perf_counter() - began)
    return sorted(taken)[10] * 1000


async def follow(server: Server, thread_id: str, followers: int) -> tuple[float, float]:
    """Megabytes of a server with so many followers of one thread, and milliseconds until all heard of an append."""
    opened = [await asyncio.open_connection("127.0.0.1", server.port) for _ in range(followers)]
    for _, writer in opened:
        writer.write(server.request("GET", f"/threads/{thread_id}/events").encode())
    for reader, _ in opened:
        await reader.readuntil(b"id: 0\n")
    began = time.perf_counter()
    loop = asyncio.get_running_loop()
    post = loop.run_in_executor(
        None, server.ask, "POST", f"/threads/{thread_id}/messages", {"content": "heard?"}
    )
    for reader, _ in opened:
        await reader.readuntil(b"heard?")
    waited = time.perf_counter() - began
    await post
    used = server.megabytes()
    for _, writer in opened:
        writer.close()
    return used, waited * 1000


def posts(server: Server, count: int) -> list[str]:
    """Requests that append a message each, to as many threads."""
    threads = [server.ask("POST", "/threads", {})["thread_id"] for _ in range(count)]
    said = json.dumps({"content": CONTENT})
    return [server.request("POST", f"/threads/{one}/messages", said) for one in threads]


def sharing(
    disk: str, server: Server, given: Sizes, crowds: Sequence[int], judged: bool
) -> tuple[list[Line], list[Load]]:
    """Appends of one caller and of crowds that share commits; and the best turn of each crowd."""
    requests = posts(server, given.threads)
    found: dict[int, list[Load]] = {clients: [] for clients in (1, *crowds)}
    grouped_by = dict.fromkeys(found, 0.0)
    for _ in range(given.rounds):
        for clients, loads in found.items():
            before = server.commits()
            loads.append(load(server, clients, given.seconds, requests))
            after = server.commits()
            shared = (after.appends - before.appends) / max(1, after.commits - before.commits)
            grouped_by[clients] = max(grouped_by[clients], shared)
    alone, *together = (best(loads) for loads in found.values())
    lines = [Line(f"{disk}: appends over HTTP, 1 client", alone.rate, "events/s")]
    for clients, crowd in zip(crowds, together, strict=True):
        what = f"{disk}: appends over HTTP, {clients} clients"
        lines.append(_together(f"{what}, beside 1", crowd.rate, alone.rate, judged))
        lines.append(Line(f"{what}, p99", crowd.p99_ms, "ms", alone.p99_ms))
        lines.append(Line(f"{what}, in one commit", grouped_by[clients], "appends", grouped_by[1]))
    return lines, together


def in_the_store(disk: str, folder: str, given: Sizes, crowds: Sequence[int], judged: bool) -> Iterator[Line]:
    for clients in crowds:
        found = grouped(os.path.join(folder, f"raw{clients}"), clients, given.rounds, given.times(20))
        what = f"{disk}: appends in the store, {clients} at a time"
        yield _together(what, found["ours"], found["raw"], judged)


def _together(what: str, many: float, one: float, judged: bool) -> Line:
    if judged:
        return compared(what, {"ours": many, "raw": one}, "events/s", TIMES)
    return Line(what, many, "events/s", one)


def main() -> int:
    given = options(__doc__, seconds=(3.0, 0.05), rounds=(3, 1), followers=(1000, 10), threads=(64, 4))
    crowds = FEW if given.smallest else CROWDS
    lines: list[Line] = []
    with tempfile.TemporaryDirectory(dir=".") as folder, ours(folder) as server, bare() as starlette:
        threads = [server.ask("POST", "/threads", {})["thread_id"] for _ in range(given.threads)]
        reads = [server.request("GET", f"/threads/{one}") for one in threads]
        found: dict[str, list[Load]] = {"ours": [], "raw": []}
        syncs: list[float] = []
        for _ in range(given.rounds):
            found["raw"].append(load(starlette, 64, given.seconds, reads))
            found["ours"].append(load(server, 64, given.seconds, reads))
            syncs.append(sync_ms(folder))
        read = {name: max(one.rate_of_busy for one in loads) for name, loads in found.items()}
        lines.append(compared("reads, 64 clients (processor time)", read, "reads/s", 0.5))
        judged = min(syncs) >= WORTH_SHARING_MS
        lines.append(Line("this disk: a sync", min(syncs) * 1000, "us"))
        of_this_disk, together = sharing("this disk", server, given, crowds, judged)
        lines += of_this_disk
        for clients, appended in zip(crowds, together, strict=True):
            answered = best(
                [
                    load(starlette, clients, given.seconds, posts(server, given.threads))
                    for _ in range(given.rounds)
                ]
            )
            what = f"this disk: appends over HTTP, {clients} clients"
            lines.append(Line(f"{what}, beside Starlette", appended.rate, "events/s", answered.rate))
            lines.append(Line(f"{what}, p99, beside Starlette", appended.p99_ms, "ms", answered.p99_ms))
        lines += in_the_store("this disk", folder, given, crowds, judged)
        used, waited = asyncio.run(
            follow(server, server.ask("POST", "/threads", {})["thread_id"], given.followers)
        )
        lines.append(bounded(f"memory with {given.followers} followers", used, "MB", 300))
        lines.append(Line(f"{given.followers} followers hear of an append", waited, "ms"))
    slow = f"{SYNC_MS:g} ms more"
    with tempfile.TemporaryDirectory(dir=".") as folder:
        with ours(folder, SEGUE_ON_A_SLOW_DISK) as server:
            lines += sharing(slow, server, given, crowds, judged=True)[0]
        slow_down(SYNC_MS / 1000)
        lines += in_the_store(slow, folder, given, crowds, judged=True)
    return (
        0
        if report("http", lines, NOTE, not given.smallest, seconds=given.seconds, rounds=given.rounds)
        else 1
    )


if __name__ == "__main__":
    sys.exit(main())
