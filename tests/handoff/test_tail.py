"""The recent tail: what it shows, and that refreshing it touches nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace

from segue.handoff.headings import DOCUMENT, TAIL_HEADING, headings, lines
from segue.handoff.tail import NOTHING, missing_headings, recent_tail, replace_tail, split
from segue.model.entry import Entry

from ..conftest import Golden
from .conftest import GOLDEN

documents = st.lists(
    st.sampled_from((TAIL_HEADING, f"> {TAIL_HEADING}", "```", "~~~", "## Current objective", "a", "", "\r"))
    | st.text(max_size=8),
    max_size=10,
).map("\n".join)


def test_the_tail_of_a_session_is_its_last_messages_and_what_the_tools_did(
    entries: list[Entry], golden: Golden
) -> None:
    golden(GOLDEN / "tail.md", recent_tail(entries) + "\n")


def test_the_tail_holds_no_more_messages_than_asked_for(entries: list[Entry]) -> None:
    rows = [row for row in recent_tail(entries, messages=2).splitlines() if row.startswith("- ")]
    assert rows == ['- [#18] person refuses: "never force-push"', "- [#19] interrupted"]


def test_a_long_message_keeps_its_beginning_and_its_end() -> None:
    entry = Entry(kind="agent", file="s", line=1, text="begin " + "x" * 1000 + " end")
    row = recent_tail([entry], chars=60).splitlines()[-1]
    assert row.startswith('- [#1] agent: "begin xxx') and row.endswith('xxx end"') and len(row) < 90


def test_a_result_belongs_to_its_call_even_when_a_message_came_between() -> None:
    def entry(line: int, **fields: Any) -> Entry:
        return Entry(file="s", line=line, **fields)

    rows = recent_tail(
        [
            entry(1, kind="agent", text="running"),
            entry(2, kind="tool_call", tool="shell", command="make", call_id="c"),
            entry(3, kind="user", by="person", text="wait"),
            entry(4, kind="tool_result", call_id="c", exit_code=2),
        ]
    ).splitlines()
    assert rows[2:] == [
        '- [#1] agent: "running"',
        "- [#2] tools: shell make → exit 2 (1 failed)",
        '- [#3] person: "wait"',
    ]
    assert rows[0].startswith("Up to [#4].")


def test_what_is_quoted_and_nothing_else_is_cleaned_once_all_entries_have_passed() -> None:
    passed: list[int] = []
    cleaned: list[tuple[int, int]] = []

    def told() -> Iterator[Entry]:
        for line in range(1, 9):
            passed.append(line)
            yield Entry(kind="agent", file="s", line=line, text=f"secret {line}")

    def clean(entry: Entry) -> Entry:
        cleaned.append((entry.line, len(passed)))
        return replace(entry, text="gone")

    rows = recent_tail(told(), messages=2, clean=clean).splitlines()
    assert rows[2:] == ['- [#7] agent: "gone"', '- [#8] agent: "gone"']
    assert cleaned == [(7, 8), (8, 8)]


def test_no_message_is_said_so() -> None:
    assert recent_tail([]) == NOTHING
    assert recent_tail([Entry(kind="thought", file="s", line=1, text="hm")]) == NOTHING


@given(st.lists(st.from_type(Entry), max_size=12))
def test_quoted_text_stays_on_rows_of_the_tail(entries: list[Entry]) -> None:
    rows = recent_tail(entries).split("\n")
    assert all(row == "" or row.startswith(("- [#", "Up to [#", NOTHING)) for row in rows)
    assert not any("\r" in row or "<read-files>" in row or "</modified-files>" in row for row in rows)


@given(documents, st.text())
@example(f"```\n{TAIL_HEADING}\nold", "new")
@example(f"{TAIL_HEADING}\n```\n{TAIL_HEADING}\n```", "new")
@example("```", "```")
def test_replacing_the_tail_changes_nothing_before_it(document: str, tail: str) -> None:
    body, _ = split(document)
    replaced = replace_tail(document, tail)
    assert replaced.startswith(body)
    assert split(replaced)[0].rstrip("\n") == body.rstrip("\n")


@given(documents, st.text(), st.text())
def test_replacing_twice_is_replacing_once(document: str, first: str, second: str) -> None:
    assert replace_tail(replace_tail(document, first), second) == replace_tail(document, second)


@given(documents, st.text())
def test_a_document_has_a_tail_heading_once_replaced(document: str, tail: str) -> None:
    found = [h.title for h in headings(lines(replace_tail(document, tail)))]
    assert f"## {found[-1]}".lower() == TAIL_HEADING.lower()


def test_of_two_tail_headings_the_last_one_counts() -> None:
    twice = f"{TAIL_HEADING}\nkept\n{TAIL_HEADING}\nold\n"
    assert split(twice) == (f"{TAIL_HEADING}\nkept\n", "old\n")
    assert replace_tail(twice, "new") == f"{TAIL_HEADING}\nkept\n{TAIL_HEADING}\n\nnew\n"


def test_only_the_text_behind_the_last_real_heading_is_replaced() -> None:
    before = f"# H\r\n\r\n```\n{TAIL_HEADING}\n```\n> {TAIL_HEADING}\n{TAIL_HEADING}\n"
    assert replace_tail(before + "old\n\n## more\nold", "new") == before + "\nnew\n"


def test_a_body_says_which_required_headings_it_lacks() -> None:
    body = "\n".join(f"## {name}" for name in DOCUMENT if name != "Open threads")
    assert missing_headings(body) == ("Open threads",)
    assert missing_headings(f"```\n{body}\n```") == DOCUMENT
