"""Prints the current handoff for a session, once. A second call for the same session prints nothing."""

from __future__ import annotations

import argparse

from segue.service import boundary
from segue.surfaces.cli.output import Output
from segue.surfaces.cli.parsing import Parser, workspace_of


def configure(parser: Parser) -> None:
    parser.set_defaults(do=_replay)
    parser.add_argument("--session", default="by-hand", metavar="S", help="the session it goes into")
    parser.add_argument("--agent", default="generic", metavar="A", help="the agent it goes to")


def _replay(args: argparse.Namespace, out: Output) -> int:
    text = boundary.replay_into(workspace_of(args), args.agent, args.session)
    if not text:
        out.result({"replayed": False}, "Nothing to replay: there is no handoff, or this session has had it.")
        return 1
    out.result({"replayed": True, "text": text}, text)
    return 0
