"""A handoff is drafted: a session is read once, indexed, its facts chosen, and a packet rendered within its budget.

Every surface drafts with `propose`; what it leaves open, the settings of the workspace decide. `draft` is the walk from
entries to the packet. Nothing is written, and what a commit needs of the session is kept from this one reading.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from segue.agents import own
from segue.errors import BadInput
from segue.extract import facts as chosen
from segue.extract import index as indexed
from segue.extract import tokens
from segue.extract.budget import DEFAULT, require
from segue.extract.earlier_facts import FactsOf
from segue.handoff import packet as rendered
from segue.model.entry import Entry
from segue.model.facts import Facts, Redactions, RepoState
from segue.model.packet import Packet
from segue.model.turn import Index
from segue.model.value import NamedTuple
from segue.model.visible import visible
from segue.redaction.redact import Redactor, without_sensitive_files
from segue.service.handoffs import earlier, emptiness
from segue.service.portable_paths import portable_facts
from segue.service.repository.state import asked_of_git
from segue.service.sessions import lookup
from segue.service.sessions.own_traces import OwnTraces

if TYPE_CHECKING:
    from segue.extract.condensed import Condenser
    from segue.service.sessions.recording import Recording
    from segue.service.workspace import Workspace


class Session(NamedTuple):
    """A session to hand off: whose it is, where it lies, and its entries, read once."""

    agent: str
    path: str
    entries: Iterable[Entry]
    asking: bool = False
    """Whether it is this very session that asks for its handoff."""
    name: str = ""
    """By what it is found again; by default by its id."""
    root: str = ""
    """Of the project that the handoff is for."""


class Wanted(NamedTuple):
    """What a handoff is to be; what is None or empty, the settings say."""

    goal: str = ""
    budget: int | None = None
    preset: str = ""
    repo: bool | None = None
    """Whether git is asked."""
    include_files: Sequence[str] = ()
    """Files that must be named, relative to `directory`."""
    directory: str = ""
    """Where whoever asks stands; by default the root of the project."""
    kept: bool = True
    """Whether the entries will be asked for again, by a commit or a document; else they are read again where they are."""


class Draft(msgspec.Struct, frozen=True):
    """`text` is what the next agent reads; `facts` is what every other rendering is made of."""

    text: str
    tokens: int
    budget: int
    packet: Packet
    facts: Facts
    index: Index
    redactor: Redactor
    """What knows the secrets that the session showed, for whatever is added to the text."""
    answers: tuple[str, ...] = ()
    """What a model answered, where one was asked, without secrets."""


class Proposal(NamedTuple):
    """A draft for somebody to review."""

    source: lookup.Source
    """The session; where its entries are kept, they are those of the draft."""
    made: Draft
    notes: tuple[str, ...] = ()
    """What whoever asked should know about it, in a sentence each."""


def propose(
    workspace: Workspace, source: lookup.Source, wanted: Wanted, condenser: Condenser | None = None
) -> Proposal:
    """Drafts the handoff of a session; a `condenser` sees its entries as they pass. Raises NotFound for one that has
    nothing to hand over, and BadInput for a budget that holds nothing and for files that cannot be included."""
    config = workspace.config
    directory = wanted.directory or workspace.root
    looks = config["handoff.repo"] if wanted.repo is None else wanted.repo
    recording, asking = None, False
    if source.session:
        from segue.service.sessions.own import is_asking  # 1 ms; nobody runs inside a file that is named

        asking = is_asking(workspace.folder, source)
    if wanted.kept:
        from segue.service.sessions.recording import Recording

        recording = Recording()
    made = draft(
        Session(
            source.agent,
            source.path,
            source.entries(),
            asking,
            _name(source),
            workspace.root,
        ),
        wanted.goal,
        budget=config["handoff.budget"] if wanted.budget is None else wanted.budget,
        preset=wanted.preset or config["handoff.preset"],
        repo=asked_of_git(lookup.workplace(source, directory)) if looks else None,
        include_files=included(workspace.root, wanted.include_files, directory),
        facts_of=partial(earlier.facts_of, workspace),
        recording=recording,
        condenser=condenser,
    )
    source = source._replace(read=recording or source.read)
    why = made.redactor.redact(emptiness.reason(made.index, source.entries()))
    emptiness.require_content(made.index, why)
    unnamed = emptiness.unnamed(made.facts, made.text)
    room = f"{made.budget} tokens have no room to name {', '.join(unnamed)}." if unnamed else ""
    return Proposal(source, made, tuple(filter(None, (why, room))))


def draft(
    session: Session,
    goal: str = "",
    *,
    budget: int = DEFAULT,
    preset: str = "",
    repo: RepoState | Callable[[], RepoState] | None = None,
    include_files: Sequence[str] = (),
    facts_of: FactsOf = earlier.parse_packet,
    secrets: Sequence[str] = (),
    recording: Recording | None = None,
    condenser: Condenser | None = None,
) -> Draft:
    """The handoff of a session for a goal, within `budget` tokens.

    `repo` may be a call that is answered while the session is being read; `facts_of` gives the facts of a packet that
    stands among its prompts; `secrets` are values that must not appear; `recording` keeps what is needed of the entries,
    and a `condenser` makes rows of them.
    Raises BadInput for a budget too small to hold anything.
    """
    require(budget)
    redactor = Redactor(secrets)
    clean = redactor.redact
    entries: Iterable[Entry] = without_sensitive_files(session.entries, redactor)
    if recording is not None:
        entries = recording.record(entries)
    work = OwnTraces(session.asking).without(entries)
    if condenser is not None:
        work = condenser.along(work)
    is_own = partial(own.is_own, transcript=session.path)
    path = os.path.basename(session.path) if session.name == lookup.STDIN else session.path
    index = indexed.build(work, session.agent, path, clean, facts_of, is_own=is_own)
    facts = chosen.select(
        index,
        clean(goal),
        budget=budget,
        preset=preset,
        repo=_cleaned(repo() if callable(repo) else repo, redactor),
        include_files=include_files,
    )
    facts = replace(portable_facts(facts, session.root, session.name), redactions=_receipt(redactor))
    return rendered_with(facts, budget, index, redactor)


def rendered_with(
    facts: Facts, budget: int, index: Index, redactor: Redactor, answers: tuple[str, ...] = ()
) -> Draft:
    """The draft that these facts make."""
    packet, left_out = rendered.compose(facts, budget, tokens.count)
    text = rendered.render(packet)
    facts = replace(facts, dropped=(*facts.dropped, *left_out))
    return Draft(text, tokens.count(text), budget, packet, facts, index, redactor, answers)


def _name(source: lookup.Source) -> str:
    """What `segue sessions show` takes where no id finds the session: `-`, or a file that somebody named."""
    if source.piped:
        return lookup.STDIN
    return "" if source.session or source.recorded_at is not None else source.path


def included(root: str, paths: Sequence[str], base: str | None = None) -> list[str]:
    """The files that a packet must name, as it names them: relative to the project at `root`. Raises BadInput
    for one that is not there or not of the project; relative ones begin at `base`."""
    if not paths:
        return []
    from segue.service.project_files import locate  # 1 ms

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


def revised(made: Draft, text: str) -> Draft:
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
    return replace(repo, branch=redactor.redact(repo.branch), **lines)
