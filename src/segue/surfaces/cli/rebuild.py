"""Makes every cache again from the frames, then verifies the log. Frames and artifacts are not touched.

Where frames that were acknowledged are missing at the end of a stream, nothing is changed: restore a backup. With
--accept-loss the stream goes on without them, and a frame in it records that for good.
"""

from __future__ import annotations

import argparse

from segue.surfaces.cli.operation_calls import act
from segue.surfaces.cli.output import Output
from segue.surfaces.cli.phrases import counted
from segue.surfaces.cli.verify import findings


def do_rebuild(args: argparse.Namespace, out: Output) -> int:
    done = act(args, "rebuild", accept_loss=args.accept_loss)
    made = f"{counted(done['streams'], 'stream')} and {counted(done['threads'], 'thread')} made again from their frames."
    out.result(done, "\n".join([made, *findings(done)]))
    return 0 if done["ok"] else 1
