"""The verbs for records as a whole: init, new, close, lint, rebuild, dashboard, schema."""

from __future__ import annotations

import argparse
import json
import os

from segue.errors import BadInput
from segue.service.actors import acting
from segue.service.changes import upkeep
from segue.surfaces.cli.change.flags import EVERYWHERE, author_of, update_from
from segue.surfaces.cli.lint import judgement
from segue.surfaces.cli.operation_calls import ask, given
from segue.surfaces.cli.output import Output
from segue.surfaces.cli.parsing import workspace_of

_SHOWN = 20


def do_init(args: argparse.Namespace, out: Output) -> None:
    made = ask(args, "change.init", **given(args, "project", "author", "force"))
    words = "Change records of" if made["status"] == "initialized" else "There already are change records of"
    out.result(made, f"{words} {made['project_name']}: {made['path']}")


def do_new(args: argparse.Namespace, out: Output) -> None:
    if args.title is not None and args.words:
        raise BadInput(
            f"There are two titles: {' '.join(args.words)!r} and {args.title!r}.", "Give one of them."
        )
    made = ask(
        args,
        "change.new",
        acting("cli"),
        title=args.title or " ".join(args.words),
        author=author_of(args),
        thread=None if args.thread == "none" else args.thread,
        more=update_from(args, EVERYWHERE),
        **given(
            args, "scope", "summary", "motivation", "name", "priority", "session_id", "platform", "model"
        ),
    )
    out.result(made, f"{made['tc_id']}\n{made['path']}")


def do_close(args: argparse.Namespace, out: Output) -> None:
    done = ask(
        args,
        "change.close",
        acting("cli"),
        author=author_of(args),
        **given(args, "tc_id", "approve_by", "approval_notes", "summary", "reason"),
    )
    for warning in done["warnings"]:
        out.note(f"{warning['where']}: {warning['message']}")
    out.result(done, f"{done['tc_id']} is {done['status']} ({done['revision']})")


def do_lint(args: argparse.Namespace, out: Output) -> int:
    found = ask(args, "change.lint", tc_ids=args.tc_ids)
    out.result(found, judgement(found))
    return 0 if found["pass"] else 1


def do_rebuild(args: argparse.Namespace, out: Output) -> int:
    done = ask(args, "change.rebuild")
    mended = done["mended"]
    lines = [f"{row['tc_id']} {row['what']}" for row in mended[:_SHOWN]]
    lines += [f"and {len(mended) - _SHOWN} more"] if len(mended) > _SHOWN else []
    lines += [f"{row['tc_id']} cannot be read: {row['what']}" for row in done["unreadable"]]
    lines.append(f"{done['records']} records; the registry {'is new' if done['changed'] else 'was right'}.")
    out.result(done, "\n".join(lines))
    return 1 if done["unreadable"] else 0


def do_dashboard(args: argparse.Namespace, out: Output) -> None:
    if args.out == "-":
        page = upkeep.dashboard(workspace_of(args))
        out.result({"html": page}, page)
        return
    done = (
        upkeep.write_dashboard(workspace_of(args), os.path.abspath(args.out))
        if args.out
        else ask(args, "change.dashboard")
    )
    out.result(done, f"{done['path']} ({done['records']} changes)")


def do_schema(args: argparse.Namespace, out: Output) -> None:
    out.line(json.dumps(upkeep.schema(args.name), indent=2, ensure_ascii=False))
