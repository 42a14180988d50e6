"""What `segue doctor` says about the boundary: replays nobody heard, failing hooks, waiting moments, thresholds
that come too late, hooks that wait to be trusted, a handoff that has grown old.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from segue.agents.integrations import agents
from segue.agents.registry import host_of
from segue.boundary import policy
from segue.boundary.replay import RANKS
from segue.errors import SegueError
from segue.model.frame import ACKNOWLEDGED, REPLAYED
from segue.service.boundary import approvals, drafts
from segue.service.boundary.log import record
from segue.service.boundary.outcomes import faults, log_path
from segue.service.boundary.status import spooled, traces
from segue.service.boundary.warning import configured
from segue.service.health import proof
from segue.service.health.housekeeping import check
from segue.service.install import integrations

if TYPE_CHECKING:
    from segue.model.answers import Check
    from segue.service.workspace import Workspace

STALE_HOURS = 14 * 24
APPROVALS: dict[str, tuple[str, ...]] = {"boundary.approval": ("ask", "auto")}


def checks(workspace: Workspace, texts: bool = True, fix: bool = False) -> list[Check]:
    """Every finding about the boundary, and a proof for every integration that is installed: with the texts that agents
    would be told, where whoever asks stands at this machine. `fix` settles replays that nobody heard, on record."""
    found = [*_unheard(workspace, fix), *_failures(workspace), *_spooled(workspace), *_maintenance(workspace)]
    found += [*_handoff(workspace), *_draft(workspace), *_settings(workspace)]
    installed, refused = _installed(workspace)
    found += refused
    found += _thresholds(workspace, {agent for agent, _, _ in installed})
    found += _came_along(workspace)
    for agent, scope, files in installed:
        found += proof.prove(workspace, agent, scope, files, texts)  # type: ignore[arg-type]
    return found


def elsewhere(workspace: Workspace) -> list[Check]:
    """What is installed for the person, seen from a place without a workspace."""
    told = "Installed; its hooks leave this place alone, since there is no workspace. `segue thread ensure` makes one."
    installed, refused = _installed(workspace)
    found = refused + [check(f"integration {agent} ({scope})", True, told) for agent, scope, _ in installed]
    return found + _came_along(workspace)


def _came_along(workspace: Workspace) -> list[Check]:
    """What of ours a clone brought into the project."""
    return [
        check(
            f"integration {agent} (clone)",
            False,
            f"{', '.join(files)} came with the repository; nobody installed it here.",
            integrations.adopting(agent).capitalize(),
        )
        for agent in agents()
        if (files := integrations.came_along(workspace, agent))
    ]


def _installed(workspace: Workspace) -> tuple[list[tuple[str, str, list[str]]], list[Check]]:
    """What is installed for this project and for this person, and a check for a ledger that is not believed."""
    found, refused = [], []
    for scope in ("project", "user"):
        try:
            found += [
                (agent, scope, files)
                for agent, files in integrations.installed(workspace, scope == "project")
            ]
        except SegueError as fault:
            refused.append(check(f"integrations ({scope})", False, fault.message, fault.hint))
    return found, refused


def _settings(workspace: Workspace) -> list[Check]:
    found: list[Check] = []
    for name, setting in workspace.config.settings.items():
        words = tuple(RANKS) if name.startswith("clearance.") else APPROVALS.get(name)
        if words and setting.value not in words:
            message = f"{setting.source} sets {name} to {setting.value!r}, which means nothing."
            hint = f"It is one of: {', '.join(words)}. Until then the strictest is taken."
            found.append(check("settings", False, message, hint))
    return found


def _thresholds(workspace: Workspace, agents: set[str]) -> list[Check]:
    """Every threshold that cannot work, and those that were lowered for an agent that compacts early."""
    thresholds = configured(workspace)
    hint = "Lower boundary.checkpoint_warning_percent in config.json"
    problems = [(problem, f"{hint}.") for problem in policy.problems(thresholds, None)]
    lowered: list[Check] = []
    for agent in sorted(agents):
        known = host_of(agent)
        if early := known.compacts_above:
            moved = policy.ahead_of(thresholds, early)
            message = (
                f"{agent} compacts by itself above {early} %: it is warned at {moved.warning_percent} %, "
                f"and a compaction is called due at {moved.target_percent} %."
            )
            lowered.append(check("thresholds", True, message))
        elif known.compacts_at and (
            at := known.compacts_at(os.path.expanduser("~"), workspace.root, os.environ)
        ):
            problems += [
                (f"{agent}: {problem}", f"{hint}, or raise what {at.where} says.")
                for problem in policy.late(thresholds, at.percent)
            ]
    return [check("thresholds", False, problem, advice) for problem, advice in problems] + lowered


def _handoff(workspace: Workspace) -> list[Check]:
    document = approvals.status(workspace)
    if not document["exists"]:
        return []
    take_up = f"`segue draft write {document['path']}` and `segue draft approve` make it one"
    if not document["recorded"]:
        message = (
            f"{document['path']} is no handoff that was approved or derived here; no session is given it."
        )
        return [check("handoff", False, message, f"{take_up}; else delete it.")]
    if document["edited"]:
        message = (
            f"{document['path']} was edited since it was approved; sessions are given the approved text."
        )
        return [check("handoff", False, message, f"{take_up} that they are given.")]
    kind = "rich" if document["rich"] else "mechanical"
    hours = (document["age_ms"] or 0) // 3_600_000
    fresh = hours < STALE_HOURS
    message = f"The current handoff is {kind}, {document['tokens']} tokens, {hours} hours old."
    hint = "New sessions are still given it: write another with `segue draft write`, or delete the file."
    return [check("handoff", fresh, message, "" if fresh else hint)]


def _maintenance(workspace: Workspace) -> list[Check]:
    hint = f"`segue sessions import` takes the session in by hand. {log_path(workspace)} has what a run that died wrote; delete it, and the marks `boundary/maintaining-*`, when you have read it."
    return [check("maintenance", False, message, hint) for message in faults(workspace)]


def _unheard(workspace: Workspace, fix: bool) -> list[Check]:
    """Replays that were recorded and neither spoken nor acknowledged since."""
    found: list[Check] = []
    for head in workspace.log.heads():
        rows = list(workspace.log.read(head.stream_id, types=(REPLAYED, ACKNOWLEDGED)))
        settled = {frame.data["sha256"] for frame in rows if frame.type == ACKNOWLEDGED}
        for data in (frame.data for frame in rows if frame.type == REPLAYED):
            mark = os.path.join(workspace.folder, "boundary", f"spoken-{data.get('replay_id')}")
            if data["sha256"] in settled or os.path.exists(mark):
                continue
            said = f"A replay into {data['host']} session {data['session_id']} was recorded but not spoken"
            if fix:
                _acknowledge(workspace, data)
                found.append(check("replay", True, f"{said}; settled, on record."))
                continue
            session = f"--agent {data['host']} --session {data['session_id']}"
            hint = (
                "The hook was killed in between. Give it by hand: paste .segue/transcripts/.handoff.md; then "
                f"`segue ack {session}` settles it, or `segue doctor --fix` without that."
            )
            found.append(check("replay", False, f"{said}.", hint))
    return found


def _acknowledge(workspace: Workspace, data: dict[str, Any]) -> None:
    session = (str(data["host"]), str(data["session_id"]))
    evidence = "not spoken; a person settled it with `segue doctor --fix`"
    payload = {"host": session[0], "session_id": session[1], "sha256": data["sha256"], "evidence": evidence}
    record(workspace, session, ACKNOWLEDGED, payload, f"ack:{':'.join(session)}:{data['sha256']}")


def _failures(workspace: Workspace) -> list[Check]:
    found = traces(workspace)
    if not found.lines:
        return []
    message = f"{found.lines} hook calls failed or were not understood; the last: {found.last}."
    return [check("hooks", False, message, f"Read and delete {found.path}.")]


def _spooled(workspace: Workspace) -> list[Check]:
    waiting = spooled(workspace)
    message = f"{waiting} moments wait to be recorded; the next hook takes them up."
    return [check("spool", True, message)] if waiting else []


def _draft(workspace: Workspace) -> list[Check]:
    waiting = drafts.pending(workspace)
    if waiting is None:
        return []
    message = f"A draft of {waiting['tokens']} tokens waits for approval: `segue draft show`, `segue draft approve`."
    return [check("draft", True, message)]
