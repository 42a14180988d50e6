"""A branch is the way from the first record to the last one written, whatever else the file holds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from segue.agents._tree import EVERYTHING, branch
from segue.errors import NotFound

FORK = [("a", ""), ("b", "a"), ("c", "b"), ("d", "b"), ("e", "d")]


def test_a_file_without_forks_needs_no_set_of_ids() -> None:
    assert branch([("a", ""), ("b", "a"), ("c", "b")], None) is EVERYTHING


def test_the_branch_in_use_leads_to_the_last_record() -> None:
    assert branch(FORK, None).ids == {"a", "b", "d", "e"}


def test_a_record_picks_its_branch_to_the_end() -> None:
    assert branch(FORK, "c").ids == {"a", "b", "c"}
    assert branch(FORK, "d").ids == {"a", "b", "d", "e"}


def test_a_record_that_is_not_there_is_not_found() -> None:
    with pytest.raises(NotFound, match="no record zz"):
        branch(FORK, "zz")


def test_a_record_whose_parent_is_lost_follows_the_one_before_it() -> None:
    assert branch([("a", ""), ("b", "a"), ("x", "a"), ("d", "lost")], None).ids == {"a", "x", "d"}


def test_a_record_without_id_is_on_every_branch() -> None:
    assert branch(FORK, "c").has(None) and branch(FORK, "c").has("c") and not branch(FORK, "c").has("d")


@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.sampled_from(["", *"abcdefz"])), max_size=12))
def test_the_last_record_is_on_the_branch_in_use_however_ids_are_tangled(
    links: list[tuple[str, str]],
) -> None:
    found = branch(links, None)
    assert not links or found.has(links[-1][0])
