"""The cache of session lists may be damaged or deleted at any time; lists go on without it."""

from __future__ import annotations

from pathlib import Path

import pytest

from segue.stores.session_cache import SessionCache


def filled(path: Path) -> SessionCache:
    cache = SessionCache(str(path))
    for number in range(200):
        cache.put(f"/sessions/{number}", number, number, [{"title": "x" * 200}])
    return cache


def test_what_was_put_is_there_until_it_is_forgotten(tmp_path: Path) -> None:
    cache = filled(tmp_path / "sessions.db")
    cache.forget({f"/sessions/{number}" for number in range(1, 200)})
    assert cache.all() == {"/sessions/0": (0, 0, '[{"title": "' + "x" * 200 + '"}]')}


@pytest.mark.parametrize("kept", [0, 4096])
def test_a_damaged_cache_begins_again_empty(tmp_path: Path, kept: int) -> None:
    path = tmp_path / "sessions.db"
    filled(path).close()
    whole = path.read_bytes()
    path.write_bytes(whole[:kept] + b"\xa5" * (len(whole) - kept))
    cache = SessionCache(str(path))
    assert cache.all() == {}
    cache.put("/sessions/new", 1, 1, [])
    cache.close()
    assert list(SessionCache(str(path)).all()) == ["/sessions/new"]


def test_a_cache_that_can_no_longer_be_written_goes_on_in_memory(tmp_path: Path) -> None:
    cache = filled(tmp_path / "sessions.db")
    cache._db.pragma("query_only", True)
    cache.put("/sessions/new", 1, 1, [])
    assert list(cache.all()) == ["/sessions/new"]


def test_a_place_that_cannot_be_a_file_leaves_the_cache_in_memory(tmp_path: Path) -> None:
    (tmp_path / "sessions.db").mkdir()
    cache = filled(tmp_path / "sessions.db")
    assert len(cache.all()) == 200
