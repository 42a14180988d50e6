"""Puts segue into agents: hooks that carry the handoff across boundaries, and a `handoff` command or skill.

Nothing that was there is lost; `segue uninstall` takes it out again.
"""

from __future__ import annotations

import argparse

from segue.service.install import integrations
from segue.surfaces.cli.output import Output
from segue.surfaces.cli.parsing import Parser, workspace_of


def configure(parser: Parser) -> None:
    parser.set_defaults(do=_install)
    add_arguments(parser)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("agents", nargs="+", metavar="AGENT", help="which agents")
    scope = parser.add_mutually_exclusive_group()
    scope.add_argument("--project", action="store_true", help="in this project (the default)")
    scope.add_argument(
        "--user", action="store_true", help="for all of your projects that have a .segue folder"
    )
    parser.add_argument("--dry-run", action="store_true", help="show the exact change, make none")
    parser.add_argument(
        "--force", action="store_true", help="also replace or delete files of segue's that you edited"
    )


def _install(args: argparse.Namespace, out: Output) -> None:
    done = integrations.install(workspace_of(args), args.agents, not args.user, args.dry_run, args.force)
    word = "would change" if args.dry_run else "changed"
    show(done, word, "nothing to change: it is installed", "replaces", out)


def show(done: integrations.Result, word: str, nothing: str, forced: str, out: Output) -> None:
    """What an installation or its end did to each agent. `forced` is what --force does to an edited file."""
    lines = []
    for agent, row in done["agents"].items():
        lines += [f"{agent}: {word} {change['path']}" for change in row["changes"]]
        if done["dry_run"]:
            lines += [change["diff"] for change in row["changes"]]
        lines += [f"{agent}: kept {path}, which you edited; --force {forced} it" for path in row["kept"]]
        lines += [] if row["changes"] or row["kept"] else [f"{agent}: {nothing}"]
        lines += [f"{agent}: {row['note']}"] if row["note"] else []
    out.result(done, "\n".join(lines))
