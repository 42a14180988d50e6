"""Sessions on the command line: what is printed is safe for a terminal, and what is wrong is said beside it."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from segue.surfaces.cli import progress
from segue.surfaces.cli.sessions import _short_ids

Segue = Callable[..., Any]
ESCAPE = "\x1b[2J\x9b\u202e\r\n\u2028"


@pytest.fixture(autouse=True)
def _no_moved_homes(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("XDG_CACHE_HOME", "XDG_DATA_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        monkeypatch.delenv(name, raising=False)


def record(tmp_path: Path, session_id: str = "5e60e000", branch: str = "main", prompt: str = "hello") -> Path:
    """A session of one turn, kept where Claude Code keeps those of the scratch directory."""
    folder = "".join(c if c.isascii() and c.isalnum() else "-" for c in str(tmp_path))
    path = tmp_path / "home" / ".claude" / "projects" / folder / "s.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    line = {
        "parentUuid": None,
        "isSidechain": False,
        "type": "user",
        "message": {"role": "user", "content": prompt},
        "uuid": "11111111-2222-4333-8444-555555555555",
        "cwd": str(tmp_path),
        "sessionId": session_id,
        "gitBranch": branch,
    }
    path.write_text(json.dumps(line) + "\n")
    return path


@pytest.mark.parametrize("command", [["list"], ["list", "--all"], ["search", "hello"], ["show", "s.jsonl"]])
def test_nothing_a_session_says_drives_the_terminal(segue: Segue, tmp_path: Path, command: list[str]) -> None:
    path = record(tmp_path, f"id{ESCAPE}", f"b{ESCAPE}", f"hello{ESCAPE}")
    (tmp_path / "s.jsonl").write_bytes(path.read_bytes())
    ran = segue("sessions", *command)
    assert ran.code == 0 and "id" in ran.out
    assert [c for c in ran.out if not c.isprintable() and c != "\n"] == []
    assert not any(line.startswith("[2J") for line in ran.out.splitlines())


def test_a_bad_path_is_said_beside_the_list(segue: Segue, tmp_path: Path) -> None:
    folder = record(tmp_path).parent / "d.jsonl"
    folder.mkdir()
    for command in (["list"], ["search", "hello"]):
        ran = segue("sessions", *command)
        assert (ran.code, ran.err) == (0, f"segue: passed over: {folder} is a folder, not a file.\n")
        assert "5e60e000" in ran.out
    assert segue("sessions", "list", "--json").json["skipped"][0]["path"] == str(folder)
    assert segue("sessions", "show", "5e60e000").code == 0


def test_one_turn_is_one_turn(segue: Segue, tmp_path: Path) -> None:
    record(tmp_path)
    assert " 1 turn · " in segue("sessions", "list").out


def test_a_timeline_shows_the_ids_that_name_a_branch(segue: Segue, tmp_path: Path) -> None:
    record(tmp_path)
    shown = segue("sessions", "show", "5e60e000").out
    assert "#1      11111111 ▌ user" in shown
    assert segue("sessions", "show", "5e60e000", "--branch", "11111111").out == shown


def test_ids_are_shortened_as_far_as_they_stay_apart() -> None:
    assert _short_ids(["msg_00000001a", "msg_00000001b", "msg_00000001b", "zz", "yyyyyyyyyyyy", ""]) == {
        "msg_00000001a": "msg_00000001a",
        "msg_00000001b": "msg_00000001b",
        "yyyyyyyyyyyy": "yyyyyyyy",
        "zz": "zz",
    }


def test_a_file_of_several_sessions_says_so(segue: Segue, tmp_path: Path) -> None:
    chats = "".join(f"\n# aider chat started at 2026-01-0{day} 10:00:00\n\n#### go\n" for day in (1, 2))
    (tmp_path / ".aider.chat.history.md").write_text(chats)
    ran = segue("sessions", "show", ".aider.chat.history.md")
    assert "2026-01-02" in ran.out and "which holds 1 other;" in ran.err
    assert segue("sessions", "show", "2026-01-01 10:00:00").err == ""


def test_one_of_several_sessions_of_a_file_anywhere_is_named_behind_a_hash(
    segue: Segue, tmp_path: Path
) -> None:
    chats = "".join(f"\n# aider chat started at 2026-01-02 10:00:00\n\n#### {word}\n" for word in "abc")
    (tmp_path / "kept.md").write_text(chats)
    assert "kept.md#ID, with one of 2026-01-02 10:00:00, " in segue("sessions", "show", "kept.md").err
    shown = segue("sessions", "show", "kept.md#2026-01-02 10:00:00 #2", "--json").json
    assert shown["session"]["last_prompt"] == "b"
    assert segue("sessions", "show", "kept.md#1999").code == 1


def test_a_branch_that_is_none_is_refused(segue: Segue, tmp_path: Path) -> None:
    (tmp_path / "chat.jsonl").write_text('{"role": "user", "message": {"content": "go"}}\n')
    ran = segue("sessions", "show", "chat.jsonl", "--branch", "nonsense")
    assert (ran.code, ran.out) == (1, "") and "no record 'nonsense'" in ran.err


def test_an_import_says_what_it_could_not_read(segue: Segue, tmp_path: Path) -> None:
    (tmp_path / "chat.jsonl").write_text('{"role": "user", "message": {"content": "go"}}\n{"role": "us\n')
    assert "1 entry could not be read" in segue("sessions", "import", "chat.jsonl").err
    (tmp_path / "noise.jsonl").write_text("noise\n")
    ran = segue("sessions", "import", "noise.jsonl", "--agent", "cursor")
    assert "nothing was found in this session" in ran.err


@pytest.mark.parametrize(
    ("name", "code", "says"),
    [("", 2, "empty"), ("5e6", 2, "too short"), ("absent", 1, "no session"), ("-", 2, "input is empty")],
)
def test_a_name_that_names_nothing_is_refused_with_a_sentence(
    segue: Segue, tmp_path: Path, name: str, code: int, says: str
) -> None:
    record(tmp_path)
    ran = segue("sessions", "show", name)
    assert (ran.code, ran.out) == (code, "")
    assert says in ran.err and "hint: " in ran.err


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_long_work_is_drawn_on_a_terminal_and_wiped_even_when_it_fails(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(progress, "_PATIENCE_S", 0.0)
    monkeypatch.setattr(progress, "_EVERY_S", 0.0)
    screen = _Terminal()
    monkeypatch.setattr("sys.stderr", screen)
    with pytest.raises(KeyError), progress.Progress() as bar:
        bar(1, 2, f"name{ESCAPE}")
        drawn = screen.getvalue()
        raise KeyError
    assert " 50% name" in drawn and "\x1b" not in drawn
    assert screen.getvalue().endswith(" \r")


@pytest.mark.parametrize("verb", ["list", "show", "search", "import"])
def test_every_verb_wipes_what_it_drew(
    segue: Segue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, verb: str
) -> None:
    record(tmp_path)
    bars: list[list[str]] = []

    class Watched(progress.Progress):
        def __init__(self) -> None:
            super().__init__()
            bars.append([])
            self.told = bars[-1]

        def done(self) -> None:
            self.told.append("done")

    monkeypatch.setattr("segue.surfaces.cli.sessions.Progress", Watched)
    words = {"list": [], "search": ["hello"]}.get(verb, ["5e60e000"])
    assert segue("sessions", verb, *words).code == 0
    assert bars and all(told == ["done"] for told in bars)


def test_a_timeline_tells_when_why_and_what_was_touched(segue: Segue, tmp_path: Path) -> None:
    lines: list[dict[str, Any]] = [
        {"segue_session": 1, "id": "s"},
        {"kind": "user", "text": "go", "time_ms": 1_772_445_600_000},
        {"kind": "plan", "text": "first this", "data": {"outcome": "approved"}},
        {"kind": "tool_call", "tool": "write", "edits": [{"path": "src/new.py"}]},
        {"kind": "compaction", "data": {"trigger": "auto", "tokens_before": 150_000}},
        {"kind": "weather", "sky": "clear", "map": "x" * 5000},
    ]
    (tmp_path / "s.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    shown = segue("sessions", "show", "s.jsonl").out
    told = ("2026-03-02 10:00:00Z ▌ user", "plan approved", "src/new.py", "auto, 150000 tokens before")
    assert [words for words in (*told, "1 other", "other weather", "sky=clear") if words not in shown] == []
    carried = segue("sessions", "show", "s.jsonl", "--json").json["entries"][-1]["data"]
    assert carried["fields"] == {"kind": "weather", "sky": "clear", "map": "[5002 bytes left out]"}


@pytest.mark.parametrize("name", ["{}/typo.jsonl", "typo.jsonl", "sub/typo", "codex:{}/typo.jsonl"])
def test_a_file_that_is_not_there_is_called_a_file(segue: Segue, tmp_path: Path, name: str) -> None:
    ran = segue("sessions", "show", name.format(tmp_path))
    path = name.format(tmp_path).removeprefix("codex:")
    assert (ran.code, ran.err.splitlines()[0]) == (1, f"segue: There is no file {path}.")


@pytest.mark.parametrize("json_flag", [(), ("--json",)])
def test_a_session_from_standard_input_shows_no_scratch_file(
    segue: Segue, tmp_path: Path, json_flag: tuple[str, ...]
) -> None:
    ran = segue("sessions", "show", "-", *json_flag, stdin=record(tmp_path).read_bytes())
    assert ran.code == 0 and "hello" in ran.out
    assert "stdin.jsonl" not in ran.out + ran.err


def test_what_is_no_session_on_standard_input_is_called_standard_input(segue: Segue) -> None:
    ran = segue("sessions", "show", "-", stdin=b"what is this?\n")
    assert (ran.code, ran.err.splitlines()[0]) == (
        2,
        "segue: Standard input looks like none of the 21 session formats segue reads.",
    )


def test_of_a_file_of_gigabytes_a_list_reads_the_two_ends(
    segue: Segue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = record(tmp_path, prompt="the first prompt")
    first = path.read_bytes()
    last = first.replace(b"the first prompt", b"the last prompt").replace(
        b'"parentUuid": null', b'"parentUuid": "11111111-2222-4333-8444-555555555555"'
    )
    last = last.replace(b'"uuid": "11111111', b'"uuid": "21111111')
    with path.open("r+b") as file:
        file.truncate(5_000_000_000)
        file.seek(0, os.SEEK_END)
        file.write(b"\n" + last)
    read = []
    pread = os.pread

    def counted(fd: int, count: int, offset: int) -> bytes:
        read.append(count)
        return pread(fd, count, offset)

    monkeypatch.setattr(os, "pread", counted)
    (row,) = segue("sessions", "--json").json["sessions"]
    assert (row["last_prompt"], row["bytes"]) == ("the last prompt", path.stat().st_size)
    assert sum(read) < 100_000_000
    assert row["partly"] is True
    assert " turns or more · 5000.0 MB" in segue("sessions").out
