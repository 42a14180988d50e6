"""A session's document into entries, one request after the other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from segue.agents._address import folder_of
from segue.agents._record import code, record, records, word
from segue.agents._session_name import by_file
from segue.agents._writer import Desk
from segue.agents.copilot_vscode.prompt import prompted, undone_before
from segue.agents.copilot_vscode.reply import Reply
from segue.model.entry import Entry

_CANCELLED, _FAILED = 2, 3
_OWN = "copilot/"
"""What stands before the models that GitHub serves."""


def entries(path: str, session: dict[str, Any], folders: list[str], branch: str | None) -> Iterator[Entry]:
    """The entries of a session. Requests that the person took back by restoring a checkpoint are left out
    unless all branches are wanted."""
    desk = Desk(path)
    listed = records(session.get("requests"))
    requests = [
        (number, request)
        for number, request in enumerate(listed, start=1)
        if branch == "all" or not (request.get("shouldBeRemovedOnSend") or request.get("isHidden") is True)
    ]
    _session(desk, path, session, folders or _shown_folders(listed), listed)
    yield from desk.take()
    question = ""
    for place, (number, request) in enumerate(requests):
        after = requests[place + 1][1] if place + 1 < len(requests) else {}
        desk.turn_to(number, 0, request.get("timestamp"), word(request.get("requestId")))
        _modelled(desk, request)
        prompted(desk, request, question)
        reply = Reply(desk, number, request, undone_before(after))
        reply.tell()
        _ended(desk, number, request)
        question = reply.question
        yield from desk.take()
    for waiting in records(session.get("pendingRequests")):
        request = record(waiting.get("request"))
        desk.turn_to(len(listed) + 1, 0, request.get("timestamp"), word(request.get("requestId")))
        prompted(desk, request, "", "queued")
        yield from desk.take()


def _session(
    desk: Desk, path: str, session: dict[str, Any], folders: list[str], requests: list[dict[str, Any]]
) -> None:
    desk.cwd = folder_of(session.get("workingDirectory")) or (folders[0] if len(folders) == 1 else "")
    id = word(session.get("sessionId"))
    agents = (record(request.get("agent")) for request in reversed(requests))
    facts = {
        **({"id": id} if id else by_file(path)),
        "cwd": desk.cwd,
        "title": word(session.get("customTitle")) or word(session.get("computedTitle")),
        "branch": word(record(session.get("repoData")).get("localBranch")),
        "model": next(filter(None, map(_model, reversed(requests))), ""),
        "agent_version": next(
            (word(agent["extensionVersion"]) for agent in agents if agent.get("extensionVersion")), ""
        ),
    }
    desk.turn_to(1, 0, session.get("creationDate"))
    told = {key: value for key, value in facts.items() if value}
    desk.tell("meta", by="harness", cwd=desk.cwd, data=told)


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


def _modelled(desk: Desk, request: dict[str, Any]) -> None:
    known, desk.model = desk.model, _model(request) or desk.model
    if known and known != desk.model:
        desk.tell("model_change", by="person", model=desk.model)


def _ended(desk: Desk, number: int, request: dict[str, Any]) -> None:
    """How an answer ended, where it did not end well. One that is under way says nothing."""
    state = record(request.get("modelState"))
    fault = record(record(request.get("result")).get("errorDetails"))
    cancelled = code(state.get("value")) == _CANCELLED or request.get("isCanceled") is True
    if not (cancelled or fault or code(state.get("value")) == _FAILED):
        return
    desk.turn_to(number, 0, state.get("completedAt") or request.get("timestamp"), desk.native_id)
    if cancelled:
        desk.tell("interruption", by="person", reason="cancelled")
    else:
        desk.tell("interruption", by="harness", reason=word(fault.get("message")) or "error")
