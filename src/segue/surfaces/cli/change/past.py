"""The verbs for git: link commits and pull requests, record the past, merge registries."""

from __future__ import annotations

import argparse

from segue.changes.retro import read_file
from segue.errors import BadInput
from segue.service.actors import acting
from segue.service.changes import links, retro
from segue.surfaces.cli.change.flags import author_of
from segue.surfaces.cli.operation_calls import ask, given
from segue.surfaces.cli.output import Output
from segue.surfaces.cli.parsing import read_bytes, workspace_of

_MAX_BYTES = 64 * 1024 * 1024


def do_link(args: argparse.Namespace, out: Output) -> None:
    if args.pull_state and not args.pulls:
        raise BadInput("--pr-state is the state of a pull request.", "Give --pr URL or --pr NUMBER too.")
    done = ask(
        args,
        "change.link",
        acting("cli"),
        author=author_of(args),
        **given(args, "tc_id", "commits", "ranges", "pulls", "pull_state", "releases", "reason"),
    )
    out.result(done, f"{done['tc_id']}  {done['summary'] if done['updated'] else 'already linked'}")


def do_retro(args: argparse.Namespace, out: Output) -> None:
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


def do_merge_driver(args: argparse.Namespace, out: Output) -> None:
    done = links.merge_files(args.base, args.ours, args.theirs)
    out.result(done, ", ".join(f"{name} {value}" for name, value in done.items()))


def do_install_merge_driver(args: argparse.Namespace, out: Output) -> None:
    done = links.install_merge_driver(workspace_of(args))
    out.result(done, "\n".join([*done["attributes"], done["driver"]]))
