"""The verbs for records as a whole: init, new, close, lint, rebuild, dashboard, schema."""

from __future__ import annotations

import argparse
import json
import os

from segue.errors import BadInput
from segue.model.change import PRIORITIES, SCOPES
from segue.service.actors import acting
from segue.service.changes import upkeep
from segue.surfaces.cli.change.flags import EVERYWHERE, add_flags, add_who, author_of, update_from
from segue.surfaces.cli.lint import judgement
from segue.surfaces.cli.operation_calls import ask
from segue.surfaces.cli.output import Output
from segue.surfaces.cli.parsing import Verbs, workspace_of

_SHOWN = 20


def configure(verbs: Verbs) -> None:
    init = verbs.add("init", _init, "start change records in docs/TC")
    init.add_argument("--project", metavar="NAME", help="default: what the project calls itself")
    init.add_argument("--author", metavar="NAME", help="who acts when nobody is named (default: agent)")
    init.add_argument(
        "--force", action="store_true", help="write the configuration anew; records and numbers stay"
    )

    new = verbs.add("new", _new, "make a record")
    new.add_argument("words", nargs="*", metavar="TITLE", help="5 to 120 characters")
    new.add_argument("--title", help="the same, as an option")
    new.add_argument("--name", metavar="SLUG", help="the last part of the id (default: from the title)")
    new.add_argument("--scope", default="feature", help=f"one of {', '.join(SCOPES)} (default: feature)")
    new.add_argument("--summary", metavar="TEXT", help="what it is, in at least 10 characters")
    new.add_argument("--motivation", metavar="TEXT", help="why it is needed")
    new.add_argument("--priority", default="medium", help=f"one of {', '.join(PRIORITIES)} (default: medium)")
    new.add_argument("--author", metavar="NAME")
    new.add_argument(
        "--thread",
        default="current",
        metavar="ID",
        help="the thread it belongs to (default: that of this session, else of the latest handoff, else the"
        " default thread); `none`",
    )
    add_who(new)
    add_flags(new, EVERYWHERE)

    close = verbs.add("close", _close, "deploy a tested change: approval, status and the end of its session")
    close.add_argument("id", metavar="ID")
    close.add_argument("--approve", metavar="NAME", help="who approves it")
    close.add_argument("--approval-notes", metavar="TEXT")
    close.add_argument(
        "--session-summary", metavar="TEXT", help="what the last session did (default: the progress)"
    )
    close.add_argument("--author", metavar="NAME")
    close.add_argument("--reason", default="", metavar="TEXT")

    lint = verbs.add("lint", _lint, "check records, handoff blocks, histories and the registry")
    lint.add_argument("ids", nargs="*", metavar="ID", help="default: all records, and the tree")

    verbs.add("rebuild", _rebuild, "make the registry again from the records")

    dashboard = verbs.add("dashboard", _dashboard, "write all changes to one page of HTML")
    dashboard.add_argument("--out", metavar="FILE", help="default: docs/TC/index.html; `-` prints it")

    schema = verbs.add("schema", _schema, "print a JSON Schema")
    schema.add_argument(
        "name", nargs="?", default="record", help="record, registry, config, retro, update or handoff"
    )


def _init(args: argparse.Namespace, out: Output) -> None:
    made = ask(args, "change.init", project=args.project, author=args.author, force=args.force)
    words = "Change records of" if made["status"] == "initialized" else "There already are change records of"
    out.result(made, f"{words} {made['project_name']}: {made['path']}")


def _new(args: argparse.Namespace, out: Output) -> None:
    if args.title is not None and args.words:
        raise BadInput(
            f"There are two titles: {' '.join(args.words)!r} and {args.title!r}.", "Give one of them."
        )
    made = ask(
        args,
        "change.new",
        acting("cli"),
        title=args.title or " ".join(args.words),
        scope=args.scope,
        summary=args.summary,
        motivation=args.motivation,
        name=args.name,
        priority=args.priority,
        author=author_of(args),
        session_id=args.session_id,
        platform=args.platform,
        model=args.model,
        thread=None if args.thread == "none" else args.thread,
        more=update_from(args, EVERYWHERE),
    )
    out.result(made, f"{made['tc_id']}\n{made['path']}")


def _close(args: argparse.Namespace, out: Output) -> None:
    done = ask(
        args,
        "change.close",
        acting("cli"),
        tc_id=args.id,
        approve_by=args.approve,
        approval_notes=args.approval_notes,
        summary=args.session_summary,
        author=author_of(args),
        reason=args.reason,
    )
    for warning in done["warnings"]:
        out.note(f"{warning['where']}: {warning['message']}")
    out.result(done, f"{done['tc_id']} is {done['status']} ({done['revision']})")


def _lint(args: argparse.Namespace, out: Output) -> int:
    found = ask(args, "change.lint", tc_ids=args.ids)
    out.result(found, judgement(found))
    return 0 if found["pass"] else 1


def _rebuild(args: argparse.Namespace, out: Output) -> int:
    done = ask(args, "change.rebuild")
    mended = done["mended"]
    lines = [f"{row['tc_id']} {row['what']}" for row in mended[:_SHOWN]]
    lines += [f"and {len(mended) - _SHOWN} more"] if len(mended) > _SHOWN else []
    lines += [f"{row['tc_id']} cannot be read: {row['what']}" for row in done["unreadable"]]
    out.result(
        done,
        "\n".join(
            [
                *lines,
                f"{done['records']} records; the registry {'is new' if done['changed'] else 'was right'}.",
            ]
        ),
    )
    return 1 if done["unreadable"] else 0


def _dashboard(args: argparse.Namespace, out: Output) -> None:
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


def _schema(args: argparse.Namespace, out: Output) -> None:
    out.line(json.dumps(upkeep.schema(args.name), indent=2, ensure_ascii=False))
