"""The document: every section, in order, whatever the session holds."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from segue.handoff.document import MECHANICAL, NONE_SEEN, render_document
from segue.handoff.headings import DOCUMENT, TAIL, headings, lines
from segue.handoff.tail import missing_headings, recent_tail, split
from segue.model.entry import Entry
from segue.model.facts import CommandFact, Evidence, Facts, FileFact, Prompt, SourceFacts

from ..conftest import Golden
from .conftest import GOLDEN

SOURCE = SourceFacts(agent="pi", session_id="s-1")


def section(document: str, name: str) -> str:
    return document.partition(f"## {name}\n")[2].partition("\n## ")[0]


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


@given(st.from_type(Facts))
def test_the_same_facts_give_the_same_document(facts: Facts) -> None:
    assert render_document(facts, "") == render_document(facts, "")


def test_pointers_count_records_where_the_session_is_no_file_of_lines() -> None:
    source = SourceFacts(agent="opencode", path="/home/me/storage/ses_1.json", lines=40)
    document = render_document(Facts(source=source), "")
    assert "`[#N]` points to record N of the transcript" in document
    assert "40 records" in document


def test_what_was_said_stands_once(facts: Facts) -> None:
    body = split(render_document(replace(facts, next_steps=()), ""))[0]
    said = [prompt.text for prompt in facts.prompts if "\n" not in prompt.text]
    said += [remark.text for report in facts.reports for remark in report.remarks]
    assert {text: body.count(text) for text in said} == dict.fromkeys(said, 1)


def test_prompts_stand_in_the_order_in_which_they_were_said() -> None:
    prompts = tuple(Prompt(text=f"prompt {n}", evidence=(Evidence(n),)) for n in range(60))
    document = render_document(Facts(source=SOURCE, prompts=prompts), "")
    assert '- "prompt 0" [#0]\n- "prompt 59" [#59]' in section(document, DOCUMENT[0])
    told = [row for row in section(document, DOCUMENT[7]).split("\n") if row.startswith("- ")]
    assert told[:58] == [f'- "prompt {n}" [#{n}]' for n in range(1, 59)]


def test_what_only_an_earlier_session_was_asked_is_not_the_objective_of_this_one() -> None:
    earlier = Prompt(text="Use tabs.", evidence=(Evidence(9),), origin="s-0")
    document = render_document(Facts(source=SOURCE, prompts=(earlier,)), "")
    assert section(document, DOCUMENT[0]).strip() == f"- {NONE_SEEN}"
    assert '- "Use tabs." [#9 of s-0]' in section(document, DOCUMENT[7])


def test_a_long_prompt_keeps_both_its_ends() -> None:
    prompt = Prompt(text=f"begin {'x' * 9000} end", evidence=(Evidence(1),))
    document = render_document(Facts(source=SOURCE, prompts=(prompt,)), "")
    row = section(document, DOCUMENT[0]).strip().split("\n")[-1]
    assert row.startswith('- "begin xxx') and row.endswith('xxx end" [#1]') and len(row) < 4100


def test_what_an_earlier_report_calls_open_is_not_told_as_open(facts: Facts) -> None:
    document = render_document(facts, "")
    assert "The retry limit is still to be agreed." in section(document, "Current state summary")
    assert "The clock still needs a stub." in section(document, "Open threads")


def test_what_is_told_as_a_next_action_is_no_open_thread_too(facts: Facts) -> None:
    document = render_document(facts, "")
    for text in ("The last case is still to be written.", "Cover giving up after four attempts"):
        assert text in section(document, "Immediate next actions")
        assert text not in section(document, "Open threads")


def test_of_many_commands_and_files_the_rest_is_counted() -> None:
    commands = tuple(CommandFact(command=f"make {n}", key=f"make {n}", score=float(n)) for n in range(50))
    files = tuple(FileFact(path=f"src/{n}.py", action="modified") for n in range(50))
    document = render_document(Facts(source=SOURCE, commands=commands, files=files), "")
    assert "- … and 30 more, in the transcript" in section(document, "Current state summary")
    assert "`make 49`" in document and "`make 3`" not in document
    assert "- … and 10 more, in the transcript" in section(document, DOCUMENT[2])
