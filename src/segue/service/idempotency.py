"""Doing an operation once for an idempotency key, where the operation's own frames cannot tell.

A key has a small stream of its own in the log: claimed, then answered, or released where the operation was
refused and nothing was done. The log's one winner per head decides who may do it; every store and every
server on it therefore agrees. A claim without an answer means that a server stopped in between: whether the
operation was done is in doubt, and nobody but the caller can find out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from segue.errors import Conflict, SegueError, Unavailable
from segue.model.frame import Draft, Frame
from segue.model.thread import Provenance
from segue.model.wire import canonical, content_id, stream_named
from segue.service.operations import Operation
from segue.service.refusals import refusal
from segue.service.signatures import perform
from segue.service.workspace import Workspace
from segue.stores.contract import NEW, Log
from segue.stores.seal import key_taken

CLAIMED = "request_claimed"
ANSWERED = "request_answered"
RELEASED = "request_released"
_KIND = "session"


def perform_once(
    operation: Operation,
    workspace: Workspace,
    values: Mapping[str, Any],
    by: Provenance,
    key: str,
    channel: str | None = None,
    strict: bool = True,
) -> Any:
    """`perform`, or what it answered when the key was used before. Raises Conflict for a key that was used for
    another request (`idempotency_clash`), or whose request was begun and never answered (`in_doubt`)."""
    stream_id, asked = stream_named(f"request:{key}"), _digest(operation, values, by)
    claim = {"operation": operation.name, "request": asked}
    log = workspace.establish().log
    newest = _newest(log, stream_id)
    if newest and newest[0].type != RELEASED:
        return _recorded(newest, claim, key)
    head = newest[0].seq if newest else NEW
    try:
        seq = log.append(stream_id, [Draft(CLAIMED, claim)], expect=head, stream_kind=_KIND)[0].seq
    except Conflict:
        return _recorded(_newest(log, stream_id), claim, key)
    try:
        answer = perform(operation, workspace, values, by, key, channel, strict)
    except Unavailable:
        raise
    except SegueError as refused:
        log.append(stream_id, [Draft(RELEASED, {"code": refused.code})], expect=seq, stream_kind=_KIND)
        raise
    log.append(stream_id, [Draft(ANSWERED, {"answer": answer})], expect=seq, stream_kind=_KIND)
    return answer


def _newest(log: Log, stream_id: str) -> list[Frame]:
    """The last two frames, newest first: an answer and its claim, or a claim."""
    return list(log.read(stream_id, reverse=True, limit=2))


def _recorded(newest: list[Frame], claim: dict[str, str], key: str) -> Any:
    """What a key's stream says to the same request."""
    claimed = next((frame.data for frame in newest if frame.type == CLAIMED), claim)
    if any(claimed[name] != said for name, said in claim.items()):
        raise key_taken(key)
    if newest[0].type != ANSWERED:
        raise refusal("request-in-doubt", key=key)
    answered = newest[0].data
    if "answer" not in answered:
        raise refusal("answer-forgotten", key=key)
    return answered["answer"]


def _digest(operation: Operation, values: Mapping[str, Any], by: Provenance) -> str:
    plain = {name: content_id(said) if isinstance(said, bytes) else said for name, said in values.items()}
    return content_id(canonical([operation.name, plain, by.actor_id, by.origin]))
