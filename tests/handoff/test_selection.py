"""Leaving things out of a handoff: what goes along, and what the rest says then."""

from __future__ import annotations

from segue.handoff.parse import parse
from segue.handoff.selection import choices, noted, without

PACKET = """\
This handoff was drawn from codex session s (2 turns).
**Goal**: "finish"
**Next**: Take up the tests. [#5]

## Context
**Asked for, in order** (verbatim; the later wins)
- "Never drop a table." [#1]
**Reported by the agent** (unverified)
- We use sqlite. [#2]
- WAL it is. [#3]
**Last report of the agent** (unverified)
> I will go on.
> Tomorrow.
[#6]

## Operational Context
**Failing when last run**
- `pytest -q` exit 1 [#4]
  > FAILED test_a.py::test_x
  > 1 failed

## Files
src/
- a.py (modified): f
- b.py (modified)
./
- also: c.py, d.py

## Task
**Then**
1. Make `pytest -q` pass [#4]
2. Read the log
3. Go on with the to-do: Document it

## Notes
- This agent records no exit statuses.

<read-files>
c.py
d.py
</read-files>

<modified-files>
src/a.py
src/b.py
</modified-files>

Redacted (rules 1): nothing found.
End of handoff: all that was picked fits 1200 tokens.
"""


def left_out(*beginnings: str) -> str:
    chosen = [one for one in choices(PACKET) if one.text.startswith(beginnings)]
    assert len(chosen) == len(beginnings)
    return without(PACKET, chosen)


def test_items_steps_and_notes_can_be_chosen_and_nothing_else() -> None:
    assert [choice.text.split()[1] for choice in choices(PACKET)] == [
        '"Never', "We", "WAL", "I", "`pytest", "a.py", "b.py", "also:", "Make", "Read", "Go", "This",
    ]  # fmt: skip


def test_nothing_chosen_leaves_every_byte() -> None:
    assert without(PACKET, []) == PACKET


def test_a_failing_command_takes_its_quoted_lines_and_its_label_along_and_the_section_says_so() -> None:
    text = left_out("- `pytest")
    assert "FAILED" not in text and "1 failed" not in text and "Failing" not in text
    assert "## Operational Context\nLeft out.\n\n## Files" in text


def test_a_label_stays_while_one_of_its_list_does() -> None:
    assert "**Reported by the agent** (unverified)\n- WAL it is. [#3]\n" in left_out("- We use sqlite")
    assert "Reported" not in left_out("- We use sqlite", "- WAL it is")


def test_a_file_left_out_leaves_the_lists_for_programs_too() -> None:
    text = left_out("- a.py", "- also: c.py")
    assert parse(text).modified_files == ("src/b.py",)
    assert parse(text).read_files == () and "read-files" not in text and "./" not in text
    assert "src/\n- b.py" in text


def test_steps_count_from_one_again() -> None:
    assert "**Then**\n1. Read the log\n2. Go on with the to-do: Document it\n" in left_out("1. Make")


def test_a_quotation_goes_as_a_whole_with_its_label_and_its_pointer() -> None:
    assert "- WAL it is. [#3]\n\n## Operational Context" in left_out("> I will")


def test_a_section_before_the_lists_of_paths_says_that_it_is_empty_now() -> None:
    assert "## Notes\nLeft out.\n\n<read-files>" in left_out("- This agent")


def test_the_last_line_says_that_a_person_left_things_out() -> None:
    text = left_out("- WAL it is", "> I will")
    assert text.endswith(
        "End of handoff: all that was picked fits 1200 tokens; then a person left out 2 items.\n"
    )
    assert parse(text).losses.endswith("left out 2 items.")


def test_what_was_left_out_at_several_times_is_counted_together() -> None:
    text = left_out("- WAL it is", "> I will")
    text = without(noted(text, "a person edited it"), choices(text)[:2])
    assert text.endswith(
        "End of handoff: all that was picked fits 1200 tokens; then a person edited it; then a person left out 4 items.\n"
    )


def test_what_a_document_says_of_itself_is_no_choice() -> None:
    assert [
        one.text for one in choices("# Handoff\n\n> **Mechanical.** x\n\n## Decisions made\n\n- a\n")
    ] == ["- a"]


def test_what_became_of_a_packet_is_said_once_and_only_where_there_is_a_last_line() -> None:
    text = noted(PACKET, "a person edited it")
    assert noted(text, "a person edited it") == text
    assert noted("hello\n", "a person edited it") == "hello\n"


def test_a_document_can_be_shortened_too() -> None:
    document = "# Handoff\n\n## Current objective\n\n- asked first: x\n\n## Decisions made\n\n**Said**\n\n- a\n\n- b\n"
    chosen = choices(document)[:2]
    text = without(document, chosen)
    assert (
        text == "# Handoff\n\n## Current objective\nLeft out.\n\n\n## Decisions made\n\n**Said**\n\n\n- b\n"
    )
