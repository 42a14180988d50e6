"""Which of the three kinds of file a session is in, and its entries."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from segue.agents import _jsonl
from segue.agents._document import load
from segue.agents._record import record
from segue.agents._session_name import by_file
from segue.agents._writer import Desk
from segue.agents.copilot_cli.story import Story
from segue.agents.copilot_cli.wire import Event, decode
from segue.agents.copilot_vscode import LOG, story, tools, workspace
from segue.agents.copilot_vscode.log import replay
from segue.model.entry import Entry

_EVENT = re.compile(rb'\s*\{\s*"type"\s*:\s*"[a-z]+\.\w+"')


def entries(path: str, branch: str | None) -> Iterator[Entry]:
    head = _jsonl.head(path)
    folders = workspace.folders(path)
    if _EVENT.match(head):
        yield from _transcript(path, folders)
        return
    if LOG.match(head):
        held, flaws = replay(path)
    else:
        document = load(path)
        held, flaws = document.value, [document.flaw] if document.flaw else []
    last = 1
    for entry in story.entries(path, record(held), folders, branch):
        last = entry.line
        yield entry
    for flaw in flaws:
        yield msgspec.structs.replace(flaw, line=last)


def _transcript(path: str, folders: list[str]) -> Iterator[Entry]:
    desk = Desk(path)
    told = Story(desk, tools.KINDS, tools.meant)
    opened = False
    for line, offset, value in _jsonl.records(path, decode):
        if not opened:
            opened = True
            begins = isinstance(value, Event) and value.type == "session.start" and value.data.session_id
            if not begins:
                desk.tell("meta", by="harness", data={**by_file(path), "started_mid_session": True})
        if isinstance(value, Event):
            told.tell(line, offset, value)
            if value.type == "session.start" and len(folders) == 1 and not desk.cwd:
                desk.cwd = folders[0]
                desk.tell("meta", by="harness", cwd=desk.cwd, data={"cwd": desk.cwd})
        else:
            desk.carry(line, offset, value)
        yield from desk.take()
