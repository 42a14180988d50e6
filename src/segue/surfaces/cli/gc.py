"""Removes what was kept longer than the settings `retention.*` say: archived transcripts, superseded handoff
documents, moments that nobody took up; what interrupted writes left, and caches of earlier versions.

No frame goes, and no artifact that a thread, a handoff or a checkpoint rests on. --dry-run says what would go.
"""

from __future__ import annotations

import argparse
from typing import Any

from segue.surfaces.cli.operation_calls import act
from segue.surfaces.cli.output import Output
from segue.surfaces.cli.printable import printable


def do_gc(args: argparse.Namespace, out: Output) -> None:
    done = act(args, "gc", dry_run=args.dry_run)
    out.result(done, "\n".join(_told(done)))


def _told(done: dict[str, Any]) -> list[str]:
    if not done["items"]:
        return ["Nothing was kept longer than it should be."]
    verdict = "Removed" if done["removed"] else "To be removed"
    count = len(done["items"])
    rows = [f"  {row['what']:<10}  {row['bytes']:>12,}  {printable(row['name'])}" for row in done["items"]]
    return [*rows, f"{verdict}: {count} thing{'' if count == 1 else 's'}, {done['bytes']:,} bytes."]
