"""Records that a session has read its handoff."""

from __future__ import annotations

import argparse

from segue.errors import BadInput
from segue.service.actors import acting
from segue.surfaces.cli.operation_calls import ask
from segue.surfaces.cli.output import Output
from segue.surfaces.cli.parsing import own_session


def do_ack(args: argparse.Namespace, out: Output) -> None:
    agent, session_id = own_session(args)
    if not session_id:
        raise BadInput(
            "Nothing tells which session read its handoff.", "Name it: --agent AGENT --session ID."
        )
    by = acting("cli", agent=agent or "generic")
    done = ask(args, "ack", by, host=agent or "generic", session_id=session_id, evidence=args.evidence)
    out.result(done, f"Recorded on thread {done['thread_id']} at seq {done['seq']}.")
