"""The main job: the latest session of this directory becomes what the next agent needs."""

from __future__ import annotations

import argparse
import os
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from segue.errors import BadInput, Refused
from segue.model import wire
from segue.surfaces.cli import launching
from segue.surfaces.cli.operation_calls import ask, bundle_of, send_handoff, server_of
from segue.surfaces.cli.output import Output, somebody_is_here
from segue.surfaces.cli.parsing import local_workspace_of, provenance, read_text

if TYPE_CHECKING:
    from segue.service.handoffs.commit import Reviewed
    from segue.service.handoffs.draft import Proposal, Wanted
    from segue.service.sessions.choice import Chosen


def do_handoff(args: argparse.Namespace, out: Output) -> int:
    args.goal = wire.scrub(args.goal).strip()
    if args.file is not None:
        return _commit(args, out)
    server, workspace = server_of(args), local_workspace_of(args)
    _require(args, workspace, server)
    if out.as_json or not (args.out or args.launch):
        out.require()
    from segue.service.handoffs import kept_patterns

    kept_patterns.recall()
    chosen = _session(args, workspace.folder, out)
    from segue.service.handoffs import commit  # 60 ms

    proposal = _proposal(args, workspace, chosen, out)
    kept_patterns.keep()
    if args.explain:
        return _explain(args, proposal, out)
    if args.change:
        from segue.surfaces.cli import handoff_change

        return handoff_change.fill(args, workspace, proposal.made, out)
    storing = _stores(args)
    unseen = not args.edit and (args.yes or not (storing or args.launch))
    if storing or not unseen:
        from segue.surfaces.cli import review  # 11 ms
    look = None if unseen else lambda text: review.looked_at(text, args.edit, out)
    left = commit.review(workspace, proposal, args.format, look, review.kept if look else nullcontext)
    for note in left.notes:
        out.note(f"segue: {note}")
    committed: Any = {}
    if storing and left.approved:
        if left.delivered:
            out.note("segue: the log gets the packet as it was drafted; what you reviewed is delivered.")
        with review.kept(left.text, args.edit):
            if server is None:
                committed = commit.commit(workspace, proposal.source, left.made, provenance(args))
            else:
                committed = send_handoff(server, workspace, chosen.source, left.made, provenance(args))
    shown = left.text
    if args.format == "bundle" and server is not None and committed:
        shown = bundle_of(server, committed)
    elif args.format == "bundle":
        from segue.service.handoffs import renderings

        shown = renderings.rendered_as("bundle", left.made, proposal.source, workspace, committed)
    launching.deliver(args, shown, out)
    _answer(args, out, proposal, left, shown, committed)
    return launching.start(args, left.text if left.delivered else left.made.text, out) if args.launch else 0


def _commit(args: argparse.Namespace, out: Output) -> int:
    """Stores a packet that somebody wrote; what an agent writes has to be shown by its session."""
    if args.goal != "commit":
        raise BadInput(f"{args.file!r} is one argument too many.", "Put quotes around the goal.")
    text = read_text(args.file)
    if server_of(args) is not None:
        made = ask(args, "handoff.commit", text=text, session=args.source, budget=args.budget)
    else:
        from segue.service.handoffs.draft import Wanted  # 70 ms
        from segue.service.remote.handoffs import commit_text

        workspace = local_workspace_of(args)
        source = _session(args, workspace.folder, out).source
        wanted = Wanted(
            _goal_in(text), args.budget, args.preset or "", args.repo, args.include_file, _here(args)
        )
        made = commit_text(workspace, source, wanted, text, provenance(args))
    for note in made.get("notes", ()):
        out.note(f"segue: {note}")
    told = f"Committed as thread {made['thread_id']}, bundle {made['summary_artifact_id'][:12]}."
    out.result(made, told)
    return 0


def _goal_in(text: str) -> str:
    from segue.handoff.parse import parse
    from segue.model.packet import GOAL

    return next((item.text.strip('"') for item in parse(text).under(GOAL)), "")


