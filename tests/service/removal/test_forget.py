"""What is forgotten is gone from every file of the workspace, and everything else works on and says so."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from segue.errors import BadInput, NotFound, Refused
from segue.model.frame import FORGOTTEN
from segue.model.moment import BEFORE, Moment
from segue.model.thread import AGENT, Provenance
from segue.model.tombstone import GONE
from segue.service import artifacts
from segue.service.boundary import archive, documents, maintenance, refresh
from segue.service.health import checkup
from segue.service.imports import intake
from segue.service.removal.forget import forget
from segue.service.sessions.lookup import Source
from segue.service.threads import contexts, lineage, streams
from segue.service.workspace import Workspace
from segue.stores import blob_file

SAID = "the staging database answers to ferret-saddle-41"
OTHER = "nothing of interest was said here at all"


def holding(folder: Path, text: str) -> set[str]:
    """Every file below a folder in which a text stands: as it is, as JSON has it, or in a blob."""
    wanted = (text.encode(), json.dumps(text)[1:-1].encode())
    found = set()
    for path in folder.rglob("*"):
        if path.is_file():
            data = path.read_bytes()
            if data.startswith(blob_file.MAGIC):
                with path.open("rb") as file:
                    data += b"".join(blob_file.read(file, blob_file.read_size(file), 0, 1 << 40))
            if any(one in data for one in wanted):
                found.add(str(path.relative_to(folder)))
    return found


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / ".segue"


@pytest.fixture
def thread(workspace: Workspace) -> str:
    """A thread in which something was said that should not have been, compiled and summed up since."""
    made = streams.create(workspace, "work")["thread_id"]
    streams.post(workspace, made, OTHER)
    streams.post(workspace, made, f"Please remember:\n\n{SAID}", role="user")
    streams.post(workspace, made, "I will.", role="assistant")
    contexts.compile_thread(workspace, made)
    contexts.checkpoint(workspace, made)
    return made


def test_no_byte_of_a_forgotten_message_is_left(workspace: Workspace, thread: str, folder: Path) -> None:
    assert streams.search(workspace, "ferret")["hits"]
    assert holding(folder, SAID)
    done = forget(workspace, [f"{thread}@2"], reason="a password")
    assert holding(folder, SAID) == set()
    assert done["forgotten"]
    assert done["frames"] == [{"thread_id": thread, "seqs": [2]}]
    assert len(done["artifacts"]) == 2  # the compiled context, and the summary of the checkpoint
    assert done["bytes"] > len(SAID)
    assert streams.search(workspace, "ferret")["hits"] == []
    assert streams.search(workspace, "interest")["hits"]
    assert checkup.verify(workspace) == {"ok": True, "findings": []}


def test_a_sentence_stands_where_it_was_and_everything_works_on(workspace: Workspace, thread: str) -> None:
    message = next(workspace.log.read(thread, 2, 2)).id
    child = streams.branch(workspace, thread)["thread_id"]
    forget(workspace, [message])
    bundle = contexts.compile_thread(workspace, child)["bundle"]
    said = [item["content"] for item in bundle["items"] if item["type"] == "message"]
    assert said == [OTHER, GONE, "I will."]
    assert contexts.audit(workspace, thread)["ok"]
    assert lineage.of(workspace, child)["ancestors"][0]["thread_id"] == thread
    note = list(workspace.log.read(thread, types=(FORGOTTEN,)))[-1].data
    assert [(row["stream_id"], row["seq"]) for row in note["forgotten"]] == [(thread, 2)]
    assert checkup.rebuild(workspace)["ok"]


def test_a_dry_run_says_the_same_and_removes_nothing(workspace: Workspace, thread: str, folder: Path) -> None:
    before = holding(folder, SAID)
    planned = forget(workspace, [f"{thread}@2"], dry_run=True)
    assert not planned["forgotten"]
    assert holding(folder, SAID) == before
    done = forget(workspace, [f"{thread}@2"])
    assert {**done, "forgotten": False} == planned


def test_what_somebody_else_wrote_about_it_is_named_and_goes_only_when_everything_shall(
    workspace: Workspace, thread: str, folder: Path
) -> None:
    handed = streams.handoff(workspace, thread, summary_markdown=f"Remember that {SAID}, please.")
    other = streams.create(workspace, SAID)["thread_id"]
    planned = forget(workspace, [f"{thread}@2"], dry_run=True)
    assert planned["also_in"]["artifacts"] == [handed["summary_artifact_id"]]
    quoting = {(row["thread_id"], row["seq"]) for row in planned["also_in"]["frames"]}
    assert quoting == {(other, 0), (handed["thread_id"], 1)}
    assert not quoting & {(row["thread_id"], seq) for row in planned["frames"] for seq in row["seqs"]}
    everything = forget(workspace, [f"{thread}@2"], everywhere=True)
    assert everything["also_in"] == {"frames": [], "artifacts": [], "files": []}
    assert holding(folder, SAID) == set()
    assert checkup.verify(workspace)["ok"]
    content = contexts.compile_thread(workspace, handed["thread_id"])["bundle"]["items"][0]["content"]
    assert content == GONE


def test_a_summary_of_what_was_forgotten_goes_and_another_one_is_made(
    workspace: Workspace, thread: str, folder: Path
) -> None:
    made = contexts.checkpoint_automatically(workspace, thread, stride=2)["result"]
    assert holding(folder, "Please remember")
    forget(workspace, [f"{thread}@2"])
    assert holding(folder, "Please remember") == set()
    again = contexts.checkpoint_automatically(workspace, thread, stride=2)["result"]
    assert [row["to_seq"] for row in again] == [row["to_seq"] for row in made]
    assert contexts.checkpoint_automatically(workspace, thread, stride=2)["result"] == []
    assert checkup.verify(workspace)["ok"]


def test_all_that_a_thread_says_is_forgotten_and_the_thread_stays(
    workspace: Workspace, thread: str, folder: Path
) -> None:
    child = streams.branch(workspace, thread)["thread_id"]
    forget(workspace, [thread[:13]])
    assert holding(folder, SAID) == holding(folder, OTHER) == set()
    assert {row["thread_id"] for row in streams.list_threads(workspace)["threads"]} == {thread, child}
    assert "title" not in streams.show(workspace, thread)
    assert lineage.of(workspace, thread)["children"][0]["thread_id"] == child
    assert checkup.verify(workspace)["ok"]
    assert streams.post(workspace, thread, "and on")["seq"] > 2


def test_an_artifact_is_forgotten_with_the_frame_that_repeats_it_and_says_so_when_asked_for(
    workspace: Workspace, thread: str, folder: Path
) -> None:
    handed = streams.handoff(workspace, thread, summary_markdown=f"Never say that {SAID}!")
    contexts.compile_thread(workspace, handed["thread_id"])
    artifact_id = handed["summary_artifact_id"]
    forget(workspace, [f"{thread}@2"])
    done = forget(workspace, artifacts=[artifact_id[:12]])
    assert artifact_id in {row["artifact_id"] for row in done["artifacts"]}
    assert done["frames"] == [{"thread_id": handed["thread_id"], "seqs": [1]}]
    assert holding(folder, SAID) == set()
    with pytest.raises(NotFound, match="forgotten") as caught:
        artifacts.get(workspace, artifact_id)
    assert caught.value.code == "forgotten"
    assert contexts.compile_thread(workspace, handed["thread_id"])["bundle"]["items"][0]["content"] == GONE
    assert checkup.verify(workspace) == {"ok": True, "findings": []}
    assert forget(workspace, artifacts=[artifact_id])["artifacts"] == []


def entry(kind: str, number: int, text: str) -> dict[str, Any]:
    told = {"role": kind, "content": text if kind == "user" else [{"type": "text", "text": text}]}
    return {
        "type": kind,
        "uuid": f"00000000-0000-4000-8000-00000000000{number}",
        "parentUuid": f"00000000-0000-4000-8000-00000000000{number - 1}" if number else None,
        "sessionId": "5e55",
        "timestamp": f"2026-03-02T10:00:0{number}.000Z",
        "cwd": "/w",
        "message": told,
    }


@pytest.fixture
def session(workspace: Workspace, tmp_path: Path) -> Path:
    """A session of Claude Code, imported, archived and with a handoff document."""
    path = tmp_path / "5e55.jsonl"
    lines = [
        entry("user", 0, SAID),
        entry("assistant", 1, OTHER),
        entry("user", 2, "go on with the work now"),
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    intake.import_session(workspace, Source("claude-code", str(path)))
    assert archive.archive(workspace, "claude-code", "5e55", str(path))
    documents.write(workspace, f"It was said that {SAID}.", documents.About(), lambda _: None)
    return path


def test_a_session_is_forgotten_with_its_transcripts_and_does_not_come_back(
    workspace: Workspace, session: Path, folder: Path
) -> None:
    thread = streams.list_threads(workspace)["threads"][0]["thread_id"]
    assert "transcripts/claude-code-5e55.jsonl" in holding(folder, SAID)
    done = forget(workspace, sessions=["claude-code:5e55"], everywhere=True)
    assert holding(folder, SAID) == holding(folder, OTHER) == set()
    assert str(session) in " ".join(done["remains"])
    assert intake.import_session(workspace, Source("claude-code", str(session)))["added"] == 0
    assert archive.archive(workspace, "claude-code", "5e55", str(session)) is None
    assert documents.current(workspace) is None
    assert holding(folder, SAID) == holding(folder, OTHER) == set()
    assert checkup.verify(workspace)["ok"]
    with session.open("a", encoding="utf-8") as file:
        file.write(json.dumps(entry("user", 3, "a new thought")) + "\n")
    assert intake.import_session(workspace, Source("claude-code", str(session)))["thread_id"] == thread
    assert [hit["thread_id"] for hit in streams.search(workspace, "thought")["hits"]] == [thread]


def test_the_beginning_of_its_id_names_a_session_where_it_is_the_only_one(
    workspace: Workspace, tmp_path: Path
) -> None:
    for name in ("5e5512345678", "5e5587654321"):
        path = tmp_path / f"{name}.jsonl"
        path.write_text(json.dumps({**entry("user", 0, f"{SAID} {name}"), "sessionId": name}) + "\n")
        intake.import_session(workspace, Source("claude-code", str(path)))
    for short in ("5e55", "5"):
        with pytest.raises(BadInput, match="5e5512345678 or 5e5587654321"):
            forget(workspace, sessions=[f"claude-code:{short}"], dry_run=True)
    whole, begun = (
        forget(workspace, sessions=[f"claude-code:{name}"], dry_run=True)
        for name in ("5e5512345678", "5e551234")
    )
    assert begun == whole and whole["frames"]


def test_hooks_of_the_session_do_not_bring_it_back(workspace: Workspace, session: Path, folder: Path) -> None:
    thread = streams.list_threads(workspace)["threads"][0]["thread_id"]
    first = streams.search(workspace, "ferret")["hits"][0]["seq"]
    forget(workspace, [f"{thread}@{first}"], everywhere=True)
    moment = Moment("claude-code", "PreCompact", BEFORE, "5e55", workspace.root, str(session))
    assert refresh.prepare(workspace, moment) == {"archived": False, "sha256": None}
    done = maintenance.run(workspace, moment)
    assert {part: told["status"] for part, told in done.items()} == {
        "archive": maintenance.SKIPPED,
        "backfill": maintenance.COMPLETED,
        "consolidation": maintenance.SKIPPED,
    }
    assert holding(folder, SAID) == set()


def test_caches_of_the_person_s_sessions_are_dropped(
    workspace: Workspace, thread: str, tmp_path: Path
) -> None:
    from segue.stores.session_cache import SessionCache

    folder = tmp_path / "cache" / "segue"
    indexes = folder / "indexes" / "blobs"  # of an earlier version
    indexes.mkdir(parents=True)
    (indexes / "some").write_text(SAID)
    cache = SessionCache(str(folder / "sessions.db"))
    cache.put("/somewhere", 1, 1, [{"title": SAID}])
    cache.close()
    assert holding(tmp_path / "cache", SAID)
    forget(workspace, [f"{thread}@2"])
    assert holding(tmp_path / "cache", SAID) == set()


def test_an_agent_does_not_forget(workspace: Workspace, thread: str) -> None:
    with pytest.raises(Refused):
        forget(workspace, [f"{thread}@2"], by=Provenance("claude-code", "cli", AGENT))


def test_what_is_not_there_cannot_be_forgotten(workspace: Workspace, thread: str) -> None:
    for targets in (["0" * 8], [f"{thread}@99"]):
        with pytest.raises(NotFound):
            forget(workspace, targets)
    for wrong in ([], [f"{thread}@x"]):
        with pytest.raises(BadInput):
            forget(workspace, wrong)
    with pytest.raises(NotFound):
        forget(workspace, sessions=["codex:none"])
    with pytest.raises(BadInput):
        forget(workspace, sessions=["codex"])


def test_a_process_that_had_the_catalog_open_forgets_too(
    workspace: Workspace, thread: str, tmp_path: Path
) -> None:
    other = Workspace(workspace.root)
    assert streams.search(other, "ferret")["hits"]
    forget(workspace, [f"{thread}@2"])
    assert streams.search(other, "ferret")["hits"] == []
    assert streams.search(other, "interest")["hits"]
    assert checkup.verify(other)["ok"]
    other.close()


def test_a_catalog_of_another_machine_starts_over_when_it_hears_of_it(
    workspace: Workspace, thread: str, folder: Path, tmp_path: Path
) -> None:
    streams.list_threads(workspace)
    workspace.close()
    kept = (folder / "cache.db").read_bytes()
    assert SAID.encode() in kept
    forget(workspace, [f"{thread}@2"])
    workspace.close()
    (folder / "cache.db").write_bytes(kept)
    assert streams.search(workspace, "ferret")["hits"] == []
    workspace.close()
    assert holding(folder, SAID) == set()


def test_forgetting_twice_changes_nothing_more(workspace: Workspace, thread: str) -> None:
    forget(workspace, [f"{thread}@2"])
    before = list(workspace.log.read(thread))
    done = forget(workspace, [f"{thread}@2"])
    assert (done["frames"], done["artifacts"], done["bytes"]) == ([], [], 0)
    assert list(workspace.log.read(thread)) == before
