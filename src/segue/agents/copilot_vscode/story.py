"""A session's entries: of its document, one request after the other, or of its transcript."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from segue.agents import _jsonl
from segue.agents._address import folder_of, path_of, paths_in
from segue.agents._document import load
from segue.agents._record import by_file, code, record, records, word
from segue.agents._writer import EntryWriter, entries_of
from segue.agents.copilot_cli.story import Story, begins_session
from segue.agents.copilot_vscode import LOG, folders_of, tools
from segue.agents.copilot_vscode.log import replay
from segue.agents.copilot_vscode.reply import Reply
from segue.model.entry import Entry, Speaker

_EVENT = re.compile(rb'\s*\{\s*"type"\s*:\s*"[a-z]+\.\w+"')
_CANCELLED, _FAILED = 2, 3
_UNDONE, _CHANGED = 2, 3
_IMPLICIT = "vscode.implicit"
_INSTRUCTIONS = ("promptFile", "promptText")
_OWN = "copilot/"
"""What stands before the models that GitHub serves."""


def entries(path: str, branch: str | None) -> Iterator[Entry]:
    """The entries of a session, whichever of the three kinds of file it is in."""
    head = _jsonl.head(path)
    folders = folders_of(path)
    if _EVENT.match(head):
        yield from _transcript(path, folders)
        return
    if LOG.match(head):
        held, flaws = replay(path)
    else:
        document = load(path)
        held, flaws = document.value, [document.flaw] if document.flaw else []
    last = 1
    for entry in _of_document(path, record(held), folders, branch):
        last = entry.line
        yield entry
    for flaw in flaws:
        yield msgspec.structs.replace(flaw, line=last)


def _transcript(path: str, folders: list[str]) -> Iterator[Entry]:
    writer = EntryWriter(path)
    told = Story(writer, tools.KINDS, tools.arguments)

    def add(line: int, offset: int, event: dict[str, Any]) -> None:
        told.add_event(line, offset, event)
        if event.get("type") == "session.start" and len(folders) == 1 and not writer.cwd:
            writer.cwd = folders[0]
            writer.add_meta({"cwd": writer.cwd}, cwd=writer.cwd)

    return entries_of(writer, _jsonl.records(path), by_file(path), begins_session, add)


def _of_document(
    path: str, session: dict[str, Any], folders: list[str], branch: str | None
) -> Iterator[Entry]:
    """The entries of a session. Requests that the person took back by restoring a checkpoint are left out
    unless all branches are wanted."""
    writer = EntryWriter(path)
    listed = records(session.get("requests"))
    requests = [
        (number, request)
        for number, request in enumerate(listed, start=1)
        if branch == "all" or not (request.get("shouldBeRemovedOnSend") or request.get("isHidden") is True)
    ]
    _session(writer, path, session, folders or _shown_folders(listed), listed)
    yield from writer.flush()
    question = ""
    for place, (number, request) in enumerate(requests):
        after = requests[place + 1][1] if place + 1 < len(requests) else {}
        writer.start_record(number, 0, request.get("timestamp"), word(request.get("requestId")))
        _modelled(writer, request)
        _prompted(writer, request, question)
        reply = Reply(writer, number, request, _undone_before(after))
        reply.add_entries()
        _ended(writer, number, request)
        question = reply.question
        yield from writer.flush()
    for waiting in records(session.get("pendingRequests")):
        request = record(waiting.get("request"))
        writer.start_record(len(listed) + 1, 0, request.get("timestamp"), word(request.get("requestId")))
        _prompted(writer, request, "", "queued")
        yield from writer.flush()


def _session(
    writer: EntryWriter,
    path: str,
    session: dict[str, Any],
    folders: list[str],
    requests: list[dict[str, Any]],
) -> None:
    writer.cwd = folder_of(session.get("workingDirectory")) or (folders[0] if len(folders) == 1 else "")
    id = word(session.get("sessionId"))
    agents = (record(request.get("agent")) for request in reversed(requests))
    facts = {
        **({"id": id} if id else by_file(path)),
        "cwd": writer.cwd,
        "title": word(session.get("customTitle")) or word(session.get("computedTitle")),
        "branch": word(record(session.get("repoData")).get("localBranch")),
        "model": next(filter(None, map(_model, reversed(requests))), ""),
        "agent_version": next(
            (word(agent["extensionVersion"]) for agent in agents if agent.get("extensionVersion")), ""
        ),
    }
    writer.start_record(1, 0, session.get("creationDate"))
    writer.add_meta(facts, cwd=writer.cwd)


def _shown_folders(requests: list[dict[str, Any]]) -> list[str]:
    """The window's folders as an answer shows them: the key of what the model was told about the workspace, or
    the folder that links in a text are relative to."""
    for request in requests:
        about = record(record(request.get("result")).get("metadata"))
        told = word(about.get("cacheKey")) or word(about.get("globalContextCacheKey"))
        if found := [folder for key in told.split(",") if (folder := folder_of(key))]:
            return found
    parts = (part for request in requests for part in records(request.get("response")))
    base = next((folder for part in parts if (folder := folder_of(part.get("baseUri")))), "")
    return [base] if base else []


def _model(request: dict[str, Any]) -> str:
    return word(request.get("modelId")).removeprefix(_OWN)


def _modelled(writer: EntryWriter, request: dict[str, Any]) -> None:
    known, writer.model = writer.model, _model(request) or writer.model
    if known and known != writer.model:
        writer.add("model_change", by="person", model=writer.model)


def _ended(writer: EntryWriter, number: int, request: dict[str, Any]) -> None:
    """How an answer ended, where it did not end well. One that is under way says nothing."""
    state = record(request.get("modelState"))
    fault = record(record(request.get("result")).get("errorDetails"))
    cancelled = code(state.get("value")) == _CANCELLED or request.get("isCanceled") is True
    if not (cancelled or fault or code(state.get("value")) == _FAILED):
        return
    writer.start_record(number, 0, state.get("completedAt") or request.get("timestamp"), writer.at.native_id)
    if cancelled:
        writer.add("interruption", by="person", reason="cancelled")
    else:
        writer.add("interruption", by="harness", reason=word(fault.get("message")) or "error")


def _prompted(writer: EntryWriter, request: dict[str, Any], question: str, via: str = "prompt") -> None:
    """Tells the words of a request. Where a button was pressed they are the answer to `question`."""
    for event in records(request.get("editedFileEvents")):
        if code(event.get("eventKind")) == _CHANGED and (path := path_of(event.get("uri"))):
            writer.add("other", by="person", paths=(path,), data={"type": "editedFileEvents"})
    said = request.get("message")
    text = word(record(said).get("text")) if isinstance(said, dict) else word(said)
    pressed = word(request.get("confirmation"))
    given = records(record(request.get("variableData")).get("variables"))
    chosen = [one for one in given if not _is_implicit(one)]
    if pressed:
        writer.add("answer", f"{question}\n{pressed}".strip(), by="person", via="answer")
    else:
        pictures = sum(one.get("kind") == "image" for one in chosen)
        by: Speaker = "harness" if request.get("isSystemInitiated") is True else "person"
        channel = "notification" if by == "harness" else via
        paths = paths_in(record(one.get("value")) for one in chosen)
        data = {"images": pictures} if pictures else {}
        writer.add("user", text, by=by, via=channel, paths=paths, data=data)
    for one in given:
        _attached(writer, one)


def _undone_before(request: dict[str, Any]) -> set[str]:
    """The files whose edits the person undid before sending a request."""
    events = records(request.get("editedFileEvents"))
    return {path_of(event.get("uri")) for event in events if code(event.get("eventKind")) == _UNDONE} - {""}


def _is_implicit(one: dict[str, Any]) -> bool:
    """True for what the editor attached by itself."""
    return word(one.get("id")).startswith(_IMPLICIT) or one.get("kind") in ("implicit", *_INSTRUCTIONS)


def _attached(writer: EntryWriter, one: dict[str, Any]) -> None:
    """What came with the words, where it is more than the name of a file."""
    kind, path = one.get("kind"), path_of(record(one.get("value")))
    if kind in _INSTRUCTIONS:
        text = word(one.get("value")) if kind == "promptText" else word(one.get("name"))
        paths = (path,) if kind == "promptFile" and path else ()
        writer.add("user", text, by="harness", via="instructions", paths=paths)
    elif kind == "paste":
        writer.add("user", word(one.get("code")) or word(one.get("value")), by="harness", via="environment")
    elif _is_implicit(one) and path:
        writer.add("user", word(one.get("name")), by="harness", via="environment", paths=(path,))
