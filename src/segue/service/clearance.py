"""Who may be given a handoff: its sensitivity, the clearance of the channel, and what a person authorized.

A channel is an agent of this machine, `mcp` or `server`; settings (`clearance.CHANNEL`) say how much each may
carry. What lies above it goes out only if a person named the channel when approving, which is recorded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from segue.boundary.replay import RANKS, allowed
from segue.errors import BadInput, NotFound, Refused
from segue.service import documents

if TYPE_CHECKING:
    from segue.service.workspace import Workspace

FOREIGN = "public"
"""The clearance of a channel no setting names."""


class Decision(NamedTuple):
    channel: str
    sensitivity: str
    clearance: str
    authorized: bool

    @property
    def allows(self) -> bool:
        return self.authorized or allowed(self.sensitivity, self.clearance)


def decide(workspace: Workspace, about: documents.About, channel: str) -> Decision:
    """Whether a handoff may go through a channel, and why."""
    setting = workspace.config.settings.get(f"clearance.{channel}")
    clearance = setting.value if setting and setting.value in RANKS else FOREIGN
    sensitivity = about.sensitivity if about.sensitivity in RANKS else "private"
    return Decision(channel, sensitivity, clearance, channel in about.cleared)


def release(workspace: Workspace, channel: str) -> str:
    """The current handoff for a channel that leaves this machine's own agents; raises Refused."""
    document = documents.current(workspace)
    if document is None:
        raise NotFound("There is no current handoff.", "`segue draft write FILE` takes one.")
    made = decide(workspace, document.about, channel)
    if not made.allows:
        raise Refused(
            f"The handoff is {made.sensitivity}, and {channel} may carry what is {made.clearance}.",
            f"`segue draft approve --clear {channel}` authorizes a draft for it, on record.",
        )
    return document.text


def channels(workspace: Workspace, names: list[str]) -> list[str]:
    """The names, if each is a channel; raises BadInput for one that is not."""
    known = [name.partition(".")[2] for name in workspace.config.settings if name.startswith("clearance.")]
    for name in names:
        if name not in known:
            raise BadInput(f"{name!r} is no channel.", f"One of {', '.join(known)}.")
    return sorted(set(names))
