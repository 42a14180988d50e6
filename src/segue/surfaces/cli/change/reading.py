"""The verbs that only look: list and show."""

from __future__ import annotations

import argparse
from typing import Any

from segue.surfaces.cli.operation_calls import ask, given
from segue.surfaces.cli.output import Output

_NONE = "No changes. `segue change init` starts the records, `segue change new TITLE` makes one."


def do_list(args: argparse.Namespace, out: Output) -> None:
    found = ask(
        args,
        "change.list",
        words=" ".join(args.words),
        **given(args, "status", "scope", "priority", "tag", "only_open", "limit"),
    )
    if "warning" in found:
        out.note(found["warning"])
    width = max((len(row["tc_id"]) for row in found["changes"]), default=0)
    rows = [_line(row, width) for row in found["changes"]]
    out.result(found, "\n".join(rows) or found.get("emptied_by", _NONE))


def _line(row: dict[str, Any], width: int) -> str:
    tests = row.get("test_summary") or {}
    told = f"{tests['pass']}/{tests['total']} tests" if tests.get("total") else "no tests"
    tags = "".join(f" #{tag}" for tag in row.get("tags", ()))
    status, priority = f"{row['status']:<11}", f"{row['priority']:<8}"
    return f"{row['tc_id']:<{width}}  {status}  {priority}  {told:<11}  {row['title']}{tags}"


def do_show(args: argparse.Namespace, out: Output) -> None:
    from segue.surfaces.cli.change.page import history_page, record_page

    found = ask(args, "change.show", tc_id=args.tc_id)
    out.result(found, history_page(found) if args.history else record_page(found))
