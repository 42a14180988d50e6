"""Whatever comes in, a sentence goes out."""

from __future__ import annotations

import json
import select
import socket
from typing import Any

import pytest

from segue.surfaces.http import connection, reading

from .conftest import Caller, Serve


@pytest.mark.parametrize(
    ("method", "path", "said", "status", "mentions"),
    [
        ("POST", "/threads", {"title": 3}, 400, "title"),
        ("POST", "/threads", {"colour": "red"}, 400, "colour"),
        ("POST", "/threads", [1], 400, "object"),
        ("POST", "/threads", {"": 1}, 400, "unknown field"),
        ("GET", "/threads/default/cut-points?=0", None, 400, "unknown field"),
        ("POST", "/threads?title=x", {}, 400, "query"),
        ("POST", "/threads", {"actor_id": 7}, 400, "actor_id"),
        ("POST", "/threads/default/messages", {}, 400, "content"),
        ("POST", "/threads/default/messages", {"content": "x", "thread_id": "y"}, 400, "address"),
        ("POST", "/threads/default/messages", {"content": "x", "role": "king"}, 400, "role"),
        ("POST", "/threads/default/branch", {"from_seq": 99}, 400, "99"),
        ("POST", "/threads/default/branch", {"from_seq": 10**30}, 400, "seq"),
        ("POST", "/threads/default/handoff", {}, 400, "summary"),
        ("GET", "/threads/default/events?after_seq=x", None, 400, "after_seq"),
        ("GET", "/threads/default/events?limit=0", None, 400, "limit"),
        ("GET", "/threads/default/events?max_events=-1", None, 400, "max_events"),
        ("GET", "/search", None, 400, "words"),
        ("GET", "/search?words=a&words=b", None, 400, "twice"),
        ("GET", "/search?words=%ff", None, 400, "query"),
        ("GET", "/threads?archived=perhaps", None, 400, "archived"),
        ("GET", "/threads/00000000-0000-7000-8000-000000000001", None, 404, "no thread"),
        ("GET", "/threads/abc", None, 400, "abc"),
        ("GET", "/artifacts/" + "0" * 64, None, 404, "artifact"),
        ("GET", "/nothing", None, 404, "address"),
        ("GET", "/", None, 404, "address"),
        ("GET", "/threads/", None, 404, "address"),
        ("GET", "/workspaces/other/threads", None, 404, "workspace"),
        ("GET", "/sessions/..%2f..%2fetc%2fpasswd", None, 400, "session"),
        ("GET", "/artifacts/..%2f..%2fworkspace.json", None, 400, "artifact"),
        ("GET", "/threads/..%2f", None, 400, "thread id"),
        ("GET", "/threads/../status", None, 404, "address"),
        ("GET", "/threads/%00", None, 400, "control"),
        ("GET", "/threads/%ff", None, 400, "UTF-8"),
        ("DELETE", "/threads", None, 405, "method"),
        ("POST", "/healthz", {}, 405, "method"),
    ],
)
def test_bad_input_is_answered_with_a_sentence_and_a_hint(
    call: Caller, method: str, path: str, said: Any, status: int, mentions: str
) -> None:
    call("POST", "/threads/ensure")
    answer = call(method, path, said)
    assert answer.headers["content-type"] == "application/problem+json"
    told = answer.json
    assert (answer.status, told["status"]) == (status, status)
    assert mentions in told["detail"]
    assert told["hint"]


@pytest.mark.parametrize(
    ("data", "kind", "status"),
    [
        (b"{", "application/json", 400),
        (b"\xff\xfe", "application/json", 400),
        (b'{"title": "caf\xe9"}', "application/json", 400),
        (b'{"titl\xe9": "x"}', "application/json", 400),
        (b"[" * 100_000, "application/json", 400),
        (b'{"title": NaN}', "application/json", 400),
        (b'{"title": "x"}', "text/plain", 415),
        (b'{"title": "x"}', "", 415),
    ],
)
def test_what_is_not_json_is_refused(call: Caller, data: bytes, kind: str, status: int) -> None:
    answer = call("POST", "/threads", data=data, headers={"Content-Type": kind})
    assert answer.status == status
    assert answer.json["hint"]


