"""Reading handoffs back: what was rendered, what people make of it, and what they cannot make of it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from segue.handoff.document import render_document
from segue.handoff.headings import DOCUMENT, TAIL
from segue.handoff.item_reading import ParsedItem, read
from segue.handoff.items import written
from segue.handoff.packet import compose, render
from segue.handoff.parse import as_packet, parse
from segue.handoff.quote import plain
from segue.model.claim import CLAIM_STATES, ClaimState
from segue.model.facts import Evidence, Facts, Quote
from segue.model.packet import SECTIONS


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
    shown = [i for i in parsed.items("Current state summary") if i.group == "What the evidence shows"]
    assert [i.state for i in shown if i.state] == [claim.state for claim in facts.claims]


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
        done=mark == "- [x]",
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
        ("12) [x] ship [#1, #2].", ParsedItem(text="ship.", evidence=(1, 2), listed=True, done=True)),
        ('- must: "see [#9]" [#3]', ParsedItem(text='must: "see [#9]"', evidence=(3,), listed=True)),
        ('- a: "b" [#3] (replaces "c" [#2])', ParsedItem(text='a: "b"', evidence=(3,), listed=True)),
        ("-no mark", ParsedItem(text="-no mark")),
    ],
)
def test_lines_that_people_type_are_understood(line: str, expected: ParsedItem) -> None:
    assert read(line) == expected


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
