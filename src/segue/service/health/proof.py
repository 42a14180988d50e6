"""Does an installed integration work? Each of its hooks is rehearsed, and what the model would be told is shown.

The verdict is about the integration: a text that the settings or the handoff's sensitivity keep back is told with
the rule that keeps it, and is no fault.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from itertools import takewhile
from typing import Any

from segue.agents.calls import installed_calls
from segue.agents.registry import host_of
from segue.boundary.replay import OPEN
from segue.model import moment as m
from segue.model.moment import Moment
from segue.service.boundary import approvals
from segue.service.boundary.replay import refusal
from segue.service.health import rehearsal
from segue.service.install import integrations
from segue.service.workspace import Workspace

Check = dict[str, Any]


def prove(workspace: Workspace, agent: str, scope: str, files: list[str], texts: bool = True) -> list[Check]:
    """One check for an integration; more when something is missing, outdated or waits to be trusted. With `texts`, what
    a new session would be given is under `text` and what one after a compaction would under `after_compaction`."""
    name = f"integration {agent} ({scope})"
    again = f"`segue install {agent} --{scope}` puts it right."
    gone = [path for path in files if not os.path.exists(path)]
    ours = integrations.own_files(workspace, agent, scope == "project")
    found = [installed_calls(agent, path, integrations.program(), ours.get(path)) for path in files]
    calls = [call for one in found for call in one.calls]
    if strange := [line for one in found for line in one.strange]:
        return [_unknown_lines(name, agent, scope, strange)]
    if gone or not calls:
        what = f"{', '.join(gone)} is gone" if gone else "its hooks are not in the agent's settings any more"
        return [{"check": name, "ok": False, "message": f"Installed, but {what}.", "hint": again}]
    begun = rehearsal.start(workspace, agent, calls)
    crossed = rehearsal.compaction(workspace, agent, calls)
    faults = [f"{one.event}: {one.fault}" for one in (*begun, *crossed) if one.fault]
    started = takewhile(lambda one: host_of(agent).events.get(one.event) != m.BEFORE, begun)
    told = {m.STARTUP: _handoff_text(started), m.COMPACT: _handoff_text(crossed)}
    kept = {source: _kept_back(workspace, agent, source) for source in told}
    if not faults:
        faults = [
            f"no hook hands the handoff to the model {when}"
            for source, when in ((m.STARTUP, "at a start"), (m.COMPACT, "after a compaction"))
            if not told[source] and not kept[source]
        ]
    if faults:
        return [{"check": name, "ok": False, "message": f"{'; '.join(faults)}.", "hint": again}]
    stands = "" if approvals.current(workspace) else "; a sample stands in for the handoff there is none of"
    message = (
        f"{len(begun)} hooks answer{stands}. A new session is given {_describe_text(told[m.STARTUP], kept[m.STARTUP], texts)} "
        f"After a compaction it is given {_describe_text(told[m.COMPACT], kept[m.COMPACT], texts)}"
    )
    proven = {"check": name, "ok": True, "message": message, "events": [one.event for one in begun]}
    whole = {"text": told[m.STARTUP], "after_compaction": told[m.COMPACT]} if texts else {}
    return [
        proven | {key: text for key, text in whole.items() if text},
        *_server(workspace, agent, scope),
        *_versions(workspace, agent, scope),
        *_untrusted(agent, files),
        *_untrusted_place(workspace, agent, scope),
    ]


def _unknown_lines(name: str, agent: str, scope: str, lines: list[str]) -> Check:
    """What stands in the agent's files in our name, but not as this version writes it: it is told, not run."""
    from segue.handoff.quote import quoted

    told = ", ".join(quoted(line, 200) for line in lines[:3])
    more = f" and {len(lines) - 3} more" if len(lines) > 3 else ""
    message = f"Not as this version of segue writes it, so nothing of it was run: {told}{more}."
    hint = f"Look at it; `segue install {agent} --{scope}` puts it right, with --force also what you edited."
    return {"check": name, "ok": False, "message": message, "hint": hint}


def _handoff_text(ran: Iterable[rehearsal.Ran]) -> str:
    """What was said with the handoff in it: a full context is warned of, too."""
    return next((one.inject for one in ran if OPEN in one.inject), "")


