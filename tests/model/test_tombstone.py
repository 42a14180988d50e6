"""A tombstone has no words of the frame it stands for, and reads like any other frame."""

from __future__ import annotations

import json

import pytest

from segue.model.frame import FORGOTTEN, LOST, RULES, Draft, Frame, checked
from segue.model.tombstone import GONE, Record, is_forgotten, records, tombstone, words
from segue.model.wire import canonical

ENVELOPE = {
    "id": "01a1eca8-7e20-78aa-87ed-088914f42bd7",
    "stream_kind": "continuity",
    "stream_id": "01a1eca8-7e20-78aa-87ed-088914f42bd8",
    "seq": 3,
    "timestamp_ms": 5,
}
TEXT = "a word that must go"


def frame(kind: str, **payload: object) -> Frame:
    data = {**ENVELOPE, "type": kind, **payload}
    return Frame(ENVELOPE["stream_id"], 3, ENVELOPE["id"], kind, canonical(data), b"\1" * 32)  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", sorted(RULES.keys() - {FORGOTTEN, LOST}))
def test_what_a_type_demands_is_still_there(kind: str) -> None:
    rule = RULES[kind]
    seqs = dict.fromkeys(("parent_seq", "from_seq", "to_seq"), 1)
    lists = {name: [TEXT] for name in ("added", "removed", "affected_paths", "resets")}
    flags = dict.fromkeys(("archived", "allowed", "durable"), True)
    whole = dict.fromkeys((*rule.required, *rule.any_of, "actor_id", "origin", "surprise"), TEXT)
    whole |= {name: value for name, value in {**seqs, **lists, **flags}.items() if name in whole}
    stone = tombstone(frame(kind, **whole))
    assert stone is not None
    checked(Draft(kind, stone.data))
    assert "surprise" not in stone.data
    assert is_forgotten(stone)
    assert tombstone(stone) is None


def test_numbers_and_flags_of_any_name_stay_and_words_of_any_name_go() -> None:
    told = {"rich": True, "count": 3, "none": [], "said": TEXT, "more": {"deep": [TEXT]}, "named": {TEXT: 1}}
    stone = tombstone(frame("a_type_of_tomorrow", **told, artifact_id="a" * 64))
    assert stone is not None
    assert TEXT.encode() not in stone.body
    left = {name: value for name, value in stone.data.items() if name not in ENVELOPE}
    assert left == {
        "type": "a_type_of_tomorrow",
        "rich": True,
        "count": 3,
        "none": [],
        "artifact_id": "a" * 64,
        "forgotten": True,
    }
    assert list(words(frame("x", **told))) == [TEXT, TEXT]


def test_a_message_says_that_it_was_forgotten() -> None:
    stone = tombstone(frame("continuity_message_appended", role="user", content=TEXT))
    assert stone is not None
    assert (stone.data["role"], stone.data["content"]) == ("user", GONE)
    assert (stone.id, stone.seq, stone.hash) == (ENVELOPE["id"], 3, b"\1" * 32)


def test_a_frame_without_words_is_left_as_it_is() -> None:
    assert tombstone(frame("continuity_run_spawned", run_session_id="r", message_id="m")) is None


@pytest.mark.parametrize(
    "rows",
    [None, 7, [None], [{}], [{"stream_id": ENVELOPE["stream_id"], "seq": [], "hash": {}, "sha256": 1}]],
)
def test_what_a_record_should_not_hold_is_passed_over(rows: object) -> None:
    assert list(records(frame(FORGOTTEN, forgotten=rows))) == []


def test_a_record_names_frames_of_its_own_stream_alone() -> None:
    own = {"stream_id": ENVELOPE["stream_id"], "seq": 1, "hash": "h", "sha256": "s"}
    other = {**own, "stream_id": "another"}
    found = list(records(frame(FORGOTTEN, forgotten=[own, other])))
    assert found == [Record(**own)]  # type: ignore[arg-type]
    assert json.loads(json.dumps(own)) == found[0]._asdict()
