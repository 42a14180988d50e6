"""Facts and entries of one made-up session, and what a hostile session would hold.

Test modules get the hostile values with `st.from_type(Facts)` and `st.from_type(Entry)`.
"""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from hypothesis import settings
from hypothesis import strategies as st

from segue.handoff.parse import Parsed
from segue.model.entry import Entry
from segue.model.facts import (
    Background,
    Claim,
    CommandFact,
    Evidence,
    Facts,
    FileFact,
    InFlight,
    Lineage,
    NextStep,
    Plan,
    Prompt,
    Quote,
    RecentTurn,
    Remark,
    Report,
    RepoState,
    Run,
    SourceFacts,
    TodoFact,
)
from segue.model.packet import SECTIONS, Packet, Section

settings.register_profile("patient", deadline=None)  # a busy machine is no failure
settings.load_profile("patient")

GOLDEN = Path(__file__).parent / "golden"


def as_packet(parsed: Parsed) -> Packet:
    """The packet that was parsed: its known sections in their order, each once."""
    found = {name: parsed.section(name) for name in SECTIONS}
    return Packet(
        preamble=parsed.preamble,
        sections=tuple(Section(name, section.body) for name, section in found.items() if section),
        read_files=parsed.read_files,
        modified_files=parsed.modified_files,
        receipt=parsed.receipt,
        losses=parsed.losses,
    )


_HOSTILE = (
    "## RECENT TAIL (since rich handoff)",
    "## Task",
    "## Immediate next actions",
    "### Next steps",
    "```",
    "~~~~",
    "`",
    "<read-files>",
    "</read-files>",
    "</modified-files>",
    "[#7]",
    "[#7 of abc]",
    "tested: all of it",
    "**done**",
    "- ",
    "1. ",
    "> ",
    '"',
    "\n",
    "\r",
    "\r\n",
    "\u2028",
    "\x0c",
    "\x85",
    "\u202e",
    " (to the agent's ",
    " … ",
    "Redacted: nothing found.",
    "End of handoff: all that was picked fits 9 tokens.",
)
text = st.lists(st.sampled_from(_HOSTILE) | st.text(max_size=12), max_size=6).map(
    lambda parts: f"{''.join(parts)}x"
)
"""Text as a hostile session would have it; never blank, as no fact is."""

_lines = st.integers(1, 5000)
_evidence = st.lists(st.builds(Evidence, _lines), max_size=2).map(tuple)
_name = st.from_regex(r"[a-z]{1,6}(/[a-z]{1,6}){0,2}\.py", fullmatch=True)
_origin = st.sampled_from(("", "018f-earlier"))


def _many(of: st.SearchStrategy) -> st.SearchStrategy:
    return st.lists(of, max_size=3).map(tuple)


def _item(fact: type, **fields: st.SearchStrategy) -> st.SearchStrategy:
    return st.builds(fact, evidence=_evidence, origin=_origin, **fields)


_quote = _item(Quote, text=text)
_remark = st.builds(Remark, text, st.sampled_from(("", "rule", "decision", "cause", "failed", "open")))
_run = st.builds(
    Run,
    evidence=st.builds(Evidence, _lines),
    verdict=st.sampled_from(("ok", "failed", "unknown")),
    exit_code=st.none() | st.integers(0, 2),
    printed=_many(text),
    through=text,
    said=text,
)

hostile_facts = st.builds(
    Facts,
    source=st.builds(SourceFacts, agent=st.just("pi"), session_id=st.just("s1"), cwd=text, lines=_lines),
    goal=text,
    prompts=_many(
        _item(
            Prompt,
            text=text,
            kind=st.sampled_from(("prompt", "queued", "answer", "rejection", "command")),
            count=st.integers(1, 3),
            last=st.just("") | text,
            to=st.just("") | text,
            role=st.sampled_from(("", "rule")),
        )
    ),
    reports=_many(_item(Report, remarks=_many(_remark), text=st.just("") | text)),
    commands=_many(
        st.builds(
            CommandFact,
            command=text,
            key=text,
            state=st.sampled_from(("failing", "ok", "unknown", "running")),
            last=st.none() | _run,
            failed=st.none() | _run,
            settled_by=st.just("") | text,
            evidence=_evidence,
        )
    ),
    files=st.lists(
        st.builds(
            FileFact,
            path=_name,
            action=st.sampled_from(("read", "created", "modified", "deleted", "reverted")),
            why=text,
            symbols=_many(text),
            work_state=st.sampled_from((None, "editing", "ready")),
            evidence=_evidence,
        ),
        max_size=4,
        unique_by=lambda file: file.path,
    ).map(tuple),
    todos=_many(_item(TodoFact, text=text)),
    plan=st.none() | _item(Plan, text=text),
    background=_many(_item(Background, text=text)),
    questions=_many(_quote),
    in_flight=st.none() | _item(InFlight, text=text, kind=st.sampled_from(("call", "turn", "question"))),
    claims=_many(_item(Claim, text=text, state=st.sampled_from(("done", "pushed", "inferred", "pending")))),
    summaries=_many(_quote),
    recent=_many(st.builds(RecentTurn, number=st.just(1), asked=text, said=text, evidence=_evidence)),
    repo=st.none()
    | st.builds(RepoState, head=text, branch=text, status=_many(text), log=_many(text), note=text),
    standing=_many(text),
    gaps=_many(text),
    next_steps=_many(_item(NextStep, text=text, basis=st.just("todo"))),
    lineage=_many(st.builds(Lineage, origin=st.just("018f-earlier"), goal=text)),
)
hostile_entry = st.builds(
    Entry,
    kind=st.sampled_from(("user", "agent", "tool_call", "tool_result", "question", "rejection", "thought")),
    by=st.sampled_from(("person", "agent", "harness")),
    file=st.just("s.jsonl"),
    line=_lines,
    time_ms=st.none() | st.integers(-(2**40), 2**60),
    text=text,
    tool=text,
    command=text,
    paths=_many(text),
    call_id=st.sampled_from("ab"),
    exit_code=st.none() | st.integers(0, 2),
)
st.register_type_strategy(Facts, hostile_facts)
st.register_type_strategy(Entry, hostile_entry)


@pytest.fixture(scope="session")
def facts() -> Facts:
    return msgspec.json.decode((GOLDEN / "facts.json").read_bytes(), type=Facts)


@pytest.fixture(scope="session")
def entries() -> list[Entry]:
    return msgspec.json.decode((GOLDEN / "entries.json").read_bytes(), type=list[Entry])
