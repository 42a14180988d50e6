"""A session for a model's eyes: in order, one row each with its pointer, then what stands at the end."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING

from segue.model import wire
from segue.surfaces.cli.operation_calls import ask, server_of
from segue.surfaces.cli.output import Output
from segue.surfaces.cli.parsing import local_workspace_of

if TYPE_CHECKING:
    from segue.model.handoff_answers import BriefMade


def do_brief(args: argparse.Namespace, out: Output) -> int:
    out.require()
    goal = wire.scrub(args.goal).strip()
    wanted = {"budget": args.budget, "since_compaction": args.since_compaction}
    if server_of(args) is not None:
        made: BriefMade = ask(args, "brief", goal=goal, session=args.source, **wanted)
    else:
        from segue.service.handoffs.briefs import brief  # 70 ms
        from segue.service.sessions.choice import chosen_session

        workspace = local_workspace_of(args)
        here = os.path.abspath(getattr(args, "workspace", None) or os.getcwd())
        source = chosen_session(workspace.folder, here, args.source, None).source
        made = brief(workspace, source, goal, directory=here, **wanted)
    out.result(made, made["brief"].rstrip("\n"))
    return 0