def _proposal(args: argparse.Namespace, workspace: Any, chosen: Chosen, out: Output) -> Proposal:
    from segue.service.handoffs.draft import Wanted

    model = "" if args.explain or args.change else workspace.config.model_meant(args.model)
    kept = args.format == "document" or (_stores(args) and not (args.explain or args.change))
    wanted = Wanted(
        args.goal, args.budget, args.preset or "", args.repo, args.include_file, _here(args), kept
    )
    proposal = (
        _composed(args, workspace, chosen, wanted, model, out)
        if model
        else _drafted(workspace, chosen, wanted)
    )
    if chosen.guessed:
        from segue.surfaces.cli import session_picker

        out.note(session_picker.notice(chosen, proposal.made))
    for note in proposal.notes:
        out.note(f"segue: {note}")
    return proposal


def _drafted(workspace: Any, chosen: Chosen, wanted: Wanted) -> Proposal:
    from segue.service.handoffs.draft import propose

    return propose(workspace, chosen.source, wanted)


def _composed(
    args: argparse.Namespace, workspace: Any, chosen: Chosen, wanted: Wanted, model: str, out: Output
) -> Proposal:
    """The draft with a model's judgement; a person who waits no longer (Ctrl-C) gets it without."""
    from segue.service.handoffs.composing import propose
    from segue.surfaces.cli.models import confirm

    asks = confirm() if not (args.yes or out.as_json) else None
    out.note(f"segue: {model} reads the session; Ctrl-C goes on without it.")
    return propose(workspace, chosen.source, wanted, model, asks, by_flag=args.model is not None)


def _require(args: argparse.Namespace, workspace: Any, server: Any) -> None:
    """Raises for flags that do not go together, before a session is read for them."""
    if server is not None and args.change:
        raise BadInput("A change record is filled on the machine that has it.", "Leave --server out.")
    if args.change:
        from segue.surfaces.cli import handoff_change

        handoff_change.require(args, workspace)
    if args.launch and args.dry_run:
        raise BadInput("--dry-run only prints, and --launch starts an agent.", "Leave one of them out.")
    launching.require(args)
    if args.launch and not (args.yes or args.edit or somebody_is_here()):
        raise Refused(
            f"Nobody is here to review the draft, so {args.to} is not started with it.",
            "--yes hands it off as it is, --edit reviews it in $EDITOR.",
        )


def _session(args: argparse.Namespace, folder: str, out: Output) -> Chosen:
    from segue.service.sessions import lookup
    from segue.service.sessions.choice import chosen_session
    from segue.surfaces.cli.progress import Progress

    pick: Any = None
    if somebody_is_here() and not (args.yes or out.as_json):
        from segue.surfaces.cli.session_picker import picked as pick
    with Progress() as progress:
        chosen = chosen_session(folder, _here(args), args.source, pick, progress)
    return chosen._replace(source=lookup.ending_at(chosen.source, args.leaf)) if args.leaf else chosen


def _explain(args: argparse.Namespace, proposal: Proposal, out: Output) -> int:
    from segue.service.handoffs import renderings

    told = renderings.explain(proposal.made)
    launching.deliver(args, f"{told}\n", out)
    if out.as_json:
        out.result(renderings.explained(proposal.made), "")
    elif not args.out:
        out.text(told)
    return 0


def _answer(
    args: argparse.Namespace, out: Output, proposal: Proposal, left: Reviewed, shown: str, committed: Any
) -> None:
    if out.as_json:
        from segue.service.handoffs.renderings import answer

        form = {} if args.format == "packet" else {"format": args.format, "rendered": shown}
        out.result({**answer(left.made, proposal, left.notes), **form, **committed}, "")
        return
    if args.out and args.out != "-":
        from segue.service.handoffs.renderings import measured

        out.note(f"segue: {measured(args.format, left.made, shown)} written to {args.out}.")
    elif not (args.out or args.launch):
        out.text(shown)
    if committed:
        out.note(f"segue: thread {committed['thread_id']}, bundle {committed['summary_artifact_id'][:12]}.")


def _stores(args: argparse.Namespace) -> bool:
    return not (args.dry_run or args.out)


def _here(args: argparse.Namespace) -> str:
    return os.path.abspath(getattr(args, "workspace", None) or os.getcwd())
