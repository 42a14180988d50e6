"""Reading handoffs back: what was rendered, what people make of it, and what they cannot make of it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from segue.handoff.document import render_document
from segue.handoff.headings import DOCUMENT, TAIL
from segue.handoff.item_reading import ParsedItem, Said, read, said
from segue.handoff.items import written
from segue.handoff.packet import compose, render
from segue.handoff.parse import parse
from segue.handoff.quote import plain
from segue.handoff.run_reading import ToldRun, told_run
from segue.model.facts import CLAIM_STATES, ClaimState, Evidence, Facts, Quote
from segue.model.packet import GIT, SECTIONS

from .conftest import as_packet


def count(text: str) -> int:
    return len(text) // 4


@settings(max_examples=60)
@given(st.from_type(Facts), st.sampled_from((300, 2000, 100_000)))
def test_a_parsed_packet_is_the_packet_that_was_rendered(facts: Facts, budget: int) -> None:
    packet, _ = compose(facts, budget, count)
    sections = tuple(replace(section, body=section.body.rstrip()) for section in packet.sections)
    assert as_packet(parse(render(packet))) == replace(packet, sections=sections)


@settings(max_examples=60)
@given(st.from_type(Facts))
def test_a_parsed_document_has_the_facts_in_their_sections(facts: Facts) -> None:
    parsed = parse(render_document(facts, "the tail"))
    assert [section.name for section in parsed.sections] == [*DOCUMENT, TAIL]
    steps = parsed.items("Immediate next actions") if facts.next_steps else ()
    assert [(s.evidence, s.origin) for s in steps] == [
        (tuple(dict.fromkeys(e.line for e in s.evidence)), s.origin if s.evidence else "")
        for s in facts.next_steps
    ]
    shown = [item.state for item in parsed.under(GIT) if item.state]
    assert shown == [claim.state for claim in facts.claims if claim.state != "pending"]


@given(
    st.text().map(plain).filter(lambda text: text.strip() == text and text),
    st.lists(st.integers(1, 10**6), max_size=3, unique=True),
    st.none() | st.sampled_from(CLAIM_STATES),
    st.sampled_from(("", "018f-earlier")),
    st.sampled_from(("-", "3.", "- [x]")),
)
def test_an_item_reads_back_as_it_was_written(
    text: str, places: list[int], state: ClaimState | None, origin: str, mark: str
) -> None:
    fact = Quote(text=text, evidence=tuple(map(Evidence, places)), origin=origin)
    assert read(written(text, fact, state, mark)) == ParsedItem(
        text=text,
        state=state,
        evidence=tuple(places),
        origin=origin if places else "",
        listed=True,
        box="x" if mark == "- [x]" else "",
    )


@pytest.mark.parametrize(
    "text",
    [
        "- a",
        "1. a",
        "# a",
        "> a",
        "[x] a",
        "**done** a",
        "tested: a",
        "(pushed) a",
        "Not tested: a",
        "| a",
        "\\a",
    ],
)
def test_text_that_begins_an_item_begins_nothing_else(text: str) -> None:
    assert read(written(plain(text))) == ParsedItem(text=f"\\{text}", listed=True)


def test_paths_between_tags_inside_a_fence_are_no_block() -> None:
    block = "<read-files>\na.py\n</read-files>\n"
    assert [found.paths for found in parse(f"## Task\n{block}").blocks] == [("a.py",)]
    assert parse(f"## Task\n```\n{block}```\n").blocks == ()


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            "* **Tested**: it runs [#4]",
            ParsedItem(text="it runs", state="tested", evidence=(4,), listed=True),
        ),
        ("(not tested) it runs", ParsedItem(text="it runs", state="not tested")),
        ("12) [x] ship [#1, #2].", ParsedItem(text="ship.", evidence=(1, 2), listed=True, box="x")),
        ('- must: "see [#9]" [#3]', ParsedItem(text='must: "see [#9]"', evidence=(3,), listed=True)),
        ("- see [#4] and [#5] for it", ParsedItem(text="see and for it", evidence=(4, 5), listed=True)),
        (
            "- [~] go on [#4 of 018f]",
            ParsedItem(text="go on", evidence=(4,), origin="018f", listed=True, box="~"),
        ),
        (
            '- "yes" [#60] (to the agent\'s "Shall I?" [#58])',
            ParsedItem(
                text='"yes"', evidence=(60,), listed=True, aside=ParsedItem(text='"Shall I?"', evidence=(58,))
            ),
        ),
        ("-no mark", ParsedItem(text="-no mark")),
    ],
)
def test_lines_that_people_type_are_understood(line: str, expected: ParsedItem) -> None:
    assert read(line) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('"use "gitsync", not \\ [sync]"', Said('use "gitsync", not \\ [sync]')),
        ('3× "a" … the last: "b"', Said("a", times=3, last="b")),
        ('2× "a"', Said("a", times=2)),
        ('answered: "Which? → that"', Said("Which? → that", "answer")),
        ('answer to "Which?": "that: "it""', Said('that: "it"', "answer", to="Which?")),
        ('rejected `rm -r x`: "keep it"', Said("keep it", "rejection", to="rm -r x")),
        ("3× rejected `a`: (no words)", Said("", "rejection", 3, to="a")),
        ("in words of my own", None),
    ],
)
def test_a_prompt_is_read_back_as_it_was_said(text: str, expected: Said | None) -> None:
    assert said(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("`make` ok", ToldRun("make", "ok")),
        (
            "`make` ok: 12 passed (in 3s) (failed before [#9])",
            ToldRun("make", "ok", printed="12 passed (in 3s)", failed_before=9),
        ),
        ("`make` exit 2", ToldRun("make", "failed", 2)),
        (
            "`make` exit 1 (piped through tail -5; edited since [#40], not run again)",
            ToldRun("make", "failed", 1, "piped through tail -5", edited_since=40),
        ),
        (
            "`make` failed (later `make -j` ok [#50])",
            ToldRun("make", "failed", settled_by="make -j", settled_line=50),
        ),
        (
            "`make` printed a failure (piped through head; run again [#60], outcome not recorded (piped through head): x)",
            ToldRun("make", "failed", through="piped through head", again=60),
        ),
        (
            "`make | tail` outcome not recorded (piped through tail): done (it says): 4",
            ToldRun("make | tail", "unknown", through="piped through tail", printed="done (it says): 4"),
        ),
        (
            "`make > log` outcome not recorded (output written to log), printed nothing",
            ToldRun("make > log", "unknown", through="output written to log", silent=True),
        ),
        ("`make` no result seen", ToldRun("make", "running")),
        ("`make` is slow", None),
    ],
)
def test_a_run_is_read_back_as_it_was_told(text: str, expected: ToldRun | None) -> None:
    assert told_run(text) == expected


OPENED = """\
This handoff was drawn from pi session 018f-1 (3 turns, branch main, ended in mid-turn).
**Goal**: "ship it: "now""
**Next**: Run `make` again [#7]
**Transcript**: /home/me/s.jsonl; `segue sessions show 018f-1 --line N` shows [#N].

## Context
**Last report of the agent** (unverified)
> It works.
> > quoted
[#9]

## Operational Context
**Failing when last run**
- `make` exit 1 [#7]
  > error: no rule

End of handoff: all that was picked fits 900 tokens.
"""


def test_the_first_lines_and_what_is_quoted_are_items() -> None:
    parsed = parse(OPENED)
    assert parsed.source and (parsed.source.session_id, parsed.source.turns, parsed.source.branch) == (
        "018f-1",
        3,
        "main",
    )
    assert [(i.group, i.text, i.evidence) for i in parsed.head[:2]] == [
        ("Goal", '"ship it: "now""', ()),
        ("Next", "Run `make` again", (7,)),
    ]
    assert [(i.text, i.evidence, i.below) for i in parsed.items("Context")] == [
        ("", (9,), ("It works.", "> quoted"))
    ]
    assert [i.below for i in parsed.items("Operational Context")] == [("error: no rule",)]
    assert parsed.losses.startswith("End of handoff:")


def test_a_packet_of_an_earlier_version_is_still_a_packet() -> None:
    assert (
        parse("This handoff was drawn from pi session s (1 turn).\n\n# Old\n\nNothing was left out.").kind
        == "packet"
    )


EDITED = """\
my own note on top

## context
**Decisions**:
- keep it small
  and plain
```
## Task
- not a step
```
> ## Notes
> - not a note

## Files
src/
- a.py (modified, editing): f

## Task:
**Goal**: "ship"
1. Run `make`

## Extra
text
<read-files>
b.py
## Notes
- last
</read-files>
<modified-files>
a.py

</modified-files>
"""


def test_an_edited_packet_is_read_with_its_faults() -> None:
    parsed = parse(EDITED, "packet")
    assert parsed.preamble == "my own note on top"
    assert [(s.name, s.known, s.line) for s in parsed.sections] == [
        ("Context", True, 3),
        ("Files", True, 14),
        ("Task", True, 18),
        ("Extra", False, 22),
        ("Notes", True, 26),
    ]
    assert [(i.text, i.group) for i in parsed.items("Context")] == [("keep it small and plain", "Decisions")]
    assert [(i.text, i.group) for i in parsed.items("Files")] == [("a.py (modified, editing): f", "src/")]
    assert [(i.text, i.group) for i in parsed.items("Task")] == [('"ship"', "Goal"), ("Run `make`", "")]
    assert [(b.name, b.paths, b.closed) for b in parsed.blocks] == [
        ("read-files", ("b.py",), False),
        ("modified-files", ("a.py",), True),
    ]


@pytest.mark.parametrize(
    ("text", "kind"), [("## Task\nx", "packet"), ("## Open threads", "document"), ("# Notes", "document")]
)
def test_the_kind_of_a_handoff_shows_in_its_headings(text: str, kind: str) -> None:
    assert parse(text).kind == kind


@given(st.text(alphabet='#`*<>/-_[]() \n"readmodifielsTaskNotes:0123', max_size=200))
def test_any_text_can_be_parsed(text: str) -> None:
    parsed = parse(text)
    assert {s.name for s in parsed.sections if s.known} <= {*SECTIONS, *DOCUMENT, TAIL}
