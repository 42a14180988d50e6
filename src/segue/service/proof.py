"""Does an installed integration work? Each of its hooks is run exactly as the agent would run it.

It runs in a scratch workspace that holds a copy of the current handoff, so no replay of the real one is
used up and nothing is recorded in the real log.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, NamedTuple

from segue.agents.calls import Call, installed_calls, payload

if TYPE_CHECKING:
    from segue.service.workspace import Workspace

Check = dict[str, Any]
TIMEOUT_S = 30
SAMPLE = "## Current objective\n\n- A sample: this workspace has no handoff yet.\n"


class Ran(NamedTuple):
    event: str
    fault: str
    inject: str


def prove(workspace: Workspace, agent: str, scope: str, files: list[str]) -> list[Check]:
    """One check for an integration, with the text a new session would be given under `text`; more when
    something is missing or waits to be trusted."""
    name = f"integration {agent} ({scope})"
    again = f"`segue install {agent} --{scope}` puts it right."
    gone = [path for path in files if not os.path.exists(path)]
    calls = [call for path in files for call in installed_calls(agent, path)]
    if gone or not calls:
        what = f"{', '.join(gone)} is gone" if gone else "its hooks are not in the agent's settings any more"
        return [{"check": name, "ok": False, "message": f"Installed, but {what}.", "hint": again}]
    ran = _run_all(workspace, agent, calls)
    faults = [f"{one.event}: {one.fault}" for one in ran if one.fault]
    text = next((one.inject for one in ran if one.inject), "")
    if not faults and not text:
        faults = ["no hook hands the handoff to the model"]
    if faults:
        return [{"check": name, "ok": False, "message": f"{'; '.join(faults)}.", "hint": again}]
    spoke = next(one.event for one in ran if one.inject)
    message = (
        f"{len(ran)} hooks answer; at {spoke} a new session is given {len(text):,} characters: {_start(text)}"
    )
    return [{"check": name, "ok": True, "message": message, "text": text}, *_untrusted(agent, files)]


def _run_all(workspace: Workspace, agent: str, calls: list[Call]) -> list[Ran]:
    import tempfile

    from segue.service import documents
    from segue.service.workspace import Workspace as Scratch

    current = documents.current(workspace)
    with tempfile.TemporaryDirectory(prefix="segue-doctor-") as place:
        scratch = Scratch(os.path.realpath(place)).establish()
        about = current.about if current else documents.About()
        documents.write(scratch, current.text if current else SAMPLE, about._replace(rich=True))
        scratch.close()
        return [_run(agent, call, scratch.root) for call in calls]


def _run(agent: str, call: Call, place: str) -> Ran:
    import subprocess

    given = payload(agent, call.event, "segue-doctor", place)
    if given is None:
        return Ran(call.event, "segue has no recorded payload for it", "")
    try:
        done = subprocess.run(
            ["/bin/sh", "-c", call.command],
            input=given,
            capture_output=True,
            text=True,
            errors="replace",
            cwd=place,
            env={**os.environ, "SEGUE_WORKSPACE": place},
            timeout=TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as fault:
        return Ran(call.event, f"{call.command} did not answer: {fault}", "")
    if done.returncode != 0:
        return Ran(
            call.event, f"{call.command} ended with {done.returncode}: {done.stderr.strip()[-200:]}", ""
        )
    failures = os.path.join(place, ".segue", "boundary", "failures.log")
    if os.path.exists(failures):
        with open(failures, encoding="utf-8", errors="replace") as file:
            trace = file.read().strip().split("\t")[-1]
        os.unlink(failures)
        return Ran(call.event, f"it failed: {trace}", "")
    try:
        return Ran(call.event, "", _injected(json.loads(done.stdout)) if done.stdout else "")
    except ValueError:
        return Ran(call.event, f"it printed what no agent reads: {done.stdout[:80]!r}", "")


def _injected(reply: dict[str, Any]) -> str:
    """The text for the model, wherever the host's reply carries it."""
    nested = reply.get("hookSpecificOutput")
    inner = nested.get("additionalContext") if isinstance(nested, dict) else None
    return str(inner or reply.get("additionalContext") or reply.get("context") or reply.get("inject") or "")


def _start(text: str) -> str:
    """How the handoff itself begins, below the words that frame it."""
    line = " ".join(text.partition("\n\n")[2].split())
    return line if len(line) <= 160 else f"{line[:160]} …"


def _untrusted(agent: str, files: list[str]) -> list[Check]:
    from segue.agents.integrations import CLAUDE_EVENTS
    from segue.agents.triggers import untrusted

    waiting = untrusted(agent, files[0], CLAUDE_EVENTS, os.path.expanduser("~"), os.environ)
    if not waiting:
        return []
    message = f"Codex does not run {len(waiting)} of the hooks before you accept them: {', '.join(waiting)}."
    hint = 'Start `codex` in a terminal and answer "Hooks need review".'
    return [{"check": "trust codex", "ok": False, "message": message, "hint": hint}]
