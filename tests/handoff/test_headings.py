"""Where headings really stand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from segue.handoff.headings import DOCUMENT, TAIL, document_name, headings, lines


def titles(text: str) -> list[str]:
    return [heading.title for heading in headings(lines(text))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("## A\nb\n### C", ["A", "C"]),
        ("## A ##\n##  B  b \r\n", ["A", "B b"]),
        ("##A\n#hash\n####### seven", []),
        ("> ## quoted\n    ## indented\n- ## listed", []),
        ("```\n## A\n```\n## B", ["B"]),
        ("~~~~\n## A\n~~~\n## B\n~~~~\n## C", ["C"]),
        ("```py\n## A\n```py\n## B\n```\n## C", ["C"]),
        ("``` a`b\n## A\n```", ["A"]),
        ("```\n## A", ["A"]),
        ("````\n## A\n```\n## B\n```", ["A"]),
        ("a\r## B\u2028## C\x0c## D", []),
    ],
)
def test_a_heading_counts_at_the_start_of_a_line_outside_closed_fences(
    text: str, expected: list[str]
) -> None:
    assert titles(text) == expected


@given(st.text(alphabet="#`~ \nab\r", max_size=80))
def test_lines_and_offsets_spell_the_text(text: str) -> None:
    rows = lines(text)
    assert "\n".join(text[row.start :].split("\n", 1)[0] for row in rows) == text
    assert [row.number for row in rows] == list(range(1, text.count("\n") + 2))


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("current  Objective:", DOCUMENT[0]),
        ("Projects and files touched", DOCUMENT[2]),
        ("Next steps", DOCUMENT[6]),
        ("Things post-compaction me would regret losing", DOCUMENT[7]),
        ("recent tail (since rich handoff)", TAIL),
        ("Recent tail", None),
        ("Something else", None),
    ],
)
def test_a_section_is_known_by_the_names_people_give_it(title: str, name: str | None) -> None:
    assert document_name(title) == name
