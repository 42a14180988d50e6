"""Many callers at once on one workspace: every answer is right, every cache stays level, nothing is lost."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from segue.model.thread import Provenance
from segue.service.operations import named
from segue.service.shared import share
from segue.service.signatures import perform
from segue.service.workspace import Workspace

BY = Provenance("user", "server")
THREADS = 12
ROUNDS = 8


def at_once(work: Callable[[int], None]) -> list[BaseException]:
    faults: list[BaseException] = []

    def run(number: int) -> None:
        try:
            work(number)
        except BaseException as fault:
            faults.append(fault)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return faults


def test_a_shared_workspace_serves_threads_that_write_read_search_and_branch(tmp_path: Path) -> None:
    workspace = share(str(tmp_path), lambda streams: None)

    def work(number: int) -> None:
        made = perform(named("thread.create"), workspace, {"title": f"thread {number}"}, BY)
        for turn in range(ROUNDS):
            said = {**made, "content": f"word{number} said {turn}"}
            seq = perform(named("thread.post"), workspace, said, BY)["seq"]
            assert perform(named("thread.show"), workspace, made, BY)["head_seq"] == seq
            hits = perform(named("thread.search"), workspace, {"words": f"word{number} {turn}"}, BY)["hits"]
            assert (made["thread_id"], seq) in [(hit["thread_id"], hit["seq"]) for hit in hits]
        child = perform(named("thread.branch"), workspace, made, BY)["thread_id"]
        lineage = perform(named("thread.lineage"), workspace, made, BY)
        assert [row["thread_id"] for row in lineage["children"]] == [child]

    assert at_once(work) == []
    verdict = perform(named("verify"), workspace, {}, BY)
    assert verdict == {"ok": True, "findings": []}
    assert len(perform(named("thread.list"), workspace, {}, BY)["threads"]) == 2 * THREADS
    workspace.close()


def test_the_default_thread_is_one_whoever_asks_first(tmp_path: Path) -> None:
    workspace = share(str(tmp_path), lambda streams: None)
    found: list[str] = []
    assert (
        at_once(lambda _: found.append(perform(named("thread.ensure"), workspace, {}, BY)["thread_id"])) == []
    )
    assert len(set(found)) == 1
    workspace.close()


def test_artifacts_and_change_records_take_writers_at_once(tmp_path: Path) -> None:
    workspace = share(str(tmp_path), lambda streams: None)
    perform(named("change.init"), workspace, {"project": "p"}, BY)

    def work(number: int) -> None:
        for turn in range(3):
            put = {"data": f"same for all, {turn}".encode()}
            assert perform(named("artifact.put"), workspace, put, BY)["bytes"] > 0
        perform(named("change.new"), workspace, {"title": f"Mend part {number}"}, BY)

    assert at_once(work) == []
    listed = perform(named("change.list"), Workspace(str(tmp_path)), {}, BY)["changes"]
    assert len({row["tc_id"] for row in listed}) == THREADS
    assert len(perform(named("artifact.list"), workspace, {}, BY)["artifacts"]) == 3
    workspace.close()
