"""The verbs that only look: list and show."""

from __future__ import annotations

import argparse
from typing import Any

from segue.model.change import STATUSES
from segue.surfaces.cli.operation_calls import ask
from segue.surfaces.cli.output import Output
from segue.surfaces.cli.parsing import Verbs

_NONE = "No changes. `segue change init` starts the records, `segue change new TITLE` makes one."


def configure(verbs: Verbs) -> None:
    listing = verbs.add("list", _list, "list records, by number")
    listing.add_argument(
        "words", nargs="*", metavar="WORD", help="only those with these words in name or title"
    )
    listing.add_argument(
        "--status", action="append", default=[], help=f"one of {', '.join(STATUSES)}; may be repeated"
    )
    listing.add_argument("--scope", action="append", default=[])
    listing.add_argument("--priority", action="append", default=[])
    listing.add_argument("--tag")
    listing.add_argument("--open", action="store_true", help="neither deployed nor voided")
    listing.add_argument("--limit", type=int, metavar="N", help="the last so many")

    show = verbs.add("show", _show, "show one record")
    show.add_argument("id", metavar="ID")
    show.add_argument("--history", action="store_true", help="what every revision changed, field by field")


def _list(args: argparse.Namespace, out: Output) -> None:
    found = ask(
        args,
        "change.list",
        status=args.status,
        scope=args.scope,
        priority=args.priority,
        tag=args.tag,
        words=" ".join(args.words),
        only_open=args.open,
        limit=args.limit,
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


def _show(args: argparse.Namespace, out: Output) -> None:
    from segue.surfaces.cli.change.page import history_page, record_page

    found = ask(args, "change.show", tc_id=args.id)
    out.result(found, history_page(found) if args.history else record_page(found))
