"""A keyed request is done once, whoever asks again, and a key belongs to one request."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from segue.errors import BadInput, Unavailable
from segue.model.frame import Draft
from segue.model.thread import Provenance
from segue.model.wire import stream_named
from segue.service import idempotency
from segue.service.operations import OPERATIONS, Operation, named
from segue.service.signatures import signature
from segue.service.threads import streams
from segue.service.workspace import Workspace
from segue.stores.contract import NEW

from .conftest import Caller

BY = Provenance("user", "server")


@pytest.mark.parametrize(
    ("path", "said", "other"),
    [
        ("/threads", {"title": "a"}, {"title": "b"}),
        ("/threads/default/messages", {"content": "a"}, {"content": "b"}),
        ("/threads/default/branch", {"title": "a"}, {"title": "b"}),
        ("/changes/init", {"project": "a"}, {"project": "b"}),
        ("/changes", {"title": "Mend the retry"}, {"title": "Mend the other retry"}),
    ],
)
def test_a_repeated_request_gets_the_first_answer_and_another_one_a_conflict(
    call: Caller, path: str, said: dict[str, Any], other: dict[str, Any]
) -> None:
    call("POST", "/threads/ensure")
    call("POST", "/changes/init", {"project": "a"})
    keyed = {"Idempotency-Key": f"k{path}"}
    first, again = (call("POST", path, said, headers=keyed) for _ in range(2))
    assert first.status in (200, 201)
    assert (again.status, again.json) == (first.status, first.json)
    clash = call("POST", path, other, headers=keyed)
    assert (clash.status, clash.json["code"]) == (409, "idempotency_clash")


def test_bytes_are_part_of_a_request(call: Caller) -> None:
    keyed = {"Idempotency-Key": "bytes"}
    assert call("POST", "/artifacts", data=b"one", headers=keyed).status == 201
    assert call("POST", "/artifacts", data=b"one", headers=keyed).status == 201
    assert call("POST", "/artifacts", data=b"two", headers=keyed).json["code"] == "idempotency_clash"


@pytest.mark.parametrize("key", ["", "x" * 201, "a%0ab", "%00"])
def test_a_key_is_short_and_visible(call: Caller, key: str) -> None:
    assert call("POST", "/threads", {}, headers={"Idempotency-Key": key}).status == 400


@pytest.mark.parametrize(
    "operation",
    [row for row in OPERATIONS if row.writes and not signature(row).keyed],
    ids=lambda row: row.name,
)
def test_an_interrupted_request_is_in_doubt(tmp_path: Path, operation: Operation) -> None:
    workspace = Workspace(str(tmp_path)).establish()
    claim = {"operation": operation.name, "request": idempotency._digest(operation, {}, BY)}
    workspace.log.append(
        stream_named("request:k"), [Draft(idempotency.CLAIMED, claim)], expect=NEW, stream_kind="session"
    )
    with pytest.raises(Exception, match="in doubt") as told:
        idempotency.perform_once(operation, workspace, {}, BY, "k")
    assert getattr(told.value, "code", "") == "in_doubt"


@pytest.fixture
def performing(monkeypatch: pytest.MonkeyPatch) -> Callable[[list[Any]], list[int]]:
    """Lets `perform` do what a list says, one entry a call, and counts the calls."""

    def script(outcomes: list[Any]) -> list[int]:
        calls: list[int] = []

        def perform(*_: object) -> Any:
            calls.append(1)
            outcome = outcomes[len(calls) - 1]
            if isinstance(outcome, Exception):
                raise outcome
            return outcome

        monkeypatch.setattr(idempotency, "perform", perform)
        return calls

    return script


def test_a_refused_request_may_be_tried_again_with_its_key(
    tmp_path: Path, performing: Callable[[list[Any]], list[int]]
) -> None:
    calls = performing([BadInput("No.", "Mend it."), {"done": True}])
    workspace, row = Workspace(str(tmp_path)), named("change.rebuild")
    with pytest.raises(BadInput):
        idempotency.perform_once(row, workspace, {}, BY, "k")
    assert [idempotency.perform_once(row, workspace, {}, BY, "k") for _ in range(2)] == [{"done": True}] * 2
    assert len(calls) == 2


def test_a_request_that_met_a_failing_store_stays_in_doubt(
    tmp_path: Path, performing: Callable[[list[Any]], list[int]]
) -> None:
    calls = performing([Unavailable("Gone.", "Wait.")])
    workspace, row = Workspace(str(tmp_path)), named("change.rebuild")
    with pytest.raises(Unavailable):
        idempotency.perform_once(row, workspace, {}, BY, "k")
    with pytest.raises(Exception, match="in doubt"):
        idempotency.perform_once(row, workspace, {}, BY, "k")
    assert len(calls) == 1


def test_streams_of_keys_are_no_threads(call: Caller) -> None:
    call("POST", "/threads/ensure", headers={"Idempotency-Key": "e"})
    workspace = Workspace(str(call.root))
    kinds = {head.stream_kind for head in workspace.log.heads()}
    assert kinds == {"continuity", "session"}
    listed = {row["thread_id"] for row in streams.list_threads(workspace)["threads"]}
    assert stream_named("request:e") not in listed
