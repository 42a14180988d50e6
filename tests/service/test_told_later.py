"""A secret that a settings file shows only later is gone from what was said before it, wherever that goes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from segue.agents import generic
from segue.model.thread import LIBRARY
from segue.service.handoffs import renderings
from segue.service.handoffs.commit import commit
from segue.service.handoffs.draft import Draft, Session, Wanted, draft, propose
from segue.service.imports import intake
from segue.service.remote import sending
from segue.service.sessions import lookup
from segue.service.threads import streams
from segue.service.workspace import Workspace

SECRET = "Gx7kQ2vLpw81"


@pytest.fixture
def source(tmp_path: Path) -> lookup.Source:
    lines = [
        {generic.HEADER: generic.VERSION, "agent": "own", "id": "s-1", "cwd": str(tmp_path)},
        {
            "kind": "user",
            "text": f"Deploy the worker; the panel login is maria / {SECRET}. Always do it twice.",
        },
        {"kind": "tool_call", "call_id": "1", "tool": "Read", "tool_kind": "read", "paths": [".env"]},
        {"kind": "tool_result", "call_id": "1", "text": f"PANEL_PASSWORD={SECRET}\n"},
        {"kind": "agent", "text": "The worker is deployed."},
    ]
    path = tmp_path / "session.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return lookup.at(str(path))


def drafted(source: lookup.Source) -> Draft:
    return draft(Session(source.agent, source.path, source.entries()), "deploy it")


def in_the_log(workspace: Workspace, thread: str) -> str:
    return "".join(str(frame.data) for frame in streams.events(workspace, thread, after_seq=0))


def handed_off(workspace: Workspace, source: lookup.Source) -> str:
    proposal = propose(workspace, source, Wanted("deploy it", repo=False))
    handed = commit(workspace, proposal.source, proposal.made, LIBRARY)
    return in_the_log(workspace, handed["from_thread_id"])


WAYS: dict[str, Callable[[Workspace, lookup.Source], str]] = {
    "packet": lambda _, source: drafted(source).text,
    "document": lambda workspace, source: renderings.rendered_as(
        "document", drafted(source), source, workspace, {}
    ),
    "shown": lambda _, source: str(lookup.show(source)),
    "imported": lambda workspace, source: in_the_log(
        workspace, intake.import_session(workspace, source)["thread_id"]
    ),
    "handed off": lambda workspace, source: in_the_log(
        workspace, commit(workspace, source, drafted(source), LIBRARY)["from_thread_id"]
    ),
    "handed off as it was read": lambda workspace, source: handed_off(workspace, source),
    "sent": lambda _, source: b"".join(sending.lines(source)).decode(),
}


@pytest.mark.parametrize("way", WAYS)
def test_what_was_said_before_is_clean(workspace: Workspace, source: lookup.Source, way: str) -> None:
    told = WAYS[way](workspace, source)
    assert "panel login" in told
    assert SECRET not in told
