"""The walk, stop by stop, on one hand-written session that died in the middle of an edit."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from segue.model.entry import Entry
from segue.service.handoffs.walk import Draft, Source, draft

from ..conftest import Golden

WALK = Path(__file__).parent.parent / "fixtures" / "walk"
ENTRIES = WALK / "entries.jsonl"


def entries() -> Iterator[Entry]:
    for line in ENTRIES.read_bytes().splitlines():
        yield msgspec.json.decode(line, type=Entry)


def handed_off(budget: int) -> Draft:
    return draft(Source("claude-code", "session.jsonl", entries()), "finish the retry tests", budget=budget)


@pytest.fixture(scope="module", autouse=True)
def steady_rules() -> Iterator[None]:
    """The version of the redaction rules is part of the receipt; here it stands still."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("segue.redaction.redactor.RULES_VERSION", "1.0")
        yield


@pytest.fixture(scope="module")
def walked() -> Draft:
    return handed_off(2000)


def as_json(value: object) -> str:
    return msgspec.json.format(msgspec.json.encode(value), indent=1).decode() + "\n"


def test_entries_become_turns(walked: Draft, golden: Golden) -> None:
    golden(WALK / "turns.json", as_json(walked.index.turns))


def test_turns_become_an_index(walked: Draft, golden: Golden) -> None:
    golden(WALK / "index.json", as_json(walked.index))


def test_turns_that_matter_become_anchors_with_reasons(walked: Draft, golden: Golden) -> None:
    golden(WALK / "anchors.json", as_json([anchor._asdict() for anchor in walked.anchors]))


def test_the_index_becomes_facts_for_the_goal(walked: Draft, golden: Golden) -> None:
    golden(WALK / "facts.json", as_json(walked.facts))


def test_facts_become_a_packet(walked: Draft, golden: Golden) -> None:
    golden(WALK / "packet.md", walked.text)


def test_the_same_facts_at_their_smallest(golden: Golden) -> None:
    golden(WALK / "packet-300.md", handed_off(300).text)


def test_no_stop_shows_the_secret_of_the_session(walked: Draft) -> None:
    secret = "tok-5f1c9a7be2d84c06"
    assert secret in ENTRIES.read_text(encoding="utf-8")
    assert secret not in as_json(walked.index) + as_json(walked.facts) + walked.text


def test_the_index_and_the_facts_survive_a_round_trip(walked: Draft) -> None:
    for value in (walked.index, walked.facts):
        assert msgspec.json.decode(msgspec.json.encode(value), type=type(value)) == value
