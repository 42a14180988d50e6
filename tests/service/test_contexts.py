"""Compiled context: what is inherited, what is not, and that it comes out the same every time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from segue.errors import BadInput
from segue.service import contexts, threads
from segue.service.workspace import Workspace


def said(made: dict[str, Any]) -> list[str]:
    return [item["content"] for item in made["bundle"]["items"] if item["type"] == "message"]


def thread_with(workspace: Workspace, *messages: str) -> str:
    thread_id: str = threads.create(workspace)["thread_id"]
    for message in messages:
        threads.post(workspace, thread_id, message)
    return thread_id


def test_a_branch_inherits_the_parent_up_to_the_cut(workspace: Workspace) -> None:
    parent = thread_with(workspace, "one", "two", "three")
    child = threads.branch(workspace, parent, from_seq=2)["thread_id"]
    grandchild = threads.branch(workspace, child)["thread_id"]
    threads.post(workspace, child, "never seen")
    threads.post(workspace, grandchild, "four")
    assert said(contexts.compile_thread(workspace, grandchild)) == ["one", "two", "four"]


def test_a_handoff_starts_from_its_bundle_and_never_sees_the_parent(
    workspace: Workspace, tmp_path: Path
) -> None:
    (tmp_path / "notes.md").write_text("the notes\n")
    parent = thread_with(workspace, "secret history")
    side = thread_with(workspace, "a side discussion")
    refs = {"threads": [{"thread_id": side}], "files": [{"path": "notes.md"}]}
    child = threads.handoff(workspace, parent, summary_markdown="the summary", refs=refs)["thread_id"]
    (tmp_path / "notes.md").write_text("changed later\n")
    threads.post(workspace, child, "go")
    items = contexts.compile_thread(workspace, child)["bundle"]["items"]
    assert [(item["type"], item["content"]) for item in items] == [
        ("handoff_bundle_ref", "the summary"),
        ("file_ref", "the notes\n"),
        ("message", "a side discussion"),
        ("message", "go"),
    ]


def test_references_bring_their_last_messages(workspace: Workspace) -> None:
    other = thread_with(workspace, "old", "relevant")
    thread_id = thread_with(workspace, "start")
    threads.reference(workspace, thread_id, other, 2, "why")
    assert said(contexts.compile_thread(workspace, thread_id)) == ["old", "relevant", "start"]


def test_the_budget_is_never_exceeded_and_the_newest_stays(workspace: Workspace) -> None:
    thread_id = thread_with(workspace, *(f"message number {n} " * 20 for n in range(50)))
    made = contexts.compile_thread(workspace, thread_id, budget=400)
    assert made["tokens"] <= 400
    assert said(made)[-1].startswith("message number 49")
    assert said(made) == sorted(said(made), key=lambda text: int(text.split()[2]))


def test_one_message_larger_than_the_budget_is_cut_and_marked(workspace: Workspace) -> None:
    thread_id = thread_with(workspace, "word " * 5000 + "the end")
    made = contexts.compile_thread(workspace, thread_id, budget=200)
    item = made["bundle"]["items"][0]
    assert item["truncated"] and item["content"].endswith("the end")
    assert made["tokens"] <= 200


def test_compiling_twice_gives_the_same_bundle(workspace: Workspace) -> None:
    thread_id = thread_with(workspace, "one", "two")
    first = contexts.compile_thread(workspace, thread_id)
    assert contexts.compile_thread(workspace, thread_id) == first


def test_compiling_at_a_recorded_cut_gives_the_same_bytes_whatever_came_after(workspace: Workspace) -> None:
    thread_id = thread_with(workspace, "one", "two")
    first = contexts.compile_thread(workspace, thread_id)
    cut = first["bundle"]["source"]["from_seq"]
    for n in range(5):
        threads.post(workspace, thread_id, f"more {n}")
    contexts.checkpoint(workspace, thread_id)
    threads.rename(workspace, thread_id, "renamed")
    assert contexts.compile_thread(workspace, thread_id, at_seq=cut) == first
    assert contexts.audit(workspace, thread_id) == {"ok": True, "checked": 2, "findings": []}


def test_the_audit_finds_a_bundle_that_no_longer_comes_out(workspace: Workspace, tmp_path: Path) -> None:
    parent = thread_with(workspace, "one")
    made = threads.handoff(workspace, parent, summary_markdown="the summary")
    contexts.compile_thread(workspace, made["thread_id"])
    (tmp_path / ".segue" / "artifacts" / "blobs" / made["summary_artifact_id"]).unlink()
    report = contexts.audit(workspace, made["thread_id"])
    assert (report["ok"], [f["kind"] for f in report["findings"]]) == (False, ["compile_differs"])


def test_the_selection_and_the_bundle_are_recorded_together(workspace: Workspace) -> None:
    thread_id = thread_with(workspace, "one")
    made = contexts.compile_thread(workspace, thread_id, budget=500, run="run-7")
    decided, compiled = [frame.data for frame in threads.events(workspace, thread_id)][-2:]
    assert decided["limits"]["budget_tokens"] == 500
    assert compiled["bundle_artifact_id"] == made["bundle_artifact_id"]
    assert compiled["run_session_id"] == decided["run_session_id"] == "run-7"


def test_a_long_history_is_not_read_to_fill_a_small_budget(workspace: Workspace) -> None:
    rows = {}
    for size in (200, 2000):
        thread_id = thread_with(workspace, *(f"message {n}" for n in range(size)))
        before = workspace.log.rows_read
        contexts.compile_thread(workspace, thread_id, budget=100)
        rows[size] = workspace.log.rows_read - before
    assert rows[2000] == rows[200]


def test_branch_and_handoff_read_as_little_of_a_long_thread_as_of_a_short_one(workspace: Workspace) -> None:
    rows = {}
    for size in (10, 1000):
        thread_id = thread_with(workspace, *(f"message {n}" for n in range(size)))
        before = workspace.log.rows_read
        threads.branch(workspace, thread_id)
        threads.handoff(workspace, thread_id, summary_markdown="s")
        rows[size] = workspace.log.rows_read - before
    assert rows[1000] == rows[10]


def test_a_thousand_generations_compile_without_recursion(workspace: Workspace) -> None:
    thread_id = thread_with(workspace, "the beginning")
    for _ in range(1000):
        thread_id = threads.branch(workspace, thread_id)["thread_id"]
    assert said(contexts.compile_thread(workspace, thread_id)) == ["the beginning"]


@pytest.mark.parametrize("budget", [0, -5, 63])
def test_a_budget_that_holds_nothing_is_refused(workspace: Workspace, budget: int) -> None:
    with pytest.raises(BadInput):
        contexts.compile_thread(workspace, thread_with(workspace, "one"), budget=budget)


def test_a_checkpoint_stands_for_what_lies_before_it(workspace: Workspace) -> None:
    thread_id = thread_with(workspace, "Never use tabs.", "two", "three")
    contexts.checkpoint(workspace, thread_id, to_seq=2)
    made = contexts.compile_thread(workspace, thread_id)
    kinds = [item["type"] for item in made["bundle"]["items"]]
    assert kinds == ["summary_ref", "message"]
    assert "Never use tabs." in made["bundle"]["items"][0]["content"]
    assert said(made) == ["three"]
    assert made["bundle"]["compiler"]["strategy"] == "summaries_recent_messages_v1"


def test_a_summary_too_large_for_the_budget_gives_way_to_the_messages_themselves(
    workspace: Workspace,
) -> None:
    thread_id = thread_with(workspace, "one", "two")
    contexts.checkpoint(workspace, thread_id, summary_markdown="long " * 2000, to_seq=1)
    assert said(contexts.compile_thread(workspace, thread_id, budget=200)) == ["one", "two"]


def test_automatic_checkpoints_fall_on_every_nth_message_and_build_on_each_other(
    workspace: Workspace,
) -> None:
    thread_id = thread_with(workspace, *(f"Always do {n}." for n in range(35)))
    job = contexts.checkpoint_automatically(workspace, thread_id, stride=10)
    assert [row["to_seq"] for row in job["result"]] == [10, 20, 30]
    assert contexts.checkpoint_automatically(workspace, thread_id, stride=10)["status"] == "noop"
    points = contexts.cut_points(workspace, thread_id, stride=10)["cut_points"]
    assert [p["already_checkpointed"] for p in points] == [True, True, True]
    items = contexts.compile_thread(workspace, thread_id)["bundle"]["items"]
    notes = [item["note"] for item in items if item["type"] == "summary_ref"]
    assert notes == ["summary up to seq 10", "summary up to seq 30"]


def test_a_summary_made_in_steps_equals_one_made_at_once(workspace: Workspace) -> None:
    texts = {}
    for steps in (5, 20):
        thread_id = thread_with(workspace, *(f"Never do {n}." for n in range(20)))
        contexts.checkpoint_automatically(workspace, thread_id, stride=steps, max_new=8)
        newest = contexts.compile_thread(workspace, thread_id)["bundle"]["items"]
        texts[steps] = [item["content"] for item in newest if item["type"] == "summary_ref"][-1]
    assert texts[5] == texts[20]


def test_a_checkpoint_of_another_thread_is_refused(workspace: Workspace) -> None:
    thread_id, other = thread_with(workspace, "one"), thread_with(workspace, "one")
    made = contexts.checkpoint(workspace, other)
    with pytest.raises(BadInput, match="covers"):
        contexts.checkpoint(workspace, thread_id, summary_artifact_id=made["summary_artifact_id"])


def test_a_damaged_summary_is_left_out_and_said(workspace: Workspace, tmp_path: Path) -> None:
    thread_id = thread_with(workspace, "one", "two")
    made = contexts.checkpoint(workspace, thread_id, to_seq=1)
    (tmp_path / ".segue" / "artifacts" / "blobs" / made["summary_artifact_id"]).unlink()
    assert said(contexts.compile_thread(workspace, thread_id)) == ["one", "two"]
    decided = next(
        f.data for f in threads.events(workspace, thread_id) if f.type.endswith("selection_decided")
    )
    assert decided["resets"][0]["input"] == "compaction_checkpoint"
