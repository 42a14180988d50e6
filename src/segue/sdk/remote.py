"""Operations on a server, called by their names over HTTP.

What a server answers is what the operation answers here: the same JSON, the same errors. Only the standard
library is used, so that the command line starts as fast with a server as without one. Connections are kept
and used by one caller at a time; a request is sent again only where that cannot do it twice.
"""

from __future__ import annotations

import json
import os
import selectors
import ssl
import time
import weakref
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from segue.errors import BadInput, Conflict, NotFound, Refused, SegueError, Unavailable
from segue.model.thread import Provenance
from segue.service.operations import named

TOKEN = "SEGUE_TOKEN"
_TIMEOUT = 60.0
_PAUSES = (0.1, 0.3, 1.0, 3.0, 9.0)
"""Seconds between attempts to take up a stream again; the last goes on."""
_ERRORS: dict[int, type[SegueError]] = {
    **{error.http_status: error for error in (BadInput, Refused, NotFound, Conflict)},
    401: Refused,
    413: BadInput,
    415: BadInput,
    422: BadInput,
}


class Remote:
    """A workspace on a server. The address may end in `/workspaces/NAME`."""

    def __init__(self, url: str, token: str | None = None, timeout: float = _TIMEOUT) -> None:
        parts = urlsplit(url if "://" in url else f"http://{url}")
        try:
            port = parts.port
        except ValueError:
            port = -1
        if parts.scheme not in ("http", "https") or not parts.hostname or port == -1:
            raise BadInput(f"{url!r} is not the address of a server.", "It looks like http://127.0.0.1:7878.")
        if parts.username or parts.password:
            raise BadInput("The address of a server holds no password.", f"Give the token in {TOKEN}.")
        self.url = f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}"
        self._secure = parts.scheme == "https"
        self._host, self._port = parts.hostname, port
        self._base = parts.path.rstrip("/")
        self._token = _sendable(token if token is not None else os.environ.get(TOKEN, ""))
        self._timeout = timeout
        self._idle: list[HTTPConnection] = []
        weakref.finalize(self, _close_all, self._idle)  # commands leave theirs to whoever ends them

    def call(
        self, name: str, values: Mapping[str, Any], by: Provenance | None = None, key: str | None = None
    ) -> Any:
        """What the operation answers. Raises the error it raised there."""
        method, target, headers, body = self._request(name, values, by, key)
        repeatable = method == "GET" or key is not None
        response, connection = self._exchange(method, target, headers, body, repeatable)
        try:
            data = response.read()
        except (OSError, HTTPException) as fault:
            connection.close()
            raise self._gone(fault) from None
        self._put_back(response, connection)
        return self._answer(response, data)

    def events(
        self,
        thread_id: str,
        after_seq: int = -1,
        follow: bool = False,
        max_events: int | None = None,
        stop: Callable[[], bool] = lambda: False,
        lost: Callable[[Unavailable], None] = lambda _: None,
    ) -> Iterator[str]:
        """Frames after a sequence number as canonical JSON: those there are and, with `follow`, those to come.
        A stream that had begun is taken up where it broke, however long its server is away; `lost` is told when it
        is. A server that was never reached is not waited for."""
        left, begun, pauses = max_events, False, iter(_PAUSES)
        while left != 0 and not stop():
            values = {"thread_id": thread_id, "after_seq": after_seq, "follow": follow, "max_events": left}
            try:
                with self._stream(values) as response:
                    begun, pauses = True, iter(_PAUSES)
                    for seq, frame in _server_sent(response, stop):
                        after_seq, left = seq, None if left is None else left - 1
                        yield frame
                if not follow:
                    return
            except (OSError, HTTPException, Unavailable) as fault:
                gone = fault if isinstance(fault, Unavailable) else self._gone(fault)
                if not (follow and begun):
                    raise gone from None
                pause = next(pauses, _PAUSES[-1])
                if pause == _PAUSES[0]:
                    lost(gone)
                time.sleep(pause)

    def close(self) -> None:
        _close_all(self._idle)

    @contextmanager
    def _stream(self, values: Mapping[str, Any]) -> Iterator[HTTPResponse]:
        method, target, headers, _ = self._request("thread.events", values, None, None)
        headers["Accept"] = "text/event-stream"
        response, connection = self._exchange(method, target, headers, None, True)
        try:
            if response.status != 200:
                self._answer(response, response.read())
            yield response
        finally:
            connection.close()

    def _request(
        self, name: str, values: Mapping[str, Any], by: Provenance | None, key: str | None
    ) -> tuple[str, str, dict[str, str], bytes | None]:
        method, _, path = named(name).route.partition(" ")
        said = {word: _plain(value) for word, value in values.items()}
        for word in [word for word, value in said.items() if f"{{{word}}}" in path and value]:
            path = path.replace(f"{{{word}}}", quote(str(said.pop(word)), safe=""))
        if "{" in path:
            wanted = path.partition("{")[2].partition("}")[0]
            raise BadInput(f"{name} needs {wanted} on a server.", "Name it.")
        headers = {"Accept": "application/json, application/octet-stream;q=0.9"}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        if key is not None:
            headers["Idempotency-Key"] = quote(key, safe=_KEY_SAFE)
        raw = next((word for word, value in said.items() if isinstance(value, bytes)), None)
        body = said.pop(raw) if raw else None
        if by is not None and method != "GET":
            said |= {"actor_id": by.actor_id, "origin": by.origin}
        if method == "GET" or raw:
            headers |= {"Content-Type": "application/octet-stream"} if raw else {}
            query = urlencode(
                {word: _in_query(value) for word, value in said.items() if value is not None}, doseq=True
            )
            return method, self._base + path + (f"?{query}" if query else ""), headers, body
        headers["Content-Type"] = "application/json"
        return method, self._base + path, headers, json.dumps(said, ensure_ascii=False).encode()

    def _exchange(
        self, method: str, target: str, headers: dict[str, str], body: bytes | None, repeatable: bool
    ) -> tuple[HTTPResponse, HTTPConnection]:
        while True:
            kept = self._idle_connection()
            connection, used = kept or self._connection(), kept is not None
            try:
                connection.request(method, target, body, headers)
                return connection.getresponse(), connection
            except (OSError, HTTPException) as fault:
                connection.close()
                if not (used and repeatable):
                    raise self._gone(fault) from None

    def _idle_connection(self) -> HTTPConnection | None:
        """A connection of an earlier call that the server has not closed since: to write on a closed one would
        leave in doubt whether it was done."""
        while self._idle:
            connection = self._idle.pop()
            if not _has_ended(connection):
                return connection
            connection.close()
        return None

    def _connection(self) -> HTTPConnection:
        if self._secure:
            return HTTPSConnection(
                self._host, self._port, timeout=self._timeout, context=ssl.create_default_context()
            )
        return HTTPConnection(self._host, self._port, timeout=self._timeout)

    def _put_back(self, response: HTTPResponse, connection: HTTPConnection) -> None:
        if response.will_close:
            connection.close()
        else:
            self._idle.append(connection)

    def _answer(self, response: HTTPResponse, data: bytes) -> Any:
        kind = (response.headers.get_content_type() or "").lower()
        if response.status < 300 and kind != "application/json":
            return data
        try:
            told = json.loads(data) if data else {}
        except ValueError:
            told = None
        if response.status < 300 and told is not None:
            return told
        if not isinstance(told, dict) or "detail" not in told:
            raise Unavailable(
                f"{self.url} answered {response.status}, but not as segue does.",
                "Check the address; a proxy may stand in between.",
            )
        if "answer" in told:
            return told["answer"]
        said = told.get("command_line") or told
        kind_of_error = _ERRORS.get(response.status, Unavailable)
        hint = str(said.get("hint", ""))
        request_id = response.headers.get("X-Request-Id")
        if kind_of_error is Unavailable and request_id:
            hint = f"{hint} The request id is {request_id}."
        raise kind_of_error(str(said["detail"]), hint, str(told.get("code", "error")))

    def _gone(self, fault: Exception) -> Unavailable:
        said = getattr(fault, "strerror", None) or str(fault) or type(fault).__name__
        return Unavailable(
            f"The server {self.url} cannot be reached: {said}.",
            "Check the address and that `segue serve` runs there.",
        )


