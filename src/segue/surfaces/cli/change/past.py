"""The verbs for git: link commits and pull requests, record the past, merge registries."""

from __future__ import annotations

import argparse

from segue.changes.retro import read_file
from segue.errors import BadInput
from segue.service.actors import acting
from segue.service.changes import links, retro
from segue.surfaces.cli.change.flags import author_of
from segue.surfaces.cli.operation_calls import ask
from segue.surfaces.cli.output import Output
from segue.surfaces.cli.parsing import Verbs, read_bytes, workspace_of

_MAX_BYTES = 64 * 1024 * 1024


def configure(verbs: Verbs) -> None:
    link = verbs.add("link", _link, "link commits and pull requests (default: HEAD)")
    link.add_argument("id", nargs="?", metavar="ID", help="default: the one change that is in progress")
    link.add_argument("--commit", action="append", default=[], metavar="REV")
    link.add_argument("--range", action="append", default=[], metavar="A..B")
    link.add_argument("--pr", action="append", default=[], metavar="URL|NUMBER")
    link.add_argument("--pr-state", choices=("open", "merged", "closed", "draft"))
    link.add_argument("--release", action="append", default=[], metavar="TAG")
    link.add_argument("--author", metavar="NAME")
    link.add_argument("--reason", default="", metavar="TEXT")

    retro = verbs.add("retro", _retro, "make records of past changes, from a changelog file or from git")
    retro.add_argument(
        "file",
        nargs="?",
        metavar="FILE",
        help="`segue change schema retro` describes it; `-` reads standard input",
    )
    retro.add_argument("--from-git", action="store_true", help="gather commits that belong together")
    retro.add_argument("--since", metavar="DATE")
    retro.add_argument("--until", metavar="DATE")
    retro.add_argument("--author", metavar="PATTERN", help="only commits of this author")
    retro.add_argument("--time-window", type=float, default=2.0, metavar="HOURS", help="default: 2")
    retro.add_argument(
        "--dry-run", action="store_true", help="print the changelog file that would be recorded"
    )

    driver = verbs.add(
        "merge-driver", _merge, "merge three versions of the registry or of a record, as git asks for"
    )
    for name in ("base", "ours", "theirs"):
        driver.add_argument(name, metavar=name.upper())
    verbs.add(
        "install-merge-driver",
        _install,
        "let git merge registry and records with `merge-driver`, in this repository",
    )


def _link(args: argparse.Namespace, out: Output) -> None:
    if args.pr_state and not args.pr:
        raise BadInput("--pr-state is the state of a pull request.", "Give --pr URL or --pr NUMBER too.")
    done = ask(
        args,
        "change.link",
        acting("cli"),
        tc_id=args.id,
        commits=args.commit,
        ranges=args.range,
        pulls=args.pr,
        pull_state=args.pr_state,
        releases=args.release,
        author=author_of(args),
        reason=args.reason,
    )
    out.result(done, f"{done['tc_id']}  {done['summary'] if done['updated'] else 'already linked'}")


def _retro(args: argparse.Namespace, out: Output) -> None:
    if args.from_git == (args.file is not None):
        raise BadInput(
            "Give a changelog file, or --from-git.",
            "`segue change retro --from-git --dry-run` shows what git has.",
        )
    if args.time_window < 0:
        raise BadInput("--time-window is 0 or more hours.", "Leave it out for 2 hours.")
    if args.from_git:
        past = retro.history_as_changes(
            workspace_of(args), args.since, args.until, args.author, args.time_window
        )
    else:
        past = read_file(read_bytes(args.file, _MAX_BYTES), args.file)
    if args.dry_run:
        out.text(retro.written_past(past))
        return
    done = ask(args, "change.retro", past=past)
    out.result(done, "\n".join(row["tc_id"] for row in done["changes"]))


def _merge(args: argparse.Namespace, out: Output) -> None:
    done = links.merge_files(args.base, args.ours, args.theirs)
    out.result(done, ", ".join(f"{name} {value}" for name, value in done.items()))


def _install(args: argparse.Namespace, out: Output) -> None:
    done = links.install_merge_driver(workspace_of(args))
    out.result(done, "\n".join([*done["attributes"], done["driver"]]))
