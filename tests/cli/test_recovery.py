"""What a person is told when frames are lost or the log is broken, and what `segue rebuild` does about it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
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


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of its own, of one megabyte."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(place)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("only root may mount a disk")
    yield place
    subprocess.run(["umount", "--lazy", str(place)], check=True)


@pytest.mark.parametrize("ended", ["properly", "by a kill", "by a kill, its index removed"])
def test_a_workspace_on_a_full_disk_can_be_read(small_disk: Path, ended: str) -> None:
    def segue(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "segue", *words, "--workspace", str(small_disk)]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    script = (
        "import os, sys; from segue.service.threads import streams; from segue.service.workspace import named;"
        "w = named(sys.argv[1]); t = streams.ensure(w)['thread_id']; streams.post(w, t, 'a needle');"
        "os._exit(0) if 'kill' in sys.argv[2] else w.close()"
    )
    subprocess.run([sys.executable, "-c", script, str(small_disk), ended], check=True)
    assert (small_disk / ".segue" / "log.db-wal").exists() == ("kill" in ended)
    if "index" in ended:
        (small_disk / ".segue" / "log.db-shm").unlink()
    with pytest.raises(OSError), open(small_disk / "all the rest", "wb", buffering=0) as file:
        while True:
            file.write(bytes(4096))
    for words in (("thread", "list"), ("status",), ("verify",)):
        assert segue(*words).returncode == 0
    assert "needle" in segue("thread", "search", "needle").stdout
    refused = segue("thread", "post", "default", "--content", "x" * 100_000)
    assert (refused.returncode, "full" in refused.stderr) == (5, True)
    (small_disk / "all the rest").unlink()
    assert segue("thread", "post", "default", "--content", "more").returncode == 0
    assert segue("verify").returncode == 0
