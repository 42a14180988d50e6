"""Servers are killed while callers write: what was acknowledged stays, nothing has gaps, each head has one winner."""

from __future__ import annotations

import http.client
import json
import random
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from segue.service.workspace import Workspace

from ..stores import postgres_server
from ..stores.history import APPENDED, READ, REFUSED, UNKNOWN, Operation, violations
from .processes import Process

CALLERS = 6
KILLS = 3
APPENDS_BETWEEN = 30
"""Acknowledged appends before the next kill, so that every life of a server has some work."""


class Crowd:
    """Callers that write to and read from threads through any of the servers, and write down what happened."""

    def __init__(self, servers: list[Process], threads: list[str]) -> None:
        self.servers = servers
        self.threads = threads
        self.history: list[Operation] = []
        self.over = threading.Event()
        self.acknowledged = threading.Semaphore(0)

    def ask(
        self, server: Process, method: str, path: str, said: Any = None, key: str = ""
    ) -> tuple[int, Any]:
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=15)
        try:
            headers = {"Content-Type": "application/json", "Accept": "application/json"}
            if key:
                headers["Idempotency-Key"] = key
            connection.request(method, path, json.dumps(said) if said is not None else None, headers)
            response = connection.getresponse()
            return response.status, json.loads(response.read())
        finally:
            connection.close()

    def run(self, name: str, seed: int) -> None:
        chance = random.Random(seed)
        number = 0
        while not self.over.is_set():
            number += 1
            stream, server = chance.choice(self.threads), chance.choice(self.servers)
            try:
                if chance.random() < 0.2:
                    self.read(name, server, stream)
                else:
                    self.append(name, server, stream, f"{name}-{number}", chance)
            except (OSError, http.client.HTTPException):
                continue

    def read(self, name: str, server: Process, stream: str) -> None:
        started = time.monotonic()
        status, page = self.ask(server, "GET", f"/threads/{stream}/events?limit=1000")
        if status != 200:
            return
        seen = tuple(frame.get("content", "created") for frame in page["events"])
        self.history.append(Operation(name, stream, READ, seen, started, time.monotonic()))

    def append(self, name: str, server: Process, stream: str, token: str, chance: random.Random) -> None:
        keyed = chance.random() < 0.5
        said: dict[str, Any] = {"content": token}
        if chance.random() < 0.5:
            status, shown = self.ask(server, "GET", f"/threads/{stream}")
            if status != 200:
                return
            said["expect"] = shown["head_seq"]
        begun = Operation(name, stream, UNKNOWN, (token,), time.monotonic(), expected=said.get("expect"))
        outcome = begun
        for _ in range(200 if keyed else 1):
            try:
                status, told = self.ask(
                    server, "POST", f"/threads/{stream}/messages", said, token if keyed else ""
                )
            except (OSError, http.client.HTTPException):
                server = chance.choice(self.servers)
                continue
            if status == 503:
                continue
            if status == 409:
                outcome = begun._replace(outcome=REFUSED)
            elif status == 201:
                outcome = begun._replace(outcome=APPENDED, first=told["seq"])
                self.acknowledged.release()
            break
        self.history.append(outcome._replace(ended=time.monotonic()))


@pytest.fixture(scope="module")
def postgres() -> Iterator[postgres_server.Server]:
    with postgres_server.running() as server:
        yield server


def on_files(tmp_path: Path, _: pytest.FixtureRequest) -> tuple[list[Path], Callable[[], object]]:
    """Two servers on one folder."""
    root = tmp_path / "work"
    root.mkdir()
    return [root, root], lambda: None


def on_postgres(tmp_path: Path, request: pytest.FixtureRequest) -> tuple[list[Path], Callable[[], object]]:
    """Two servers with folders of their own on one database, whose connections die as well."""
    database: postgres_server.Server = request.getfixturevalue("postgres")
    roots = [tmp_path / name for name in ("one", "two")]
    for root in roots:
        root.mkdir()
        Workspace(str(root)).establish(store=database.address_for(tmp_path))
    return roots, database.terminate_backends


@pytest.mark.parametrize("laid_out", [on_files, on_postgres])
def test_nothing_acknowledged_is_lost_while_servers_on_one_log_are_killed(
    tmp_path: Path,
    request: pytest.FixtureRequest,
    laid_out: Callable[..., tuple[list[Path], Callable[[], object]]],
) -> None:
    roots, disturb = laid_out(tmp_path, request)
    servers = [Process(root, "--no-token") for root in roots]
    crowd = Crowd(servers, [])
    began = time.monotonic()
    crowd.threads += [crowd.ask(servers[0], "POST", "/threads", {})[1]["thread_id"] for _ in range(3)]
    callers = [threading.Thread(target=crowd.run, args=(f"caller{n}", n)) for n in range(CALLERS)]
    for caller in callers:
        caller.start()
    try:
        for kill in range(KILLS):
            for _ in range(APPENDS_BETWEEN):
                assert crowd.acknowledged.acquire(timeout=60)
            servers[kill % 2].kill()
            disturb()
            servers[kill % 2].start()
        for _ in range(APPENDS_BETWEEN):
            assert crowd.acknowledged.acquire(timeout=60)
    finally:
        crowd.over.set()
        for caller in callers:
            caller.join(60)
        for server in servers:
            server.kill()
    assert not [caller.name for caller in callers if caller.is_alive()], "a server stopped answering"
    workspace = Workspace(str(roots[0]))
    final = {
        stream: [frame.data.get("content", "created") for frame in workspace.log.read(stream)]
        for stream in crowd.threads
    }
    made = [Operation("maker", s, APPENDED, ("created",), began, began, 0) for s in crowd.threads]
    assert violations([*made, *crowd.history], final) == []
    assert list(workspace.log.verify()) == []
    assert {operation.outcome for operation in crowd.history} >= {APPENDED, REFUSED, READ}
    workspace.close()


def test_a_server_that_is_asked_to_stop_says_farewell_and_exits_with_0(tmp_path: Path) -> None:
    root = tmp_path / "work"
    root.mkdir()
    server = Process(root, "--no-token")
    assert Crowd([server], []).ask(server, "GET", "/healthz") == (200, {"status": "ok"})
    code, log = server.terminate()
    assert code == 0
    assert [line["event"] for line in log] == ["started", "request", "stopped"]
