"""What a person is told when frames are lost or the log is broken, and what `segue rebuild` does about it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import pytest

Segue = Callable[..., Any]


@pytest.fixture
def thread(segue: Segue) -> str:
    """A thread of three frames, the last of which is acknowledged."""
    made: str = json.loads(segue("thread", "create", "--json").out)["thread_id"]
    for text in ("one", "two"):
        assert segue("thread", "post", made, "--content", text).code == 0
    return made


def alter(folder: Path, sql: str) -> None:
    db = apsw.Connection(str(folder / ".segue" / "log.db"))
    db.execute(sql)
    db.close()


def test_lost_frames_need_a_word_before_their_numbers_are_given_out_again(
    segue: Segue, thread: str, tmp_path: Path
) -> None:
    alter(tmp_path, "DELETE FROM frames WHERE place = (SELECT max(place) FROM frames)")
    told = segue("verify")
    assert (told.code, "backup" in told.out, "--accept-loss" in told.out) == (1, True, True)
    refused = segue("rebuild")
    assert (refused.code, "Frame 2" in refused.err) == (4, True)
    assert segue("verify").code == 1
    assert segue("rebuild", "--accept-loss").code == 0
    assert segue("verify").code == 0
    last = json.loads(segue("thread", "events", thread, "--json").out.splitlines()[-1])
    assert (last["type"], last["seq"], last["actor_id"]) == ("frames_lost", 2, "user")


def test_rebuilding_a_broken_log_is_no_success(segue: Segue, thread: str, tmp_path: Path) -> None:
    alter(tmp_path, "UPDATE frames SET body = CAST(replace(CAST(body AS TEXT), 'one', 'two') AS BLOB)")
    ran = segue("rebuild")
    assert (ran.code, "hash_mismatch" in ran.out) == (1, True)
