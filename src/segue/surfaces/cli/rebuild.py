"""Makes every cache again from the frames. Frames and artifacts are not touched."""

from __future__ import annotations

import argparse

from segue.surfaces.cli.asking import ask
from segue.surfaces.cli.output import Output
from segue.surfaces.cli.parsing import Parser


def configure(parser: Parser) -> None:
    parser.set_defaults(do=_rebuild)


def _rebuild(args: argparse.Namespace, out: Output) -> None:
    done = ask(args, "rebuild")
    out.result(done, f"{done['streams']} streams and {done['threads']} threads made again from their frames.")
