"""What is broken here and how to mend it. With --json, every effective setting with its source."""

from __future__ import annotations

import argparse

from segue.service import health
from segue.surfaces.cli.output import Output
from segue.surfaces.cli.parsing import Parser, workspace_of


def configure(parser: Parser) -> None:
    parser.set_defaults(do=_doctor)
    parser.add_argument(
        "--fix", action="store_true", help="mend what is safe to mend: permissions, leftovers"
    )


def _doctor(args: argparse.Namespace, out: Output) -> int:
    found = health.doctor(workspace_of(args), args.fix)
    lines = [
        f"{'ok  ' if check['ok'] else 'FAIL'} {check['check']}: {check['message']}"
        + (f"\n     hint: {check['hint']}" if check.get("hint") and not check["ok"] else "")
        for check in found["checks"]
    ]
    out.result(found, "\n".join(lines))
    return 0 if found["ok"] else 1
