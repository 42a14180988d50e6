"""Prints the current handoff for a session, once, and records that the session has read it. A second call for the same
session prints nothing."""

from __future__ import annotations

import argparse

from segue.agents import inside
from segue.errors import BadInput
from segue.service.actors import acting, require_own_name
from segue.surfaces.cli.operation_calls import ask, server_of
from segue.surfaces.cli.output import Output
from segue.surfaces.cli.parsing import own_session


def do_replay(args: argparse.Namespace, out: Output) -> int:
    around = inside.around()
    if around:  # what an agent may be given is asked of its own clearance
        require_own_name(around.agent, args.agent)
    agent, session_id = own_session(args)
    agent, session_id = agent or "generic", session_id or "by-hand"
    found = ask(args, "replay", host=agent, session_id=session_id)
    if not found["replayed"]:
        out.result(found, "Nothing to replay: there is no handoff, or this session has had it.")
        return 1
    if server_of(args) is not None:
        from segue.service.boundary.replay import fetched

        flags = ["--server", args.server] if "server" in args else []
        found["text"] = fetched(found["text"], agent, session_id, flags)
    out.result(found, found["text"])
    return 0


def do_ack(args: argparse.Namespace, out: Output) -> None:
    agent, session_id = own_session(args)
    if not session_id:
        raise BadInput(
            "Nothing tells which session read its handoff.", "Name it: --agent AGENT --session ID."
        )
    by = acting("cli", agent=agent or "generic")
    done = ask(args, "ack", by, host=agent or "generic", session_id=session_id, evidence=args.evidence)
    out.result(done, f"Recorded on thread {done['thread_id']} at seq {done['seq']}.")
