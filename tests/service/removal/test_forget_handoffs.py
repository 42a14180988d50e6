"""Handoffs go with the thread that they are on: drafts, approved ones, versions with a tail, bundles and their facts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from segue.handoff.headings import DOCUMENT
from segue.model.moment import BEFORE, START, Moment
from segue.service.boundary import documents, drafts, moments, refresh
from segue.service.health import checkup
from segue.service.removal.forget import forget
from segue.service.threads import streams
from segue.service.workspace import Workspace

from .test_forget import holding

SECRET = "ferret-saddle"
NOTHING = "- Nothing of note happened in this part, nobody asked for it [#3]."


def rich(word: str) -> str:
    """A handoff with a word in one section; the others say what such sections often say."""
    said = {DOCUMENT[0]: f"- Ported the {word} loop in uploader.py; `pytest -q` printed 4 passed [#19]."}
    return "\n".join(f"## {name}\n\n{said.get(name, NOTHING)}\n" for name in DOCUMENT)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def folder(workspace: Workspace) -> Path:
    return Path(workspace.root) / ".segue"


def draft(workspace: Workspace, word: str, session: str, approved: bool = True) -> str:
    """The thread of a session for which a draft was written."""
    made = drafts.write(workspace, rich(word), "codex" if session else "", session)
    if approved:
        drafts.approve(workspace)
    return next(
        head.stream_id
        for head in workspace.log.heads()
        for frame in workspace.log.read(head.stream_id)
        if frame.type == "handoff_drafted" and frame.data["artifact_id"] == made["artifact_id"]
    )


def told_at_start(workspace: Workspace) -> str:
    moment = Moment("codex", "SessionStart", START, "fresh", workspace.root, source="startup")
    return moments.on_moment(workspace, moment)[0].inject


@pytest.mark.parametrize("session", ["5e55", ""])
@pytest.mark.parametrize("approved", [True, False])
def test_a_handoff_goes_with_its_thread_and_is_told_before(
    workspace: Workspace, folder: Path, approved: bool, session: str
) -> None:
    thread = draft(workspace, SECRET, session, approved)
    assert (SECRET in told_at_start(workspace)) is approved
    planned = forget(workspace, [thread], dry_run=True)
    assert holding(folder, SECRET)
    done = forget(workspace, [thread])
    assert {**done, "forgotten": False} == planned and len(done["artifacts"]) == 1
    assert holding(folder, SECRET) == set()
    assert drafts.pending(workspace) is None and documents.current(workspace) is None
    assert told_at_start(workspace) == ""
    assert checkup.verify(workspace) == {"ok": True, "findings": []}


def test_drafts_that_were_replaced_or_wait_go_with_the_session(workspace: Workspace, folder: Path) -> None:
    for number in range(3):
        draft(workspace, f"{SECRET}-{number}", "5e55", approved=number == 0)
    done = forget(workspace, sessions=["codex:5e55"])
    assert len(done["artifacts"]) == 3
    assert holding(folder, SECRET) == set()
    assert checkup.verify(workspace)["ok"]


def test_a_version_that_got_the_tail_of_another_session_goes_with_the_handoff(
    workspace: Workspace, folder: Path, tmp_path: Path
) -> None:
    thread = draft(workspace, SECRET, "")
    transcript = tmp_path / "c.jsonl"
    message = {"role": "user", "content": "go on with the work now"}
    row = {"type": "user", "uuid": "u1", "sessionId": "c", "cwd": "/w", "message": message}
    transcript.write_text(json.dumps({**row, "timestamp": "2026-03-02T10:00:00.000Z"}) + "\n")
    moment = Moment("claude-code", "PreCompact", BEFORE, "c", workspace.root, str(transcript))
    refresh.prepare(workspace, moment)
    current = documents.current(workspace)
    assert current and "go on with the work" in current.text and SECRET in current.text
    assert len(forget(workspace, [thread])["artifacts"]) == 2
    assert holding(folder, SECRET) == set()
    assert checkup.verify(workspace)["ok"]


def test_an_edited_copy_of_the_approved_handoff_goes_too(workspace: Workspace, folder: Path) -> None:
    thread = draft(workspace, SECRET, "5e55")
    Path(documents.path_of(workspace)).write_text(f"Short: {SECRET}.")
    forget(workspace, [thread])
    assert holding(folder, SECRET) == set()


def test_the_handoff_of_another_session_stays_current(workspace: Workspace) -> None:
    thread = draft(workspace, SECRET, "5e55")
    draft(workspace, "kept", "other")
    planned = forget(workspace, [thread], dry_run=True)
    assert len(planned["artifacts"]) == 1 and planned["files"] == []
    forget(workspace, [thread])
    current = documents.current(workspace)
    assert current and "kept" in current.text
    assert drafts.show(workspace)["current"]["rich"]


def test_what_another_thread_names_stays_with_the_reason_unless_everything_goes(
    workspace: Workspace, folder: Path
) -> None:
    thread = draft(workspace, SECRET, "5e55")
    artifact_id = drafts.write(workspace, rich(SECRET), "codex", "other")["artifact_id"]
    done = forget(workspace, [thread])
    assert (done["artifacts"], done["also_in"]["artifacts"]) == ([], [artifact_id])
    assert any(artifact_id[:12] in line and "names it, too" in line for line in done["remains"])
    assert drafts.pending(workspace)
    done = forget(workspace, [thread], everywhere=True)
    assert done["also_in"]["artifacts"] == [] and "names it, too" not in " ".join(done["remains"])
    assert holding(folder, SECRET) == set()
    assert checkup.verify(workspace)["ok"]


def test_a_message_that_quotes_a_draft_is_told(workspace: Workspace) -> None:
    thread = draft(workspace, SECRET, "5e55")
    other = streams.create(workspace, "work")["thread_id"]
    streams.post(workspace, other, f"It ported the {SECRET} loop in uploader.py; pytest -q printed 4 passed.")
    assert forget(workspace, [thread])["also_in"]["frames"] == [{"thread_id": other, "seq": 1}]


def test_a_bundle_goes_with_its_facts_and_references_stay(workspace: Workspace, folder: Path) -> None:
    source = streams.create(workspace, "work")["thread_id"]
    own, common, given = (
        workspace.artifacts.put(f"{word} {SECRET}".encode())[0] for word in ("own", "common", "given")
    )
    handed = [
        streams.handoff(
            workspace,
            source,
            summary_markdown=f"summary {number}",
            refs={"artifacts": [{"artifact_id": given}]},
            bundle_extra={"facts_artifact_id": facts, "more_artifact_id": common},
        )
        for number, facts in enumerate((own, common))
    ]
    done = forget(workspace, [handed[0]["thread_id"]])
    gone = [row["artifact_id"] for row in done["artifacts"]]
    assert gone == [own, handed[0]["summary_artifact_id"]]  # the bundle last: it alone tells of its facts
    assert workspace.artifacts.size(given) and workspace.artifacts.size(common)
    assert common in done["also_in"]["artifacts"]
    assert checkup.verify(workspace)["ok"]
