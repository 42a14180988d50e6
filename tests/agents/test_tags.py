"""Tagged sections are found where a reader of the text would find them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from segue.agents._tags import sections, without

TAGS = ("a", "bc")
TEXTS = st.lists(
    st.sampled_from(["<a>", "</a>", "<bc>", "</bc>", '<bc x="1">', "<d>", "x", "\n"]), max_size=20
).map("".join)


def test_a_section_has_its_tag_its_attributes_and_what_is_inside() -> None:
    (section,) = sections('x<bc k="v">in <a>side</a></bc>y', TAGS)
    assert (section.tag, section.attributes, section.inner) == ("bc", 'k="v"', "in <a>side</a>")


def test_a_tag_nobody_closes_opens_nothing_and_hides_nothing() -> None:
    assert [section.inner for section in sections("<bc><a>1</a><bc><a>2</a>", TAGS)] == ["1", "2"]


def test_whole_lines_passes_over_tags_in_the_middle_of_a_line() -> None:
    assert [section.inner for section in sections("x <a>1</a>\n<a>2</a>", TAGS, whole_lines=True)] == ["2"]


@given(TEXTS)
def test_sections_are_disjoint_in_order_and_closed(text: str) -> None:
    end = 0
    for section in sections(text, TAGS):
        assert end <= section.start < section.end <= len(text)
        assert text[section.start : section.end].endswith(f"{section.inner}</{section.tag}>")
        assert f"</{section.tag}>" not in section.inner
        end = section.end


@given(TEXTS)
def test_a_text_is_its_sections_and_what_is_without_them(text: str) -> None:
    found = list(sections(text, TAGS))
    assert len(without(text, found)) == len(text) - sum(section.end - section.start for section in found)
