"""A stream of events: past then live, taken up where it broke, closed in time, never a burden."""

from __future__ import annotations

import http.client
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from segue.service import tokens
from segue.service.threads import streams
from segue.service.workspace import Workspace
from segue.surfaces.http import connection as connections
from segue.surfaces.http import events, tail

from .conftest import Caller, Serve, Served

Event = tuple[int, dict[str, Any]]


@contextmanager
def following(
    call: Caller, path: str, headers: dict[str, str] | None = None
) -> Iterator[http.client.HTTPResponse]:
    connection = http.client.HTTPConnection("127.0.0.1", call.port, timeout=20)
    try:
        sent = {"Authorization": f"Bearer {call.token}", "Accept": "text/event-stream"}
        connection.request("GET", path, headers=sent | (headers or {}))
        yield connection.getresponse()
    finally:
        connection.close()


def heard(stream: http.client.HTTPResponse) -> Iterator[Event]:
    """Events as a browser would make them out of lines."""
    seq = -1
    for line in stream:
        if line.startswith(b"id: "):
            seq = int(line[4:])
        elif line.startswith(b"data: "):
            yield seq, json.loads(line[6:])


def take(stream: http.client.HTTPResponse, count: int) -> list[Event]:
    found = heard(stream)
    return [next(found) for _ in range(count)]


def until_comment(stream: http.client.HTTPResponse, comment: bytes) -> None:
    while not stream.readline().startswith(comment):
        pass


@pytest.fixture
def served(serve: Serve) -> Served:
    served = serve()
    served.call("POST", "/threads/ensure")
    for number in range(5):
        served.call("POST", "/threads/default/messages", {"content": f"message {number}"})
    return served


def post(call: Caller, text: str) -> None:
    assert call("POST", "/threads/default/messages", {"content": text}).status == 201


def test_the_past_comes_first_and_then_what_happens(served: Served) -> None:
    with following(served.call, "/threads/default/events") as stream:
        assert stream.headers["content-type"] == "text/event-stream; charset=utf-8"
        past = take(stream, 6)
        post(served.call, "live")
        live = take(stream, 1)
    assert [seq for seq, _ in past + live] == [0, 1, 2, 3, 4, 5, 6]
    assert live[0][1]["content"] == "live"


def test_what_another_process_adds_is_heard_too(served: Served) -> None:
    with following(served.call, "/threads/default/events?after_seq=5") as stream:
        until_comment(stream, b": frames")
        streams.post(Workspace(str(served.call.root)), "default", "from elsewhere")
        assert take(stream, 1)[0][1]["content"] == "from elsewhere"


@pytest.mark.parametrize(
    ("path", "headers"),
    [("?after_seq=3", {}), ("", {"Last-Event-ID": "3"}), ("?after_seq=3", {"Last-Event-ID": "1"})],
)
def test_a_broken_stream_is_taken_up_where_it_broke(
    served: Served, path: str, headers: dict[str, str]
) -> None:
    with following(served.call, f"/threads/default/events{path}", headers) as stream:
        assert [seq for seq, _ in take(stream, 2)] == [4, 5]


def test_a_stream_ends_after_the_past_or_after_so_many_where_that_was_asked(served: Served) -> None:
    with following(served.call, "/threads/default/events?follow=false") as stream:
        assert [seq for seq, _ in heard(stream)] == [0, 1, 2, 3, 4, 5]
    with following(served.call, "/threads/default/events?max_events=2") as stream:
        assert [seq for seq, _ in heard(stream)] == [0, 1]


def test_pages_lead_from_one_to_the_next_and_lose_nothing(served: Served) -> None:
    seen: list[int] = []
    after = -1
    while True:
        page = served.call(
            "GET",
            f"/threads/default/events?limit=4&after_seq={after}",
            headers={"Accept": "application/json"},
        ).json
        if not page["events"]:
            break
        seen += [frame["seq"] for frame in page["events"]]
        after = page["next_after_seq"]
    assert (seen, after) == ([0, 1, 2, 3, 4, 5], 5)


