"""Handoffs: from a session to the packet the next agent starts with.

`draft` is the walk of a handoff from top to bottom. It writes nothing. `commit` stores what a person
has approved: the source session as a thread, the bundle, and the child that starts from it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from segue.errors import BadInput
from segue.extract import facts as chosen
from segue.extract import tokens
from segue.extract.anchors import Anchor
from segue.extract.budget import DEFAULT, quotas
from segue.handoff import packet as rendered
from segue.model import wire
from segue.model.facts import Facts, Redactions, RepoState
from segue.model.packet import Packet
from segue.model.turn import Index
from segue.model.visible import visible
from segue.redaction.redact import Redactor
from segue.service.handoffs.indexes import index_of
from segue.service.handoffs.readings import Reading, Shelf, Source, begin

if TYPE_CHECKING:
    from segue.model.answers import HandedOff
    from segue.model.thread import Provenance
    from segue.service.sessions import lookup
    from segue.service.workspace import Workspace

__all__ = ["Draft", "Shelf", "Source", "commit", "draft", "included", "reviewed"]

FACTS_KEY = "facts_artifact_id"
"""Where a bundle names the artifact that holds its facts."""
MOST_FILES = 24
"""Referenced files of which a commit keeps a snapshot."""


class Draft(msgspec.Struct, frozen=True, eq=False):
    """`text` is what the next agent reads; `facts` is what every other rendering is made of."""

    text: str
    tokens: int
    budget: int
    packet: Packet
    facts: Facts
    index: Index
    anchors: tuple[Anchor, ...]
    """The turns it rests on, with the reasons."""
    redactor: Redactor
    """What knows the secrets that the session showed, for whatever is added to the text."""

    def __eq__(self, other: object) -> bool:
        """Equal in all that it says; the redactor is an object of its own each time."""
        if not isinstance(other, Draft):
            return NotImplemented
        return (self.text, self.facts, self.index, self.anchors) == (
            other.text,
            other.facts,
            other.index,
            other.anchors,
        )

    __hash__ = None  # type: ignore[assignment]


def draft(
    source: Source | Reading,
    goal: str = "",
    *,
    budget: int = DEFAULT,
    preset: str = "",
    repo: RepoState | Callable[[], RepoState] | None = None,
    include_files: Sequence[str] = (),
    carried: Sequence[str] = (),
    secrets: Sequence[str] = (),
    shelf: Shelf | None = None,
) -> Draft:
    """The handoff of a session for a goal, within `budget` tokens.

    `repo` may be a call that is answered while the session is being read; `carried` are packets of earlier
    handoffs in this session's lineage, oldest first; `secrets` are values that must not appear; from the index
    on a `shelf` a session is only read on. One whose reading has begun is read on as that says. Raises BadInput for a budget too small to hold anything.
    """
    quotas(budget)
    redactor = Redactor(secrets)
    clean = redactor.redact
    reading = source if isinstance(source, Reading) else begin(source, None if secrets else shelf)
    index = index_of(reading, redactor, carried)
    facts, anchors = chosen.select(
        index,
        clean(goal),
        budget=budget,
        preset=preset,
        repo=_cleaned(repo() if callable(repo) else repo, redactor),
        include_files=include_files,
    )
    told = replace(facts.source, path=wire.scrub(facts.source.path), cwd=wire.scrub(facts.source.cwd))
    facts = replace(facts, source=told, redactions=_receipt(redactor))
    packet, left_out = rendered.compose(facts, budget, tokens.count)
    text = rendered.render(packet)
    facts = replace(facts, dropped=(*facts.dropped, *left_out))
    return Draft(text, tokens.count(text), budget, packet, facts, index, anchors, redactor)


def included(root: str, paths: Sequence[str], base: str | None = None) -> list[str]:
    """The files that a packet must name, as it names them: relative to the project at `root`. Raises BadInput
    for one that is not there or not of the project; relative ones begin at `base`."""
    from segue.service.project_files import locate

    root = os.path.realpath(root)
    found = []
    for path in paths:
        place = os.path.realpath(os.path.join(base or root, path)) if path and "\0" not in path else ""
        if not os.path.exists(place):
            raise BadInput(f"There is no file {path!r} to include.", "Name one that is there.")
        if not place.startswith(root + os.sep):
            raise BadInput(f"{path} is outside the project {root}.", "Name a file of the project.")
        found.append(locate(root, os.path.relpath(place, root)).replace(os.sep, "/"))
    return found


def reviewed(made: Draft, text: str) -> Draft:
    """The draft with the text as a person, a model or a caller left it, without the secrets they added and
    without what nobody sees; its receipt tells of the secrets."""
    if text == made.text:
        return made
    text = made.redactor.redact(visible(text))
    facts = replace(made.facts, redactions=_receipt(made.redactor))
    before, now = (rendered.receipt(facts, made.budget) for facts in (made.facts, facts))
    if before in text:
        text = text.replace(before, now)
    elif before != now:
        text = f"{text.rstrip()}\n\n{now}\n"
    return replace(made, text=text, tokens=tokens.count(text), facts=facts)


def _receipt(redactor: Redactor) -> Redactions:
    receipt = redactor.receipt()
    return Redactions(rules=receipt.rules_version, total=receipt.total, by_kind=receipt.by_kind)


def _cleaned(repo: RepoState | None, redactor: Redactor) -> RepoState | None:
    if repo is None:
        return None
    lines = {
        name: tuple(map(redactor.redact, getattr(repo, name))) for name in ("status", "diff_stat", "log")
    }
    return replace(repo, root=wire.scrub(repo.root), branch=redactor.redact(repo.branch), **lines)


def commit(
    workspace: Workspace, source: lookup.Source, made: Draft, by: Provenance, **recorded: Any
) -> HandedOff:
    """Stores a reviewed packet: blobs first, then the child thread at the cut of the imported session.

    What the person approved is the draft's text once it was `reviewed`; what is stored is redacted in any case.
    """
    from segue.service.imports import intake
    from segue.service.threads import streams

    imported = intake.import_session(workspace, source, by, known=made.redactor)
    facts_id, _ = workspace.artifacts.put(facts_bytes(made))
    return streams.handoff(
        workspace,
        imported["thread_id"],
        title=made.facts.goal[:80] or None,
        summary_markdown=made.text,
        goal=made.facts.goal or None,
        refs={"files": references(workspace, made)},
        from_seq=imported["head_seq"],
        by=by,
        agent=source.agent,
        session_id=imported["session_id"],
        bundle_extra={FACTS_KEY: facts_id},
        **recorded,
    )


def facts_bytes(made: Draft) -> bytes:
    """The facts as a commit stores them."""
    return msgspec.json.encode(made.facts, order="sorted")


def references(workspace: Workspace, made: Draft) -> list[dict[str, Any]]:
    """The files of the project that a commit keeps a snapshot of."""
    from segue.handoff.bundle import file_refs
    from segue.service.project_files import holds

    return [ref for ref in file_refs(made.facts) if holds(workspace.root, ref["path"])][:MOST_FILES]
