"""Bundles of handoffs in the log: their packets, and the facts they were rendered from."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from segue.errors import SegueError
from segue.model.bundle import FACTS_KEY, Bundle, read_handoff_bundle
from segue.model.facts import Facts
from segue.service.workspace import Workspace


def bundled(workspace: Workspace, artifact_id: str) -> tuple[str, Facts | None]:
    """The packet and the facts of the bundle that an artifact is."""
    data = workspace.artifacts.get(workspace.artifacts.resolve(artifact_id))
    return of_bundle(workspace, read_handoff_bundle(data))


def of_bundle(workspace: Workspace, bundle: Bundle) -> tuple[str, Facts | None]:
    """A bundle's packet, and its facts with the hashes of the files it refers to."""
    refs = bundle["refs"]
    named = bundle.get(FACTS_KEY)
    if named is None:
        return bundle["summary_markdown"], None
    try:
        facts = msgspec.json.decode(workspace.artifacts.get(named), type=Facts)
    except (msgspec.MsgspecError, SegueError):
        return bundle["summary_markdown"], None
    hashes = {ref["path"]: str(ref["sha256"]) for ref in refs["files"] if "sha256" in ref}
    known = facts.source.from_root
    files = tuple(replace(f, sha256=hashes.get(known(f.path), f.sha256)) for f in facts.files)
    return bundle["summary_markdown"], replace(facts, files=files)
