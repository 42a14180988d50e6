"""Two sessions are two threads, whatever their files are called; one session is one, however it grew."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from segue.service.imports import intake
from segue.service.remote import sending
from segue.service.sessions import lookup
from segue.service.workspace import Workspace

Segue = Callable[..., Any]


def transcript(*words: str) -> str:
    """A session of Cursor, whose format has no ids."""
    roles = ("user", "assistant") * len(words)
    lines = ({"role": role, "message": {"content": said}} for role, said in zip(roles, words, strict=False))
    return "".join(json.dumps(line) + "\n" for line in lines)


def kept(path: Path, text: str) -> lookup.Source:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return lookup.at(str(path))


def thread_of(workspace: Workspace, source: lookup.Source) -> str:
    return str(intake.import_session(workspace, source)["thread_id"])


def test_files_of_one_name_in_two_folders_are_two_threads(workspace: Workspace, tmp_path: Path) -> None:
    text = transcript("fix the build", "done")
    one, other = (kept(tmp_path / folder / "chat.jsonl", text) for folder in ("d1", "d2"))
    assert thread_of(workspace, one) != thread_of(workspace, other)


def test_two_runs_of_one_task_are_two_threads(workspace: Workspace, tmp_path: Path) -> None:
    run = {"history": [{"role": "user", "content": "Solve it."}], "trajectory": [{"action": "ls"}]}
    one, other = (kept(tmp_path / name / "x" / "x.traj", json.dumps(run)) for name in ("runA", "runB"))
    assert thread_of(workspace, one) != thread_of(workspace, other)


def test_another_session_written_over_a_file_is_another_thread(workspace: Workspace, tmp_path: Path) -> None:
    file = tmp_path / "chat.jsonl"
    first = thread_of(workspace, kept(file, transcript("fix the build", "done")))
    assert thread_of(workspace, kept(file, transcript("write the docs", "done"))) != first


def test_a_file_that_grew_goes_on_in_its_thread(workspace: Workspace, tmp_path: Path) -> None:
    file = tmp_path / "chat.jsonl"
    first = thread_of(workspace, kept(file, transcript("fix the build")))
    assert thread_of(workspace, kept(file, transcript("fix the build", "done", "and the docs"))) == first


def test_chats_of_two_projects_begun_in_the_same_second_are_two_threads(
    workspace: Workspace, tmp_path: Path
) -> None:
    text = "# aider chat started at 2026-01-02 10:00:00\n\n#### {}\n\nDone.\n"
    one, other = (
        kept(tmp_path / folder / ".aider.chat.history.md", text.format(folder)) for folder in ("d1", "d2")
    )
    assert thread_of(workspace, one) != thread_of(workspace, other)


def test_sessions_piped_in_are_told_apart_by_how_they_begin(segue: Segue) -> None:
    def imported(*words: str) -> str:
        done = segue("sessions", "import", "-", "--json", stdin=transcript(*words).encode())
        return str(done.json["thread_id"])

    first = imported("fix the build", "done")
    assert imported("write the docs", "done") != first
    assert imported("fix the build", "done", "now the docs") == first


def test_the_id_that_an_import_shows_names_its_session(segue: Segue, tmp_path: Path) -> None:
    for folder in ("a", "b"):
        place = tmp_path / "home" / ".cursor" / "projects" / folder / "agent-transcripts"
        kept(place / "chat.jsonl", transcript(f"work on {folder}"))
    file = str(tmp_path / "home" / ".cursor" / "projects" / "b" / "agent-transcripts" / "chat.jsonl")
    shown = segue("sessions", "import", file, "--json").json["session_id"]
    assert segue("sessions", "show", shown, "--json").json["session"]["path"] == file


def test_sessions_of_one_name_reach_a_server_under_two_ids(tmp_path: Path) -> None:
    sources = [kept(tmp_path / folder / "chat.jsonl", transcript("fix the build")) for folder in ("d1", "d2")]
    one, other = (json.loads(next(iter(sending.lines(source))))["id"] for source in sources)
    assert one != other


def test_a_programs_own_id_is_kept_as_it_is(workspace: Workspace, tmp_path: Path) -> None:
    name = "5e551011-0000-4000-8000-00000000000a"
    source = kept(tmp_path / f"{name}.jsonl", transcript("fix the build"))
    assert intake.import_session(workspace, source)["session_id"] == name
