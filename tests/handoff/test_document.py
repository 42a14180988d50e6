"""The document: every section, in order, whatever the session holds."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from segue.handoff.document import MECHANICAL, render_document
from segue.handoff.headings import DOCUMENT, TAIL, headings, lines
from segue.handoff.tail import missing_headings, recent_tail, split
from segue.model.entry import Entry
from segue.model.facts import Facts, SourceFacts

from ..conftest import Golden
from .conftest import GOLDEN


def test_the_document_of_a_session(facts: Facts, entries: list[Entry], golden: Golden) -> None:
    golden(GOLDEN / "document.md", render_document(facts, recent_tail(entries)))


def test_a_document_of_nothing_says_that_nothing_was_seen(golden: Golden) -> None:
    golden(GOLDEN / "document-empty.md", render_document(Facts(source=SourceFacts(agent="generic")), ""))


@given(st.from_type(Facts), st.text())
def test_session_text_forges_no_heading_fence_or_block(facts: Facts, tail: str) -> None:
    document = render_document(facts, tail)
    rows = lines(document)
    assert [h.title for h in headings(rows)] == ["Handoff", *DOCUMENT, TAIL]
    assert missing_headings(split(document)[0]) == ()
    body = document.split(f"## {TAIL}")[0]
    assert not any(row.fenced for row in rows)
    assert "\r" not in body and "<read-files>" not in body and "</modified-files>" not in body


@given(st.from_type(Facts))
def test_a_mechanical_document_says_so_before_anything_else(facts: Facts) -> None:
    assert render_document(facts, "").startswith(f"# Handoff\n\n{MECHANICAL.format(unit='line')}\n")


def test_pointers_count_records_where_the_session_is_no_file_of_lines() -> None:
    source = SourceFacts(agent="opencode", path="/home/me/storage/ses_1.json", lines=40)
    document = render_document(Facts(source=source), "")
    assert "`[#N]` points to record N of the transcript" in document
    assert "40 records" in document
