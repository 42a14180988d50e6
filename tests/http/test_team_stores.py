"""A server on stores that are elsewhere: a database that comes and goes, a bucket that nobody answers for."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from itertools import islice
from pathlib import Path

import pytest

from segue.errors import Unavailable
from segue.service.threads import streams
from segue.service.workspace import Workspace
from segue.stores import postgres_watch
from segue.stores.postgres_address import POOL, parsed
from segue.surfaces.http import serving, workers

from ..stores import postgres_server
from .conftest import Serve, Served
from .test_events import following, take, until_comment


@pytest.fixture(scope="module")
def postgres() -> Iterator[postgres_server.Server]:
    with postgres_server.running() as server:
        yield server


def settle(root: Path, **stores: str) -> None:
    """Makes a workspace that keeps its log, or its artifacts, there."""
    root.mkdir()
    Workspace(str(root)).establish(**stores)


@pytest.fixture
def served(serve: Serve, tmp_path: Path, postgres: postgres_server.Server) -> Served:
    settle(tmp_path / "work", store=postgres.address_for(tmp_path))
    served = serve()
    assert served.call("POST", "/threads/ensure").status == 200
    return served


def test_followers_hear_by_notification_of_what_another_server_adds(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_watch, "LOOK_SECONDS", 1_000_000.0)
    elsewhere = Workspace(str(served.call.root))
    with following(served.call, "/threads/default/events") as stream:
        take(stream, 1)
        for number in range(3):
            streams.post(elsewhere, "default", f"from elsewhere {number}")
            assert take(stream, 1)[0][1]["content"] == f"from elsewhere {number}"
        assert served.serving.sites["default"].tail._poller is None
    elsewhere.close()


def test_listening_ends_with_the_last_follower_and_begins_again(served: Served) -> None:
    tail = served.serving.sites["default"].tail
    for _ in range(2):
        with following(served.call, "/threads/default/events?after_seq=0") as stream:
            until_comment(stream, b": frames")
            assert tail._stop_listening is not None
        while tail._stop_listening is not None:
            pass


def test_a_stream_survives_that_every_connection_to_the_database_is_cut(
    served: Served, postgres: postgres_server.Server
) -> None:
    elsewhere = Workspace(str(served.call.root))
    with following(served.call, "/threads/default/events") as stream:
        take(stream, 1)
        assert postgres.terminate_backends() > 0
        streams.post(elsewhere, "default", "after the cut")
        assert take(stream, 1)[0][1]["content"] == "after the cut"
    elsewhere.close()


def test_a_database_that_is_away_is_a_503_that_names_no_place_until_it_is_back(
    served: Served, postgres: postgres_server.Server
) -> None:
    postgres.control("-m", "immediate", "stop")
    try:
        asked = [("GET", "/threads/default"), ("POST", "/threads/ensure"), ("GET", "/healthz")]
        for method, path in asked:
            answer = served.call(method, path)
            assert answer.status == 503
            assert str(postgres.folder) not in answer.body.decode()
            assert "postgres" not in answer.body.decode()
        assert "do not answer: log." in answer.json["detail"]
    finally:
        postgres.control("start")
    assert served.call("POST", "/threads/default/messages", {"content": "back"}).status == 201
    assert served.call("GET", "/healthz").status == 200


def test_a_stream_whose_store_goes_away_ends_in_order(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: object, **__: object) -> None:
        raise Unavailable("The log is away.", "Wait for it.", "unreachable")

    with following(served.call, "/threads/default/events") as stream:
        take(stream, 1)
        monkeypatch.setattr(served.serving.sites["default"].tail.log, "read", away)
        served.call("POST", "/threads/default/messages", {"content": "x"})
        assert b"data: " not in stream.read()
    assert "Exception" not in served.told()


def test_a_bucket_that_is_away_is_a_503_that_names_no_place(
    serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "key")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    settle(tmp_path / "work", artifacts="s3://private-bucket/work?endpoint=http://127.0.0.1:1&timeout=1")
    call = serve().call
    for method, path in (("GET", "/artifacts/" + "0" * 64), ("HEAD", "/artifacts/" + "0" * 64)):
        assert call(method, path).status == 503
    for answer in (call("POST", "/artifacts", data=b"x"), call("GET", "/healthz", token=None)):
        assert answer.status == 503
        assert "private-bucket" not in answer.body.decode()
        assert "127.0.0.1" not in answer.body.decode()
    assert "do not answer: artifacts." in answer.json["detail"]
    assert call("POST", "/threads/ensure").status == 200


def test_a_crowd_that_the_database_keeps_waiting_is_bounded_and_told_to_come_back(
    served: Served, postgres: postgres_server.Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    crowd, waiting = 256, 32
    monkeypatch.setattr(workers, "MOST_WAITING", waiting)
    held = crowd - serving.WRITERS - waiting
    thread_id = served.call("POST", "/threads", {}).json["thread_id"]
    schema = parsed(postgres.address_for(tmp_path)).schema
    backends = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'segue'"
    with postgres.administrator() as db, ThreadPoolExecutor(crowd) as callers:
        db.execute(f"BEGIN; LOCK TABLE {schema}.heads IN ACCESS EXCLUSIVE MODE")
        messages = f"/threads/{thread_id}/messages"
        asked = [callers.submit(served.call, "POST", messages, {"content": str(n)}) for n in range(crowd)]
        refused = [one.result() for one in islice(as_completed(asked), held)]
        ((connections,),) = db.execute(backends).fetchall()
        db.execute("COMMIT")
        answers = [one.result() for one in asked]
    assert len(refused) == held
    for answer in refused:
        assert (answer.status, answer.json["code"]) == (503, "overloaded")
        assert answer.headers["retry-after"] == "1"
    assert connections <= POOL + 1
    done = [answer for answer in answers if answer.status == 201]
    assert sorted(answer.json["seq"] for answer in done) == list(range(1, len(done) + 1))
    assert {answer.status for answer in answers} == {201, 503}
    assert served.call("GET", f"/threads/{thread_id}").json["head_seq"] == len(done)
