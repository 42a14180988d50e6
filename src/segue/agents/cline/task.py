"""A task folder of the editor extension: two files, told as one conversation.

The model's history sets the order. What is on the screen's side alone is put in after the message
it followed: feedback, interruptions, cuts of the context.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator
from typing import Any

from segue.agents import _document, _jsonl
from segue.agents._record import At, by_name, items, millis, record, records, usage, whole, with_usage, word
from segue.agents._toolcall import checklist
from segue.agents.cline import speech
from segue.errors import NotFound
from segue.model.entry import Entry, Usage, clip
from segue.model.value import NamedTuple

HISTORY = "api_conversation_history.json"
SCREEN = "ui_messages.json"
_FOCUS = "focus_chain*.md"


class Shown(NamedTuple):
    """A message on the screen. `after` is the message of the history it followed."""

    at: At
    after: int
    kind: str
    text: str
    message: dict[str, Any]


def name_of(path: str) -> str:
    return os.path.basename(os.path.abspath(_folder(path)))


def entries(path: str) -> Iterator[Entry]:
    folder = _folder(path)
    history, screen = _load(os.path.join(folder, HISTORY)), _load(os.path.join(folder, SCREEN))
    if history is None and screen is None:
        raise NotFound(f"There is no Cline task in {folder}.", f"A task folder holds {HISTORY}.")
    shown = list(_ui_messages(os.path.join(folder, SCREEN), screen))
    started = shown[0].at.time_ms if shown else None
    yield At(path, 1, time_ms=started).meta(**_meta(folder))
    last: Entry | None = None
    line = 1
    for entry in _conversation(folder, history, shown):
        if entry.kind == "todo" and last and last.todos == entry.todos:
            continue
        last = entry if entry.kind == "todo" else last
        line = entry.line if history is None or entry.file.endswith(HISTORY) else line
        yield entry
    yield from _focus(folder, last, line)
    for document in (history, screen):
        if document and document.flaw:
            yield document.flaw


def _conversation(folder: str, history: _document.Document | None, shown: list[Shown]) -> Iterator[Entry]:
    if history is None:
        yield from _screen_alone(shown)
        return
    messages = items(history.value)
    spoken = _words_of_person(messages)
    calls = speech.Calls()
    beside: dict[int, list[Shown]] = {}
    for one in shown:
        beside.setdefault(max(one.after, 0), []).append(one)
    cwd, cut, place = "", (), 0
    for index, message in enumerate(map(record, messages)):
        around = beside.get(index if message.get("role") == "user" else index - 1, [])
        at = At(os.path.join(folder, HISTORY), index + 1, time_ms=_time(message, around))
        for entry in _message(at, message, around, calls):
            if entry.kind == "meta":
                if entry.cwd == cwd:
                    continue
                cwd = entry.cwd
            yield entry
        while place < len(shown) and shown[place].after <= index:
            extra, cut = _extra(shown[place], spoken, cut)
            yield from extra
            place += 1
    for one in shown[place:]:
        extra, cut = _extra(one, spoken, cut)
        yield from extra


def _message(at: At, message: dict[str, Any], around: list[Shown], calls: speech.Calls) -> Iterator[Entry]:
    if message.get("role") == "user":
        yield from speech.of_user(at, message.get("content"), calls)
        return
    model = word(record(message.get("modelInfo")).get("modelId"))
    spoken = speech.of_agent(at, message.get("content"), calls)
    yield from with_usage(spoken, _usage(message, around), model)


def _extra(one: Shown, spoken: set[str], cut: tuple[Any, ...]) -> tuple[list[Entry], tuple[Any, ...]]:
    """What only the screen tells, and the newest cut of the context."""
    found: list[Entry] = []
    if one.kind == "user_feedback" and _flat(clip(one.text)[0]) not in spoken:
        found.append(one.at.entry("user", one.text, by="person", via="prompt"))
    elif one.kind == "user_feedback_diff":
        change = _document.object_in(one.text)
        path = word(change.get("path"))
        text = word(change.get("diff"))
        found.append(one.at.other(one.kind, text, by="person", paths=(path,) if path else ()))
    elif one.kind == "api_req_started":
        request = _document.object_in(one.text)
        reason = word(request.get("cancelReason"))
        if reason:
            by = "person" if reason == "user_cancelled" else "harness"
            failure = word(request.get("streamingFailedMessage"))
            found.append(one.at.entry("interruption", failure, by=by, reason=reason))
    deleted = tuple(items(one.message.get("conversationHistoryDeletedRange")))
    if deleted and deleted != cut:
        cut = deleted
        data = {"trigger": "auto", "deleted": list(deleted)}
        found.append(one.at.entry("compaction", by="harness", data=data))
    return found, cut


def _screen_alone(shown: list[Shown]) -> Iterator[Entry]:
    """A task whose history is lost: what the screen showed of it."""
    for number, one in enumerate(shown):
        if one.kind in ("user_feedback", "task") or (one.kind == "text" and number == 0):
            yield one.at.entry("user", one.text, by="person", via="prompt")
        elif one.kind in ("text", "completion_result"):
            yield one.at.entry("agent", one.text)
        elif one.kind == "reasoning":
            yield one.at.entry("thought", one.text)
        elif one.kind == "command":
            yield one.at.entry("tool_call", tool="execute_command", tool_kind="shell", command=one.text)
        elif one.kind == "command_output":
            yield one.at.entry("tool_result", one.text, tool="execute_command", tool_kind="shell")
        else:
            yield one.at.other(one.kind, one.text)


def _ui_messages(path: str, document: _document.Document | None) -> Iterator[Shown]:
    after = -1
    for number, message in enumerate(records(document.value if document else None), 1):
        kind = word(message.get("say") or message.get("ask"))
        after = max(after, whole(message.get("conversationHistoryIndex", -1)))
        at = At(path, number, native_id=word(message.get("ts")), time_ms=millis(message.get("ts")))
        if message.get("partial") is not True:
            yield Shown(at, after, kind, word(message.get("text")), message)


def _time(message: dict[str, Any], around: list[Shown]) -> int | None:
    own = millis(message.get("ts"))
    if own or not around:
        return own
    if message.get("role") == "user":
        return around[0].at.time_ms
    return next((one.at.time_ms for one in around if one.kind != "api_req_started"), around[0].at.time_ms)


def _usage(message: dict[str, Any], around: list[Shown]) -> Usage | None:
    tokens = record(record(message.get("metrics")).get("tokens"))
    if tokens:
        return usage(tokens, "prompt", "completion", "cached")
    request = next((one for one in around if one.kind == "api_req_started"), None)
    if request is None:
        return None
    counts = _document.object_in(request.text)
    return usage(counts, "tokensIn", "tokensOut", "cacheReads", "cacheWrites")


def _focus(folder: str, last: Entry | None, line: int) -> Iterator[Entry]:
    """The list as it is kept beside the task: newer than any that the messages tell, so it belongs to the last of them."""
    for path in sorted(glob.glob(os.path.join(glob.escape(folder), _FOCUS))):
        todos = checklist(_jsonl.head(path).decode("utf-8", "replace"))
        if todos and not (last and last.todos == todos):
            yield At(path, line).entry("todo", todos=todos)


def _meta(folder: str) -> dict[str, str]:
    facts = by_name(name_of(folder))
    metadata = _load(os.path.join(folder, "task_metadata.json"))
    used = records(record(metadata.value).get("model_usage")) if metadata else []
    if used:
        facts["model"] = word(used[-1].get("model_id"))
    return facts


def _words_of_person(messages: list[Any]) -> set[str]:
    """Everything the person said that reached the model."""
    calls = speech.Calls()
    said = set()
    for message in map(record, messages):
        tell = speech.of_user if message.get("role") == "user" else speech.of_agent
        for entry in tell(At("", 1), message.get("content"), calls):
            if entry.by == "person":
                said.add(_flat(entry.text))
    return said


def _flat(text: str) -> str:
    return " ".join(text.split())


def _folder(path: str) -> str:
    return path if os.path.isdir(path) else os.path.dirname(path) or "."


def _load(path: str) -> _document.Document | None:
    try:
        return _document.load(path)
    except NotFound:
        return None
