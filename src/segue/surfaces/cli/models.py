"""Lists what can be named with --model: programs that are installed here, and services whose key is in the environment."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from segue.errors import BadInput
from segue.surfaces.cli.operation_calls import ask, server_of
from segue.surfaces.cli.output import Output, somebody_is_here

_HINT = (
    "hint: install and sign in to one of these programs, or set a key; `segue models NAME --check` tries one."
)


def do_models(args: argparse.Namespace, out: Output) -> int:
    here: dict[str, Any] = {"check": True} if args.check else {}
    if (here or args.allow or args.forbid) and server_of(args):
        raise BadInput("Models are checked and allowed on the machine that has them.", "Leave --server out.")
    if args.allow or args.forbid:
        from segue.service import models

        if not args.name:
            raise BadInput("Which model is meant?", "Name it: `segue models claude --allow`.")
        models.allow(args.name, args.allow)
    found = ask(args, "models", name=args.name, **here)
    rows = found["models"]
    width = max(len(row["name"]) for row in rows)
    lines = [f"{row['name']:<{width}}  {_row_text(row)}" for row in rows]
    if found["chosen"]:
        lines.append(f"Your settings name {found['chosen']}.")
    out.result(found, "\n".join(lines))
    if args.allow or args.forbid or any(row["usable"] for row in rows):
        return 0
    out.note(_HINT)
    return 1


def confirm() -> Callable[[str], bool] | None:
    """Puts a question to the person at the terminal; None where nobody is there."""
    if not somebody_is_here():
        return None
    from segue.surfaces.cli.review import asked  # 11 ms

    return lambda question: asked(f"{question} [y/N] ") in ("y", "yes")


def _row_text(row: dict[str, Any]) -> str:
    if not row["usable"]:
        return f"no: {row['why']}"
    parts = [row.get("version", ""), "key is set" if row.get("key") else "", f"sends to {row['destination']}"]
    if not row["allowed"]:
        parts.append("asks before it gets what is private")
    parts += [row.get("remains", ""), f"said {row['said']!r}" if "said" in row else ""]
    return f"yes: {'; '.join(filter(None, parts))}"
