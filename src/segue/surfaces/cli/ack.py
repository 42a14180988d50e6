"""Records that a session has read its handoff."""

from __future__ import annotations

import argparse

from segue.surfaces.cli.asking import ask
from segue.surfaces.cli.output import Output
from segue.surfaces.cli.parsing import Parser


def configure(parser: Parser) -> None:
    parser.set_defaults(do=_ack)
    parser.add_argument("--session", required=True, metavar="S", help="the session that read it")
    parser.add_argument("--agent", default="generic", metavar="A", help="its agent")
    parser.add_argument("--evidence", default="said so", metavar="TEXT", help="how that is known")


def _ack(args: argparse.Namespace, out: Output) -> None:
    done = ask(args, "ack", host=args.agent, session_id=args.session, evidence=args.evidence)
    out.result(done, f"Recorded on thread {done['thread_id']} at seq {done['seq']}.")
