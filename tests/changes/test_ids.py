"""Names of changes: made, shortened, never guessed."""

from __future__ import annotations

import re

import pytest

from segue.changes import ids
from segue.errors import BadInput, NotFound
from segue.model.change import SUB_ID

KNOWN = [
    "TC-001-04-03-26-login",
    "TC-010-04-03-26-logout",
    "TC-100-04-03-26-retry",
    "TC-1000-04-03-26-retry-more",
    "TC-012-04-03-26-one",
    "TC-012-04-04-26-two",
]


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("User Authentication", "user-authentication"),
        ("Add 🚀 retry", "add-retry"),
        ("Größe ändern", "groe-andern"),
        ("日本語", "change"),
        ("don't panic", "dont-panic"),
        ("../../etc/passwd", "etc-passwd"),
        ("a" * 200, "a" * 48),
    ],
)
def test_a_title_becomes_a_name_that_the_schema_takes(title: str, slug: str) -> None:
    assert ids.slug(title) == slug
    assert ids.is_tc_id(ids.make(7, "2026-04-05T00:00:00+00:00", title))


def test_the_thousandth_record_has_a_name_that_the_schema_takes() -> None:
    name = ids.make(1000, "2026-04-05T00:00:00+00:00", "more")
    assert (name, ids.is_tc_id(name), ids.number_of(name)) == ("TC-1000-04-05-26-more", True, 1000)


def test_the_next_number_is_beyond_every_record_and_every_promise() -> None:
    assert [ids.next_number([]), ids.next_number(KNOWN), ids.next_number(KNOWN, 2000)] == [1, 1001, 2000]


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("TC-001", KNOWN[0]),
        ("tc-1", KNOWN[0]),
        ("1", KNOWN[0]),
        ("TC-100", KNOWN[2]),
        ("1000", KNOWN[3]),
        ("TC-012-04-04", KNOWN[5]),
        ("TC-010-04-03-26-logout", KNOWN[1]),
        ("logo", KNOWN[1]),
        ("TC-010-log", KNOWN[1]),
    ],
)
def test_a_beginning_names_the_one_record_it_fits(given: str, meant: str) -> None:
    assert ids.resolve(given, KNOWN) == meant


@pytest.mark.parametrize("given", ["TC-012", "12", "TC-012-04"])
def test_a_beginning_that_fits_several_records_is_refused(given: str) -> None:
    with pytest.raises(BadInput, match="names 2 changes") as refusal:
        ids.resolve(given, KNOWN)
    assert KNOWN[4] in refusal.value.message


def test_the_words_of_a_name_are_enough_when_they_fit_one_record() -> None:
    known = ["TC-001-04-03-26-retry-uploads", "TC-002-04-03-26-retry", "TC-003-04-03-26-retry-downloads"]
    assert [ids.resolve(words, known) for words in ("retry-u", "retry", "retry-downloads")] == known
    with pytest.raises(BadInput, match="names 2 changes"):
        ids.resolve("retry-", known)
    with pytest.raises(NotFound):
        ids.resolve("uploads", known)


@pytest.mark.parametrize("given", ["TC-999", "4", "TC-001-04-03-26-logout"])
def test_what_fits_no_record_is_not_found(given: str) -> None:
    with pytest.raises(NotFound):
        ids.resolve(given, KNOWN)


@pytest.mark.parametrize("given", ["99", "TC-99", "tc-099", "9", "TC-99-04-03-26-far"])
def test_a_number_never_names_a_record_whose_number_only_begins_with_it(given: str) -> None:
    with pytest.raises(NotFound):
        ids.resolve(given, ["TC-999-04-03-26-far-away", "TC-9900-04-03-26-far-away"])


def test_a_beginning_may_end_within_the_date() -> None:
    assert ids.resolve("TC-1000-04-0", KNOWN) == KNOWN[3]


@pytest.mark.parametrize(
    "given",
    [
        "../TC-001-04-03-26-login",
        "TC-001/../../x",
        "TC-001-04-03-26-login\n",
        "",
        "/etc",
        "TC-001-04-03-26-Login",
        ".",
        "TC-٣",
    ],
)
def test_what_is_not_a_name_is_refused_before_it_meets_a_path(given: str) -> None:
    with pytest.raises((BadInput, NotFound)):
        ids.resolve(given, ["x", *(name for name in KNOWN if "login" not in name)])


def test_sub_changes_are_lettered_and_those_below_numbered() -> None:
    letters = [f"TC-007.{chr(ord('A') + n)}" for n in range(26)]
    assert ids.next_sub_id("TC-007-04-05-26-x", []) == "TC-007.A"
    assert ids.next_sub_id("TC-007-04-05-26-x", letters) == "TC-007.AA"
    assert ids.next_sub_id("TC-007-04-05-26-x", ["TC-007.A", "TC-007.A.1"], "TC-007.A") == "TC-007.A.2"
    assert all(re.fullmatch(SUB_ID, name) for name in ("TC-007.A", "TC-007.AA", "TC-1000.A.2"))


def test_a_beginning_that_reaches_into_the_words_names_the_record_where_it_is_the_only_one() -> None:
    known = ["TC-001-11-16-26-retry-uploads-that-fail", "TC-002-11-16-26-retry-uploads"]
    assert ids.resolve("TC-001-11-16-26-retry-uploads", known) == known[0]
    assert ids.resolve("TC-002-11-16-26-retry-uploads", known) == known[1]
    twins = [known[0], "TC-001-11-16-26-retry-uploads-at-night"]
    with pytest.raises(BadInput, match="names 2 changes"):
        ids.resolve("TC-001-11-16-26-retry-uploads", twins)
