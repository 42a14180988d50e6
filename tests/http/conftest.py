"""A real server on a free loopback port, in this process or in one of its own, and a caller for it."""

from __future__ import annotations

import http.client
import io
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from segue.surfaces.http.serving import Options, Serving


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Caller:
    """Speaks to one server, with a token or without."""

    def __init__(self, port: int, token: str | None, root: Path) -> None:
        self.port = port
        self.token = token
        self.root = root

    def __call__(
        self,
        method: str,
        path: str,
        said: Any = None,
        *,
        data: bytes | None = None,
        headers: dict[str, str] | None = None,
        token: str | None = "",
    ) -> Answer:
        sent = {"Content-Type": "application/json"} if said is not None else {}
        shown = self.token if token == "" else token
        if shown is not None:
            sent["Authorization"] = f"Bearer {shown}"
        body = json.dumps(said).encode() if said is not None else data
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            connection.request(method, path, body, sent | (headers or {}))
            response = connection.getresponse()
            told = {name.lower(): value for name, value in response.getheaders()}
            return Answer(response.status, told, response.read())
        finally:
            connection.close()


class Served(NamedTuple):
    call: Caller
    serving: Serving
    log: io.StringIO

    def told(self) -> str:
        """What the server logged, once the line of this last request is there."""
        last = self.call("GET", "/healthz").headers["x-request-id"]
        while last not in self.log.getvalue():
            pass
        return self.log.getvalue()


@contextmanager
def running(options: Options, root: Path) -> Iterator[Served]:
    log = io.StringIO()
    serving = Serving(options, log)
    thread = threading.Thread(target=serving.run)
    thread.start()
    try:
        yield Served(Caller(serving.port, serving.secret, root), serving, log)
    finally:
        serving.stop()
        thread.join(20)
        assert not thread.is_alive()


Serve = Callable[..., Served]


@contextmanager
def starter(folder: Path) -> Iterator[Serve]:
    """Starts servers that know no other home than a scratch one; by default for one workspace, with a token
    of this run."""
    open_servers = []

    def start(**options: Any) -> Served:
        root = folder / "work"
        root.mkdir(exist_ok=True)
        options.setdefault("workspaces", {"default": str(root)})
        server = running(Options(**{"port": 0, **options}), root)
        served = server.__enter__()
        open_servers.append(server)
        return served

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(folder / "home"))
        patch.delenv("XDG_CONFIG_HOME", raising=False)
        yield start
        for server in open_servers:
            server.__exit__(None, None, None)


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    with starter(tmp_path) as start:
        yield start


@pytest.fixture(scope="module")
def call(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Caller]:
    """A caller of one server, which the tests of a module share."""
    with starter(tmp_path_factory.mktemp("served")) as start:
        yield start().call
