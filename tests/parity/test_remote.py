"""What a client of a server can do beyond calls: bytes, streams, sessions of its own machine, bad addresses."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from segue.errors import BadInput, Refused, Unavailable
from segue.sdk.client import Client
from segue.sdk.remote import Remote
from segue.surfaces.http.serving import Serving

from .conftest import SAMPLE, served


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "work").mkdir()
    return tmp_path / "work"


@pytest.fixture
def serving(root: Path) -> Iterator[Serving]:
    with served(root) as running:
        yield running


@pytest.fixture
def client(serving: Serving) -> Iterator[Client]:
    with Client(server=serving.url, token=serving.secret) as made:
        yield made


def test_bytes_go_there_and_back(client: Client) -> None:
    data = bytes(range(256)) * 300
    stored = client.artifacts.put(data)
    assert client.artifacts.get(stored["artifact_id"]) == data
    assert client.artifacts.get(stored["artifact_id"], offset=7, max_bytes=3) == data[7:10]


def test_events_end_or_follow_as_asked(client: Client) -> None:
    thread = client.threads.create()["thread_id"]
    for n in range(3):
        client.threads.post(thread, f"{n}")
    assert [frame["seq"] for frame in client.threads.events(thread)] == [0, 1, 2, 3]
    stream = client.threads.events(thread, after_seq=2, follow=True, max_events=2)
    assert next(stream)["content"] == "2"
    client.threads.post(thread, "late")
    assert [frame["content"] for frame in stream] == ["late"]


def test_a_stream_goes_on_where_it_broke(root: Path) -> None:
    with served(root, no_token=True) as first:
        port = first.port
        client = Client(server=first.url)
        thread = client.threads.create()["thread_id"]
        stream = client.threads.events(thread, follow=True, max_events=2)
        assert next(stream)["seq"] == 0
    client.close()
    with Client(str(root)) as here:
        here.threads.post(thread, "while nobody served")
    with served(root, port, no_token=True):
        assert [frame["content"] for frame in stream] == ["while nobody served"]


def test_a_follower_waits_for_a_server_however_long_it_is_away(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses: list[float] = []
    lost: list[Unavailable] = []
    with served(root, no_token=True) as first:
        remote = Remote(first.url)
        thread = remote.call("thread.create", {})["thread_id"]
        stream = remote.events(thread, follow=True, max_events=2, lost=lost.append)
        assert json.loads(next(stream))["seq"] == 0
    remote.close()
    with Client(str(root)) as here:
        here.threads.post(thread, "while nobody served")
    with ExitStack() as later:

        def pause(seconds: float) -> None:
            pauses.append(seconds)
            if len(pauses) == 20:
                later.enter_context(served(root, first.port, no_token=True))

        monkeypatch.setattr("segue.sdk.remote.time.sleep", pause)
        assert [json.loads(frame)["content"] for frame in stream] == ["while nobody served"]
    assert (len(pauses), sorted(pauses), len(lost)) == (20, pauses, 1)


def test_a_server_that_was_never_there_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("segue.sdk.remote.time.sleep", lambda seconds: pytest.fail("it waited"))
    with pytest.raises(Unavailable, match="cannot be reached"):
        next(Remote("http://127.0.0.1:1").events("default", follow=True))


def test_what_the_servers_log_says_more_about_comes_with_the_id_it_is_found_under(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def status(workspace: object) -> None:
        raise Unavailable("The disk is full.", "Make room.", "full")

    monkeypatch.setattr("segue.service.operations._loaded", lambda function: status)
    with pytest.raises(Unavailable, match="no room left") as caught:
        client.status()
    assert re.search(r"under the request id\. The request id is [0-9a-f-]+\.$", caught.value.hint)


def test_an_awaited_stream_of_a_server_can_be_left(client: Client) -> None:
    async def walk() -> list[int]:
        thread = (await client.aio.threads.create())["thread_id"]
        async for frame in client.aio.threads.events(thread, follow=True):
            return [frame["seq"]]
        return []

    assert asyncio.run(walk()) == [0]


def test_a_session_of_this_machine_becomes_a_thread_there(
    serving: Serving, client: Client, tmp_path: Path
) -> None:
    session = tmp_path / "session.jsonl"
    session.write_text(SAMPLE.read_text(encoding="utf-8").replace("{cwd}", "/elsewhere"), encoding="utf-8")
    environment = {**os.environ, "SEGUE_SERVER": serving.url, "SEGUE_TOKEN": serving.secret or ""}

    def segue(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "segue", *words]
        return subprocess.run(command, env=environment, capture_output=True, text=True, cwd=tmp_path)

    first, again = (json.loads(segue("sessions", "import", str(session), "--json").stdout) for _ in range(2))
    assert (first["agent"], again["added"]) == ("claude-code", 0)
    (tmp_path / "local").mkdir()
    segue("sessions", "import", str(session), "--workspace", str(tmp_path / "local"))
    with Client(str(tmp_path / "local")) as local:
        (mine,) = local.threads.list()["threads"]
        told = [frame.get("content") for frame in local.threads.events(mine["thread_id"])]
    assert [frame.get("content") for frame in client.threads.events(first["thread_id"])] == told
    committed = segue("handoff", "finish it", "--from", str(session), "--yes", "--json")
    child = json.loads(committed.stdout)
    assert client.threads.show(child["thread_id"])["parent"]["thread_id"] == first["thread_id"]
    assert "finish it" in child["packet"]


def test_wrong_tokens_and_addresses_are_sentences(serving: Serving) -> None:
    with Client(server=serving.url, token="segue_wrong") as client, pytest.raises(Refused):
        client.threads.list()
    with Client(server="http://127.0.0.1:1") as client, pytest.raises(Unavailable, match="cannot be reached"):
        client.threads.list()
    for address in ("ftp://somewhere", "http://", "http://user:secret@host", "http://host:port"):
        with pytest.raises(BadInput) as refused:
            Remote(address)
        assert "secret" not in refused.value.message + refused.value.hint


@pytest.mark.parametrize("token", ["secret\nX-More: 1", "sécret", "two secrets"])
def test_a_token_that_cannot_be_sent_is_refused_and_not_quoted(token: str) -> None:
    with pytest.raises(BadInput) as refused:
        Remote("http://127.0.0.1:7878", token)
    assert "cret" not in refused.value.message + refused.value.hint


def test_the_end_of_a_line_is_no_part_of_a_token(serving: Serving) -> None:
    with Client(server=serving.url, token=f"{serving.secret}\n") as client:
        assert client.threads.list() == {"threads": []}


def test_a_write_does_not_meet_a_connection_that_the_server_closed(root: Path) -> None:
    with served(root, no_token=True) as first:
        client = Client(server=first.url)
        thread = client.threads.create()["thread_id"]
    with served(root, first.port, no_token=True), client:
        assert client.threads.post(thread, "after a while")["seq"] == 1


def test_a_client_is_shared_by_threads(client: Client) -> None:
    thread = client.threads.create()["thread_id"]
    seqs: list[int] = []

    def post() -> None:
        for _ in range(10):
            seqs.append(client.threads.post(thread, "x")["seq"])

    workers = [threading.Thread(target=post) for _ in range(6)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert sorted(seqs) == list(range(1, 61))
