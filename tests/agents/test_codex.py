"""Codex's outputs, scripts and forks are understood as far as their text says, and no further."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from segue.agents import codex
from segue.agents.codex import script
from segue.agents.codex.calls import of_function, of_text
from segue.agents.codex.output import outcome
from segue.agents.codex.wire import Block

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


def test_a_forks_copy_of_its_parents_history_is_told_only_when_all_is_asked_for(tmp_path: Path) -> None:
    path = _rollout(
        tmp_path / "rollout.jsonl",
        ("session_meta", {"id": FORK, "forked_from_id": PARENT}),
        ("session_meta", {"id": PARENT}),
        ("event_msg", {"type": "task_started", "turn_id": PARENT}),
        ("event_msg", {"type": "user_message", "message": "the parent's"}),
        ("event_msg", {"type": "task_started", "turn_id": FORK}),
        ("event_msg", {"type": "user_message", "message": "its own"}),
    )
    assert [entry.text for entry in codex.read(path) if entry.kind == "user"] == ["its own"]
    everything = [entry.text for entry in codex.read(path, branch="all") if entry.kind == "user"]
    assert everything == ["the parent's", "its own"]


def test_the_id_comes_from_the_name_where_the_head_is_lost(tmp_path: Path) -> None:
    path = _rollout(tmp_path / f"rollout-2026-03-02T10-00-00-{FORK}.jsonl", ("turn_context", {"cwd": "/x"}))
    assert list(codex.sessions(path)) == [FORK]
