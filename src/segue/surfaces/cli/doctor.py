"""What is broken here and how to mend it. With --json, every effective setting with its source."""

from __future__ import annotations

import argparse
from typing import Any

from segue.surfaces.cli.operation_calls import ask
from segue.surfaces.cli.output import Output


def do_doctor(args: argparse.Namespace, out: Output) -> int:
    found = ask(args, "doctor", fix=args.fix)
    lines = [
        f"{'ok  ' if check['ok'] else 'FAIL'} {check['check']}: {check['message']}"
        + (f"\n     hint: {check['hint']}" if check.get("hint") and not check["ok"] else "")
        + (_texts(check) if args.show else "")
        for check in found["checks"]
    ]
    out.result(found, "\n".join(lines))
    return 0 if found["ok"] else 1


def _texts(check: dict[str, Any]) -> str:
    told = (("A new session", check.get("text")), ("After a compaction", check.get("after_compaction")))
    return "".join(f"\n\n{when}:\n\n{text}\n" for when, text in told if text)