def _close_all(idle: list[HTTPConnection]) -> None:
    while idle:
        idle.pop().close()


_KEY_SAFE = "!#$&'()*+,-./:;<=>?@[]^_`{|}~ "


def _sendable(token: str) -> str:
    """A token as a header can carry it. What cannot be sent is not quoted, since errors are shown and logged."""
    token = token.strip()
    if not all("!" <= character <= "~" for character in token):
        raise BadInput(
            "The token is none: it holds characters that no token has.", "Copy it again, on one line."
        )
    return token


def _has_ended(connection: HTTPConnection) -> bool:
    """Whether there is something to read where nothing is due: the end, or what must not be taken for an answer."""
    if connection.sock is None:
        return True
    with selectors.DefaultSelector() as selector:
        selector.register(connection.sock, selectors.EVENT_READ)
        return bool(selector.select(0))


def _plain(value: Any) -> Any:
    """A value as JSON has it; typed ones are those of change records."""
    if value is None or isinstance(value, (str, int, float, bool, bytes, dict)):
        return value
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    import msgspec

    return msgspec.to_builtins(value)


def _in_query(value: Any) -> Any:
    return str(value).lower() if isinstance(value, bool) else value


def _server_sent(lines: HTTPResponse, stop: Callable[[], bool]) -> Iterator[tuple[int, str]]:
    """Sequence numbers and data of a stream of server-sent events. A heartbeat is a moment to stop at, too."""
    seq, data = -1, list[str]()
    for raw in lines:
        if stop():
            return
        line = raw.decode().rstrip("\r\n")
        if line.startswith("id:"):
            seq = int(line[3:])
        elif line.startswith("data:"):
            data.append(line[5:].removeprefix(" "))
        elif not line and data:
            yield seq, "\n".join(data)
            data = []
