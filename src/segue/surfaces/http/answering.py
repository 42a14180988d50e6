"""Doing an operation and saying what came of it: the same for every row of the table.

Three kinds of operation differ in what their bodies are: events are a stream or a page, an artifact is
bytes, and everything else is JSON.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from starlette.responses import Response

from segue.errors import SegueError
from segue.service.idempotency import perform_once
from segue.service.operations import ADMIN, Operation
from segue.service.signatures import perform, signature
from segue.surfaces.http import artifacts, events
from segue.surfaces.http.call import CHANNEL, LOOKUPS, Call, Handler
from segue.surfaces.http.problems import problem
from segue.surfaces.http.reading import RequestValues, read_request
from segue.surfaces.http.refusals import refusal


class Json(Response):
    """An answer in JSON. Its headers are always the same two, so nothing is asked about them."""

    def __init__(self, body: bytes, status: int) -> None:
        self.status_code, self.body, self.background = status, body, None
        self.raw_headers = [
            (b"content-length", b"%d" % len(body)),
            (b"content-type", b"application/json"),
        ]


def handler_of(operation: Operation) -> Handler:
    """How requests for an operation are answered."""
    if operation.name == "thread.events":
        return events.answer
    return artifacts.answer if signature(operation).answer is bytes else answer


async def answer(call: Call) -> Response:
    """An operation that answers in JSON."""
    said = await read_request(call)
    if any(_is_given(said.values, name) for name in call.operation.vouches):
        call.guard.admit(call.headers, ADMIN, call.site.name)
    if call.site.lookups is not None and call.operation.name in LOOKUPS:
        found = call.site.lookups.answer(call.operation, said)
        if found is not None:
            return Json(found, call.operation.status)
    return await call.blocking(_perform, call, said)


def _perform(call: Call, said: RequestValues) -> Response:
    operation, workspace = call.operation, call.site.workspace
    if said.key is not None and operation.writes and not signature(operation).keyed:
        made = perform_once(operation, workspace, said.values, said.by, said.key, CHANNEL, said.strict)
    else:
        made = perform(operation, workspace, said.values, said.by, said.key, CHANNEL, said.strict)
    if operation.name == "draft.write" and not made["written"]:
        return problem(_refused_by_lint(made), answer=call.shown(made))
    return Json(msgspec.json.encode(call.shown(made)), operation.status)


def _is_given(values: Any, name: str) -> bool:
    """Whether a request says something for a parameter, or for a field of one or of each of its items."""
    path, _, word = name.partition("=")
    first, _, rest = path.partition(".")
    if isinstance(values, list):
        return any(_is_given(item, name) for item in values)
    if not isinstance(values, Mapping):
        return False
    value = values.get(first)
    if rest:
        return _is_given(value, name.partition(".")[2])
    return value in (None, word) if word else bool(value)


def _refused_by_lint(made: dict[str, Any]) -> SegueError:
    errors = [found["message"] for found in made["lint"]["findings"] if found["severity"] == "error"]
    return refusal("lint", errors=" ".join(errors))
