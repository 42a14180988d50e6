"""The whole of segue on a sample project and a sample session, in a temporary directory."""

from __future__ import annotations

import argparse
import tempfile

from segue import samples
from segue.model.thread import Provenance
from segue.service.handoffs.commit import commit
from segue.service.handoffs.draft import Wanted, propose
from segue.service.sessions import lookup
from segue.service.threads import contexts, lineage, streams
from segue.service.workspace import Workspace
from segue.surfaces.cli.output import Output

_BY = Provenance("user", "demo")
_BUDGET = 1200


def do_demo(args: argparse.Namespace, out: Output) -> None:
    place = tempfile.mkdtemp(prefix="segue-demo-")
    source = lookup.at(samples.unpack(place))
    workspace = Workspace(place)
    drafted = propose(workspace, source, Wanted(samples.GOAL, _BUDGET, repo=False))
    made = drafted.made
    handed = commit(workspace, drafted.source, made, _BY)
    next_id = handed["thread_id"]
    streams.post(workspace, next_id, "Read the handoff. transport.py first.", "assistant", by=_BY)
    tried = streams.branch(workspace, next_id, "Try a token bucket instead", by=_BY)
    streams.post(workspace, tried["thread_id"], "What if a token bucket limits the retries?", by=_BY)
    compiled = contexts.compile_thread(workspace, tried["thread_id"], by=_BY)
    graph = lineage.graph(workspace, next_id)
    workspace.close()
    answer = {
        "directory": place,
        "packet": made.text,
        "handoff": handed,
        "branch": tried,
        "compiled": {key: compiled[key] for key in ("bundle_artifact_id", "tokens")},
        "graph": graph,
    }
    items = [item["type"] for item in compiled["bundle"]["items"]]
    out.result(
        answer,
        f"""A sample project and a session of an agent that stopped in mid-turn: {place}

1. What the next agent is given, for the goal "{samples.GOAL}" ({made.tokens} of {made.budget} tokens):

{_indented(made.text)}
2. The session is a thread, the handoff its child, and a branch continues from there:

{_indented(chr(10).join(graph))}
3. The branch compiles to {compiled["tokens"]} tokens of context: {", ".join(items)}.

Look around:
   cd {place}
   segue handoff "{samples.GOAL}" --from session.jsonl --dry-run
   segue sessions show session.jsonl
   segue thread lineage --graph
   segue verify handoff
   segue verify""",
    )


def _indented(text: str) -> str:
    return "".join(f"   {line}\n" if line else "\n" for line in text.splitlines())
