"""A walk through the whole of segue on a sample project, in a temporary directory.

No network, no questions, nothing outside that directory.
"""

from __future__ import annotations

import argparse
import os
import tempfile

from segue.model.thread import Provenance
from segue.service import contexts, lineage, threads
from segue.service.workspace import Workspace
from segue.surfaces.cli.output import Output
from segue.surfaces.cli.parsing import Parser

_BY = Provenance("user", "demo")
_TALK = (
    ("user", "Add retries to the uploader. Never retry on 4xx, and keep the public API as it is."),
    ("assistant", "Added exponential backoff in uploader.py; 4xx is raised at once. Tests pass."),
    ("user", "Make the delay configurable; no new dependency."),
)
_SOURCE = "def upload(data, attempts=3):\n    ...\n"
_SUMMARY = """## Context
Retries with exponential backoff are in uploader.py [#2]. Never retry on 4xx; keep the public API [#1].

## Task
1. Make the delay configurable, without a new dependency [#3].
2. Run the uploader tests.
"""


def configure(parser: Parser) -> None:
    parser.set_defaults(do=_demo)


def _demo(args: argparse.Namespace, out: Output) -> None:
    place = tempfile.mkdtemp(prefix="segue-demo-")
    with open(os.path.join(place, "uploader.py"), "w", encoding="utf-8") as file:
        file.write(_SOURCE)
    workspace = Workspace(place)
    thread_id = threads.create(workspace, "Uploader retries", _BY)["thread_id"]
    for role, content in _TALK:
        threads.post(workspace, thread_id, content, role, by=_BY)
    branch = threads.branch(workspace, thread_id, "Try a token bucket instead", from_seq=2, by=_BY)
    threads.post(workspace, branch["thread_id"], "What if a token bucket limits the retries?", by=_BY)
    handoff = threads.handoff(
        workspace,
        thread_id,
        "Configurable delay",
        summary_markdown=_SUMMARY,
        goal="make the delay configurable",
        refs={"files": [{"path": "uploader.py", "note": "where the retries are"}]},
        by=_BY,
    )
    compiled = contexts.compile_thread(workspace, handoff["thread_id"], by=_BY)
    graph = lineage.graph(workspace, handoff["thread_id"])
    answer = {
        "directory": place,
        "thread_id": thread_id,
        "branch": branch,
        "handoff": handoff,
        "compiled": compiled,
        "graph": graph,
    }
    text = [
        f"A sample project in {place}",
        "",
        "1. A thread with three messages, a branch at its second frame, and a handoff:",
        *(f"   {line}" for line in graph),
        "",
        f"2. The context the next agent starts with ({compiled['tokens']} tokens):",
        *(
            f"   {line}"
            for item in compiled["bundle"]["items"]
            for line in item.get("content", "").splitlines()
        ),
        "",
        "Look around:",
        f"   cd {place}",
        "   segue thread list",
        f"   segue thread compile {branch['thread_id']}",
        "   segue verify",
    ]
    workspace.close()
    out.result(answer, "\n".join(text))
