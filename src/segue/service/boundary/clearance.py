"""Who may be given a handoff: its sensitivity, the clearance of the channel, and what a person authorized.

A channel is an agent of this machine, `mcp` or `server`; settings (`clearance.CHANNEL`) say how much each may
carry. What lies above it goes out only if a person named the channel when approving. The recent tail is session
text that nobody reviewed: it is private, whatever the body is. Every decision is on record before anything is
said: an allowed replay in its own frame, all others in one of theirs.
"""

from __future__ import annotations

from segue.boundary.replay import RANKS, allowed
from segue.errors import BadInput, Refused
from segue.model.frame import CLEARANCE_DECIDED, Draft
from segue.model.thread import LIBRARY, Provenance
from segue.model.value import NamedTuple
from segue.model.visible import visible
from segue.service.boundary import approvals, documents
from segue.service.boundary.log import bound_thread
from segue.service.refusals import refusal
from segue.service.threads import streams
from segue.service.workspace import Workspace

FOREIGN = "public"
"""The clearance of a channel no setting names."""
TAIL = "private"
"""The sensitivity of every recent tail."""


class Decision(NamedTuple):
    channel: str
    sensitivity: str
    clearance: str
    authorized: bool
    foreign: bool = False
    """Whether no setting names the channel."""

    @property
    def allows(self) -> bool:
        return self.authorized or allowed(self.sensitivity, self.clearance)


def carried(text: str, decisions: list[Decision]) -> str:
    """The document as it may go through these channels: without its tail where one of them is cleared for less than
    what is private."""
    from segue.handoff.tail import split

    below = next((made for made in decisions if not allowed(TAIL, made.clearance)), None)
    body, tail = split(text)
    if below is None or not tail.strip():
        return text
    left_out = (
        f"The recent tail is {TAIL} and was left out: {below.channel} may carry what is {below.clearance}."
    )
    return f"{body.rstrip()}\n\n[{left_out}]\n"


def decide(workspace: Workspace, about: documents.About, channel: str) -> Decision:
    """Whether a handoff may go through a channel, and why."""
    setting = workspace.config.settings.get(f"clearance.{channel}")
    clearance = setting.value if setting and setting.value in RANKS else FOREIGN
    sensitivity = about.sensitivity if about.sensitivity in RANKS else "private"
    return Decision(channel, sensitivity, clearance, channel in about.cleared, setting is None)


def refused(decision: Decision) -> Refused:
    """The decision as a person is told it."""
    channel = decision.channel
    hint = (
        "segue knows no agent of that name; one of your own goes by the name of `generic`."
        if decision.foreign
        else f"`segue draft approve --clear {channel}` authorizes a draft for it, on record."
    )
    return Refused(
        f"The handoff is {decision.sensitivity}, and {channel} may carry what is {decision.clearance}.", hint
    )


def note(
    workspace: Workspace,
    document: documents.Document,
    decision: Decision,
    session: tuple[str, str] = ("", ""),
    by: Provenance | None = None,
) -> None:
    """Records a decision, once for each handoff, channel, session and outcome: on the thread of the session that asked,
    else of the one the handoff is about, else on the default thread."""
    by = by or Provenance("hook", decision.channel)
    about = document.about
    bound = session if all(session) else (about.host, about.session_id)
    thread_id = (
        bound_thread(workspace, *bound, by) if all(bound) else str(streams.ensure(workspace, by)["thread_id"])
    )
    payload = {
        "channel": decision.channel,
        "sha256": document.sha256,
        "sensitivity": decision.sensitivity,
        "clearance": decision.clearance,
        "allowed": decision.allows,
        "authorized": decision.authorized or None,
        "session_id": session[1] or None,
    }
    key = (
        f"clearance:{decision.channel}:{session[1]}:{document.sha256}:{decision.clearance}:{decision.allows}"
    )
    workspace.log.append(thread_id, [Draft(CLEARANCE_DECIDED, by.stamp(payload))], key=key)


def release(workspace: Workspace, channel: str, by: Provenance = LIBRARY) -> str:
    """The current handoff, redacted, for a channel that leaves this machine's own agents, with its tail only where
    the channel may carry what is private; raises Refused. Either way the decision is on record first."""
    document = approvals.current(workspace)
    if document is None:
        raise refusal("no-current-handoff")
    made = decide(workspace, document.about, channel)
    note(workspace, document, made, by=by)
    if not made.allows:
        raise refused(made)
    from segue.redaction.redact import Redactor

    return Redactor().redact(visible(carried(document.text, [made])))


def channels(workspace: Workspace, names: list[str]) -> list[str]:
    """The names, if each is a channel; raises BadInput for one that is not."""
    known = [name.partition(".")[2] for name in workspace.config.settings if name.startswith("clearance.")]
    for name in names:
        if name not in known:
            raise BadInput(f"{name!r} is no channel.", f"One of {', '.join(known)}.")
    return sorted(set(names))
