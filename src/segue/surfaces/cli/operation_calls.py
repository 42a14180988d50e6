"""The one door between a command and what it asks for: this machine's workspace, or a server's.

`ask` takes the name of an operation and its parameters; the answer is the same from both, so a command
prints the same. A server is named by `--server` or the environment; commands about this machine itself
do not pass here.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from segue.errors import BadInput, Unavailable
from segue.surfaces.cli.parsing import SERVER, provenance, workspace_of

if TYPE_CHECKING:
    from segue.model.thread import Provenance
    from segue.sdk.remote import Remote
    from segue.service.handoffs.draft import Draft
    from segue.service.sessions.lookup import Progress, Source
    from segue.service.workspace import Workspace


def server_of(args: argparse.Namespace) -> Remote | None:
    """The server that is meant, if any."""
    given, folder = getattr(args, "server", None), getattr(args, "workspace", None)
    if given and folder:
        raise BadInput("A command works on a folder or on a server, not on both.", "Leave one of them out.")
    url = given or (None if folder else os.environ.get(SERVER))
    if not url:
        return None
    from segue.sdk.remote import Remote  # 40 ms

    return Remote(url)


def ask(
    args: argparse.Namespace,
    operation: str,
    /,
    by: Provenance | None = None,
    key: str | None = None,
    **values: Any,
) -> Any:
    """What the operation answers, done here or there."""
    server = server_of(args)
    if server is not None:
        return server.call(operation, values, by, key)
    from segue.service.operations import named  # a handoff does without

    if by is not None:
        values["by"] = by
    if key is not None:
        values["key"] = key
    return named(operation).load()(workspace_of(args), **values)


def act(args: argparse.Namespace, operation: str, /, **values: Any) -> Any:
    """`ask`, by whoever acts and for the idempotency key, as the flags say."""
    return ask(args, operation, provenance(args), getattr(args, "key", None), **values)


def given(args: argparse.Namespace, *names: str) -> dict[str, Any]:
    """What the flags say, for parameters of the same names."""
    return {name: getattr(args, name) for name in names}


def send(server: Remote, source: Source, by: Provenance, progress: Progress) -> Any:
    """Brings a session of this machine into a thread of the server's workspace."""
    from segue.redaction.redact import Redactor
    from segue.service.remote import sending

    redactor = Redactor()
    data = b"".join(sending.lines(source, progress, redactor))
    taken = server.call("session.take", {"data": data}, by)
    return {**taken, "redactions": taken["redactions"] + redactor.receipt().total}


def send_handoff(server: Remote, workspace: Workspace, source: Source, made: Draft, by: Provenance) -> Any:
    """Commits on a server: the session as its thread there, and the child that starts from the packet, with the
    bundle that a commit here would have made."""
    from segue.service.remote import sending
    from segue.surfaces.cli.progress import Progress

    def put(data: bytes) -> str:
        return str(server.call("artifact.put", {"data": data}, by)["artifact_id"])

    with Progress() as progress:
        taken = send(server, source, by, progress)
    cut = {"thread_id": taken["thread_id"], "seq": taken["head_seq"]}
    if "head_message_id" in taken:
        cut["message_id"] = taken["head_message_id"]
    values = {
        "thread_id": cut["thread_id"],
        "from_seq": cut["seq"],
        "title": made.facts.goal[:80] or None,
        "goal": made.facts.goal or None,
        "summary_markdown": made.text,
        "summary_artifact_id": sending.bundle(workspace, made, cut, put),
        "agent": source.agent,
        "session_id": taken["session_id"],
    }
    return server.call("thread.handoff", values, by)


def bundle_of(server: Remote, committed: dict[str, Any]) -> str:
    """The bundle of a handoff that was committed on a server."""
    wanted = {"artifact_id": committed["summary_artifact_id"]}
    return str(server.call("artifact.get", wanted).decode()) + "\n"


def ask_events(
    args: argparse.Namespace,
    thread_id: str,
    after_seq: int,
    follow: bool,
    max_events: int | None,
    lost: Callable[[Unavailable], None] = lambda _: None,
) -> Iterator[str]:
    """Frames as JSON, one text each. `lost` is told when a server that is followed is away; it is waited for."""
    server = server_of(args)
    if server is not None:
        return server.events(thread_id, after_seq, follow, max_events, lost=lost)
    from segue.service.threads import streams

    frames = streams.events(workspace_of(args), thread_id, after_seq, follow, max_events)
    return (frame.body.decode() for frame in frames)
