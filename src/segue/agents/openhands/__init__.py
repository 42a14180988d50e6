"""OpenHands: the events of a conversation.

**Where**: `~/.openhands/conversations/<id>/events/event-<number>-<id>.json`, with `base_state.json` beside
the folder; before 1.0 `~/.openhands/sessions/<id>/events/<number>.json`; and downloaded trajectories, all events
in one list (`events.json`, `trajectory.json`), or in the `history` of an evaluation's record.

**Versions seen**: the events of the software agent SDK of 2025/26, and the actions and observations of
0.x (own samples made after both formats).

**Quirks**

- A record is an event; its place is its number. Times name no zone and are taken as UTC.
- The text of an action's `thought` is what the agent said with the call; what it thought privately
  is its `reasoning_content`.
- A condensation forgets events and leaves a summary: the boundary and the summary in one event.
- Before 1.0 an event is an action or an observation; an observation names by `cause` the action it answers.
- A command's exit code -1 means that it had not ended yet.
"""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterable, Iterator
from typing import Any

from segue.agents import _document
from segue.agents._record import At, by_name, items, millis, record, word
from segue.agents.contract import Home
from segue.agents.openhands.events import Actions, entries
from segue.errors import NotFound
from segue.model.entry import Entry, ToolKind

AGENT = "openhands"

_EVENT = re.compile(
    rb'"kind"\s*:\s*"(?:SystemPrompt|Message|Action|Observation|ConversationStateUpdate)Event"'
)
_ACTION = re.compile(rb'"(?:action|observation)"\s*:\s*"[a-z_]+"')
_MARKS = {"kind", "action", "observation"}
_STATE = "base_state.json"


def places(home: Home, cwd: str | None) -> Iterable[str]:
    folder = os.path.join(glob.escape(home.home), ".openhands")
    return [os.path.join(folder, "conversations", "*"), os.path.join(folder, "sessions", "*")]


def sniff(path: str, head: bytes) -> int:
    if not head:
        return 95 if os.path.isdir(os.path.join(path, "events")) and _named(path) else 0
    if head.lstrip()[:1] not in b"[{" or b'"source"' not in head:
        return 0
    if _EVENT.search(head):
        return 95
    return 90 if _ACTION.search(head) and (b'"args"' in head or b'"extras"' in head) else 0


def sessions(path: str) -> Iterable[str]:
    return [_name(path)]


def read(path: str, session: str | None = None, branch: str | None = None) -> Iterator[Entry]:
    folder = path if os.path.isdir(path) else os.path.dirname(path)
    yield _meta(path, _state(folder))
    known: dict[str, ToolKind] = {}
    actions = Actions()
    for number, (file, value) in enumerate(_events(path), 1):
        event = record(value)
        at = At(file, number, native_id=word(event.get("id")), time_ms=millis(event.get("timestamp")))
        if isinstance(value, Entry):
            yield at._replace(offset=value.offset).entry("unreadable", by="harness", reason=value.reason)
        else:
            yield from entries(at, event, known) if "kind" in event else actions.entries(at, event)


def _events(path: str) -> Iterator[tuple[str, Any]]:
    if os.path.isdir(path):
        for name in _named(path):
            file = os.path.join(path, "events", name)
            document = _document.load(file)
            if document.complete:
                yield file, document.value
            if document.flaw:
                yield file, document.flaw
        return
    document = _document.load(path)
    value = document.value
    listed = items(value)
    for key in ("events", "history"):
        listed = listed or items(record(value).get(key))
    listed = listed or ([value] if record(value).keys() & _MARKS else [])
    for event in listed:
        yield path, event
    if document.flaw:
        yield path, document.flaw


def _meta(path: str, state: dict[str, Any]) -> Entry:
    cwd = word(record(state.get("workspace")).get("working_dir"))
    model = word(record(record(state.get("agent")).get("llm")).get("model"))
    return At(path, 1).meta(**by_name(_name(path)), cwd=cwd, title=word(state.get("title")), model=model)


def _state(folder: str) -> dict[str, Any]:
    for name, part in ((_STATE, None), ("trajectory.json", "baseState")):
        try:
            value = record(_document.load(os.path.join(folder, name)).value)
        except NotFound:
            continue
        return record(value.get(part)) if part else value
    return {}


def _named(folder: str) -> list[str]:
    """The event files of a conversation; their numbers sort them."""
    try:
        names = [name for name in os.listdir(os.path.join(folder, "events")) if name.endswith(".json")]
        return sorted(names, key=lambda name: (_number(name), name))
    except OSError:
        return []


def _number(name: str) -> int:
    found = re.search(r"\d{1,18}", name)
    return int(found[0]) if found else 0


def _name(path: str) -> str:
    path = os.path.abspath(path)
    stem = os.path.splitext(os.path.basename(path))[0]
    return os.path.basename(os.path.dirname(path)) if stem in ("events", "trajectory") else stem
