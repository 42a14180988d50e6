"""The facts of an earlier handoff that a session began with: from the artifact it was committed with, where this
workspace knows it, else from the items of the packet itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from segue.errors import SegueError
from segue.service.portable_paths import with_local_files

if TYPE_CHECKING:
    from segue.model.facts import Facts
    from segue.service.workspace import Workspace


def facts_of(workspace: Workspace, packet: str) -> Facts | None:
    """What a packet stands for; None where it says nothing that could be carried on."""
    facts = _committed(workspace, packet) or parse_packet(packet)
    return with_local_files(facts, workspace.root) if facts else None


def parse_packet(packet: str) -> Facts | None:
    """What the packet itself tells."""
    from segue.handoff.packet_facts import facts_in  # 4 ms, and few sessions begin with one

    return facts_in(packet)


def _committed(workspace: Workspace, packet: str) -> Facts | None:
    from segue.model.frame import HANDOFF
    from segue.service.handoffs.bundles import bundled
    from segue.service.imports.chain import handoff_of
    from segue.threads.links import LINK_SEQ

    try:
        row = handoff_of(workspace, packet)
        if row is None:
            return None
        link = next(workspace.log.read(row["thread_id"], LINK_SEQ, LINK_SEQ, types=(HANDOFF,)), None)
        bundle = str(link.data.get("summary_artifact_id") or "") if link else ""
        return bundled(workspace, bundle)[1] if bundle else None
    except SegueError:  # forgotten since, or out of reach
        return None
