"""Handoffs: from a session to the packet the next agent starts with.

`draft` reads top to bottom what DESIGN calls the walk. It writes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from segue.extract import facts as chosen
from segue.extract import index as indexed
from segue.extract import tokens
from segue.extract.budget import DEFAULT, quotas
from segue.handoff import packet as rendered
from segue.model.entry import Entry
from segue.model.facts import Facts, Redactions, RepoState
from segue.model.packet import Packet
from segue.model.turn import Index
from segue.redaction.files import is_sensitive, named
from segue.redaction.redact import Redactor, redact_entry


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
    redactor = Redactor(secrets)
    clean = redactor.redact
    index = indexed.build(
        _without_sensitive_files(source.entries, redactor), source.agent, source.path, clean, carried
    )
    facts = chosen.select(
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
    return Draft(text, tokens.count(text), budget, packet, facts, index)


def _without_sensitive_files(entries: Iterable[Entry], redactor: Redactor) -> Iterator[Entry]:
    """The entries, those that show a sensitive file without its contents, its secrets learnt. All other
    text is redacted later, once every secret is known, and only where it is kept."""
    for entry in entries:
        if entry.kind == "tool_call":
            if (entry.paths and any(map(is_sensitive, entry.paths))) or (
                entry.command and named(entry.command)
            ):
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
