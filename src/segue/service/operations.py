"""The table of contents: everything segue can do, by the name every surface uses.

`thread.branch` is `segue thread branch` on the command line, `branch` in `service/threads/streams.py`, and
`POST /threads/{thread_id}/branch` on a server. What an operation takes and gives is the signature of its
function, which is read only when a surface needs it (`service/signatures.py`): functions are named as
strings, so that reading the table imports nothing.

What an operation that writes is told holds no secret: every text but ids is redacted between the caller and the
function, whatever the function does with it.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import cache, wraps
from typing import Any

from segue.model.value import NamedTuple


class Operation(NamedTuple):
    name: str
    function: str
    writes: bool
    route: str
    """Method and path. What stands in braces is a parameter of the function."""
    status: int = 200
    scope: str = ""
    """What a token must allow; by default `write` for what writes and `read` for the rest."""
    inside: tuple[str, ...] = ()
    """Parameters for callers within this program, which no surface offers."""
    vouches: tuple[str, ...] = ()
    """Parameters, and fields of theirs, by which somebody vouches for a thing: a token must allow `admin` for them. One
    with `=` does so where it has that value, which is also its default."""
    words: str = ""
    """The command that does it, where the name's own words are not it."""

    def load(self) -> Callable[..., Any]:
        """The function itself; of one that writes, the function told no secrets."""
        return _redacting(self.function) if self.writes else _loaded(self.function)

    @property
    def command(self) -> str:
        return self.words or self.name.replace(".", " ")

    @property
    def needs(self) -> str:
        return self.scope or ("write" if self.writes else "read")


MADE = 201
ADMIN = "admin"

