"""The verbs for sessions: resume a change, promote its decisions."""

from __future__ import annotations

import argparse
import sys

from segue.service import change_sessions
from segue.surfaces.cli.change.updating import add_who
from segue.surfaces.cli.output import Output
from segue.surfaces.cli.parsing import Verbs, workspace_of


def configure(verbs: Verbs) -> None:
    resume = verbs.add("resume", _resume, "take a change up: show its block, check it, open a new session")
    resume.add_argument("id", metavar="ID")
    resume.add_argument(
        "--summary", metavar="TEXT", help="what the session before did (default: the progress)"
    )
    resume.add_argument("--author", metavar="NAME")
    resume.add_argument("--dry-run", action="store_true", help="show and check, open nothing")
    resume.add_argument("--yes", action="store_true", help="do not ask")
    add_who(resume)

    promote = verbs.add("promote", _promote, "write decisions of a change to docs/decisions.md")
    promote.add_argument("id", metavar="ID")
    promote.add_argument("decisions", nargs="*", metavar="N|TEXT", help="default: all of them")


def _resume(args: argparse.Namespace, out: Output) -> None:
    workspace = workspace_of(args)
    asks = sys.stdin.isatty() and not (args.yes or args.dry_run or out.as_json)
    if asks:
        out.note(change_sessions.resume(workspace, args.id, dry_run=True)["packet"])
        out.note(f"Resume {args.id}? [y/N] ")
        if sys.stdin.readline().strip().lower() not in ("y", "yes"):
            out.note("Nothing was changed.")
            return
    done = change_sessions.resume(
        workspace,
        args.id,
        args.platform,
        args.model,
        args.session_id,
        args.summary,
        args.author,
        args.dry_run,
    )
    for finding in done["drift"]:
        out.note(f"{finding['severity']}: {finding['message']}")
    out.result(done, done["packet"])


def _promote(args: argparse.Namespace, out: Output) -> None:
    done = change_sessions.promote(workspace_of(args), args.id, args.decisions)
    out.result(done, "\n".join([*(f"+ {text}" for text in done["added"]), done["path"]]))
