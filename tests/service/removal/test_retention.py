"""What is kept longer than settings say goes; nothing that the log rests on does."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from segue.model.wire import content_id
from segue.service.boundary import documents
from segue.service.health import checkup
from segue.service.removal.retention import DAY_S, gc
from segue.service.threads import contexts, streams
from segue.service.workspace import Workspace
from segue.stores.private_files import cache_folder


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def aged(path: Path, days: int) -> Path:
    """The file, made so many days ago."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        path.write_bytes(b"{}")
    then = time.time() - days * DAY_S
    os.utime(path, (then, then))
    return path


def removed(workspace: Workspace, dry_run: bool = False) -> list[tuple[str, str]]:
    return [(row["what"], os.path.basename(row["name"])) for row in gc(workspace, dry_run)["items"]]


@pytest.mark.parametrize(
    "what, name, days",
    [
        ("transcript", "transcripts/codex-1.jsonl", 90),
        ("transcript", "transcripts/codex-1.0f0f.jsonl", 90),
        ("handoff", "transcripts/.handoff-codex-1.md", 30),
        ("mark", "boundary/looked-codex-1", 30),
        ("spool", "spool/1.json", 30),
    ],
)
def test_what_is_older_than_its_setting_goes_and_what_is_younger_stays(
    workspace: Workspace, tmp_path: Path, what: str, name: str, days: int
) -> None:
    folder = Path(workspace.establish().folder)
    old = aged(folder / name, days + 1)
    young = aged(old.with_name(old.name.replace("1", "2")), days - 1)
    assert removed(workspace, dry_run=True) == [(what, old.name)]
    assert old.exists()
    done = gc(workspace)
    assert (done["removed"], done["bytes"], old.exists(), young.exists()) == (True, 2, False, True)
    assert gc(workspace)["items"] == []


def test_days_are_settings_and_none_keeps_for_ever(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Path(workspace.establish().folder)
    aged(folder / "transcripts" / "codex-1.jsonl", 400)
    monkeypatch.setenv("SEGUE_RETENTION_TRANSCRIPTS_DAYS", "0")
    assert removed(Workspace(workspace.root)) == []
    monkeypatch.setenv("SEGUE_RETENTION_TRANSCRIPTS_DAYS", "401")
    assert removed(Workspace(workspace.root)) == []
    monkeypatch.setenv("SEGUE_RETENTION_TRANSCRIPTS_DAYS", "7")
    assert removed(Workspace(workspace.root)) == [("transcript", "codex-1.jsonl")]


def test_what_earlier_versions_kept_of_sessions_and_patterns_goes_at_any_age(workspace: Workspace) -> None:
    workspace.establish()
    folder = Path(cache_folder())
    for name in ("indexes/blobs/some", "indexes/rows/one", "patterns-cpython-311", "sessions.db"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(b"12345")
    assert [(one["what"], one["bytes"]) for one in gc(workspace)["items"]] == [("index", 10), ("patterns", 5)]
    assert [path.name for path in folder.iterdir()] == ["sessions.db"]
    assert removed(workspace) == []


def test_what_interrupted_writes_left_goes_at_any_age(workspace: Workspace) -> None:
    folder = Path(workspace.establish().folder)
    for name in ("artifacts/blobs/.partial-1", "workspace.json.1.tmp", "spool/2.json"):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"{")
    assert sorted(removed(workspace)) == [
        ("leftover", ".partial-1"),
        ("leftover", "workspace.json.1.tmp"),
        ("spool", "2.json"),
    ]
    assert removed(workspace) == []


def test_superseded_handoff_documents_go_and_the_log_says_so(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    documents.write(workspace, "the first version", documents.About(), lambda _: None)
    documents.write(workspace, "the second version", documents.About(), lambda _: None)
    assert removed(workspace) == []
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 31 * DAY_S)
    first, second = content_id(b"the first version"), content_id(b"the second version")
    assert removed(workspace) == [("handoff", first)]
    assert workspace.artifacts.size(first) is None
    assert workspace.artifacts.size(second) is not None
    assert checkup.verify(workspace)["ok"]


def test_nothing_that_a_thread_or_a_handoff_rests_on_ever_goes(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    thread = streams.create(workspace)["thread_id"]
    streams.post(workspace, thread, "one")
    streams.handoff(workspace, thread, summary_markdown="s")
    contexts.compile_thread(workspace, thread)
    contexts.checkpoint(workspace, thread)
    before = (list(workspace.artifacts.ids()), workspace.log.heads())
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 9999 * DAY_S)
    assert removed(workspace) == []
    assert (list(workspace.artifacts.ids()), workspace.log.heads()) == before
    assert checkup.verify(workspace)["ok"]
