"""Handing a text on: into a file, to the clipboard, to the agent that goes on.

What cannot work is said before anything is recorded: `require` first, then `deliver`, then `start`.
"""

from __future__ import annotations

import argparse
import os
import sys

from segue.errors import BadInput, Refused
from segue.surfaces.cli.output import Output


def require(args: argparse.Namespace) -> None:
    """Raises unless the agent that goes on is known, can be started if it is to be, and there is a clipboard if the
    text is to go there."""
    from segue.agents.registry import READERS, unknown

    if args.to is not None and args.to not in READERS:
        raise unknown(args.to)
    if args.launch and not args.to:
        raise BadInput("--launch needs to know whom to start.", "Give --to AGENT.")
    if args.launch:
        from segue.agents import launch

        launch.prepare(args.to, "", on_terminal=True)
    if args.copy:
        from segue.surfaces.cli import clipboard

        clipboard.require()


def deliver(args: argparse.Namespace, text: str, out: Output) -> None:
    """Writes the text to --out, which may be standard output, and puts it on the clipboard with --copy."""
    if args.out == "-" and not out.as_json:
        out.text(text)
    elif args.out and args.out != "-":
        _write(args.out, text)
    if args.copy:
        from segue.surfaces.cli.clipboard import copy

        out.note(f"segue: copied through {copy(text)}.")


def start(args: argparse.Namespace, packet: str, out: Output, model: str = "") -> int:
    """Starts the agent named by --to with the packet, where the work is, waits for it and returns its exit code, which
    for one that a signal ended is what a shell would give."""
    import subprocess  # 5 ms

    from segue.agents import launch
    from segue.service.handoffs.reviews import lint_text

    secrets = [found for found in lint_text(packet)["findings"] if found["rule"] == "secret"]
    if secrets:
        raise Refused(
            f"{args.to} was not started. {secrets[0]['where']}: {secrets[0]['message']}",
            "Take it out, then start again.",
        )

    alone = sys.stdin.isatty() and sys.stdout.isatty() and not out.as_json
    started = launch.prepare(args.to, packet, on_terminal=alone, model=model)
    if model and not launch.takes_model(args.to):
        out.note(f"segue: {args.to} is not told to use {model}; choose it there.")
    out.note(f"segue: starting {args.to}.")
    ended = subprocess.run(
        started.command,
        input=None if started.stdin is None else started.stdin.encode(),
        stdout=sys.stderr if out.as_json else None,
        cwd=getattr(args, "workspace", None) or None,
        check=False,
    )
    if ended.returncode:
        out.note(f"segue: {args.to} left with {ended.returncode}.")
    return ended.returncode if ended.returncode >= 0 else 128 - ended.returncode


def _write(path: str, text: str) -> None:
    """Replaces a file whole or not at all; into a pipe or a device it is written as it comes."""
    from segue.model import wire
    from segue.service.workspace import write_private

    data = wire.scrub(text).encode()
    try:
        if os.path.exists(path) and not os.path.isfile(path):
            with open(path, "wb") as file:
                file.write(data)
        else:
            write_private(os.path.realpath(path), data)
    except OSError as fault:
        raise BadInput(
            f"{path} cannot be written: {fault.strerror}.", "Name a file in a folder you may write to."
        ) from None
