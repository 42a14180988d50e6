"""Running an agent's installed hooks as the agent would, in a scratch workspace with the real settings and handoff.

No replay of the real handoff is used up, and nothing is recorded in the real log.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from segue.agents.calls import Call, environment, payload, strings, transcript, transcript_path
from segue.agents.host import Step
from segue.agents.registry import host_of
from segue.model.thread import Provenance
from segue.model.value import NamedTuple
from segue.service.boundary import approvals, documents, refresh
from segue.service.boundary.archive import copy_path, holds_session
from segue.service.boundary.log import bound_thread
from segue.stores import accepted, private_files

if TYPE_CHECKING:
    from subprocess import CompletedProcess

    from segue.service.workspace import Workspace

TIMEOUT_S = 30
SESSION = "segue-doctor"
SAMPLE = documents.Document(
    "## Current objective\n\n- A sample: this workspace has no handoff yet.\n",
    "",
    documents.About(rich=True),
    "",
)


class Ran(NamedTuple):
    event: str
    fault: str
    inject: str


def start(workspace: Workspace, agent: str, calls: list[Call]) -> list[Ran]:
    """Every installed hook once, in a session that has just begun."""
    events = list(host_of(agent).events)
    in_order = sorted(
        calls, key=lambda call: events.index(call.event) if call.event in events else len(events)
    )
    with _scratch(workspace, agent) as place:
        return [_run(agent, call.words, Step(call.event), place) for call in in_order]


def compaction(workspace: Workspace, agent: str, calls: list[Call]) -> list[Ran]:
    """The hooks around a compaction of a session that the handoff is about; none for an agent that announces none."""
    from segue.stores.marks import Marks

    commands = {call.event: call.words for call in calls}
    ran = []
    with _scratch(workspace, agent) as place:
        Marks(os.path.join(place, ".segue"), agent, SESSION).begin()
        for step in host_of(agent).compaction_steps:
            if step.late:
                with open(transcript_path(agent, SESSION, place), "ab") as file:
                    file.write(transcript(agent, "compacted", SESSION))
            missing = Ran(step.event, "it is not among the installed hooks", "")
            words = commands.get(step.event)
            ran.append(_run(agent, words, step, place) if words else missing)
    return ran


@contextmanager
def _scratch(workspace: Workspace, agent: str) -> Iterator[str]:
    """A workspace with the settings and the handoff of the real one, and a transcript of the rehearsed session: the
    archived one of the session the handoff is about, where there is one, so that the tail is the real one."""
    import shutil
    import tempfile

    from segue.service.workspace import Workspace as Scratch
    from segue.service.workspace import write_private

    current = approvals.current(workspace) or SAMPLE
    with tempfile.TemporaryDirectory(prefix="segue-doctor-") as made:
        place = os.path.realpath(made)
        scratch = Scratch(place).establish()
        try:
            settings = os.path.join(workspace.folder, "config.json")
            if os.path.exists(settings):
                write_private(os.path.join(scratch.folder, "config.json"), private_files.read(settings))
            about = current.about._replace(host=agent, session_id=SESSION, place="", tail_of=(agent, SESSION))
            documents.write(scratch, current.text, about, partial(_on_record, scratch))
            scratch.close()
            told = transcript_path(agent, SESSION, place)
            os.makedirs(os.path.dirname(told), exist_ok=True)
            archived = copy_path(workspace, current.about.host, current.about.session_id)
            if (
                current.about.host == agent
                and private_files.is_file(archived)
                and holds_session(agent, archived)
            ):
                shutil.copy(archived, told)
            elif recorded := transcript(agent, "before", SESSION):
                with open(told, "wb") as file:
                    file.write(recorded)
            yield place
        finally:
            accepted.remove(place)


def _on_record(scratch: Workspace, document: documents.Document) -> None:
    """The handoff stands in the log of the scratch workspace as it does in that of the real one."""
    by, session = Provenance("doctor", "service"), (document.about.host, document.about.session_id)
    if document.about.rich:
        approvals.record(scratch, bound_thread(scratch, *session, by), document.sha256, document, by)
    else:
        refresh.note(scratch, session, document)


def _run_process(words: Sequence[str], given: str, place: str, env: dict[str, str]) -> CompletedProcess[str]:
    import subprocess

    return subprocess.run(
        words,
        input=given,
        capture_output=True,
        text=True,
        errors="replace",
        cwd=place,
        env={**os.environ, **env},
        timeout=TIMEOUT_S,
        check=False,
    )


def _run(agent: str, words: tuple[str, ...], step: Step, place: str) -> Ran:
    import shlex
    import subprocess

    command = shlex.join(words)
    given = payload(agent, step, SESSION, place)
    if given is None:
        return Ran(step.event, "segue has no recorded payload for it", "")
    env = {"SEGUE_WORKSPACE": place, "SEGUE_BOUNDARY_MAINTENANCE": "no", **environment(agent, place)}
    try:
        done = _run_process(words, given, place, env)
    except (OSError, subprocess.TimeoutExpired) as fault:
        return Ran(step.event, f"{command} did not answer: {fault}", "")
    if done.returncode != 0:
        return Ran(step.event, f"{command} ended with {done.returncode}: {done.stderr.strip()[-200:]}", "")
    failures = os.path.join(place, ".segue", "boundary", "failures.log")
    if os.path.exists(failures):
        with open(failures, encoding="utf-8", errors="replace") as file:
            trace = file.read().strip().split("\t")[-1]
        os.unlink(failures)
        return Ran(step.event, f"it failed: {trace}", "")
    try:
        return Ran(step.event, "", _longest(json.loads(done.stdout)) if done.stdout else "")
    except ValueError:
        return Ran(step.event, f"it printed what no agent reads: {done.stdout[:80]!r}", "")


_GREETING = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "segue doctor", "version": "0"},
    },
}


def greeting(words: list[str], place: str) -> str:
    """What is wrong with an MCP server that an agent would start like this; nothing when it greets back."""
    import subprocess

    try:
        done = _run_process(words, json.dumps(_GREETING) + "\n", place, {})
        answer = json.loads(done.stdout.partition("\n")[0])
    except (OSError, subprocess.TimeoutExpired) as fault:
        return f"it did not start: {fault}"
    except ValueError:
        return f"it said nothing an agent understands: {(done.stderr or done.stdout).strip()[-200:]}"
    return "" if isinstance(answer, dict) and "result" in answer else f"it answered {str(answer)[:200]}"


def _longest(reply: Any) -> str:
    """The text for the model, wherever the host's reply carries it."""
    return max(strings(reply), key=len, default="")
