"""Codex's outputs, scripts and forks are understood as far as their text says, and no further."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from segue.agents.codex import reader as codex
from segue.agents.codex import script
from segue.agents.codex.calls import of_function, of_text
from segue.agents.codex.output import outcome
from segue.agents.codex.wire import Block
from segue.model.entry import Entry

HEADER = "Chunk ID: 1\nWall time: 0.1 seconds\n"


@pytest.mark.parametrize(
    ("output", "code", "is_error"),
    [
        (f"{HEADER}Process exited with code 0\nOutput:\nfine", 0, False),
        (f"{HEADER}Process exited with code -9\nOutput:\nkilled", -9, True),
        ("Command: echo 'Process exited with code 3'\nProcess exited with code 0\nOutput:\n", 0, False),
        (f"{HEADER}Output:\nProcess exited with code 7\nOutput:\n", None, None),
        ("Exit code: 2\nWall time: 1 seconds\nOutput:\nno", 2, True),
        ('{"output":"done","metadata":{"exit_code":1}}', 1, True),
        ('{"output":"a tool of its own"}', None, None),
        ("apply_patch verification failed: no such line", None, True),
        ("exec_command failed for `x`: SandboxDenied", None, True),
        ("aborted by user after 3s", None, None),
        ("the build failed: see the log", None, None),
        ("Script completed\nWall time 0.1 seconds\nOutput:\nfine", None, None),
        ("Script failed\nWall time 0.1 seconds\nOutput:\nScript error: no", None, True),
        (
            [
                Block("input_text", "Script completed\nOutput:\n"),
                Block("input_text", '{"exit_code":4,"output":"x"}'),
            ],
            4,
            True,
        ),
        (
            [Block("input_text", "Script completed\nOutput:\n"), Block("input_text", '{"exit_code":4}')],
            None,
            None,
        ),
        (Block(content="old style", success=False), None, True),
        (None, None, None),
    ],
)
def test_an_outcome_is_what_the_record_says(
    output: str | list[Block] | Block | None, code: int | None, is_error: bool | None
) -> None:
    told = outcome(output)
    assert (told.exit_code, told.is_error) == (code, is_error)


def test_a_refusal_is_known_by_its_words() -> None:
    assert outcome('exec_command failed for `rm x`: Rejected("rejected by user")').rejected


@pytest.mark.parametrize(
    ("source", "command"),
    [
        ('await tools.exec_command({cmd:"a \\"b\\"\\tc"})', 'a "b"\tc'),
        ("await tools.exec_command({'cmd': 'it\\'s \\x41\\u0042\\u{43}'})", "it's ABC"),
        ("await tools.exec_command({cmd: `two\nlines`})", "two\nlines"),
        ("await tools.exec_command({cmd: String.raw`a\\n`})", "a\\n"),
        ('const cmd = "ls -l"; await tools.exec_command({cmd})', "ls -l"),
        ('await tools.exec_command({cmd: "never closed', "never closed"),
        ('log("cmd: not this one"); await tools.exec_command({cmd: "this one"})', "this one"),
    ],
)
def test_a_command_is_read_from_any_literal(source: str, command: str) -> None:
    assert script.read(source).commands == (command,)


@given(st.text(alphabet="\"'`\\\n{}:=ab $", max_size=60))
def test_any_script_is_read(source: str) -> None:
    assert of_text("exec", f"tools.exec_command({source}").tool == "exec"


def test_a_script_that_runs_and_patches_tells_both() -> None:
    call = of_text(
        "exec",
        'tools.apply_patch("*** Begin Patch\\n*** Delete File: a\\n*** End Patch"); tools.exec_command({cmd:"ls"})',
    )
    assert (call.kind, call.command, call.paths) == ("shell", "ls", ("a",))


def test_arguments_that_are_no_json_are_kept_as_text() -> None:
    assert of_function("shell", "{broken").text == "{broken"


def _rollout(path: Path, *records: tuple[str, object]) -> str:
    lines = [json.dumps({"type": type, "payload": payload}) for type, payload in records]
    path.write_text("\n".join(lines))
    return str(path)


FORK = "019caf00-0000-7000-8000-000000000001"
PARENT = "019cae00-0000-7000-8000-000000000009"


GRANDPARENT = "019cad00-0000-7000-8000-000000000005"
COPIED = (
    ("session_meta", {"id": PARENT}),
    ("event_msg", {"type": "task_started", "turn_id": PARENT}),
    ("event_msg", {"type": "user_message", "message": "the parent's"}),
    ("event_msg", {"type": "task_started", "turn_id": FORK}),
    ("event_msg", {"type": "user_message", "message": "its own"}),
)
SPAWNED = {"subagent": {"thread_spawn": {"parent_thread_id": PARENT}}}


def _words(entries: Iterable[Entry]) -> list[tuple[str, str]]:
    return [(entry.text, entry.data.get("inherited", "")) for entry in entries if entry.kind == "user"]


def test_a_persons_fork_tells_the_copy_of_its_parents_history_as_inherited(tmp_path: Path) -> None:
    path = _rollout(
        tmp_path / "rollout.jsonl", ("session_meta", {"id": FORK, "forked_from_id": PARENT}), *COPIED
    )
    assert _words(codex.read(path)) == [("the parent's", PARENT), ("its own", "")]


def test_a_sub_agents_copy_of_its_parents_history_is_told_only_when_all_is_asked_for(tmp_path: Path) -> None:
    head = {"id": FORK, "forked_from_id": PARENT, "source": SPAWNED}
    path = _rollout(tmp_path / "rollout.jsonl", ("session_meta", head), *COPIED)
    assert _words(codex.read(path)) == [("its own", "")]
    assert _words(codex.read(path, branch="all")) == [("the parent's", PARENT), ("its own", "")]


def _thread(folder: Path, id: str, words: list[str], first: int = 0, **head: object) -> Path:
    """A rollout of the newer style: a head, and a prompt per record, with ordinals that count through."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"rollout-2026-03-02T10-00-00-{id}.jsonl"
    payloads = [("session_meta", {"id": id, **head})]
    payloads += [("event_msg", {"type": "user_message", "message": text}) for text in words]
    lines = [
        json.dumps({"ordinal": first + number, "type": type, "payload": payload})
        for number, (type, payload) in enumerate(payloads)
    ]
    path.write_text("\n".join(lines) + "\n")
    return path


