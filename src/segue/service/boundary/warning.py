"""Asking for a handoff while there is still room to write one: once at each threshold, on record."""

from __future__ import annotations

from segue.agents.registry import host_of
from segue.boundary import policy
from segue.model import moment as m
from segue.model.frame import REQUIRED, WARNED
from segue.model.moment import Moment, Reply
from segue.service.boundary.log import record
from segue.service.boundary.place import territory
from segue.service.boundary.refresh import try_to_prepare
from segue.service.workspace import Workspace
from segue.stores.marks import Marks

_TOLD = {
    policy.WARN: (WARNED, "prepare_checkpoint_handoff", "It may be compacted soon. At the next good moment,"),
    policy.REQUIRE: (
        REQUIRED,
        "request_compaction",
        "A compaction is due: begin nothing new. Unless this session has stored one just now,",
    ),
}
"""What each threshold calls for: the frame, the action in it, and the words that the request begins with."""


def warned(workspace: Workspace, moment: Moment, occupancy: tuple[int, int], marks: Marks) -> Reply:
    """The request for a rich handoff when the context passes a threshold; nothing otherwise."""
    thresholds = policy.ahead_of(configured(workspace), host_of(moment.host).compacts_above)
    tokens, window = occupancy
    verdict = policy.judge(tokens, window, marks.fired, thresholds)
    if verdict.action not in _TOLD:
        return m.NOTHING
    try_to_prepare(workspace, moment)
    kind, action, urgency = _TOLD[verdict.action]
    payload = {
        "tokens": tokens,
        "context_window_tokens": window,
        "utilization_percent": verdict.percent,
        "reserve_tokens": policy.reserve_tokens(window, thresholds.target_percent),
        "keep_recent_tokens": thresholds.keep_recent_tokens,
        "action": action,
    }
    record(workspace, (moment.host, moment.session_id), kind, payload)
    marks.fire(verdict.fired)
    full = f"The context is {verdict.percent} % full ({tokens:,} of {window:,} tokens)."
    return Reply(f"{full} {urgency} {_request(workspace, moment)}")


def configured(workspace: Workspace) -> policy.Thresholds:
    """The thresholds as the settings have them."""
    return policy.Thresholds(*(workspace.config[f"boundary.{name}"] for name in policy.SETTINGS))


def _request(workspace: Workspace, moment: Moment) -> str:
    """What the agent is asked for, as a command that binds the draft to its session and its place."""
    import shlex

    from segue.handoff.headings import DOCUMENT
    from segue.service.install.integrations import program

    segue = shlex.join(program())
    session = shlex.join(["--agent", moment.host, "--session", moment.session_id])
    gate = (
        f"The person approves it with `{segue} draft approve` before it counts; tell them so."
        if workspace.config["boundary.approval"] != "auto"
        else "It takes effect at once."
    )
    sections = ", ".join(f"`## {name}`" for name in DOCUMENT)
    place = territory(workspace.root, moment.cwd) or workspace.root
    return (
        f"write a handoff for whoever goes on: a Markdown text with the sections {sections}, "
        "concrete (paths, commands and their results, decisions and why, what failed, what is verified and what is "
        f"not), and store it with `{segue} draft write FILE {session}` (or `-` for standard input) in {place}. {gate}"
        + (f" {way}" if (way := host_of(moment.host).draft_hint) else "")
    )
