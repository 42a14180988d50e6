"""Whether a server is well: which kind of store is away, in bounded time, and no word of where it is."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from segue.errors import Unavailable
from segue.stores.blobs import Blobs
from segue.stores.sqlite import SqliteLog
from segue.surfaces.http import pulse

from .conftest import Answer, Serve

SECRET = "/var/run/postgresql/.s.PGSQL.5432 at db.internal"


def broken(*_: object, **__: object) -> None:
    raise Unavailable(f"The log in {SECRET} cannot be reached.", f"Look at {SECRET}.", "unreachable")


@pytest.mark.parametrize(
    ("store", "method", "kind"), [(SqliteLog, "head", "log"), (Blobs, "size", "artifacts")]
)
def test_a_store_that_does_not_answer_is_named_by_its_kind(
    serve: Serve, monkeypatch: pytest.MonkeyPatch, store: type, method: str, kind: str
) -> None:
    monkeypatch.setattr(store, method, broken)
    call = serve().call
    answer = call("GET", "/healthz", token=None)
    assert (answer.status, answer.json["code"]) == (503, "store_away")
    assert answer.json["detail"] == f"Of this server's stores, these do not answer: {kind}."
    metrics = call("GET", "/metrics").body.decode()
    assert f'segue_store_up{{workspace="default",kind="{kind}"}} 0' in metrics
    assert metrics.count("segue_store_up{") == 2


def test_a_silent_store_is_waited_for_a_bounded_time_by_one_thread(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    speaks = threading.Event()

    def silent(_: object, artifact_id: str) -> None:
        asked.append(artifact_id)
        speaks.wait()

    monkeypatch.setattr(pulse, "PATIENCE_SECONDS", 0.02)
    monkeypatch.setattr(Blobs, "size", silent)
    call = serve().call
    assert [call("GET", "/healthz").status for _ in range(5)] == [503] * 5
    assert len(asked) == 1
    speaks.set()
    while call("GET", "/healthz").status != 200:
        pass


def test_an_agent_hears_no_more_of_it_over_mcp(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    served = serve()
    monkeypatch.setattr("segue.service.signatures.perform", broken)
    headers = {"Accept": "application/json"}

    def said(method: str, **params: Any) -> Answer:
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        return served.call("POST", "/mcp", message, headers=headers)

    about = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "a", "version": "1"}}
    headers["Mcp-Session-Id"] = said("initialize", **about).headers["mcp-session-id"]
    tools = said("tools/list").json["result"]["tools"]
    answer = said("tools/call", name=tools[0]["name"], arguments={}).json["result"]
    assert answer["isError"]
    assert answer["content"][0]["text"].startswith("A store of this server cannot be reached.")
    assert SECRET in served.told()


def test_what_is_wrong_with_a_store_is_for_the_log_and_its_code_for_callers(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    served = serve()
    monkeypatch.setattr("segue.surfaces.http.answering.perform", broken)
    answer = served.call("GET", "/status", headers={"X-Request-Id": "mine"})
    assert (answer.status, answer.json["code"]) == (503, "unreachable")
    assert answer.json["detail"] == "A store of this server cannot be reached."
    assert "postgresql" not in answer.body.decode()
    lines = [line for line in served.told().splitlines() if '"unavailable"' in line]
    assert len(lines) == 1
    assert SECRET in lines[0]
    assert '"request_id":"mine"' in lines[0]
