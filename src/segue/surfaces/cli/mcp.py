"""Serves this workspace to an agent over MCP, on standard input and output.

An agent starts it itself: put `segue mcp --workspace DIR` into its settings. Nothing is written for what is
only read; what an agent does is recorded under the name it gives itself.
"""

from __future__ import annotations

import argparse

from segue.errors import BadInput
from segue.surfaces.cli.output import Output
from segue.surfaces.cli.parsing import Parser, workspace_of
from segue.surfaces.mcp.conversation import READ, TOOLSETS, WRITE, Terms


def configure(parser: Parser) -> None:
    parser.set_defaults(do=_mcp)
    parser.add_argument("--read-only", action="store_true", help="offer only what writes nothing")
    parser.add_argument(
        "--toolsets",
        metavar="NAMES",
        default=",".join(TOOLSETS),
        help=f"which tools to offer, separated by commas (default: {','.join(TOOLSETS)})",
    )


def _mcp(args: argparse.Namespace, out: Output) -> int:
    from segue.surfaces.mcp.stdio import main

    return main(terms_of(args))


def terms_of(args: argparse.Namespace) -> Terms:
    """What the flags say a client is offered."""
    chosen = tuple(filter(None, (name.strip() for name in args.toolsets.split(","))))
    for name in chosen:
        if name not in TOOLSETS:
            raise BadInput(f"There is no toolset {name!r}.", f"There are {', '.join(TOOLSETS)}.")
    scopes = frozenset((READ,)) if args.read_only else frozenset((READ, WRITE))
    return Terms(workspace_of(args), scopes, chosen)