@pytest.mark.parametrize("data", [b"", b"complete nonsense", b"{}", b"\xff\xfe\n"])
def test_what_is_no_session_makes_no_thread_and_tells_no_path(call: Caller, data: bytes) -> None:
    before = call("GET", "/threads").json
    answer = call("POST", "/sessions", data=data, headers={"Content-Type": "application/x-ndjson"})
    assert answer.status == 400
    assert "sent.jsonl" not in answer.body.decode()
    assert call("GET", "/threads").json == before


@pytest.mark.parametrize("levels", [98, 900, 100_000])
def test_what_is_nested_too_deeply_is_refused_in_a_sentence(call: Caller, levels: int) -> None:
    effect = b'[{"tool_id": "t", "tool_name": "n", "more": ' + b"[" * levels + b"]" * levels + b"}]"
    call("POST", "/threads/ensure", {})
    answer = call(
        "POST",
        "/threads/default/messages",
        data=b'{"content": "x", "run": "r", "effects": ' + effect + b"}",
        headers={"Content-Type": "application/json"},
    )
    assert (answer.status, answer.json["code"]) == (400, "bad_input")
    assert "nested" in answer.json["detail"]
    assert "recursion" not in answer.json["detail"]


def test_an_idempotency_key_that_is_no_text_is_refused(call: Caller) -> None:
    answer = call("POST", "/threads", {}, headers={"Idempotency-Key": "%ff"})
    assert (answer.status, "UTF-8" in answer.json["detail"]) == (400, True)


@pytest.mark.parametrize("chunked", [False, True])
def test_a_body_that_is_too_large_is_refused_before_it_is_whole(
    serve: Serve, monkeypatch: pytest.MonkeyPatch, chunked: bool
) -> None:
    monkeypatch.setattr(reading, "JSON_BYTES", 1000)
    call = serve().call
    size = "Transfer-Encoding: chunked" if chunked else "Content-Length: 1000000"
    chunk = b"7d0\r\n" + b"x" * 2000 + b"\r\n" if chunked else b"x"
    answer = raw(call, f"POST /threads HTTP/1.1\r\nHost: 127.0.0.1\r\n{size}".encode(), chunk)
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert b"too_large" in answer


