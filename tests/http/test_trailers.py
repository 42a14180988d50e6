"""What a request says after its headers is body and nothing else, however much of it there is."""

from __future__ import annotations

import json
import re
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from .conftest import Caller, Serve
from .processes import Process

MIB = 1024 * 1024
POST = b"POST /threads HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n"
JSON = b"Content-Type: application/json\r\n"


@pytest.fixture
def process(tmp_path: Path) -> Iterator[Process]:
    (tmp_path / "work").mkdir()
    server = Process(tmp_path / "work")
    yield server
    server.kill()


def answered(port: int, *parts: bytes) -> bytes:
    """All that a server says until it ends the connection, which it may do before everything is sent."""
    with socket.create_connection(("127.0.0.1", port), timeout=20) as caller:
        said = b""
        try:
            for part in parts:
                caller.sendall(part)
        except OSError:
            pass
        try:
            while more := caller.recv(65536):
                said += more
        except OSError:
            pass
        return said


def resident(process: Process) -> int:
    status = Path(f"/proc/{process.pid}/status").read_text()
    return int(re.findall(r"VmRSS:\s+(\d+) kB", status)[0]) * 1024


def bearer(call: Caller) -> bytes:
    return b"Authorization: Bearer " + (call.token or "").encode() + b"\r\n"


@pytest.mark.parametrize(
    ("headers", "trailer"),
    [
        (b"", b"Authorization: Bearer TOKEN\r\n"),
        (b"Authorization: Bearer TOKEN\r\nOrigin: https://evil.example\r\n", b"Origin: http://127.0.0.1\r\n"),
        (b"Authorization: Bearer TOKEN\r\n", b"X-Checksum: 1\r\n"),
    ],
    ids=["token", "origin", "harmless"],
)
def test_a_request_with_a_trailer_is_refused_and_not_done(
    serve: Serve, headers: bytes, trailer: bytes
) -> None:
    call = serve().call
    token = (call.token or "").encode()
    head, tail = (part.replace(b"TOKEN", token) for part in (headers, trailer))
    said = answered(call.port, POST + JSON + head + b"\r\n2\r\n{}\r\n0\r\n" + tail + b"\r\n")
    assert said.startswith((b"HTTP/1.1 400 ", b"HTTP/1.1 401 ", b"HTTP/1.1 403 "))
    assert said.count(b"HTTP/1.1 ") == 1
    assert call("GET", "/threads").json["threads"] == []


def test_what_follows_a_refused_trailer_is_no_request(serve: Serve) -> None:
    call = serve().call
    next_one = b"GET /threads HTTP/1.1\r\nHost: 127.0.0.1\r\n" + bearer(call) + b"\r\n"
    said = answered(call.port, POST + JSON + bearer(call) + b"\r\n2\r\n{}\r\n0\r\nX: 1\r\n\r\n" + next_one)
    assert said.startswith(b"HTTP/1.1 400 ")
    assert said.count(b"HTTP/1.1 ") == 1


def test_a_body_in_chunks_of_one_byte_is_taken(serve: Serve) -> None:
    call = serve().call
    body = json.dumps({"title": "x" * 20_000}).encode()
    chunks = b"".join(b"1\r\n%c\r\n" % byte for byte in body)
    head = POST + JSON + bearer(call) + b"Connection: close\r\n\r\n"
    assert answered(call.port, head, chunks, b"0\r\n\r\n").startswith(b"HTTP/1.1 ")
    assert len(call("GET", "/threads").json["threads"]) == 1


@pytest.mark.parametrize(
    "endless",
    [
        b"0\r\n" + b"".join(b"%d:\r\n" % number for number in range(40_000)),
        b"0\r\n" + b"x" * 400_000,
        b"0\r\nX: " + b"x" * 400_000,
        b"1;" + b"x" * 400_000,
    ],
    ids=["trailers", "name of a trailer", "value of a trailer", "chunk extension"],
)
def test_what_is_no_body_ends_the_connection_and_holds_no_memory(process: Process, endless: bytes) -> None:
    before = resident(process)
    for _ in range(20):
        said = answered(process.port, POST + b"\r\n", *[endless] * 10)
        assert not said or said.startswith((b"HTTP/1.1 400 ", b"HTTP/1.1 401 "))
    assert resident(process) - before < 24 * MIB


@pytest.mark.parametrize(
    "codings",
    [
        b"Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n",
        b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
        b"Transfer-Encoding: identity, chunked\r\n",
        b"Transfer-Encoding: gzip, chunked\r\n",
    ],
)
def test_a_transfer_coding_that_others_may_read_differently_is_refused(serve: Serve, codings: bytes) -> None:
    call = serve().call
    head = b"POST /threads HTTP/1.1\r\nHost: 127.0.0.1\r\n" + codings + JSON + bearer(call)
    said = answered(call.port, head + b"\r\n2\r\n{}\r\n0\r\n\r\n")
    assert said.startswith(b"HTTP/1.1 400 ")
    assert call("GET", "/threads").json["threads"] == []
