"""What of a message is prose, and where it may be cut."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from segue.extract.text.prose import clipped, ends, finish, line_sentences, sentences, start


def test_sentences_end_where_they_end() -> None:
    assert sentences(
        "Use port 8080. Never touch it!\n- keep e.g. the tests, i.e. all of them\n1. no, 9090. Yes."
    ) == [
        "Use port 8080.",
        "Never touch it!",
        "keep e.g. the tests, i.e. all of them",
        "no, 9090.",
        "Yes.",
    ]


@pytest.mark.parametrize(
    "line",
    [
        "Next: 1. keep the prefix, 2. rerun the benchmark, 3. check with the old compiler.",
        "Three things are left; 1. The tag, 2. The notes.",
    ],
)
def test_a_list_within_a_sentence_does_not_end_it(line: str) -> None:
    assert sentences(line) == [line]


def test_the_mark_of_the_next_row_is_not_part_of_the_one_before() -> None:
    assert sentences("Build it. 2. Ship it! 3. Tell the others about v1.5. 12.") == [
        "Build it.",
        "Ship it!",
        "Tell the others about v1.5. 12.",
    ]


@pytest.mark.parametrize("line", ["Pin it to 3. Then rerun.", "We need 12. The rest can go."])
def test_a_number_may_end_a_sentence(line: str) -> None:
    assert len(sentences(line)) == 2


def test_a_quotation_keeps_its_closing_mark() -> None:
    assert sentences('He said "never do that." Then he left (at once.) And it stayed so.') == [
        'He said "never do that."',
        "Then he left (at once.)",
        "And it stayed so.",
    ]


def test_what_was_only_shown_is_not_said() -> None:
    text = "Look at this:\n```\nnever run this\n```\n> must be quoted\nerror: do not panic\n$ make always\ndef never(): pass\nThanks."
    assert sentences(text) == ["Look at this:", "Thanks."]


@pytest.mark.parametrize(
    "line",
    [
        "import os",
        "import { a } from 'b'",
        "let x = 1",
        "const {a, b} = foo()",
        "ok  \tpkg/sync 0.1s",
        "FAIL src/x.test.ts",
        "class Foo:",
        "TypeError: name must be a string",
        "@@ -1,2 +3,4 @@",
    ],
)
def test_lines_of_code_and_logs_are_no_sentences(line: str) -> None:
    assert line_sentences(line) == []


@pytest.mark.parametrize(
    "line",
    [
        "import the data from the file, never twice",
        "Let me rename the queue.",
        "ok now use port 9090",
        "pass the flag through",
        "class names must be short",
        "@src/foo.py must not change",
    ],
)
def test_a_sentence_may_begin_with_a_word_of_code(line: str) -> None:
    assert line_sentences(line) == [line]


def test_sentences_of_scripts_without_spaces_are_told_apart() -> None:
    assert sentences("不要修改数据库。只能用新接口。") == ["不要修改数据库。", "只能用新接口。"]


@given(st.text(alphabet="ab \n", max_size=400), st.integers(10, 200))
def test_a_text_is_never_cut_inside_a_word(text: str, limit: int) -> None:
    words = set(text.split())
    for cut in (start(text, limit), finish(text, limit), ends(text, limit).replace("…", "")):
        assert set(cut.split()) <= words


@given(st.text(max_size=300), st.integers(5, 100))
def test_clipping_keeps_the_limit_and_marks_the_cut(text: str, limit: int) -> None:
    cut = clipped(text, limit)
    assert len(cut) <= limit
    assert cut == text if len(text) <= limit else cut.endswith("…")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            "now do step 5. don't use port 9090, use 9191.",
            ["now do step 5.", "don't use port 9090, use 9191."],
        ),
        ("Total 12 34 56 78 90 11 22 33 44 55 66 done.", []),
        ("GET /v1/a?b=1&c=2 200 12ms 10.0.0.1:8080 ok.", []),
    ],
)
def test_a_line_of_words_and_numbers_is_prose_and_a_row_of_numbers_is_not(
    line: str, expected: list[str]
) -> None:
    assert line_sentences(line) == expected