@pytest.mark.parametrize(
    "head",
    [
        b"POST /threads HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 4\r\nTransfer-Encoding: chunked",
        b"POST /threads HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 4\r\nContent-Length: 5",
        b"POST /threads HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: -1",
        b"POST /threads HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: xchunked",
        b"GET /threads HTTP/1.1\r\nHost : 127.0.0.1",
        b"GET /threads HTTP/1.1\r\nHost: 127.0.0.1\r\nX: a\nContent-Length: 3",
        b"nonsense",
    ],
)
def test_requests_that_two_servers_could_read_differently_are_refused(call: Caller, head: bytes) -> None:
    answer = raw(call, head, b"0\r\n\r\nGET /status HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert answer.count(b"HTTP/1.1 ") == 1
    assert b"problem+json" in answer


@pytest.mark.parametrize(
    "header",
    [
        "Authorization: Bearer x",
        "Idempotency-Key: b",
        "Host: 127.0.0.1",
        "Content-Length: 0",
        "Content-Type: a/b",
    ],
)
def test_a_header_that_says_two_things_is_refused(call: Caller, header: str) -> None:
    head = (
        "POST /threads HTTP/1.1\r\nHost: 127.0.0.1\r\nIdempotency-Key: a\r\nContent-Length: 0\r\n"
        f"Content-Type: application/json\r\n{header}"
    )
    answer = raw(call, head.encode(), b"")
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert b"problem+json" in answer


@pytest.mark.parametrize(
    "begun", [b"", b"\r\n", b"GET /thr", b"GET /threads HTTP/1.1\r\nHost: 127.0.0.1\r\nX: "]
)
def test_a_connection_whose_headers_do_not_come_is_ended(
    call: Caller, monkeypatch: pytest.MonkeyPatch, begun: bytes
) -> None:
    monkeypatch.setattr(connection, "HEADERS_SECONDS", 0.05)
    assert raw(call, begun, b"", ends=False).startswith(b"HTTP/1.1 408 ")


def test_a_used_connection_whose_next_headers_do_not_come_is_ended(
    call: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "HEADERS_SECONDS", 0.05)
    whole = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    with socket.create_connection(("127.0.0.1", call.port), timeout=10) as caller:
        caller.sendall(whole)
        assert caller.recv(65536).startswith(b"HTTP/1.1 200 ")
        caller.sendall(whole[:30])
        assert caller.recv(65536).startswith(b"HTTP/1.1 408 ")
        assert caller.recv(65536) == b""


@pytest.mark.parametrize("drips", [False, True])
def test_a_body_that_rests_or_drips_is_not_waited_for(
    call: Caller, monkeypatch: pytest.MonkeyPatch, drips: bool
) -> None:
    monkeypatch.setattr(reading, "PATIENCE_SECONDS", 0.05)
    monkeypatch.setattr(reading, "SLOWEST", 10**9)
    head = f"POST /artifacts HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {call.token}"
    with socket.create_connection(("127.0.0.1", call.port), timeout=10) as caller:
        caller.sendall(f"{head}\r\nContent-Length: 100000000\r\n\r\n".encode())
        while drips and not select.select([caller], [], [], 0)[0]:
            caller.sendall(b"x")
        assert caller.recv(65536).startswith(b"HTTP/1.1 408 ")


@pytest.mark.parametrize(
    ("method", "path", "said", "told", "hint"),
    [
        (
            "POST",
            "/threads/default/branch",
            {"from_seq": 1, "from_message_id": "x"},
            "message",
            "Give `from_message_id` or `from_seq`.",
        ),
        ("GET", "/threads/01a1e19a-0000-7000-8000-000000000001", None, "no thread", "`GET /threads` shows"),
        ("GET", "/changes?limit=0", None, "limit", "Leave it out"),
    ],
)
def test_a_hint_names_fields_and_addresses_and_keeps_the_commands_for_command_lines(
    call: Caller, method: str, path: str, said: Any, told: str, hint: str
) -> None:
    call("POST", "/threads/ensure")
    problem = call(method, path, said).json
    assert told in problem["detail"]
    assert hint in problem["hint"]
    assert "--" not in problem["detail"] + problem["hint"]
    spoken = problem["command_line"]["detail"] + problem["command_line"]["hint"]
    assert "--" in spoken or "`segue " in spoken


def test_headers_are_bounded_whole_and_while_they_arrive(call: Caller) -> None:
    whole = raw(call, b"GET /threads HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + b"a" * 40_000, b"")
    endless = raw(call, b"GET /threads HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + b"a" * 400_000, b"", ends=False)
    assert [answer[:12] for answer in (whole, endless)] == [b"HTTP/1.1 431"] * 2


@pytest.mark.parametrize("sent", ["a b", "x" * 65, "é", "a%0d%0aSet-Cookie:b", "<script>"])
def test_a_request_id_that_is_not_plain_is_replaced(call: Caller, sent: str) -> None:
    answer = call("GET", "/healthz", headers={"X-Request-Id": sent})
    assert answer.headers["x-request-id"] not in (sent, "")
    assert "set-cookie" not in answer.headers


def test_a_plain_request_id_is_echoed_and_logged(serve: Serve) -> None:
    served = serve()
    assert (
        served.call("GET", "/threads", headers={"X-Request-Id": "abc-1"}).headers["x-request-id"] == "abc-1"
    )
    lines = [json.loads(line) for line in served.told().splitlines()]
    assert ("abc-1", "thread.list", 200) in [
        (line.get("request_id"), line.get("operation"), line.get("status")) for line in lines
    ]


def test_the_log_holds_neither_contents_nor_tokens_nor_ids(serve: Serve) -> None:
    served = serve()
    served.call("POST", "/threads/ensure")
    posted = served.call("POST", "/threads/default/messages", {"content": "a most private thought"})
    served.call("GET", "/search?words=private")
    served.call("POST", "/threads/default/messages", {"content": "x", "role": "a private role"})
    told = served.told()
    assert "thread.post" in told
    for kept in ("private", posted.json["thread_id"], served.call.token or "?"):
        assert kept not in told


METHODS = (
    "GET",
    "HEAD",
    "POST",
    "PUT",
    "PATCH",
    "DELETE",
    "OPTIONS",
    "TRACE",
    "CONNECT",
    "PROPFIND",
    "QUERY",
)
TARGETS = (
    *(
        "*",
        "/",
        "//",
        "///",
        "/*",
        "/.",
        "/..",
        "/?",
        "/#",
        "?",
        "x",
        "/%",
        "/%2",
        "/%zz",
        "/%2f",
        "/%00",
        "/%ff",
    ),
    *(
        "/workspaces",
        "/workspaces/",
        "/workspaces//",
        "/workspaces/default",
        "/workspaces/default/",
        "/workspaces//threads",
    ),
    *(
        "/workspaces/default//",
        "/workspaces/default/mcp",
        "/workspaces/default/healthz",
        "/mcp",
        "/mcp/",
        "/healthz/",
    ),
    *(
        "/threads//",
        "/threads//events",
        "/threads/%20",
        "/threads/default/",
        "/artifacts//",
        "/artifacts/%2e%2e",
        "/sessions//",
    ),
    *(
        "http://127.0.0.1",
        "http://127.0.0.1/",
        "http://127.0.0.1/threads",
        "http://",
        "http:///threads",
        "https://[::1/",
    ),
    *(
        "127.0.0.1:80",
        "[::1]:80",
        "mailto:x",
        "/threads?",
        "/threads?=",
        "/threads?&&",
        "/threads?limit=%",
        "/" + "a/" * 500,
    ),
)


@pytest.mark.parametrize("method", METHODS)
def test_no_method_on_no_address_meets_a_fault(serve: Serve, method: str) -> None:
    served = serve()
    for target in TARGETS:
        answer = raw(
            served.call, f"{method} {target} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0".encode(), b""
        )
        assert answer.startswith(b"HTTP/1.1 "), target
        assert not answer.startswith(b"HTTP/1.1 5"), target
    assert '"fault"' not in served.told()


def test_the_asterisk_of_options_is_no_address(call: Caller) -> None:
    assert call("OPTIONS", "*", token=None).json["code"] == "no_such_route"


def test_a_fault_nobody_foresaw_is_a_problem_that_quotes_nothing(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError("a most private thought")

    served = serve()
    monkeypatch.setattr("segue.surfaces.http.answering.perform", fail)
    answer = served.call("GET", "/status")
    assert (answer.status, answer.json["code"]) == (500, "unforeseen")
    assert "private" not in answer.body.decode() + served.told()
    assert "ZeroDivisionError" in served.told()


def raw(call: Caller, head: bytes, body: bytes, ends: bool = True) -> bytes:
    """What the server says to bytes that no client would send."""
    with socket.create_connection(("127.0.0.1", call.port), timeout=10) as connection:
        token = b"\r\nAuthorization: Bearer " + (call.token or "").encode()
        connection.sendall(head + (token + b"\r\nConnection: close\r\n\r\n" + body if ends else b""))
        said = b""
        try:
            while part := connection.recv(65536):
                said += part
        except ConnectionResetError:
            pass
        return said
