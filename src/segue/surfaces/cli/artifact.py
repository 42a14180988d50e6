"""Artifacts: bytes stored once, under the sha256 of their content.

An ID is the 64 hex digits, or at least the first 8 of them.
"""

from __future__ import annotations

import argparse

from segue.service import artifacts
from segue.surfaces.cli.operation_calls import ask
from segue.surfaces.cli.output import Output
from segue.surfaces.cli.pages import add_page, note_page
from segue.surfaces.cli.parsing import Parser, Verbs, read_bytes


def configure(parser: Parser) -> None:
    verbs = Verbs(parser)
    put = verbs.add("put", _put, "store a file and print its id")
    put.add_argument("file", metavar="FILE", help="`-` reads standard input")
    put.add_argument("--verbatim", action="store_true", help="store text as it is, secrets included")
    get = verbs.add("get", _get, "write an artifact's bytes to standard output")
    get.add_argument("id", metavar="ID")
    get.add_argument("--offset", type=int, default=0, metavar="N")
    get.add_argument("--max-bytes", type=int, metavar="N")
    add_page(verbs.add("list", _list, "list artifacts with their sizes"))
    verbs.add("verify", _verify, "hash every artifact again")


def _put(args: argparse.Namespace, out: Output) -> None:
    done = ask(args, "artifact.put", data=read_bytes(args.file, artifacts.MAX_BYTES), verbatim=args.verbatim)
    if "redactions" in done:
        out.note(f"segue: {done['redactions']['total']} secrets were taken out before storing.")
    if not done["redacted"] and not args.verbatim:
        out.note("segue: This is not a text, so it is stored as it is: no secrets were looked for.")
    out.result(done, done["artifact_id"])


def _get(args: argparse.Namespace, out: Output) -> None:
    out.raw(ask(args, "artifact.get", artifact_id=args.id, offset=args.offset, max_bytes=args.max_bytes))


def _list(args: argparse.Namespace, out: Output) -> None:
    found = ask(args, "artifact.list", limit=args.limit, after=args.after)
    rows = [f"{row['artifact_id']}  {row['bytes']:>12,} bytes" for row in found["artifacts"]]
    nothing = "No artifacts yet." if args.after is None else "No artifacts follow."
    out.result(found, "\n".join(rows) or nothing)
    note_page(found, out)


def _verify(args: argparse.Namespace, out: Output) -> int:
    from segue.surfaces.cli.verify import report

    return report(args, "artifacts", out)
