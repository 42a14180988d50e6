"""Lint: judges a handoff, be it a packet, a document or a change record's block."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from segue.service.handoffs import reviews
from segue.surfaces.cli.output import Output
from segue.surfaces.cli.parsing import read_bytes

if TYPE_CHECKING:
    from segue.model.handoff_answers import Judgement


def do_lint(args: argparse.Namespace, out: Output) -> int:
    text = read_bytes(args.file)
    found = reviews.lint_text(text, args.kind, args.budget, path=args.file)
    out.result(found, judgement(found))
    return 0 if found["pass"] else 1


def judgement(found: Judgement) -> str:
    """What was found, and whether it passes, as a person reads it."""
    lines = []
    for finding in found["findings"]:
        lines.append(f"{finding['severity']:<7}  {finding['rule']}  {finding['where']}: {finding['message']}")
        lines += [f"         hint: {finding['hint']}"] if finding["hint"] else []
    lines.append(f"{'PASS' if found['pass'] else 'FAIL'}  score {found['score']} of 100")
    return "\n".join(lines)