def _kept_back(workspace: Workspace, agent: str, source: str) -> str:
    """The rule that keeps the current handoff from the agent, as the real settings have it."""
    if source == m.COMPACT and not host_of(agent).compaction_steps:
        return "this agent announces no compaction"
    document = approvals.current(workspace) or rehearsal.SAMPLE
    place = document.about.place or workspace.root
    no = refusal(workspace, Moment(agent, "doctor", m.START, rehearsal.SESSION, place), source, document)
    return no.reason if no else ""


def _describe_text(text: str, kept: str, shown: bool) -> str:
    """How much is said and, where it may be shown, how the handoff itself begins, below the words that frame it."""
    if not text:
        return f"nothing: {kept}."
    if not shown:
        return f"{len(text):,} characters."
    line = " ".join(text.partition("\n\n")[2].split())
    return f"{len(text):,} characters: {line if len(line) <= 120 else f'{line[:120]} …'}"


def _server(workspace: Workspace, agent: str, scope: str) -> list[Check]:
    words = integrations.server(workspace, agent, scope == "project")
    if not words:
        return []
    fault = rehearsal.greeting(words, workspace.root)
    check = {"check": f"server {agent} ({scope})", "ok": not fault}
    if not fault:
        return [check | {"message": "The MCP server answers."}]
    hint = f"`{' '.join(words)}` is what the agent starts: try it in a terminal."
    return [check | {"message": f"The MCP server: {fault}.", "hint": hint}]


def _versions(workspace: Workspace, agent: str, scope: str) -> list[Check]:
    """Is the integration as this version of segue writes it, and is the agent one it was tried with?"""
    from segue.agents.launch import compared, version_here
    from segue.service.install.ledger import Ledger

    project = scope == "project"
    changes = integrations.plan(workspace, agent, project, Ledger(workspace, project)).changes
    name, found = f"version {agent} ({scope})", []
    if old := [change.path for change in changes if change.needed]:
        message = f"{', '.join(old)} is not as this version of segue writes it."
        hint = f"`segue install {agent} --{scope}` brings it up to date."
        found.append({"check": name, "ok": False, "message": message, "hint": hint})
    if edited := [change.path for change in changes if change.kept]:
        message = (
            f"{', '.join(edited)} is as you edited it; `segue install {agent} --{scope} --force` replaces it."
        )
        found.append({"check": name, "ok": True, "message": message})
    if doubles := integrations.doubled(workspace, agent) if project else []:
        message = f"{', '.join(doubles)} clashes with the one of that name which you have for all projects."
        hint = f"`segue install {agent} --project` {integrations.TAKES_OUT}."
        found.append({"check": name, "ok": False, "message": message, "hint": hint})
    here = version_here(agent)
    if here is None:
        return found
    verdict, known = compared(agent, here), host_of(agent)
    message = {
        -1: f"{agent} {here} is older than {known.oldest_version}, the first version segue is known to work with.",
        0: f"{agent} {here}; segue was tried with {known.tried_version}.",
        1: f"{agent} {here} is newer than {known.tried_version}, which segue was tried with; what it does not know leaves a trace.",
    }[verdict]
    check = {"check": name, "ok": verdict >= 0, "message": message}
    return [*found, check if verdict >= 0 else {**check, "hint": f"Update {known.program}."}]


def _untrusted(agent: str, files: list[str]) -> list[Check]:
    find = host_of(agent).unaccepted_hooks
    waiting = [
        f"{event} ({reason})"
        for path in files
        for event, reason in (find(path, os.path.expanduser("~"), os.environ) if find else {}).items()
    ]
    if not waiting:
        return []
    message = f"{agent.capitalize()} does not run {len(waiting)} of the hooks before you accept them: {', '.join(waiting)}."
    return [{"check": f"trust {agent}", "ok": False, "message": message, "hint": host_of(agent).accept_hint}]


def _untrusted_place(workspace: Workspace, agent: str, scope: str) -> list[Check]:
    """Most agents ask the person once for each project, or one above it, whether to run what it brings along."""
    known, root = host_of(agent), os.path.realpath(workspace.root)
    if (
        scope != "project"
        or not known.trusts_project
        or known.trusts_project(root, os.path.expanduser("~"), os.environ)
    ):
        return []
    message = f"{agent} runs no hooks of {workspace.root} before you trust that folder."
    hint = f"Start `{known.program}` there once and trust it, or `segue install {agent} --user` instead."
    return [{"check": f"trust {agent} (project)", "ok": False, "message": message, "hint": hint}]
