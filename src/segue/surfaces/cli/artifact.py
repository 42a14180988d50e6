"""Artifacts: bytes stored once, under the sha256 of their content."""

from __future__ import annotations

import argparse

from segue.service import artifacts
from segue.surfaces.cli.operation_calls import ask, given
from segue.surfaces.cli.output import Output, note_page
from segue.surfaces.cli.parsing import read_bytes


def do_put(args: argparse.Namespace, out: Output) -> None:
    done = ask(args, "artifact.put", data=read_bytes(args.file, artifacts.MAX_BYTES), verbatim=args.verbatim)
    if "redactions" in done:
        out.note(f"segue: {done['redactions']['total']} secrets were taken out before storing.")
    if not done["redacted"] and not args.verbatim:
        out.note("segue: This is not a text, so it is stored as it is: no secrets were looked for.")
    out.result(done, done["artifact_id"])


def do_get(args: argparse.Namespace, out: Output) -> None:
    out.raw(ask(args, "artifact.get", **given(args, "artifact_id", "offset", "max_bytes")))


def do_list(args: argparse.Namespace, out: Output) -> None:
    found = ask(args, "artifact.list", limit=args.limit, after=args.after)
    rows = [f"{row['artifact_id']}  {row['bytes']:>12,} bytes" for row in found["artifacts"]]
    nothing = "No artifacts yet." if args.after is None else "No artifacts follow."
    out.result(found, "\n".join(rows) or nothing)
    note_page(found, out)


def do_verify(args: argparse.Namespace, out: Output) -> int:
    from segue.surfaces.cli.verify import report

    return report(args, "artifacts", out)
