"""Puts segue into agents: hooks that carry the handoff across boundaries, and a `handoff` command or skill."""

from __future__ import annotations

import argparse

from segue.service.install import integrations
from segue.surfaces.cli.output import Output
from segue.surfaces.cli.parsing import workspace_of


def do_install(args: argparse.Namespace, out: Output) -> None:
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


def do_uninstall(args: argparse.Namespace, out: Output) -> None:
    done = integrations.uninstall(workspace_of(args), args.agents, not args.user, args.dry_run, args.force)
    show(done, "would restore" if args.dry_run else "restored", "nothing to restore", "deletes", out)
