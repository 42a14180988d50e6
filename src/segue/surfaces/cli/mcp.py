"""Serves this workspace to an agent over MCP: on standard input and output, or with --http on an address."""

from __future__ import annotations

import argparse
import os
import sys

from segue.errors import BadInput, Unavailable
from segue.surfaces.cli.output import Output
from segue.surfaces.cli.parsing import SERVER, workspace_of
from segue.surfaces.mcp.conversation import READ, TOOLSETS, WRITE, Terms


def do_mcp(args: argparse.Namespace, out: Output) -> int:
    terms = _terms(args)
    elsewhere = os.environ.get(SERVER)
    if elsewhere and "workspace" not in args:
        out.note(
            f"segue: {SERVER} is set, and this serves {terms.workspace.root} all the same.\n"
            f"hint: An agent reaches the server's workspace at {elsewhere.rstrip('/')}/mcp, with the token."
        )
    if args.http:
        return _listen(args, terms, out)
    from segue.surfaces.mcp.stdio import main

    terms.workspace.for_agent = True
    if sys.stdin.isatty():
        out.note(
            "Waiting for an agent on standard input; an agent starts this command itself. Ctrl-D ends it."
        )
    return main(terms)


def _terms(args: argparse.Namespace) -> Terms:
    """What the flags say a client is offered."""
    chosen = tuple(filter(None, (name.strip() for name in args.toolsets.split(","))))
    for name in chosen:
        if name not in TOOLSETS:
            raise BadInput(f"There is no toolset {name!r}.", f"There are {', '.join(TOOLSETS)}.")
    scopes = frozenset((READ,)) if args.read_only else frozenset((READ, WRITE))
    return Terms(workspace_of(args), scopes, chosen)


def _listen(args: argparse.Namespace, terms: Terms, out: Output) -> int:
    try:
        from segue.surfaces.http.serving import Options, Serving  # 250 ms
    except ModuleNotFoundError as missing:
        raise Unavailable(
            f"MCP over HTTP needs {missing.name}, which is not installed.", "pip install 'segue[server]'"
        ) from None
    from segue.surfaces.mcp.streamable import Offer

    options = Options(
        {"default": terms.workspace.root},
        port=args.port,
        tokens=args.tokens,
        no_token=args.no_token,
        mcp=Offer(terms.scopes, terms.toolsets),
        only_mcp=True,
    )
    serving = Serving(options, sys.stderr)
    told = {"url": f"{serving.url}/mcp"}
    text = f"Serving {terms.workspace.root} on {told['url']}"
    if serving.secret is not None:
        told["token"] = serving.secret
        text += f"\nNo token is configured, so this one holds until the server stops:\n  {serving.secret}"
    out.result(told, text)
    serving.run()
    return 0
