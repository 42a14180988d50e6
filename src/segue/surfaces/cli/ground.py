"""Grounds a text in its session: every statement with a pointer like `[#412]` is held against what stands there."""

from __future__ import annotations

import argparse
from typing import Any

from segue.errors import BadInput
from segue.surfaces.cli.launching import deliver
from segue.surfaces.cli.operation_calls import ask, server_of
from segue.surfaces.cli.output import Output
from segue.surfaces.cli.parsing import read_text


def do_ground(args: argparse.Namespace, out: Output) -> int:
    if args.out and not args.repair:
        raise BadInput("Only a repaired text is written somewhere.", "Add --repair.")
    values: dict[str, Any] = {"text": read_text(args.file), "repair": args.repair}
    if args.session:
        values["transcript" if server_of(args) is None else "session"] = args.session
    found = ask(args, "handoff.ground", **values)
    if args.repair:
        args.copy = False
        deliver(args, found["text"], out)
    out.result(found, found["text"] if args.repair and not args.out else judgement(found))
    return 0 if found["ok"] else 1


def judgement(found: dict[str, Any]) -> str:
    """What was found, a line each, what is missing, and the sums."""
    lines = []
    for row in found["findings"]:
        lines.append(f"{row['severity']:<7}  line {row['line']}: {row['message']}")
        lines += [f"         hint: {row['hint']}"] if row["severity"] != "note" else []
    for row in found["missing"]:
        where = ", ".join(f"#{line}" for line in row["evidence"])
        lines.append(f"missing  {row['what']} at {where or 'no line'}: {row['text']}")
    told = f"{found['checked']} statements checked, {found['shown']} shown, {found['corrected']} elsewhere"
    lines.append(f"{told}, {len(found['missing'])} things missing.")
    return "\n".join(lines)
