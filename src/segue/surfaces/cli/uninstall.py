"""Takes segue out of agents again. What was there before is restored byte for byte.

A file of segue's that you edited stays where it is, unless --force is given.
"""

from __future__ import annotations

import argparse

from segue.service.install import integrations
from segue.surfaces.cli.install import show
from segue.surfaces.cli.output import Output
from segue.surfaces.cli.parsing import workspace_of


def do_uninstall(args: argparse.Namespace, out: Output) -> None:
    done = integrations.uninstall(workspace_of(args), args.agents, not args.user, args.dry_run, args.force)
    show(done, "would restore" if args.dry_run else "restored", "nothing to restore", "deletes", out)
