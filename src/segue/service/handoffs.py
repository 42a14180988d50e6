"""Handoffs: from a session to the packet the next agent starts with.

`draft` reads top to bottom what DESIGN calls the walk. It writes nothing. `commit` stores what a person
has approved: the source session as a thread, the bundle, and the child that starts from it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from msgspec.structs import replace

from segue.extract import facts as chosen
from segue.extract import index as indexed
from segue.extract import tokens
from segue.extract.anchors import Anchor
from segue.extract.budget import DEFAULT, quotas
from segue.handoff import packet as rendered
from segue.model.entry import Entry
from segue.model.facts import Facts, Redactions, RepoState
from segue.model.packet import Packet
from segue.model.turn import Index
from segue.redaction.files import is_sensitive
from segue.redaction.redact import Redactor, redact_entry

if TYPE_CHECKING:
    from segue.model.answers import HandedOff
    from segue.model.thread import Provenance
    from segue.service import sessions
    from segue.service.workspace import Workspace

FACTS_KEY = "facts_artifact_id"
"""Where a bundle names the artifact that holds its facts."""
MOST_FILES = 24
"""Referenced files of which a commit keeps a snapshot."""


_FILE_WORD = re.compile(r"[\w./~@+-]{2,256}")


class Source(NamedTuple):
    """A session to hand off: whose it is, where it lies, and its entries, read once."""

    agent: str
    path: str
    entries: Iterable[Entry]


class Draft(msgspec.Struct, frozen=True):
    """`text` is what the next agent reads; `facts` is what every other rendering is made of."""

    text: str
    tokens: int
    budget: int
    packet: Packet
    facts: Facts
    index: Index
    anchors: tuple[Anchor, ...]
    """The turns it rests on, with the reasons."""


def draft(
    source: Source,
    goal: str = "",
    *,
    budget: int = DEFAULT,
    preset: str = "",
    repo: RepoState | None = None,
    include_files: Sequence[str] = (),
    carried: Sequence[str] = (),
    secrets: Sequence[str] = (),
) -> Draft:
    """The handoff of a session for a goal, within `budget` tokens.

    `carried` are packets of earlier handoffs in this session's lineage, oldest first; `secrets` are
    values that must not appear. Raises BadInput for a budget too small to hold anything.
    """
    quotas(budget)
    tokens.warm()
    redactor = Redactor(secrets)
    clean = redactor.redact
    index = indexed.build(
        _without_sensitive_files(source.entries, redactor), source.agent, source.path, clean, carried
    )
    facts, anchors = chosen.select(
        index,
        clean(goal),
        budget=budget,
        preset=preset,
        repo=_cleaned(repo, redactor),
        include_files=include_files,
    )
    facts = replace(facts, redactions=_receipt(redactor))
    packet, left_out = rendered.compose(facts, budget, tokens.count)
    text = rendered.render(packet)
    facts = replace(facts, dropped=(*facts.dropped, *left_out))
    return Draft(text, tokens.count(text), budget, packet, facts, index, anchors)


def _without_sensitive_files(entries: Iterable[Entry], redactor: Redactor) -> Iterator[Entry]:
    """The entries, those that show a sensitive file without its contents, its secrets learnt. All other
    text is redacted later, once every secret is known, and only where it is kept."""
    sensitive = lru_cache(maxsize=8192)(is_sensitive)
    for entry in entries:
        if entry.kind == "tool_call":
            names = {*entry.paths, *_FILE_WORD.findall(entry.command)} if entry.command else entry.paths
            if any(map(sensitive, names)):
                entry = redact_entry(entry, redactor)
        elif entry.kind == "tool_result" and (
            entry.call_id in redactor.withheld or entry.call_id in redactor.overheard
        ):
            entry = redact_entry(entry, redactor)
        yield entry


def _receipt(redactor: Redactor) -> Redactions:
    receipt = redactor.receipt()
    return Redactions(rules=receipt.rules_version, total=receipt.total, by_kind=receipt.by_kind)


def _cleaned(repo: RepoState | None, redactor: Redactor) -> RepoState | None:
    if repo is None:
        return None
    lines = {
        name: tuple(map(redactor.redact, getattr(repo, name))) for name in ("status", "diff_stat", "log")
    }
    return replace(repo, branch=redactor.redact(repo.branch), **lines)


def commit(
    workspace: Workspace, source: sessions.Source, made: Draft, text: str, by: Provenance, **recorded: Any
) -> HandedOff:
    """Stores a reviewed packet: blobs first, then the child thread at the cut of the imported session.

    `text` is what the person approved; it is redacted once more, since they may have added to it.
    """
    from segue.handoff.bundle import file_refs
    from segue.service import imports, threads

    imported = imports.import_session(workspace, source, by)
    facts_id, _ = workspace.artifacts.put(msgspec.json.encode(made.facts, order="sorted"))
    files = [ref for ref in file_refs(made.facts) if _is_inside(workspace, ref["path"])][:MOST_FILES]
    return threads.handoff(
        workspace,
        imported["thread_id"],
        title=made.facts.goal[:80] or None,
        summary_markdown=text,
        goal=made.facts.goal or None,
        refs={"files": files},
        from_seq=imported["head_seq"],
        by=by,
        agent=source.agent,
        session_id=imported["session_id"],
        bundle_extra={FACTS_KEY: facts_id},
        **recorded,
    )


def _is_inside(workspace: Workspace, path: str) -> bool:
    """True for a file that is there and does not lead out of the workspace."""
    root = os.path.realpath(workspace.root)
    place = os.path.realpath(os.path.join(root, *path.split("/")))
    return place.startswith(root + os.sep) and os.path.isfile(place)
