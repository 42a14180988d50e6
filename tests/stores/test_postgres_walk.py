"""The whole command line on a log in PostgreSQL: the same words, from one folder, from two, from many processes."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from segue.service.workspace import Workspace

from ..cli.test_walk import GOLDEN, walked
from .postgres_server import Server

Run = Callable[..., Any]


def settle(root: Path, address: str) -> None:
    """Makes a workspace that keeps its log there."""
    root.mkdir(exist_ok=True)
    Workspace(str(root)).establish(store=address)


def test_the_walk_reads_as_on_the_embedded_log(segue: Run, tmp_path: Path, postgres: Server) -> None:
    settle(tmp_path, postgres.address_for(tmp_path))
    expected = GOLDEN.read_text(encoding="utf-8").replace("(sqlite)", "(postgresql)")
    assert walked(segue, tmp_path) == expected


def test_two_folders_on_one_log_give_the_same_answers(
    segue: Run, tmp_path: Path, postgres: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders = [tmp_path / "laptop", tmp_path / "desk"]
    for folder in folders:
        settle(folder, postgres.address_for(tmp_path))

    def on(folder: Path, *words: str) -> Any:
        monkeypatch.chdir(folder)
        return segue(*words, "--json").json

    threads = [on(folder, "thread", "ensure")["thread_id"] for folder in folders]
    assert threads[0] == threads[1]
    on(folders[0], "thread", "post", threads[0], "--content", "a walrus on the laptop")
    branch = on(folders[1], "thread", "branch", threads[0])["thread_id"]
    on(folders[0], "thread", "post", branch, "--content", "a walrus on the branch")
    for words in (
        ("thread", "list"),
        ("thread", "show", branch),
        ("thread", "search", "walrus"),
        ("thread", "lineage", threads[0]),
        ("verify", "log"),
        ("rebuild",),
    ):
        assert on(folders[0], *words) == on(folders[1], *words)


def test_processes_that_post_to_one_thread_at_once_are_all_heard(
    segue: Run, tmp_path: Path, postgres: Server
) -> None:
    settle(tmp_path, postgres.address_for(tmp_path))
    thread = segue("thread", "ensure", "--json").json["thread_id"]
    command = [sys.executable, "-m", "segue", "thread", "post", thread, "--content"]
    running = [subprocess.Popen([*command, f"from {n}"], stdout=subprocess.DEVNULL) for n in range(5)]
    assert [process.wait(60) for process in running] == [0] * 5
    events = [json.loads(line) for line in segue("thread", "events", thread).out.splitlines()]
    assert [event["seq"] for event in events] == list(range(6))
    assert {event["content"] for event in events[1:]} == {f"from {n}" for n in range(5)}
    assert segue("verify").code == 0


def test_what_one_folder_forgets_the_other_does_not_know_any_more(
    segue: Run, tmp_path: Path, postgres: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders = [tmp_path / "laptop", tmp_path / "desk"]
    for folder in folders:
        settle(folder, postgres.address_for(tmp_path))

    def on(folder: Path, *words: str) -> Any:
        monkeypatch.chdir(folder)
        return segue(*words, "--json").json

    thread = on(folders[0], "thread", "ensure")["thread_id"]
    said = on(folders[0], "thread", "post", thread, "--content", "a walrus answers to ferret-saddle-41")
    assert all(on(folder, "thread", "search", "ferret")["hits"] for folder in folders)
    done = on(folders[0], "forget", said["message_id"], "--yes")
    assert "VACUUM" in " ".join(done["remains"])
    for folder in folders:
        assert on(folder, "thread", "search", "ferret")["hits"] == []
        assert on(folder, "verify")["ok"]
    assert b"ferret-saddle" not in (folders[1] / ".segue" / "cache.db").read_bytes()
