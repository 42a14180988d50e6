"""Whatever the table of operations says is served, with the answers of the service itself."""

from __future__ import annotations

import pytest

from segue.handoff.headings import DOCUMENT
from segue.service.operations import OPERATIONS, Operation
from segue.service.threads import streams
from segue.service.workspace import Workspace

from .conftest import Caller, Serve


def test_threads_are_made_written_to_branched_and_read(call: Caller) -> None:
    default = call("POST", "/threads/ensure").json["thread_id"]
    posted = call("POST", f"/threads/{default}/messages", {"content": "hello", "actor_id": "ada"})
    branched = call("POST", f"/threads/{default}/branch", {"from_seq": 1})
    assert (posted.status, posted.json["seq"]) == (201, 1)
    assert (branched.status, branched.json["parent_thread_id"], branched.json["parent_seq"]) == (
        201,
        default,
        1,
    )
    shown = call("GET", f"/threads/{default}")
    assert shown.json == streams.show(Workspace(str(call.root)), default)
    frame = call("GET", f"/threads/{default}/events?after_seq=0", headers={"Accept": "application/json"}).json
    assert frame["events"][0]["actor_id"] == "ada"
    assert frame["events"][0]["origin"] == "server"


def test_a_lookup_is_answered_anew_whoever_added_to_the_thread(call: Caller) -> None:
    made = call("POST", "/threads", {"title": "watched"}).json["thread_id"]
    elsewhere = Workspace(str(call.root))
    for writer in range(4):
        before = call("GET", f"/threads/{made}").json["head_seq"]
        assert call("GET", f"/threads/{made}").json["head_seq"] == before
        if writer % 2:
            call("POST", f"/threads/{made}/messages", {"content": "here"})
        else:
            streams.post(elsewhere, made, "elsewhere")
        assert call("GET", f"/threads/{made}").json["head_seq"] == before + 1
    child = call("POST", f"/threads/{made}/branch", {}).json["thread_id"]
    assert [row["thread_id"] for row in call("GET", f"/threads/{made}/lineage").json["children"]] == [child]
    elsewhere.close()


def test_threads_and_artifacts_are_listed_page_by_page(serve: Serve) -> None:
    call = serve().call
    made = [call("POST", "/threads", {"title": str(number)}).json["thread_id"] for number in range(3)]
    first = call("GET", "/threads?limit=2").json
    assert ([row["thread_id"] for row in first["threads"]], first["next_after"]) == (made[:2], made[1])
    rest = call("GET", f"/threads?limit=2&after={first['next_after']}").json
    assert ([row["thread_id"] for row in rest["threads"]], "next_after" in rest) == (made[2:], False)
    stored = sorted(call("POST", "/artifacts", data=b"%d" % n).json["artifact_id"] for n in range(3))
    listed = call("GET", f"/artifacts?limit=1&after={stored[0]}").json
    assert ([row["artifact_id"] for row in listed["artifacts"]], listed["next_after"]) == (
        stored[1:2],
        stored[1],
    )
    for path in ("/threads?limit=0", "/artifacts?limit=-1", "/artifacts?after=x"):
        assert call("GET", path).status == 400


@pytest.mark.parametrize("path", ["/threads", "/status", "/healthz", "/metrics", "/openapi.json"])
def test_whatever_can_be_got_can_be_asked_for_by_its_headers(call: Caller, path: str) -> None:
    got, asked = call("GET", path), call("HEAD", path)
    assert (asked.status, asked.body) == (200, b"")
    assert asked.headers["content-type"] == got.headers["content-type"]


def test_the_methods_of_an_address_are_told(call: Caller) -> None:
    assert call("DELETE", "/threads").headers["allow"] == "POST, GET, HEAD"
    assert call("HEAD", "/threads/ensure").headers["allow"] == "POST"


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
def test_every_operation_has_an_address_and_wants_a_token(call: Caller, operation: Operation) -> None:
    method, _, path = operation.route.partition(" ")
    answer = call(method, path.replace("{", "").replace("}", ""), token=None)
    assert (answer.status, answer.json["code"]) == (401, "unauthorized")


def test_an_approval_names_the_draft_that_was_reviewed(call: Caller) -> None:
    text = "\n".join(f"## {name}\n\n- Ported the retry loop in uploader.py [#19].\n" for name in DOCUMENT)
    first = call("POST", "/boundary/draft", {"text": text}).json["artifact_id"]
    second = call("POST", "/boundary/draft", {"text": text.replace("Ported", "Moved")}).json["artifact_id"]
    approve = "/boundary/draft/approve"
    asked = [
        call("POST", approve, given)
        for given in ({}, {"expect": second[:8]}, {"expect": first}, {"expect": second})
    ]
    assert [(one.status, one.json.get("code")) for one in asked] == [
        (400, "bad_input"),
        (400, "bad_input"),
        (409, "conflict"),
        (200, None),
    ]
    assert asked[3].json["artifact_id"] == second
