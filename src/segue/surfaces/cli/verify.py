"""Verification: re-derives what is stored and says what no longer fits.

Without a word, log and artifacts are verified.
"""

from __future__ import annotations

import argparse

from segue.service import health
from segue.service.workspace import Workspace
from segue.surfaces.cli.output import Output
from segue.surfaces.cli.parsing import Parser, Verbs, workspace_of


def configure(parser: Parser) -> None:
    parser.set_defaults(do=_verify, what="all")
    verbs = Verbs(parser, required=False)
    verbs.add("log", _verify, "chain hashes, gaps, links, caches").set_defaults(what="log")
    verbs.add("artifacts", _verify, "every blob against its name").set_defaults(what="artifacts")


def _verify(args: argparse.Namespace, out: Output) -> int:
    return report(workspace_of(args), args.what, out)


def report(workspace: Workspace, what: str, out: Output) -> int:
    """Prints the findings; 1 when there are any."""
    found = health.verify(workspace, what)
    lines = [f"{f['kind']} at {f['where']}: {f['message']}\n  hint: {f['hint']}" for f in found["findings"]]
    lines.append("Everything fits." if found["ok"] else f"{len(lines)} findings.")
    out.result(found, "\n".join(lines))
    return 0 if found["ok"] else 1
