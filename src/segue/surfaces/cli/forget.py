"""Removes content for good: a message, all that a thread says, an artifact, or what was imported of a session."""

from __future__ import annotations

import argparse
from typing import Any

from segue.errors import Refused
from segue.surfaces.cli.operation_calls import act, ask, given
from segue.surfaces.cli.output import Output, confirmed, somebody_is_here
from segue.surfaces.cli.parsing import provenance
from segue.surfaces.cli.printable import counted, printable

_SHOWN = 20
"""Rows of one kind that are listed."""


def do_forget(args: argparse.Namespace, out: Output) -> None:
    values = given(args, "targets", "artifacts", "sessions", "reason", "everywhere")
    by = provenance(args)
    if not (args.dry_run or args.yes):
        _require_a_word(out)
        out.note(_summary(ask(args, "forget", by, dry_run=True, **values), args.everywhere))
        if not confirmed("Forget this for good?"):
            raise Refused("Nothing was forgotten.", "Answer y, or add --yes.")
    done = ask(args, "forget", by, dry_run=args.dry_run, **values)
    out.result(done, _summary(done, args.everywhere))


def _require_a_word(out: Output) -> None:
    if out.as_json or not somebody_is_here():
        raise Refused(
            "Forgetting cannot be undone, so it is not done unasked.",
            "`--dry-run` says what would go; `--yes` does it.",
        )


def _summary(done: dict[str, Any], everywhere: bool) -> str:
    frames = [f"{row['thread_id']}@{seq}" for row in done["frames"] for seq in row["seqs"]]
    artifacts = [f"artifact {row['artifact_id']}" for row in done["artifacts"]]
    files = [row["path"] for row in done["files"]]
    counts = ", ".join(
        counted(len(rows), noun)
        for rows, noun in ((frames, "frame"), (artifacts, "artifact"), (files, "file"))
    )
    verdict = "Forgotten" if done["forgotten"] else "To be forgotten"
    lines = [f"{verdict}: {counts}, {counted(done['bytes'], 'byte')}."]
    lines += [row for rows in (frames, artifacts, files) for row in _rows(rows)]
    also = done["also_in"]
    quoting = [
        *(f"{row['thread_id']}@{row['seq']}" for row in also["frames"]),
        *(f"artifact {one}" for one in also["artifacts"]),
        *also["files"],
    ]
    if quoting:
        how = "" if done["forgotten"] or everywhere else ", or add --everywhere"
        lines += [f"What quotes it and stays (name it to forget it, too{how}):", *_rows(quoting)]
    return "\n".join([*lines, *done["remains"]])


def _rows(rows: list[str]) -> list[str]:
    more = [f"  … and {len(rows) - _SHOWN} more"] if len(rows) > _SHOWN else []
    return [*(f"  {printable(row)}" for row in rows[:_SHOWN]), *more]


def do_gc(args: argparse.Namespace, out: Output) -> None:
    done = act(args, "gc", dry_run=args.dry_run)
    out.result(done, "\n".join(_collected(done)))


def _collected(done: dict[str, Any]) -> list[str]:
    if not done["items"]:
        return ["Nothing was kept longer than it should be."]
    verdict = "Removed" if done["removed"] else "To be removed"
    count = len(done["items"])
    rows = [f"  {row['what']:<10}  {row['bytes']:>12,}  {printable(row['name'])}" for row in done["items"]]
    return [*rows, f"{verdict}: {count} thing{'' if count == 1 else 's'}, {done['bytes']:,} bytes."]
