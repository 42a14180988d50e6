"""`segue handoff --format tc --change ID`: a session fills the handoff block of a change record."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from segue.errors import BadInput
from segue.service.changes import sessions
from segue.surfaces.cli import launching, review
from segue.surfaces.cli.output import Output
from segue.surfaces.cli.parsing import provenance

if TYPE_CHECKING:
    from segue.service.handoffs.draft import Draft
    from segue.service.workspace import Workspace


def require(args: argparse.Namespace, workspace: Workspace) -> None:
    """Raises unless the change can take a block: before a session is read for it."""
    if args.format != "tc":
        raise BadInput("--change takes the block of a change record.", "Add --format tc.")
    if args.launch:
        raise BadInput(
            "--change fills the record; nobody is started with that.",
            f"Then `segue change resume {args.change} --to {args.to} --launch` hands the change over.",
        )
    sessions.require_open(workspace, args.change)


def fill(args: argparse.Namespace, workspace: Workspace, made: Draft, out: Output) -> int:
    """Fills the block: proposed, reviewed, one revision."""
    from segue.service.handoffs import change_block
    from segue.surfaces.cli.change.page import changes_page

    proposal = change_block.propose(workspace, args.change, made)
    if not out.as_json:
        out.text(f"{proposal['tc_id']}\n{changes_page(proposal['changes'])}")
    text = json.dumps(proposal["block"], ensure_ascii=False, indent=2) + "\n"
    committing = not (args.dry_run or args.out) and bool(proposal["changes"])
    if args.edit or (committing and not args.yes):
        text, approved = review.looked_at(text, args.edit, out)
        text, committing = made.redactor.redact(text), committing and approved
    launching.deliver(args, text, out)
    applied: Any = {}
    if committing:
        with review.kept(text, args.edit):
            applied = change_block.apply(workspace, args.change, made, text, args.goal, provenance(args))
    done = (
        f"{applied['revision']}  {applied['summary']}"
        if applied.get("updated")
        else "The record is as it was."
    )
    out.result({"updated": False, **proposal, **applied}, done)
    return 0
