"""What was kept while a session was read tells the same as reading it again: its thread, and the tail of a document."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from segue.model.entry import Entry
from segue.redaction.redact import Redactor
from segue.service.handoffs.draft import Session, draft
from segue.service.handoffs.renderings import rendered_as
from segue.service.imports import intake
from segue.service.sessions import recording
from segue.service.sessions.rows import Source
from segue.service.threads import streams
from segue.service.workspace import Workspace

MADE = ("id", "message_id", "stream_id", "timestamp_ms")
"""What is made anew by every import."""


def frames(source: Source, known: Redactor, root: Path) -> list[Any]:
    root.mkdir()
    workspace = Workspace(str(root))
    thread = intake.import_session(workspace, source, known=known)["thread_id"]
    told = [
        (frame.type, {name: value for name, value in frame.data.items() if name not in MADE})
        for frame in streams.events(workspace, thread, after_seq=0)
    ]
    workspace.close()
    return told


def test_a_session_that_was_kept_is_told_as_if_it_were_read_again(
    case: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recording, "PEEKED", 1)
    monkeypatch.setattr(recording, "_TOGETHER", 4)
    source = Source(case.agent, str(case.copied(tmp_path)))
    kept = recording.Recording()
    made = draft(Session(source.agent, source.path, source.entries()), recording=kept)
    again = source._replace(read=kept)
    assert frames(again, made.redactor, tmp_path / "kept") == frames(source, made.redactor, tmp_path / "read")
    scratch = Workspace(str(tmp_path))
    documents = [rendered_as("document", made, one, scratch, {}) for one in (again, source)]
    assert documents[0] == documents[1]


def test_what_nobody_asks_for_again_is_not_kept(
    case: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recording, "PEEKED", 0)
    entries = list(Source(case.agent, str(case.copied(tmp_path))).entries())
    kept = recording.Recording()
    assert list(kept.record(entries)) == entries
    assert [(entry.kind, entry.line) for entry in kept] == [(entry.kind, entry.line) for entry in entries]
    assert not any(entry.text for entry in kept if entry.kind == "thought")


@pytest.mark.parametrize(
    "entry",
    [
        Entry(kind="user", file="s", line=1, text="half a character: \ud800"),
        Entry(kind="meta", file="s", line=1, data={"id": "s", "large": 2**70}),
        Entry(kind="meta", file="s", line=1, data={"odd": {1: None}}),
    ],
)
def test_what_cannot_be_packed_is_kept_as_it_is(entry: Entry) -> None:
    kept = recording.Recording()
    many = [entry] * 600
    assert list(kept.record(many)) == many
    assert list(kept) == many
    assert list(kept) == many
