"""Accepts a workspace that you did not make here: one that was moved, copied, restored, or made by another user."""

from __future__ import annotations

import argparse
import json
import os

from segue.errors import BadInput, Refused
from segue.service import trust
from segue.surfaces.cli.output import Output, confirmed, somebody_is_here
from segue.surfaces.cli.parsing import workspace_of


def do_trust(args: argparse.Namespace, out: Output) -> None:
    if args.directory is not None:
        if getattr(args, "workspace", None) is not None:
            raise BadInput("DIR and --workspace name the same thing.", "Leave one of them out.")
        args.workspace = args.directory
    if args.list:
        _list(out)
    elif args.remove:
        _remove(os.path.abspath(args.directory) if args.directory else workspace_of(args).root, out)
    else:
        _accept(trust.look(workspace_of(args)), args.yes, out)


def _remove(root: str, out: Output) -> None:
    trust.remove(root)
    out.result(
        {"workspace": root, "accepted": False},
        f"The workspace in {root} is no longer accepted; its folder stays.",
    )


def _list(out: Output) -> None:
    found = trust.listed()
    lines = []
    for row in found:
        gone = "" if row["counts"] else "(gone, or another one)"
        parts = (row["workspace"], row.get("store"), row.get("artifacts"), gone)
        lines.append("  ".join(filter(None, parts)))
    out.result({"workspaces": found}, "\n".join(lines) or "You have accepted no workspace yet.")


def _accept(offer: trust.Offer, yes: bool, out: Output) -> None:
    told = {
        "workspace": offer.root,
        "accepted": True,
        "store": offer.store,
        "artifacts": offer.artifacts,
        "settings": offer.settings,
        "loosening": offer.loosening,
    }
    if offer.accepted:
        out.result(told, f"The workspace in {offer.root} is accepted already.")
        return
    empty = "" if offer.log or "://" in offer.store else " (empty)"
    loosening = f"{', '.join(offer.loosening)}: only your own settings may loosen this"
    shown = "\n".join(
        (
            f"The workspace in {offer.root}",
            f"  log        {offer.store}{empty}",
            f"  artifacts  {offer.artifacts}",
            f"  settings   {json.dumps(offer.settings, ensure_ascii=False) if offer.settings else 'none of its own'}",
            *([f"  not counted  {loosening}"] if offer.loosening else []),
        )
    )
    if not yes:
        _ask(shown, out)
    trust.accept(offer)
    out.result(told, f"{shown if yes else ''}\nAccepted: commands and hooks use it from now on.".lstrip("\n"))


def _ask(shown: str, out: Output) -> None:
    """Raises Refused unless a person at a terminal says yes."""
    out.note(shown)
    if not somebody_is_here():
        raise Refused("Nobody is there to accept this workspace.", "Look at it, then add --yes.")
    if not confirmed("Accept it?"):
        raise Refused("The workspace was not accepted.", "Hooks stay silent in it.")
