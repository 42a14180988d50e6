"""The verbs for sessions: resume a change, promote its decisions."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from segue.service.actors import acting
from segue.surfaces.cli import launching
from segue.surfaces.cli.change.flags import author_of
from segue.surfaces.cli.operation_calls import ask, given
from segue.surfaces.cli.output import Output, confirmed


def do_resume(args: argparse.Namespace, out: Output) -> int:
    launching.require(args)
    seen = ask(args, "change.resume", tc_id=args.tc_id, dry_run=True)
    if not (args.yes or args.dry_run) and (out.as_json or not sys.stdin.isatty()):
        args.dry_run = True
        out.note(f"Nobody can be asked here, so {seen['tc_id']} is only shown; --yes takes it up.")
    elif not (args.yes or args.dry_run):
        out.note(seen["packet"])
        if not confirmed(f"Resume {seen['tc_id']}?"):
            out.note("Nothing was changed.")
            return 0
    launching.deliver(args, seen["packet"], out)
    done = seen if args.dry_run else _taken_up(args)
    for finding in done["drift"]:
        out.note(f"{finding['severity']}: {finding['message']}")
    delivered = args.out or args.launch
    out.result(done, _summary(done) if delivered else done["packet"])
    if args.launch and not args.dry_run:
        return launching.start(args, done["packet"], out, args.model or "")
    return 0


def _taken_up(args: argparse.Namespace) -> Any:
    return ask(
        args,
        "change.resume",
        acting("cli"),
        platform=args.platform or args.to,
        author=author_of(args),
        **given(args, "tc_id", "model", "session_id", "summary"),
    )


def _summary(done: dict[str, Any]) -> str:
    session = done["session"]
    by = f"{session.get('agent', session['platform'])}/{session['model']}"
    return f"{done['tc_id']} is taken up by {by} ({done['revision']})" if done["updated"] else done["tc_id"]


def do_promote(args: argparse.Namespace, out: Output) -> None:
    done = ask(args, "change.promote", tc_id=args.tc_id, refs=args.decisions)
    told = [*(f"+ {text}" for text in done["added"]), done["path"]]
    nothing = f"{done['tc_id']} has no decision that is not in {done['path']} already."
    out.result(done, "\n".join(told) if done["added"] else nothing)
