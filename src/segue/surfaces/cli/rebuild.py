"""Makes every cache again from the frames. Frames and artifacts are not touched."""

from __future__ import annotations

import argparse

from segue.service import health
from segue.surfaces.cli.output import Output
from segue.surfaces.cli.parsing import Parser, workspace_of


def configure(parser: Parser) -> None:
    parser.set_defaults(do=_rebuild)


def _rebuild(args: argparse.Namespace, out: Output) -> None:
    done = health.rebuild(workspace_of(args))
    out.result(done, f"{done['streams']} streams and {done['threads']} threads made again from their frames.")
