"""Compiled context: what is inherited, what is not, and that it comes out the same every time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from segue.errors import BadInput, Unavailable
from segue.extract.tokens import count
from segue.model import wire
from segue.model.frame import JOB_ENDED, JOB_SPAWNED, REFERENCED, SELECTION, Draft
from segue.service.threads import contexts, streams
from segue.service.workspace import Workspace


def said(made: dict[str, Any]) -> list[str]:
    return [item["content"] for item in made["bundle"]["items"] if item["type"] == "message"]


def thread_with(workspace: Workspace, *messages: str) -> str:
    thread_id: str = streams.create(workspace)["thread_id"]
    for message in messages:
        streams.post(workspace, thread_id, message)
    return thread_id


def items_of(made: dict[str, Any], *kinds: str) -> list[dict[str, Any]]:
    return [item for item in made["bundle"]["items"] if item["type"] in kinds]


def decided(workspace: Workspace, thread_id: str) -> dict[str, Any]:
    """The newest recorded decision."""
    frames = streams.events(workspace, thread_id)
    return [frame.data for frame in frames if frame.type == SELECTION][-1]


def lose(workspace: Workspace, artifact_id: str) -> None:
    (Path(workspace.folder) / "artifacts" / "blobs" / artifact_id).unlink()


def test_a_branch_inherits_the_parent_up_to_the_cut(workspace: Workspace) -> None:
    parent = thread_with(workspace, "one", "two", "three")
    child = streams.branch(workspace, parent, from_seq=2)["thread_id"]
    grandchild = streams.branch(workspace, child)["thread_id"]
    streams.post(workspace, child, "never seen")
    streams.post(workspace, grandchild, "four")
    assert said(contexts.compile_thread(workspace, grandchild)) == ["one", "two", "four"]


def test_a_handoff_starts_from_its_bundle_and_never_sees_the_parent(
    workspace: Workspace, tmp_path: Path
) -> None:
    (tmp_path / "notes.md").write_text("the notes\n")
    parent = thread_with(workspace, "secret history")
    side = thread_with(workspace, "a side discussion")
    refs = {"threads": [{"thread_id": side}], "files": [{"path": "notes.md"}]}
    child = streams.handoff(workspace, parent, summary_markdown="the summary", refs=refs)["thread_id"]
    (tmp_path / "notes.md").write_text("changed later\n")
    streams.post(workspace, child, "go")
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
    streams.reference(workspace, thread_id, other, 2, "why")
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
        streams.post(workspace, thread_id, f"more {n}")
    contexts.checkpoint(workspace, thread_id)
    streams.amend(workspace, thread_id, title="renamed")
    assert contexts.compile_thread(workspace, thread_id, at_seq=cut) == first
    assert contexts.audit(workspace, thread_id) == {"ok": True, "checked": 2, "findings": []}


def test_the_audit_finds_a_bundle_that_no_longer_comes_out(workspace: Workspace) -> None:
    parent = thread_with(workspace, "one")
    made = streams.handoff(workspace, parent, summary_markdown="the summary")
    contexts.compile_thread(workspace, made["thread_id"])
    bundle = wire.decode(workspace.artifacts.get(made["summary_artifact_id"]))
    lose(workspace, made["summary_artifact_id"])
    report = contexts.audit(workspace, made["thread_id"])
    assert (report["ok"], [f["kind"] for f in report["findings"]]) == (False, ["compile_differs"])
    with pytest.raises(Unavailable, match=made["summary_artifact_id"]):
        contexts.compile_thread(workspace, made["thread_id"])
    workspace.artifacts.put(wire.canonical(bundle))
    assert contexts.audit(workspace, made["thread_id"])["ok"]


def test_the_selection_and_the_bundle_are_recorded_together(workspace: Workspace) -> None:
    thread_id = thread_with(workspace, "one")
    made = contexts.compile_thread(workspace, thread_id, budget=500, run="run-7")
    selection, compiled = [frame.data for frame in streams.events(workspace, thread_id)][-2:]
    assert selection["limits"]["budget_tokens"] == 500
    assert compiled["bundle_artifact_id"] == made["bundle_artifact_id"]
    assert compiled["run_session_id"] == selection["run_session_id"] == "run-7"


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
        streams.branch(workspace, thread_id)
        streams.handoff(workspace, thread_id, summary_markdown="s")
        rows[size] = workspace.log.rows_read - before
    assert rows[1000] == rows[10]


def test_a_thousand_generations_compile_without_recursion(workspace: Workspace) -> None:
    thread_id = thread_with(workspace, "the beginning")
    for _ in range(1000):
        thread_id = streams.branch(workspace, thread_id)["thread_id"]
    assert said(contexts.compile_thread(workspace, thread_id)) == ["the beginning"]


@pytest.mark.parametrize("budget", [0, -5, 63])
def test_a_budget_that_holds_nothing_is_refused(workspace: Workspace, budget: int) -> None:
    with pytest.raises(BadInput):
        contexts.compile_thread(workspace, thread_with(workspace, "one"), budget=budget)


def test_a_checkpoint_stands_for_what_lies_before_it(workspace: Workspace) -> None:
    thread_id = thread_with(workspace, "Never use tabs.", "two " * 400, "three")
    contexts.checkpoint(workspace, thread_id, to_seq=2)
    made = contexts.compile_thread(workspace, thread_id, budget=300)
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


def test_a_job_says_how_many_checkpoints_are_still_due_and_a_dry_run_names_all(workspace: Workspace) -> None:
    thread_id = thread_with(workspace, *(f"message {n}" for n in range(40)))
    dry = contexts.checkpoint_automatically(workspace, thread_id, stride=2, dry_run=True)
    assert [row["target_message_ordinal"] for row in dry["planned"]] == list(range(2, 41, 2))
    assert (dry["status"], dry["still_due"]) == ("noop", 20)
    made = contexts.checkpoint_automatically(workspace, thread_id, stride=2)
    assert (len(made["planned"]), len(made["result"]), made["still_due"]) == (8, 8, 12)
    rest = contexts.checkpoint_automatically(workspace, thread_id, stride=2, max_new=32)
    assert (len(rest["result"]), rest["still_due"]) == (12, 0)


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


def test_a_damaged_summary_is_left_out_and_said(workspace: Workspace) -> None:
    thread_id = thread_with(workspace, "one", "two")
    made = contexts.checkpoint(workspace, thread_id, to_seq=1)
    lose(workspace, made["summary_artifact_id"])
    assert said(contexts.compile_thread(workspace, thread_id)) == ["one", "two"]
    assert decided(workspace, thread_id)["resets"][0]["input"] == "compaction_checkpoint"


def test_a_checkpoint_of_a_branch_leaves_what_the_branch_inherited(workspace: Workspace) -> None:
    parent = thread_with(workspace, "one", "two")
    child = streams.branch(workspace, parent)["thread_id"]
    streams.post(workspace, child, "three")
    contexts.checkpoint(workspace, child)
    streams.post(workspace, child, "four")
    items = contexts.compile_thread(workspace, child)["bundle"]["items"]
    assert [(item["type"], item["thread_id"]) for item in items] == [
        ("message", parent),
        ("message", parent),
        ("summary_ref", child),
        ("message", child),
        ("message", child),
    ]


def test_each_thread_of_a_line_is_covered_by_its_own_checkpoint(workspace: Workspace) -> None:
    parent = thread_with(workspace, "one", "two")
    contexts.checkpoint(workspace, parent, to_seq=1)
    child = streams.branch(workspace, parent)["thread_id"]
    streams.post(workspace, child, "three")
    contexts.checkpoint(workspace, child)
    streams.post(workspace, child, "four")
    made = contexts.compile_thread(workspace, child)
    kinds = [(item["type"], item["thread_id"]) for item in made["bundle"]["items"]]
    assert kinds == [
        ("summary_ref", parent),
        ("message", parent),
        ("message", parent),
        ("summary_ref", child),
        ("message", child),
        ("message", child),
    ]
    used = decided(workspace, child)["compaction_checkpoints"]
    assert [(point["thread_id"], point["to_seq"]) for point in used] == [(child, 2), (parent, 1)]


def test_a_checkpoint_made_on_the_parent_after_the_cut_covers_nothing(workspace: Workspace) -> None:
    parent = thread_with(workspace, "one", "two")
    child = streams.branch(workspace, parent)["thread_id"]
    contexts.checkpoint(workspace, parent)
    assert said(contexts.compile_thread(workspace, child)) == ["one", "two"]


def test_the_checkpoint_that_reaches_furthest_is_used_even_when_it_is_older(workspace: Workspace) -> None:
    thread_id = thread_with(workspace, *(f"message {n}" for n in range(9)))
    contexts.checkpoint(workspace, thread_id, to_seq=8)
    contexts.checkpoint(workspace, thread_id, to_seq=2)
    made = contexts.compile_thread(workspace, thread_id)
    assert [item["note"] for item in items_of(made, "summary_ref")] == [
        "summary up to seq 2",
        "summary up to seq 8",
    ]
    assert said(made)[-1] == "message 8"


def test_tokens_that_are_left_go_to_the_newest_messages_though_a_checkpoint_covers_them(
    workspace: Workspace,
) -> None:
    thread_id = thread_with(workspace, *(f"message {n} " + "word " * 60 for n in range(9)))
    contexts.checkpoint(workspace, thread_id, summary_markdown="All of it, in short.")
    made = contexts.compile_thread(workspace, thread_id, budget=300)
    assert [text[:9] for text in said(made)] == ["message 5", "message 6", "message 7", "message 8"]
    assert made["bundle"]["items"][0]["type"] == "summary_ref"


def test_where_the_furthest_summary_does_not_fit_a_smaller_one_is_taken(workspace: Workspace) -> None:
    thread_id = thread_with(workspace, *("word " * 60 for _ in range(4)))
    contexts.checkpoint(workspace, thread_id, summary_markdown="Tiny.", to_seq=1)
    contexts.checkpoint(workspace, thread_id, summary_markdown="long " * 900, to_seq=3)
    made = contexts.compile_thread(workspace, thread_id, budget=200)
    assert [item["content"] for item in items_of(made, "summary_ref")] == ["Tiny."]
    lost = streams.create(workspace)["thread_id"]
    streams.post(workspace, lost, "word")
    contexts.checkpoint(workspace, lost, summary_markdown="long " * 900)
    contexts.compile_thread(workspace, lost, budget=200)
    assert decided(workspace, lost)["reason"]["cause"] == "no_usable_compaction_checkpoint"


def test_files_of_a_given_bundle_are_snapshotted_if_they_are_there(
    workspace: Workspace, tmp_path: Path
) -> None:
    parent = thread_with(workspace, "one")
    (tmp_path / "f.txt").write_text("what it held", encoding="utf-8")
    refs: dict[str, Any] = {
        "threads": [],
        "artifacts": [],
        "files": [{"path": "f.txt"}, {"path": "gone.txt"}],
    }
    bundle = {"schema": "rip.handoff_context_bundle.v1", "summary_markdown": "s", "refs": refs}
    given, _ = workspace.establish().artifacts.put(wire.canonical(bundle))
    made = streams.handoff(workspace, parent, summary_artifact_id=given)
    (tmp_path / "f.txt").unlink()
    items = items_of(contexts.compile_thread(workspace, made["thread_id"]), "file_ref")
    assert [(item["path"], item.get("content")) for item in items] == [
        ("f.txt", "what it held"),
        ("gone.txt", None),
    ]


@pytest.mark.parametrize("to_seq", [-1, 2, 999])
def test_a_checkpoint_outside_the_thread_is_refused(workspace: Workspace, to_seq: int) -> None:
    thread_id = thread_with(workspace, "one")
    with pytest.raises(BadInput, match=f"no sequence number {to_seq}"):
        contexts.checkpoint(workspace, thread_id, to_seq=to_seq)


def test_a_summary_larger_than_the_budget_is_shortened_and_said(workspace: Workspace) -> None:
    parent = thread_with(workspace, "one")
    summary = "the goal first. " + "word " * 5000
    child = streams.handoff(workspace, parent, summary_markdown=summary)["thread_id"]
    streams.post(workspace, child, "go on")
    made = contexts.compile_thread(workspace, child, budget=200)
    base = made["bundle"]["items"][0]
    assert (base["type"], base["truncated"]) == ("handoff_bundle_ref", True)
    assert base["content"].startswith("the goal first.")
    assert said(made) == ["go on"]
    assert 100 < made["tokens"] <= 200
    assert [(row["input"], row["action"]) for row in decided(workspace, child)["resets"]] == [
        ("handoff_bundle", "shortened")
    ]


def test_the_newest_message_stays_whatever_the_past_would_take(workspace: Workspace) -> None:
    side = thread_with(workspace, "side " * 40)
    parent = thread_with(workspace, "one")
    refs = {"threads": [{"thread_id": side}]}
    child = streams.handoff(workspace, parent, summary_markdown="past " * 95, refs=refs)["thread_id"]
    streams.reference(workspace, child, thread_with(workspace, "more " * 40))
    streams.post(workspace, child, "what now?")
    assert said(contexts.compile_thread(workspace, child, budget=100))[-1] == "what now?"


def test_many_references_stay_within_the_budget_and_the_rest_is_counted(workspace: Workspace) -> None:
    parent = thread_with(workspace, "one")
    ids = [workspace.artifacts.put(f"artifact {n}".encode())[0] for n in range(300)]
    refs = {"artifacts": [{"artifact_id": artifact_id, "note": "look here"} for artifact_id in ids]}
    made = streams.handoff(workspace, parent, summary_markdown="s", refs=refs)
    compiled = contexts.compile_thread(workspace, made["thread_id"], budget=64)
    kept = items_of(compiled, "artifact_ref")
    assert 0 < len(kept) <= 64 // (4 + count("look here"))
    assert compiled["tokens"] <= 64
    assert decided(workspace, made["thread_id"])["resets"] == [
        {
            "input": "handoff_refs",
            "action": "left_out",
            "reason": "They do not fit the budget.",
            "ref": made["summary_artifact_id"],
            "count": 300 - len(kept),
        }
    ]


def test_references_that_are_not_followed_are_counted(workspace: Workspace) -> None:
    thread_id = thread_with(workspace, "start")
    for n in range(20):
        streams.reference(workspace, thread_id, thread_with(workspace, f"other {n}"))
    made = contexts.compile_thread(workspace, thread_id)
    assert said(made) == [*(f"other {n}" for n in range(19, 3, -1)), "start"]
    assert [(r["input"], r["count"]) for r in decided(workspace, thread_id)["resets"]] == [
        ("thread_reference", 4)
    ]


def test_a_branch_inherits_the_references_of_its_parent(workspace: Workspace) -> None:
    other = thread_with(workspace, "relevant")
    parent = thread_with(workspace, "start")
    streams.reference(workspace, parent, other)
    child = streams.branch(workspace, parent)["thread_id"]
    streams.post(workspace, child, "more")
    assert said(contexts.compile_thread(workspace, child)) == ["relevant", "start", "more"]


def test_a_reference_to_a_branch_brings_what_that_inherited(workspace: Workspace) -> None:
    root = thread_with(workspace, "inherited")
    other = streams.branch(workspace, root)["thread_id"]
    streams.post(workspace, other, "own")
    thread_id = thread_with(workspace, "start")
    streams.reference(workspace, thread_id, other)
    assert said(contexts.compile_thread(workspace, thread_id)) == ["inherited", "own", "start"]


def test_a_reference_to_a_handoff_brings_its_bundle_and_what_that_refers_to(workspace: Workspace) -> None:
    cited = thread_with(workspace, "cited")
    root = thread_with(workspace, "never seen")
    artifact_id = workspace.artifacts.put(b"the artifact")[0]
    refs = {"threads": [{"thread_id": cited}], "artifacts": [{"artifact_id": artifact_id}]}
    other = streams.handoff(workspace, root, summary_markdown="the summary", refs=refs)["thread_id"]
    streams.post(workspace, other, "own")
    thread_id = thread_with(workspace, "start")
    streams.reference(workspace, thread_id, other)
    items = contexts.compile_thread(workspace, thread_id)["bundle"]["items"]
    assert [(item["type"], item["content"]) for item in items] == [
        ("handoff_bundle_ref", "the summary"),
        ("artifact_ref", "the artifact"),
        ("message", "own"),
        ("message", "cited"),
        ("message", "start"),
    ]


def test_references_are_followed_from_thread_to_thread_and_round_in_circles(workspace: Workspace) -> None:
    one, two, three = (thread_with(workspace, text) for text in ("one", "two", "three"))
    streams.reference(workspace, two, three)
    streams.reference(workspace, three, one)
    streams.reference(workspace, one, two)
    assert said(contexts.compile_thread(workspace, one)) == ["two", "three", "one"]
    assert decided(workspace, one)["resets"] == []


def test_what_is_referred_to_twice_and_inherited_as_well_comes_once(workspace: Workspace) -> None:
    other = thread_with(workspace, "first", "second")
    parent = thread_with(workspace, "start")
    child = streams.branch(workspace, parent)["thread_id"]
    for to in (other, other, parent):
        streams.reference(workspace, child, to)
    streams.reference(workspace, child, other, 1)
    streams.post(workspace, child, "more")
    made = contexts.compile_thread(workspace, child)
    assert sorted(said(made)[:2]) == ["first", "second"]
    assert said(made)[2:] == ["start", "more"]


def test_a_thread_that_refers_to_itself_repeats_nothing(workspace: Workspace) -> None:
    thread_id = thread_with(workspace, "one", "two")
    payload = {"to_thread_id": thread_id, "to_seq": 2, "actor_id": "user", "origin": "library"}
    workspace.log.append(thread_id, [Draft(REFERENCED, payload)])
    made = contexts.compile_thread(workspace, thread_id)
    assert said(made) == ["one", "two"]
    assert made["tokens"] == sum(count(text) + 4 for text in ("one", "two"))


def test_a_job_passes_over_a_base_it_cannot_read(workspace: Workspace) -> None:
    thread_id = thread_with(workspace, *(f"Always do {n}." for n in range(20)))
    first = contexts.checkpoint_automatically(workspace, thread_id, stride=10, max_new=1)
    lose(workspace, first["result"][0]["summary_artifact_id"])
    job = contexts.checkpoint_automatically(workspace, thread_id, stride=10)
    assert (job["status"], [row["to_seq"] for row in job["result"]]) == ("completed", [20])
    text = items_of(contexts.compile_thread(workspace, thread_id), "summary_ref")[0]["content"]
    assert "20 messages" in text and "Always do 0." in text


def test_a_given_summary_with_a_strange_digest_is_not_built_on(workspace: Workspace) -> None:
    thread_id = thread_with(workspace, "one", "two")
    document = {
        "schema": "rip.compaction_summary.v1",
        "kind": "cumulative_v1",
        "coverage": {"thread_id": thread_id, "from_seq": 0, "to_seq": 1},
        "summary_markdown": "given",
        "digest": {"messages": "many"},
    }
    given = workspace.artifacts.put(wire.canonical(document))[0]
    contexts.checkpoint(workspace, thread_id, summary_artifact_id=given, to_seq=1)
    contexts.checkpoint(workspace, thread_id, to_seq=2)
    newest = items_of(contexts.compile_thread(workspace, thread_id), "summary_ref")[-1]
    assert "Summary of 2 messages" in newest["content"]


def test_a_job_that_fails_is_recorded_as_failed_and_the_next_one_succeeds(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    thread_id = thread_with(workspace, "one", "two")

    def full(data: bytes) -> tuple[str, int]:
        raise Unavailable("The disk is full.", "Make room.")

    with monkeypatch.context() as patched, pytest.raises(Unavailable):
        patched.setattr(workspace.artifacts, "put", full)
        contexts.checkpoint_automatically(workspace, thread_id, stride=1)
    assert contexts.checkpoint_automatically(workspace, thread_id, stride=1)["status"] == "completed"
    jobs = [f.data for f in streams.events(workspace, thread_id) if f.type in (JOB_SPAWNED, JOB_ENDED)]
    assert [(job["type"], job.get("status"), job.get("error")) for job in jobs] == [
        (JOB_SPAWNED, None, None),
        (JOB_ENDED, "failed", "The disk is full."),
        (JOB_SPAWNED, None, None),
        (JOB_ENDED, "completed", None),
    ]
    assert jobs[0]["job_id"] == jobs[1]["job_id"]


def test_the_audit_repeats_contexts_with_checkpoints_and_references(workspace: Workspace) -> None:
    other = thread_with(workspace, "relevant")
    parent = thread_with(workspace, "one", "two")
    contexts.checkpoint(workspace, parent, to_seq=1)
    child = streams.branch(workspace, parent)["thread_id"]
    for n in range(3):
        streams.reference(workspace, child, other)
        streams.post(workspace, child, f"message {n}")
        made = contexts.checkpoint(workspace, child)
        contexts.compile_thread(workspace, child, budget=64 * 8**n, run=f"run-{n}")
    assert contexts.audit(workspace, child) == {"ok": True, "checked": 3, "findings": []}
    lose(workspace, made["summary_artifact_id"])
    found = contexts.audit(workspace, child)
    assert (found["ok"], found["checked"], len(found["findings"])) == (False, 3, 1)


def test_a_long_line_costs_little_more_than_finding_its_root(workspace: Workspace) -> None:
    thread_id = thread_with(workspace, "the root")
    thread_id = streams.handoff(workspace, thread_id, summary_markdown="the summary")["thread_id"]
    for n in range(100):
        thread_id = streams.branch(workspace, thread_id)["thread_id"]
        for _ in range(3):
            streams.post(workspace, thread_id, f"message {n}")
    before = workspace.log.rows_read
    made = contexts.compile_thread(workspace, thread_id, budget=100)
    assert items_of(made, "handoff_bundle_ref")[0]["content"] == "the summary"
    assert workspace.log.rows_read - before < 2 * 101 + 60


@pytest.mark.parametrize("relation", ["branch", "handoff"])
def test_a_child_is_never_without_what_it_came_from(workspace: Workspace, relation: str) -> None:
    parent = thread_with(workspace, "one")
    if relation == "branch":
        child = streams.branch(workspace, parent)["thread_id"]
    else:
        child = streams.handoff(workspace, parent, summary_markdown="one")["thread_id"]
    streams.post(workspace, child, "two")
    grandchild = streams.branch(workspace, child, from_seq=0)["thread_id"]
    for made in (
        contexts.compile_thread(workspace, grandchild),
        contexts.compile_thread(workspace, child, at_seq=0),
    ):
        assert [item["content"] for item in made["bundle"]["items"]] == ["one"]
