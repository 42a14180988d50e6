"""Threads as an operation sees them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from segue.errors import BadInput, Conflict, NotFound
from segue.model import wire
from segue.model.frame import BRANCHED, CREATED, HANDOFF, RUN_ENDED, RUN_SPAWNED, Draft
from segue.model.ids import new_id
from segue.model.thread import Provenance
from segue.service.threads import streams
from segue.service.threads.naming import resolve
from segue.service.workspace import Workspace

ALICE = Provenance("alice", "test")


def started(workspace: Workspace, messages: int = 3) -> str:
    thread_id = streams.create(workspace, "work")["thread_id"]
    for number in range(messages):
        streams.post(workspace, thread_id, f"message {number}")
    return str(thread_id)


def test_a_folder_is_no_file_to_refer_to(workspace: Workspace, tmp_path: Path) -> None:
    thread_id = streams.create(workspace)["thread_id"]
    (tmp_path / "folder").mkdir()
    refs: dict[str, list[dict[str, Any]]] = {"files": [{"path": "folder"}]}
    with pytest.raises(BadInput, match="is a folder"):
        streams.handoff(workspace, thread_id, summary_markdown="s", refs=refs)


def test_ensure_gives_the_same_thread_ever_after(workspace: Workspace) -> None:
    first = streams.ensure(workspace)
    streams.branch(workspace, first["thread_id"])
    streams.create(workspace, "another")
    assert streams.ensure(workspace) == first
    assert [row["default"] for row in streams.list_threads(workspace)["threads"]] == [True, False, False]


def test_reading_creates_nothing(workspace: Workspace) -> None:
    assert streams.list_threads(workspace) == {"threads": []}
    assert streams.search(workspace, "anything") == {"hits": []}
    assert not workspace.exists


def test_a_child_is_created_and_linked_in_one_commit(workspace: Workspace) -> None:
    parent = started(workspace)
    child = streams.branch(workspace, parent, by=ALICE)["thread_id"]
    frames = [(frame.type, frame.data.get("actor_id")) for frame in streams.events(workspace, child)]
    assert frames == [(CREATED, "alice"), (BRANCHED, "alice")]


def test_a_branch_records_the_head_it_was_cut_at(workspace: Workspace) -> None:
    parent = started(workspace, 2)
    made = streams.branch(workspace, parent)
    streams.post(workspace, parent, "later")
    assert made["parent_seq"] == 2
    assert streams.show(workspace, made["thread_id"])["parent"] == {
        "thread_id": parent,
        "seq": 2,
        "relation": "branch",
    }


def test_naming_a_message_cuts_after_its_whole_turn(workspace: Workspace) -> None:
    parent = started(workspace, 1)
    effects = [
        {"tool_id": "t1", "tool_name": "bash", "affected_paths": None, "command": "make", "exit_code": 2}
    ]
    asked = streams.post(workspace, parent, "do it", run="run-1", run_ended="completed", effects=effects)
    streams.post(workspace, parent, "next")
    assert (
        streams.branch(workspace, parent, from_message_id=asked["message_id"])["parent_seq"]
        == asked["seq"] + 3
    )


def test_a_run_that_has_not_ended_gives_the_smaller_cut(workspace: Workspace) -> None:
    parent = started(workspace, 0)
    asked = streams.post(workspace, parent, "do it", run="run-1")
    streams.post(workspace, parent, "next")
    assert (
        streams.branch(workspace, parent, from_message_id=asked["message_id"])["parent_seq"]
        == asked["seq"] + 1
    )


@pytest.mark.parametrize("operation", [streams.branch, streams.handoff])
def test_two_selectors_are_refused(workspace: Workspace, operation: object) -> None:
    parent = started(workspace)
    with pytest.raises(BadInput, match="not by both"):
        operation(workspace, parent, from_message_id="x", from_seq=1)  # type: ignore[operator]


def test_a_cut_beyond_the_head_is_refused(workspace: Workspace) -> None:
    with pytest.raises(BadInput, match="head is 3"):
        streams.branch(workspace, started(workspace), from_seq=4)


def test_a_message_of_another_thread_is_not_found_and_its_thread_is_named(workspace: Workspace) -> None:
    parent, other = started(workspace), started(workspace)
    message = streams.post(workspace, other, "over here")["message_id"]
    with pytest.raises(NotFound) as refusal:
        streams.branch(workspace, parent, from_message_id=message)
    assert other in refusal.value.hint


def test_a_handoff_carries_a_bundle_with_its_source_cut(workspace: Workspace) -> None:
    parent = started(workspace)
    made = streams.handoff(workspace, parent, summary_markdown="All is well.", goal="go on", by=ALICE)
    bundle = wire.decode(workspace.artifacts.get(made["summary_artifact_id"]))
    assert bundle["refs"]["threads"][0] == {
        "thread_id": parent,
        "seq": 3,
        "message_id": made["from_message_id"],
        "note": "source cut",
    }
    link = list(streams.events(workspace, made["thread_id"]))[1].data
    assert (link["type"], link["goal"], link["summary_markdown"]) == (HANDOFF, "go on", "All is well.")


def test_a_handoff_without_a_summary_is_refused(workspace: Workspace) -> None:
    with pytest.raises(BadInput, match="needs a summary"):
        streams.handoff(workspace, started(workspace))


def test_a_repeated_request_with_one_key_makes_one_child(workspace: Workspace) -> None:
    parent = started(workspace)
    first = streams.handoff(workspace, parent, summary_markdown="s", key="k")
    assert streams.handoff(workspace, parent, summary_markdown="s", key="k") == first
    assert len(streams.list_threads(workspace)["threads"]) == 2


def test_one_key_for_two_requests_is_a_clash(workspace: Workspace) -> None:
    parent = started(workspace)
    streams.branch(workspace, parent, key="k")
    with pytest.raises(Conflict) as caught:
        streams.branch(workspace, parent, title="other", key="k")
    assert caught.value.code == "idempotency_clash"


def test_of_two_writers_who_saw_one_head_one_wins(workspace: Workspace) -> None:
    thread_id = started(workspace)
    streams.post(workspace, thread_id, "first", expect=3)
    with pytest.raises(Conflict):
        streams.post(workspace, thread_id, "second", expect=3)


def test_an_abbreviated_id_must_be_unique(workspace: Workspace) -> None:
    first = second = ""
    while first[:8] != second[:8] or not first:  # the first 8 digits change once in 65 seconds
        first, second = started(workspace), started(workspace)
    assert resolve(workspace, first[:-1]) == first
    shared = first[: next(i for i in range(36) if first[i] != second[i])]
    with pytest.raises(BadInput, match="several"):
        resolve(workspace, shared)


def test_search_finds_titles_messages_and_paths_but_no_operators(workspace: Workspace) -> None:
    thread_id = started(workspace, 0)
    effects = [{"tool_id": "t", "tool_name": "edit", "affected_paths": ["src/retry_queue.py"]}]
    streams.post(workspace, thread_id, 'say "hello" OR NOT', run="r", effects=effects)
    streams.amend(workspace, thread_id, title="The backoff story")
    seqs = {
        word: [hit["seq"] for hit in streams.search(workspace, word)["hits"]]
        for word in ("backoff", '"hello"', "retry_queue", "NOT", "absent")
    }
    assert seqs == {"backoff": [4], '"hello"': [1], "retry_queue": [3], "NOT": [1], "absent": []}


def test_tags_and_archive_are_a_fold_over_frames(workspace: Workspace) -> None:
    thread_id = started(workspace)
    streams.amend(workspace, thread_id, add_tags=["b", "a"])
    streams.amend(workspace, thread_id, add_tags=["c"], remove_tags=["a"])
    streams.amend(workspace, thread_id, archived=True)
    assert streams.show(workspace, thread_id)["tags"] == ["b", "c"]
    assert streams.list_threads(workspace)["threads"] == []
    assert len(streams.list_threads(workspace, archived=True, tag="b")["threads"]) == 1
    streams.amend(workspace, thread_id, archived=False)
    assert len(streams.list_threads(workspace)["threads"]) == 1


@pytest.mark.parametrize("at_a_time", [1, 500])
def test_threads_are_listed_page_by_page_without_a_gap(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, at_a_time: int
) -> None:
    monkeypatch.setattr(streams, "_ABREAST", at_a_time)
    made = [streams.create(workspace, str(number))["thread_id"] for number in range(7)]
    streams.amend(workspace, made[3], archived=True)
    kept = [one for one in made if one != made[3]]
    pages, after = [], None
    while True:
        found = streams.list_threads(workspace, limit=2, after=after)
        pages.append([row["thread_id"] for row in found["threads"]])
        after = found.get("next_after")
        if after is None:
            break
    assert pages == [kept[:2], kept[2:4], kept[4:]]
    assert streams.list_threads(workspace, limit=6) == streams.list_threads(workspace)


def test_a_page_begins_after_a_thread_there_is(workspace: Workspace) -> None:
    thread_id = started(workspace)
    assert streams.list_threads(workspace, after=thread_id) == {"threads": []}
    with pytest.raises(NotFound):
        streams.list_threads(workspace, after=new_id())
    with pytest.raises(BadInput, match="limit"):
        streams.list_threads(workspace, limit=0)


def test_titles_lose_their_control_characters(workspace: Workspace) -> None:
    thread_id = streams.create(workspace, "a\x1b[31m\nb\t\u202e")["thread_id"]
    assert streams.show(workspace, thread_id)["title"] == "a [31m b"


def test_a_message_keeps_every_character_utf8_can_hold(workspace: Workspace) -> None:
    thread_id = started(workspace, 0)
    streams.post(workspace, thread_id, "\x00\x1b\u2028 ☃ \ud800")
    assert list(streams.events(workspace, thread_id))[1].data["content"] == "\x00\x1b\u2028 ☃ \ufffd"


def test_a_huge_message_is_refused_and_nothing_is_written(workspace: Workspace) -> None:
    thread_id = started(workspace, 0)
    with pytest.raises(BadInput, match="52 MB"):
        streams.post(workspace, thread_id, "x" * 52_000_000)
    assert streams.show(workspace, thread_id)["head_seq"] == 0


def test_a_secret_in_a_message_never_reaches_the_log(workspace: Workspace) -> None:
    secret = "gh" + "p_" + "A1b2C3d4" * 5
    thread_id = streams.create(workspace, f"title {secret}")["thread_id"]
    effects = [{"tool_id": "t", "tool_name": "bash", "affected_paths": None, "command": f"curl -H {secret}"}]
    streams.post(workspace, thread_id, f"use {secret}", run="r", effects=effects)
    made = streams.handoff(workspace, thread_id, summary_markdown=f"the token is {secret}", goal=secret)
    written = b"".join(
        frame.body for t in (thread_id, made["thread_id"]) for frame in streams.events(workspace, t)
    )
    kept = workspace.artifacts.get(made["summary_artifact_id"])
    assert secret.encode() not in written + kept
    assert (written.count(b"[redacted:github-token]"), kept.count(b"[redacted:github-token]")) == (5, 1)


def test_a_cut_at_an_early_message_reads_no_more_of_a_long_thread(workspace: Workspace) -> None:
    rows = {}
    for size in (20, 2000):
        parent = started(workspace, 0)
        asked = streams.post(workspace, parent, "do it", run="never-ends")
        for number in range(size):
            streams.post(workspace, parent, f"later {number}")
        streams.list_threads(workspace)
        before = workspace.log.rows_read
        made = streams.branch(workspace, parent, from_message_id=asked["message_id"])
        rows[size] = workspace.log.rows_read - before
        assert made["parent_seq"] == asked["seq"] + 1
    assert rows[2000] == rows[20]


def test_a_run_spawned_late_still_belongs_to_its_message(workspace: Workspace) -> None:
    parent = started(workspace, 0)
    asked = streams.post(workspace, parent, "do it")
    streams.post(workspace, parent, "meanwhile")
    by = {"actor_id": "user", "origin": "test"}
    drafts = [
        Draft(kind, {"run_session_id": "r", "message_id": asked["message_id"], "reason": "done", **by})
        for kind in (RUN_SPAWNED, RUN_ENDED)
    ]
    last = workspace.log.append(parent, drafts)[-1]
    assert streams.branch(workspace, parent, from_message_id=asked["message_id"])["parent_seq"] == last.seq


def test_a_callers_key_cannot_become_the_default_thread(workspace: Workspace) -> None:
    mine = streams.create(workspace, "mine", key="default-thread")
    assert streams.ensure(workspace) != mine


def test_a_thread_cannot_refer_to_itself(workspace: Workspace) -> None:
    thread_id = started(workspace)
    with pytest.raises(BadInput, match="itself"):
        streams.reference(workspace, thread_id, thread_id)


def test_no_secret_hides_in_tags_reasons_or_provenance(workspace: Workspace) -> None:
    secret = "gh" + "p_" + "A1b2C3d4" * 5
    by = Provenance(secret, secret)
    thread_id = streams.create(workspace, by=by)["thread_id"]
    streams.post(workspace, thread_id, "x", run="r", run_ended=secret, by=by)
    streams.amend(workspace, thread_id, add_tags=[secret], by=by)
    written = b"".join(frame.body for frame in streams.events(workspace, thread_id))
    assert (written.count(secret.encode()), written.count(b"[redacted:github-token]")) == (0, 12)
