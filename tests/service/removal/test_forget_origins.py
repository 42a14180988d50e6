"""Forgetting a session takes what came of it by the record, not what another session says in the same words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from segue.model.moment import BEFORE, Moment
from segue.model.thread import LIBRARY
from segue.service.boundary import documents, refresh
from segue.service.handoffs.commit import commit
from segue.service.handoffs.draft import Wanted, propose
from segue.service.health import checkup
from segue.service.imports import intake
from segue.service.removal.forget import forget
from segue.service.sessions import lookup
from segue.service.sessions.lookup import Source
from segue.service.threads import contexts, streams
from segue.service.workspace import Workspace

from .test_forget import holding

COMMAND = "uv run pytest -q tests/upload --maxfail 1 --durations 5 --timeout 60"
ASKED = "Run the whole suite once more and tell me what is still failing today"
FIRST, SECOND = "5e55", "07e4"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / ".segue"


def word(session: str) -> str:
    """What only this session says."""
    return f"ferret-{session}"


def written(folder: Path, session: str, begins: str = "") -> Path:
    """A session of Claude Code that asks the same and runs the same command line as any other."""
    call = {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": COMMAND}}
    result = {
        "type": "tool_result",
        "tool_use_id": "t1",
        "content": "FAILED test_up\n1 failed",
        "is_error": True,
    }
    said: list[tuple[str, Any]] = [
        ("user", begins or f"The lamp is the {word(session)} one."),
        ("assistant", [{"type": "text", "text": "Noted."}]),
        ("user", ASKED),
        ("assistant", [call]),
        ("user", [result]),
        ("assistant", [{"type": "text", "text": f"It fails on {word(session)}, as it did before."}]),
    ]
    lines = [
        {
            "type": kind,
            "uuid": f"{session}-{number}",
            "parentUuid": f"{session}-{number - 1}" if number else None,
            "sessionId": session,
            "timestamp": f"2026-03-02T10:00:0{number}.000Z",
            "cwd": str(folder),
            "message": {"role": kind, "content": content},
        }
        for number, (kind, content) in enumerate(said)
    ]
    path = folder / f"{session}.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def handed(workspace: Workspace, path: Path) -> Any:
    """The committed handoff of a session, which hooks saw, too."""
    moment = Moment("claude-code", "PreCompact", BEFORE, path.stem, workspace.root, str(path))
    refresh.prepare(workspace, moment)
    proposal = propose(workspace, lookup.at(str(path)), Wanted("go on", 2000, repo=False))
    return commit(workspace, proposal.source, proposal.made, LIBRARY)


@pytest.mark.parametrize("everywhere", [True, False])
@pytest.mark.parametrize("order", [(FIRST, SECOND), (SECOND, FIRST)])
def test_another_session_that_ran_the_same_command_line_stays_whole(
    workspace: Workspace, folder: Path, tmp_path: Path, everywhere: bool, order: tuple[str, str]
) -> None:
    made = {session: handed(workspace, written(tmp_path, session)) for session in order}
    contexts.compile_thread(workspace, made[SECOND]["thread_id"])
    before = holding(folder, word(SECOND))
    kept = holding(folder, "durations") & before
    done = forget(workspace, sessions=[f"claude-code:{FIRST}"], everywhere=everywhere)
    rest = holding(folder, word(SECOND))
    assert {path for path in before if not path.endswith((".db", "-wal"))} <= rest
    assert any(path.startswith("transcripts/claude-code-") for path in kept & rest)
    said = streams.show(workspace, made[SECOND]["thread_id"])
    assert said["title"] == "go on"
    assert workspace.artifacts.size(made[SECOND]["summary_artifact_id"])
    if order[-1] == SECOND:
        current = documents.current(workspace)
        assert current and word(SECOND) in current.text
    if everywhere:
        assert holding(folder, word(FIRST)) == set()
    assert made[SECOND]["summary_artifact_id"] in done["also_in"]["artifacts"]
    assert any("another session" in line for line in done["remains"])
    assert checkup.verify(workspace) == {"ok": True, "findings": []}


def test_the_same_words_go_where_they_themselves_are_named(
    workspace: Workspace, folder: Path, tmp_path: Path
) -> None:
    for session in (FIRST, SECOND):
        handed(workspace, written(tmp_path, session))
    hit = streams.search(workspace, "suite")["hits"][0]
    forget(workspace, [f"{hit['thread_id']}@{hit['seq']}"], everywhere=True)
    assert holding(folder, ASKED) == set()
    assert checkup.verify(workspace)["ok"]


def test_a_handoff_goes_with_its_session_though_it_repeats_no_word_of_it(
    workspace: Workspace, folder: Path, tmp_path: Path
) -> None:
    imported = intake.import_session(workspace, Source("claude-code", str(written(tmp_path, FIRST))))
    facts = workspace.artifacts.put(b"badger, in facts")[0]
    made = streams.handoff(
        workspace,
        imported["thread_id"],
        summary_markdown="The badger sleeps.",
        bundle_extra={"facts_artifact_id": facts},
    )
    planned = forget(workspace, sessions=[f"claude-code:{FIRST}"], dry_run=True)
    assert set(planned["also_in"]["artifacts"]) == {made["summary_artifact_id"], facts}
    assert planned["also_in"]["frames"] == [{"thread_id": made["thread_id"], "seq": 1}]
    forget(workspace, sessions=[f"claude-code:{FIRST}"], everywhere=True)
    assert holding(folder, "badger") == set()
    assert checkup.verify(workspace)["ok"]


def test_a_session_that_took_up_the_handoff_is_searched_for_its_words(
    workspace: Workspace, folder: Path, tmp_path: Path
) -> None:
    made = handed(workspace, written(tmp_path, FIRST))
    text = next(workspace.log.read(made["thread_id"], 1, 1)).data["summary_markdown"]
    handed(workspace, written(tmp_path, SECOND, begins=text))
    assert word(FIRST) in text
    forget(workspace, sessions=[f"claude-code:{FIRST}"], everywhere=True)
    assert holding(folder, word(FIRST)) == set()
    assert checkup.verify(workspace)["ok"]


def test_a_thread_of_a_person_is_searched_for_its_words(workspace: Workspace, tmp_path: Path) -> None:
    handed(workspace, written(tmp_path, FIRST))
    noted = streams.create(workspace, "notes")["thread_id"]
    streams.post(workspace, noted, f"They said: {ASKED}")
    told = forget(workspace, sessions=[f"claude-code:{FIRST}"], dry_run=True)
    assert {"thread_id": noted, "seq": 1} in told["also_in"]["frames"]
    assert not any("another session" in line for line in told["remains"])
    gone = forget(workspace, sessions=[f"claude-code:{FIRST}"], everywhere=True)
    assert {"thread_id": noted, "seqs": [1]} in gone["frames"]


def test_the_session_that_a_forgotten_one_went_on_from_stays_whole(
    workspace: Workspace, folder: Path, tmp_path: Path
) -> None:
    made = handed(workspace, written(tmp_path, FIRST))
    text = next(workspace.log.read(made["thread_id"], 1, 1)).data["summary_markdown"]
    handed(workspace, written(tmp_path, SECOND, begins=text))
    forget(workspace, sessions=[f"claude-code:{SECOND}"], everywhere=True)
    assert holding(folder, word(SECOND)) == set()
    assert workspace.artifacts.size(made["summary_artifact_id"])
    assert next(workspace.log.read(made["thread_id"], 1, 1)).data["summary_markdown"] == text
    assert "transcripts/claude-code-5e55.jsonl" in holding(folder, word(FIRST))


def test_the_words_of_a_handoff_go_where_they_came_from(
    workspace: Workspace, folder: Path, tmp_path: Path
) -> None:
    made = handed(workspace, written(tmp_path, FIRST))
    forget(workspace, [made["thread_id"]], everywhere=True)
    assert holding(folder, ASKED) == set()
