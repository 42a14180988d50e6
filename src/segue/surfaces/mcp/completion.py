"""Completion of ids, where a person types one: threads for `/branch` and for addresses, artifacts for addresses."""

from __future__ import annotations

from segue.errors import SegueError
from segue.surfaces.mcp.caller import Caller
from segue.surfaces.mcp.conversation import Conversation
from segue.surfaces.mcp.listing import TEMPLATES
from segue.surfaces.mcp.protocol import Json, Request

_MOST = 100


def complete(conversation: Conversation, asked: Request, caller: Caller) -> Json:
    """Ids that begin with what was typed, newest first; none where nothing can be completed."""
    reference, argument = asked.params.get("ref"), asked.params.get("argument")
    if not isinstance(reference, dict) or not isinstance(argument, dict):
        return _told([])
    typed = argument.get("value")
    try:
        known = _known(conversation, reference, argument.get("name"))
    except SegueError:
        known = []
    return _told([one for one in known if isinstance(typed, str) and one.startswith(typed)])


def _known(conversation: Conversation, reference: Json, argument: object) -> list[str]:
    from segue.service import artifacts
    from segue.service.threads import streams

    workspace = conversation.terms.workspace
    of_thread, of_artifact = (template["uriTemplate"] for template in TEMPLATES)
    asked = (reference.get("name") or reference.get("uri"), argument)
    if asked in (("branch", "thread"), (of_thread, "id")):
        return [row["thread_id"] for row in reversed(streams.list_threads(workspace)["threads"])]
    if asked == (of_artifact, "id"):
        return [row["artifact_id"] for row in artifacts.list_artifacts(workspace)["artifacts"]]
    return []


def _told(values: list[str]) -> Json:
    return {"completion": {"values": values[:_MOST], "total": len(values), "hasMore": len(values) > _MOST}}