def test_a_stream_of_many_frames_comes_whole_and_in_order(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tail, "PAGE_BYTES", 600)
    with following(served.call, "/threads/default/events?follow=false") as stream:
        assert [seq for seq, _ in heard(stream)] == [0, 1, 2, 3, 4, 5]


def test_the_headers_of_a_stream_can_be_had_without_it(served: Served) -> None:
    answer = served.call("HEAD", "/threads/default/events")
    assert (answer.status, answer.headers["content-type"], answer.body) == (
        200,
        "text/event-stream; charset=utf-8",
        b"",
    )


def test_a_thread_that_does_not_exist_is_a_problem_and_no_stream(served: Served) -> None:
    with following(served.call, "/threads/00000000-0000-7000-8000-000000000001/events") as stream:
        assert (stream.status, stream.headers["content-type"]) == (404, "application/problem+json")


def test_a_quiet_stream_is_kept_alive_by_comments(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "HEARTBEAT_SECONDS", 0.05)
    with following(served.call, "/threads/default/events?after_seq=5") as stream:
        until_comment(stream, b": still here")
        post(served.call, "after a pause")
        assert take(stream, 1)[0][1]["content"] == "after a pause"


@pytest.mark.parametrize("ending", ["revoked", "expired"])
def test_a_token_that_no_longer_holds_ends_its_streams(
    serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str
) -> None:
    path = str(tmp_path / "keys" / "tokens.json")
    token, secret = tokens.create(path, "ci", "read", expires="30d")
    tokens.create(path, "other", "write")
    monkeypatch.setattr(events, "HEARTBEAT_SECONDS", 0.05)
    served = serve(tokens=path)
    streams.ensure(Workspace(str(served.call.root)))
    caller = Caller(served.call.port, secret, served.call.root)
    with following(caller, "/threads/default/events") as stream:
        take(stream, 1)
        if ending == "revoked":
            tokens.revoke(path, "ci")
        else:
            monkeypatch.setattr(tokens, "now_ms", lambda: token.expires_ms)
        lines = [stream.readline() for _ in range(200)]
        assert (lines[-1], [line for line in lines if line.startswith(b"data")]) == (b"", [])


def test_a_caller_that_never_reads_is_cut_off(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "SLOW_SECONDS", 0.3)
    for _ in range(12):
        post(served.call, "x" * 1_000_000)
    with socket.create_connection(("127.0.0.1", served.call.port), timeout=20) as connection:
        connection.sendall(
            b"GET /threads/default/events HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer "
            + (served.call.token or "").encode()
            + b"\r\n\r\n"
        )
        followers = served.serving.sites["default"].tail
        while not followers.following:
            pass
        while followers.following or served.serving._server.server_state.connections:
            pass
        with pytest.raises(ConnectionResetError):  # nothing of it stays in the kernel, waiting to be read
            while connection.recv(1 << 20):
                pass


def test_a_follower_that_leaves_is_forgotten(served: Served) -> None:
    followers = served.serving.sites["default"].tail
    with following(served.call, "/threads/default/events") as stream:
        take(stream, 1)
        assert followers.following == 1
    while followers.following:
        pass
    assert followers._followers == {}


def test_followers_at_one_place_share_one_reading(served: Served) -> None:
    read = served.serving.sites["default"].tail.log
    streams = [following(served.call, "/threads/default/events?after_seq=5") for _ in range(10)]
    opened = [stream.__enter__() for stream in streams]
    for stream in opened:
        until_comment(stream, b": frames")
    before = read.rows_read
    post(served.call, "for all")
    assert [take(stream, 1)[0][1]["content"] for stream in opened] == ["for all"] * 10
    assert read.rows_read - before < 40
    for stream in streams:
        stream.__exit__(None, None, None)


def test_a_server_that_stops_ends_its_streams_and_answers_what_it_took(served: Served) -> None:
    with following(served.call, "/threads/default/events?after_seq=5") as stream:
        until_comment(stream, b": frames")
        stopper = threading.Timer(0, served.serving.stop)
        stopper.start()
        assert list(heard(stream)) == []
        stopper.join()
