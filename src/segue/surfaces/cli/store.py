"""Stores: where the log and the artifacts of a workspace are kept, and how they move."""

from __future__ import annotations

import argparse

from segue.surfaces.cli.output import Output
from segue.surfaces.cli.parsing import workspace_of


def do_copy(args: argparse.Namespace, out: Output) -> None:
    from segue.service import store_migration
    from segue.surfaces.cli.progress import Progress

    with Progress() as progress:
        done = store_migration.copy(
            workspace_of(args), args.to, args.artifacts, args.source, args.switch, progress
        )
    lines = []
    if "streams" in done:
        lines.append(
            f"{done['streams']} streams are the same in both logs; {done['frames']} frames were copied."
        )
    if "artifacts" in done:
        lines.append(f"{done['artifacts']} artifacts are in both; {done['artifacts_copied']} were copied.")
    if done["switched"]:
        lines.append("The workspace now uses the new stores.")
    elif args.to == workspace_of(args).settings["store"]:
        lines.append(
            "They are in the log that this workspace uses; artifacts do not come along from another's."
        )
    else:
        lines.append("The workspace is as it was; --switch makes it use the copy.")
    out.result(done, "\n".join(lines))
