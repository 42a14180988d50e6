"""Prints the current handoff for a session, once. A second call for the same session prints nothing."""

from __future__ import annotations

import argparse

from segue.surfaces.cli.asking import ask
from segue.surfaces.cli.output import Output
from segue.surfaces.cli.parsing import Parser


def configure(parser: Parser) -> None:
    parser.set_defaults(do=_replay)
    parser.add_argument("--session", default="by-hand", metavar="S", help="the session it goes into")
    parser.add_argument("--agent", default="generic", metavar="A", help="the agent it goes to")


def _replay(args: argparse.Namespace, out: Output) -> int:
    found = ask(args, "replay", host=args.agent, session_id=args.session)
    if not found["replayed"]:
        out.result(found, "Nothing to replay: there is no handoff, or this session has had it.")
        return 1
    out.result(found, found["text"])
    return 0