def _left(id: str, ordinal: int, offset: int | None = None) -> dict[str, object]:
    base = {"thread_id": id, "end_ordinal_exclusive": ordinal, "end_byte_offset": offset}
    return {"forked_from_id": id, "history_base": base}


@pytest.mark.parametrize("by_byte", [True, False])
def test_a_fork_that_links_its_parent_is_read_with_it_up_to_the_cut(tmp_path: Path, by_byte: bool) -> None:
    days = tmp_path / "sessions" / "2026" / "03"
    parent = _thread(days / "01", PARENT, ["one", "two", "three"])
    cut = len(b"".join(parent.read_bytes().splitlines(keepends=True)[:3])) if by_byte else None
    fork = _thread(days / "02", FORK, ["other"], first=3, **_left(PARENT, 3, cut))
    told = list(codex.read(str(fork)))
    assert _words(told) == [("one", PARENT), ("two", PARENT), ("other", "")]
    assert [(entry.file, entry.line) for entry in told if entry.kind == "user"] == [
        (str(parent), 2),
        (str(parent), 3),
        (str(fork), 5),
    ]
    assert [entry.data["id"] for entry in told if "id" in entry.data] == [FORK]


def test_a_fork_of_a_fork_is_read_from_the_beginning_whichever_is_archived(tmp_path: Path) -> None:
    _thread(tmp_path / "archived_sessions", GRANDPARENT, ["one", "left out"])
    _thread(tmp_path / "sessions/2026/03/01", PARENT, ["two"], first=2, **_left(GRANDPARENT, 2))
    fork = _thread(tmp_path / "sessions/2026/03/02", FORK, ["three"], first=4, **_left(PARENT, 4))
    assert _words(codex.read(str(fork))) == [("one", GRANDPARENT), ("two", PARENT), ("three", "")]


def test_a_fork_whose_parent_is_gone_says_so(tmp_path: Path) -> None:
    fork = _thread(tmp_path, FORK, ["other"], first=3, **_left(PARENT, 3))
    missing = [entry for entry in codex.read(str(fork)) if entry.kind == "other"]
    assert [entry.data for entry in missing] == [{"type": "missing parent", "parent": PARENT}]


def test_forks_that_name_each_other_are_read_once(tmp_path: Path) -> None:
    _thread(tmp_path, PARENT, ["two"], first=2, **_left(FORK, 2))
    fork = _thread(tmp_path, FORK, ["one"], first=2, **_left(PARENT, 4))
    assert _words(codex.read(str(fork))) == [("two", PARENT), ("one", "")]


@pytest.mark.parametrize("id", ["../../outside", "*", "", "019cae00-0000-7000-8000-00000000000*"])
def test_a_parents_name_that_is_no_thread_id_is_not_looked_for(tmp_path: Path, id: str) -> None:
    _thread(tmp_path / "sessions/2026/03/01", PARENT, ["secret"])
    fork = _thread(tmp_path / "sessions/2026/03/02", FORK, ["own"], first=3, **_left(id, 3))
    assert _words(codex.read(str(fork))) == [("own", "")]


def test_a_parent_outside_codexs_folders_is_not_read(tmp_path: Path) -> None:
    elsewhere = _thread(tmp_path / "elsewhere", PARENT, ["secret"])
    day = tmp_path / "home/sessions/2026/03/02"
    fork = _thread(day, FORK, ["own"], first=2, **_left(PARENT, 2))
    (day / elsewhere.name).symlink_to(elsewhere)
    assert _words(codex.read(str(fork))) == [("own", "")]


def test_a_sub_agent_that_links_its_parent_tells_its_own(tmp_path: Path) -> None:
    _thread(tmp_path, PARENT, ["the parent's"])
    fork = _thread(tmp_path, FORK, ["its own"], first=2, source=SPAWNED, **_left(PARENT, 2))
    assert _words(codex.read(str(fork))) == [("its own", "")]
    assert _words(codex.read(str(fork), branch="all")) == [("the parent's", PARENT), ("its own", "")]


def test_the_id_comes_from_the_name_where_the_head_is_lost(tmp_path: Path) -> None:
    path = _rollout(tmp_path / f"rollout-2026-03-02T10-00-00-{FORK}.jsonl", ("turn_context", {"cwd": "/x"}))
    assert list(codex.sessions(path)) == [FORK]
