"""One JSON document to a model's service and one back: a single POST, nothing streamed.

A prompt goes to the address that the person named and nowhere else: redirects are not followed, proxies of the
environment are not used, and without TLS only this machine is spoken to. The key is read when a call is made; it is in no
value that lives on and in no error. The whole call ends within its time, however slowly the other side speaks, and no
more than a bounded answer is read.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from segue.errors import BadInput, Unavailable
from segue.llm import failures
from segue.llm.contract import LARGEST
from segue.model.value import NamedTuple

if TYPE_CHECKING:
    from urllib.parse import SplitResult

LONGEST_PAUSE_S = 30.0
sleep = time.sleep


class Service(NamedTuple):
    name: str
    base: str
    """The variable with its address."""
    usual: str
    """The address without that."""
    key: str
    """The variable with its key."""
    headers: Callable[[str], Mapping[str, str]]
    """Those that carry the key."""


class Reply(NamedTuple):
    status: int
    value: Any
    """The JSON of the answer; None where it is none."""
    pause: float | None = None
    """Seconds after which the service wants to be asked again."""

    @property
    def complaint(self) -> str:
        """What the service says is wrong: its sentence, and its words for it."""
        error = self.value.get("error", self.value) if isinstance(self.value, dict) else ""
        fields = map(error.get, ("message", "code", "param")) if isinstance(error, dict) else (error,)
        return ", ".join(str(field) for field in fields if field)


def is_this_machine(host: str) -> bool:
    from ipaddress import ip_address  # 4 ms

    with suppress(ValueError):
        return ip_address(host).is_loopback
    return host == "localhost"


def address(service: Service) -> SplitResult:
    """Where the service is. Raises BadInput for an address that is none or would carry a prompt in the open. It is not
    quoted: people put passwords into addresses."""
    from urllib.parse import urlsplit

    try:
        at = urlsplit((os.environ.get(service.base) or service.usual).strip().rstrip("/"))
        host, port = at.hostname or "", at.port
    except ValueError:
        host, port = "", 0
    if not host or port == 0 or at.scheme not in ("http", "https") or "@" in at.netloc or at.query:
        raise BadInput(
            f"{service.base} is no address of a service.",
            f"It looks like {service.usual}, without a password.",
        )
    if at.scheme != "https" and not is_this_machine(host):
        raise BadInput(
            f"{service.base} would send the session to {host} without encryption.",
            "Use https://; plain http:// is for this machine alone.",
        )
    return at


def destination(service: Service) -> str:
    """Where prompts go; nothing for this machine."""
    at = address(service)
    return "" if is_this_machine(at.hostname or "") else at.netloc


def key(service: Service) -> str:
    """The key, or nothing for a service of this machine. Raises BadInput for one that no header can carry."""
    found = os.environ.get(service.key, "").strip()
    if not all("!" <= character <= "~" for character in found):
        raise BadInput(f"{service.key} has characters in it that no key has.", "Copy it again.")
    if not found and destination(service):
        raise Unavailable(
            f"{service.key} is not set.", "Set it, or name another --model.", failures.NOT_SIGNED_IN
        )
    return found


def post(service: Service, path: str, body: Any, seconds: float) -> Reply:
    """What the service answers, of whatever status. A busy one that says when to come back is asked once more, where the
    time allows."""
    end = time.monotonic() + seconds
    reply = _exchange(service, path, json.dumps(body).encode(), end)
    longest = min(LONGEST_PAUSE_S, end - time.monotonic())
    if reply.status in failures.BUSY and reply.pause is not None and reply.pause <= longest:
        sleep(reply.pause)
        reply = _exchange(service, path, json.dumps(body).encode(), end)
    return reply


def answer(service: Service, reply: Reply) -> dict[str, Any]:
    """The JSON object of a reply that succeeded. Raises Unavailable for any other."""
    if reply.status == 200 and isinstance(reply.value, dict):
        return reply.value
    if reply.status == 200 or 300 <= reply.status < 400:
        what = "redirects to another address, and the session is not sent there"
        what = "answered something else than a JSON object" if reply.status == 200 else what
        raise Unavailable(
            f"{service.name} {what}.", f"Check the address in {service.base}.", failures.WRONG_ADDRESS
        )
    said = reply.complaint or f"it answered {reply.status}"
    raise failures.failed(service.name, said, reply.status, f"Check {service.key} and {service.base}.")


def _exchange(service: Service, path: str, body: bytes, end: float) -> Reply:
    import socket
    import threading
    from http.client import HTTPConnection, HTTPSConnection  # 33 ms

    at, secret, left = address(service), key(service), max(0.001, end - time.monotonic())
    headers = {"Content-Type": "application/json", "Accept": "application/json", **service.headers(secret)}
    kind = HTTPSConnection if at.scheme == "https" else HTTPConnection
    connection = kind(at.hostname or "", at.port, timeout=left)
    sockets: list[socket.socket] = []
    outcome: list[Reply | Exception] = []

    def run() -> None:
        try:
            connection.connect()
            sockets.append(connection.sock)
            connection.request("POST", at.path + path, body, headers)
            with connection.getresponse() as response:
                data, told = response.read(LARGEST + 1), response.headers
            if len(data) > LARGEST:
                raise OverflowError
            text, pause = _without(secret, data.decode(errors="replace")), told.get("Retry-After", "")
            value = _read(text) if told.get_content_type().endswith("json") else None
            outcome.append(Reply(response.status, value, float(pause) if pause.isdecimal() else None))
        except Exception as fault:
            outcome.append(fault)
        finally:
            connection.close()

    # A thread of its own: a socket's timeout begins anew with every byte, and looking up a name has none.
    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(left)
    found = outcome[0] if outcome else TimeoutError()
    if isinstance(found, Reply):
        return found
    for one in sockets:
        with suppress(OSError):
            one.shutdown(socket.SHUT_RDWR)
    if isinstance(found, TimeoutError):
        raise Unavailable(f"{service.name} did not answer in time.", failures.AGAIN)
    if isinstance(found, OverflowError):
        raise Unavailable(f"{service.name} said more than {LARGEST:,} bytes.", failures.AGAIN)
    said = failures.quoted(getattr(found, "strerror", "") or _without(secret, str(found)) or type(found))
    raise Unavailable(
        f"{service.name} cannot be reached at {at.netloc}: {said}.",
        f"Check the network and {service.base}; proxies of the environment are not used.",
    )


def _without(secret: str, text: str) -> str:
    return text.replace(secret, "…") if secret else text


def _read(text: str) -> Any:
    with suppress(ValueError, RecursionError):
        return json.loads(text)
    return None