# fmt: off
OPERATIONS: tuple[Operation, ...] = (
    Operation("thread.ensure", "threads.streams:ensure", True, "POST /threads/ensure"),
    Operation("thread.create", "threads.streams:create", True, "POST /threads", MADE),
    Operation("thread.list", "threads.streams:list_threads", False, "GET /threads"),
    Operation("thread.show", "threads.streams:show", False, "GET /threads/{thread_id}"),
    Operation("thread.amend", "threads.streams:amend", True, "PATCH /threads/{thread_id}", words="thread rename"),
    Operation("thread.post", "threads.streams:post", True, "POST /threads/{thread_id}/messages", MADE),
    Operation("thread.branch", "threads.streams:branch", True, "POST /threads/{thread_id}/branch", MADE),
    Operation("thread.handoff", "threads.streams:handoff", True, "POST /threads/{thread_id}/handoff", MADE, inside=("bundle_extra", "beside")),
    Operation("thread.reference", "threads.streams:reference", True, "POST /threads/{thread_id}/references", MADE),
    Operation("thread.events", "threads.streams:events", False, "GET /threads/{thread_id}/events"),
    Operation("thread.search", "threads.streams:search", False, "GET /search"),
    Operation("thread.lineage", "threads.lineage:of", False, "GET /threads/{thread_id}/lineage"),
    Operation("thread.graph", "threads.lineage:drawn", False, "GET /lineage", words="thread lineage"),
    Operation("thread.compile", "threads.contexts:compile_thread", True, "POST /threads/{thread_id}/compile"),
    Operation("thread.audit", "threads.contexts:audit", False, "GET /threads/{thread_id}/audit", words="thread compile"),
    Operation("thread.checkpoint", "threads.contexts:checkpoint", True, "POST /threads/{thread_id}/checkpoints", MADE),
    Operation("thread.checkpoints-due", "threads.contexts:checkpoint_automatically", True, "POST /threads/{thread_id}/checkpoints/due", words="thread checkpoint"),
    Operation("thread.cut-points", "threads.contexts:cut_points", False, "GET /threads/{thread_id}/cut-points"),
    Operation("artifact.put", "artifacts:put", True, "POST /artifacts", MADE),
    Operation("artifact.get", "artifacts:get", False, "GET /artifacts/{artifact_id}"),
    Operation("artifact.list", "artifacts:list_artifacts", False, "GET /artifacts"),
    Operation("session.list", "remote.sessions:listed", False, "GET /sessions", words="sessions list"),
    Operation("session.take", "remote.sessions:take", True, "POST /sessions", words="sessions import"),
    Operation("session.search", "remote.sessions:search", False, "GET /sessions/search", words="sessions search"),
    Operation("session.show", "remote.sessions:show", False, "GET /sessions/{session}", words="sessions show"),
    Operation("session.import", "remote.sessions:bring_in", True, "POST /sessions/{session}/import", words="sessions import"),
    Operation("handoff.draft", "remote.handoffs:propose", False, "POST /handoffs/draft", words="handoff"),
    Operation("handoff.commit", "remote.handoffs:commit", True, "POST /handoffs", MADE, words="handoff"),
    Operation("brief", "remote.handoffs:brief", False, "POST /briefs"),
    Operation("handoff.lint", "remote.handoffs:lint", False, "POST /handoffs/lint", words="lint"),
    Operation("handoff.verify", "remote.handoffs:verify", False, "POST /handoffs/verify", inside=("transcript",), words="verify handoff"),
    Operation("handoff.ground", "remote.handoffs:ground", False, "POST /handoffs/ground", inside=("transcript",), words="ground"),
    Operation("handoff.current", "remote.handoffs:current", False, "GET /handoffs/current", words="draft show"),
    Operation("draft.write", "boundary.drafts:write", True, "POST /boundary/draft", MADE, inside=("directory",)),
    Operation("draft.show", "boundary.drafts:show", False, "GET /boundary/draft"),
    Operation("draft.approve", "boundary.drafts:approve_reviewed", True, "POST /boundary/draft/approve", scope=ADMIN),
    Operation("draft.reject", "boundary.drafts:reject", True, "POST /boundary/draft/reject", scope=ADMIN),
    Operation("replay", "remote.handoffs:replay", True, "POST /boundary/replay"),
    Operation("ack", "boundary.moments:acknowledge", True, "POST /boundary/ack"),
    Operation("change.init", "changes.upkeep:init", True, "POST /changes/init"),
    Operation("change.new", "changes.records:new", True, "POST /changes", MADE, vouches=("more.approve",)),
    Operation("change.list", "changes.reading:list_changes", False, "GET /changes"),
    Operation("change.lint", "changes.upkeep:lint_changes", False, "POST /changes/lint"),
    Operation("change.rebuild", "changes.upkeep:rebuild", True, "POST /changes/rebuild"),
    Operation("change.retro", "changes.retro:record_past", True, "POST /changes/retro", MADE, vouches=("past.changes.status=deployed",)),
    Operation("change.dashboard", "changes.upkeep:write_dashboard", True, "POST /changes/dashboard", inside=("path",)),
    Operation("change.show", "changes.reading:show", False, "GET /changes/{tc_id}"),
    Operation("change.update", "changes.records:update", True, "PATCH /changes/{tc_id}", inside=("evidence_files",), vouches=("wanted.approve", "seal_anew")),
    Operation("change.resume", "changes.sessions:resume", True, "POST /changes/{tc_id}/resume"),
    Operation("change.promote", "changes.sessions:promote", True, "POST /changes/{tc_id}/promote"),
    Operation("change.close", "changes.records:close", True, "POST /changes/{tc_id}/close", vouches=("approve_by",)),
    Operation("change.link", "changes.links:link", True, "POST /changes/{tc_id}/links"),
    Operation("verify", "health.checkup:verify", False, "GET /verify"),
    Operation("rebuild", "health.checkup:rebuild", True, "POST /rebuild", scope=ADMIN),
    Operation("forget", "removal.forget:forget", True, "POST /forget", scope=ADMIN),
    Operation("gc", "removal.retention:gc", True, "POST /gc", scope=ADMIN),
    Operation("status", "health.checkup:status", False, "GET /status"),
    Operation("models", "models:list_models", False, "GET /models", scope=ADMIN, inside=("check",)),
    Operation("doctor", "health.checkup:doctor", True, "POST /doctor", scope=ADMIN),
)
# fmt: on


IDS = {
    "key": "a repeated request is recognised by it",
    "run": "the frames of a run are found by it",
    "session": "a session is looked up by it",
    "thread": "a thread is looked up by it",
    "threads": "so are several",
    "commits": "they are looked up in the repository",
    "targets": "what is to be forgotten is looked up by them",
    "artifacts": "so are these",
    "sessions": "and these",
    "expect": "what is there is compared with it",
}
"""Parameters and fields, beside those that end in `_id` or `_ids`, that name something which is looked up, and why."""


def is_id(name: str) -> bool:
    return name.endswith(("_id", "_ids")) or name in IDS


@cache
def _redacting(function: str) -> Callable[..., Any]:
    """The function, given every text without its secrets, but ids and the idempotency key."""
    act = _loaded(function)

    @wraps(act)
    def redacted_call(workspace: Any, /, *given: Any, **named: Any) -> Any:
        from segue.redaction.redact import Redactor, redact_json  # 45 ms, and only what writes needs it

        return act(workspace, *given, **redact_json(named, Redactor(), keep=is_id))

    return redacted_call


@cache
def _loaded(function: str) -> Callable[..., Any]:
    module, _, attribute = function.partition(":")
    loaded: Callable[..., Any] = getattr(importlib.import_module(f"segue.service.{module}"), attribute)
    return loaded


def named(name: str) -> Operation:
    """The row of that name."""
    return _BY_NAME[name]


_BY_NAME = {operation.name: operation for operation in OPERATIONS}
