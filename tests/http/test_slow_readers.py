"""What a caller does not take is not kept for it: not without bound, and not for long."""

from __future__ import annotations

import hashlib
import http.client
import random
import re
import socket
from contextlib import ExitStack
from pathlib import Path

import pytest

from segue.service.workspace import Workspace
from segue.surfaces.http import connection, workers

from .conftest import Caller, Serve
from .processes import Process

MIB = 1024 * 1024
SIZE = 64 * MIB


def kept(root: Path, size: int = SIZE) -> str:
    """The id of an artifact of that size in the workspace of a server."""
    return Workspace(str(root)).artifacts.put(bytes(MIB) for _ in range(size // MIB))[0]


def asking(port: int, token: str, path: str, receives: int = 0) -> socket.socket:
    """A connection that has asked for something and not read it."""
    caller = socket.socket()
    if receives:
        caller.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receives)
    caller.settimeout(20)
    caller.connect(("127.0.0.1", port))
    caller.sendall(
        f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\nAccept: application/json\r\n\r\n".encode()
    )
    return caller


def ended(caller: socket.socket) -> int:
    """How many bytes came before the server ended the connection."""
    size = 0
    try:
        while part := caller.recv(MIB):
            size += len(part)
    except ConnectionResetError:
        pass
    return size


def resident(process: Process) -> int:
    status = Path(f"/proc/{process.pid}/status").read_text()
    return int(re.findall(r"VmRSS:\s+(\d+) kB", status)[0]) * 1024


def test_many_who_do_not_read_a_large_artifact_hold_little_memory(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    process = Process(tmp_path / "work")
    try:
        call = Caller(process.port, process.told["token"], tmp_path / "work")
        assert call("POST", "/threads/ensure").status == 200
        path = f"/artifacts/{kept(call.root)}"
        assert len(call("GET", path).body) == SIZE
        before = resident(process)
        with ExitStack() as stack:
            for _ in range(20):
                caller = stack.enter_context(asking(call.port, call.token or "", path, 4096))
                assert caller.recv(1024).startswith(b"HTTP/1.1 200 ")
            assert len(call("GET", path).body) == SIZE  # they had as much time as this took
            assert resident(process) - before < 20 * 4 * MIB
    finally:
        process.kill()


@pytest.mark.parametrize("what", ["artifact", "json"])
def test_a_caller_that_takes_nothing_of_its_answer_is_cut_off(
    serve: Serve, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    monkeypatch.setattr(connection, "SLOW_SECONDS", 0.1)
    served = serve()
    call = served.call
    call("POST", "/threads/ensure")
    path = f"/artifacts/{kept(call.root)}"
    if what == "json":
        for _ in range(12):
            call("POST", "/threads/default/messages", {"content": "x y " * 250_000})
        path = "/threads/default/events?limit=1000"
    with asking(call.port, call.token or "", path) as caller:
        while not served.serving._server.server_state.connections:
            pass
        while served.serving._server.server_state.connections:
            pass
        assert ended(caller) < SIZE


def test_a_caller_that_takes_its_answer_in_small_bites_gets_all_of_it(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "SLOW_SECONDS", 2.0)
    call = serve().call
    call("POST", "/threads/ensure")
    data = random.Random(1).randbytes(5 * MIB + 7)
    artifact_id = call("POST", "/artifacts", data=data).json["artifact_id"]
    with asking(call.port, call.token or "", f"/artifacts/{artifact_id}", 4096) as caller:
        answer = http.client.HTTPResponse(caller)
        answer.begin()
        body = b"".join(iter(lambda: answer.read(3000), b""))
    assert (answer.status, answer.headers["Content-Length"]) == (200, str(len(data)))
    assert hashlib.sha256(body).hexdigest() == artifact_id


def test_bytes_under_way_have_a_budget_that_is_given_back(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "MOST_BYTES", 4 * MIB)
    call = serve().call
    call("POST", "/threads/ensure")
    path = f"/artifacts/{kept(call.root)}"
    with asking(call.port, call.token or "", path) as caller:
        assert caller.recv(1024).startswith(b"HTTP/1.1 200 ")
        refused = call("GET", path)
        assert (refused.status, refused.json["code"], "retry-after" in refused.headers) == (
            503,
            "overloaded",
            True,
        )
    # The connection is gone before the task that was sending to it has ended.
    while (answer := call("GET", path)).status == 503:
        pass
    assert len(answer.body) == SIZE


def test_a_damaged_artifact_is_never_sent_to_its_end(serve: Serve) -> None:
    served = serve()
    call = served.call
    call("POST", "/threads/ensure")
    sound = random.Random(2).randbytes(9 * MIB)
    for size, status in ((9 * MIB, 200), (1000, 503)):
        artifact_id = call("POST", "/artifacts", data=sound[:size]).json["artifact_id"]
        (file,) = (call.root / ".segue").rglob(artifact_id)
        stored = bytearray(file.read_bytes())
        stored[-1] ^= 1
        file.write_bytes(stored)
        if status == 503:
            assert call("GET", f"/artifacts/{artifact_id}").json["code"] == "damaged"
            continue
        with asking(call.port, call.token or "", f"/artifacts/{artifact_id}") as caller:
            assert 0 < ended(caller) < size
    assert "broken_off" in served.told()
