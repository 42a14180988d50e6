"""Artifacts go in and out as bytes, whole or in ranges."""

from __future__ import annotations

import asyncio
import hashlib
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, cast

import pytest

from segue.errors import BadInput
from segue.stores.blobs import Blobs
from segue.surfaces.http.artifacts import Download, Found, Span, spanned
from segue.surfaces.http.call import LEFT

from .conftest import Caller, Serve

DATA = b"".join(number.to_bytes(2, "big") for number in range(1280))
ID = hashlib.sha256(DATA).hexdigest()


def test_what_was_put_is_what_is_got(call: Caller) -> None:
    put = call("POST", "/artifacts", data=DATA)
    assert (put.status, put.json) == (201, {"artifact_id": ID, "bytes": len(DATA), "redacted": False})
    got = call("GET", f"/artifacts/{ID[:12]}")
    assert (got.status, got.body, got.headers["etag"]) == (200, DATA, f'"{ID}"')
    assert call("GET", f"/artifacts/{ID}", headers={"If-None-Match": f'"{ID}"'}).status == 304
    assert call("GET", "/artifacts").json == {"artifacts": [{"artifact_id": ID, "bytes": len(DATA)}]}


@pytest.mark.parametrize(
    ("headers", "status", "length"), [({}, 200, 2560), ({"Range": "bytes=0-9"}, 206, 10)]
)
def test_the_size_of_an_artifact_can_be_had_without_it(
    call: Caller, headers: dict[str, str], status: int, length: int
) -> None:
    call("POST", "/artifacts", data=DATA)
    got = call("HEAD", f"/artifacts/{ID}", headers=headers)
    assert (got.status, got.headers["content-length"], got.body) == (status, str(length), b"")
    assert got.headers["etag"] == f'"{ID}"'
    assert call("HEAD", "/artifacts/" + "0" * 64).status == 404


def test_artifacts_that_do_not_come_hold_up_nobody_who_reads_threads(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    call = serve().call
    assert call("POST", "/artifacts", data=DATA).status == 201
    comes = threading.Event()
    at_once = Blobs.read

    def slow(self: Blobs, *asked: Any) -> Iterator[bytes]:
        comes.wait(60)
        return at_once(self, *asked)

    monkeypatch.setattr(Blobs, "read", slow)
    with ThreadPoolExecutor(20) as callers:
        answers = [callers.submit(call, "GET", f"/artifacts/{ID}") for _ in range(20)]
        assert call("GET", "/threads").status == 200
        comes.set()
        assert [answer.result().status for answer in answers] == [200] * 20


def test_text_is_redacted_unless_it_must_stay_as_it_is(call: Caller) -> None:
    secret = b"token = ghp_" + b"a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    assert call("POST", "/artifacts", data=secret).json["redactions"]["total"] == 1
    kept = call("POST", "/artifacts?verbatim=true", data=secret).json
    assert kept["artifact_id"] == hashlib.sha256(secret).hexdigest()


@pytest.mark.parametrize(
    ("wanted", "status", "part"),
    [
        ("bytes=0-9", 206, DATA[:10]),
        ("bytes=2550-", 206, DATA[2550:]),
        ("bytes=-5", 206, DATA[-5:]),
        ("bytes=2555-9999", 206, DATA[2555:]),
        ("bytes=0-1,4-5", 200, DATA),
        ("lines=1-2", 200, DATA),
        ("bytes=9-1", 200, DATA),
        ("bytes=x-y", 200, DATA),
    ],
)
def test_a_range_gives_its_bytes_and_what_is_no_range_gives_all(
    call: Caller, wanted: str, status: int, part: bytes
) -> None:
    call("POST", "/artifacts", data=DATA)
    got = call("GET", f"/artifacts/{ID}", headers={"Range": wanted})
    assert (got.status, got.body) == (status, part)
    if status == 206:
        first = DATA.index(part)
        assert got.headers["content-range"] == f"bytes {first}-{first + len(part) - 1}/{len(DATA)}"


@pytest.mark.parametrize(
    ("query", "part"),
    [
        ("offset=2550", DATA[2550:]),
        ("max_bytes=3", DATA[:3]),
        ("max_bytes=null&offset=9999", b""),
        ("max_bytes=0", b""),
    ],
)
def test_a_part_can_be_asked_for_in_the_query(call: Caller, query: str, part: bytes) -> None:
    call("POST", "/artifacts", data=DATA)
    got = call("GET", f"/artifacts/{ID}?{query}")
    assert (got.status, got.body, got.headers["content-length"]) == (200, part, str(len(part)))
    assert call("HEAD", f"/artifacts/{ID}?{query}").headers["content-length"] == str(len(part))


def test_a_range_beyond_the_end_is_refused(call: Caller) -> None:
    call("POST", "/artifacts", data=DATA)
    assert call("GET", f"/artifacts/{ID}", headers={"Range": "bytes=2560-"}).status == 416
    with pytest.raises(BadInput):
        spanned("bytes=-0", 10)
    assert spanned("bytes=0-0", 1) == Span(0, 0)


def test_an_answer_is_complete_for_a_caller_who_leaves_with_the_last_byte() -> None:
    sent: list[dict[str, Any]] = []

    class Fetching:
        async def insist(self, function: Any, *given: Any) -> Any:
            return function(*given)

    async def send(message: Any) -> None:
        sent.append(message)

    def is_left() -> bool:
        return b"".join(message.get("body", b"") for message in sent) == b"onetwo"

    found = Found(200, {"Content-Length": "6"}, b"one", iter([b"two"]), 6)
    download = Download(found, cast("Any", Fetching()), lambda: None)
    asyncio.run(download({"type": "http", "extensions": {LEFT: is_left}}, cast("Any", None), send))
    assert [message["more_body"] for message in sent[1:]] == [True, False]
