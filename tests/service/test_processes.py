"""Several processes at once: a session is told once, whoever tells it, and a checkpoint is made once."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

from segue.model.frame import CHECKPOINT as CHECKPOINT_CREATED
from segue.model.frame import MESSAGE, RUN_SPAWNED, SIDE_EFFECTS, Draft
from segue.model.thread import LIBRARY
from segue.service.health import checkup
from segue.service.threads import streams
from segue.service.workspace import Workspace

WORKERS, LINES = 4, 3000

IMPORT = """
import json, os, sys
from segue.service import workspace
from segue.service.imports import intake
from segue.service.sessions import lookup
here = workspace.find(sys.argv[1])
print("ready", flush=True)
sys.stdin.readline()
print(json.dumps(intake.import_session(here, lookup.at(sys.argv[2]))))
"""

CHECKPOINT = """
import json, sys
from segue.service import workspace
from segue.service.threads import contexts
here = workspace.find(sys.argv[1])
print("ready", flush=True)
sys.stdin.readline()
print(json.dumps(contexts.checkpoint_automatically(here, sys.argv[2], stride=10, max_new=20)))
"""


def at_once(
    code: str, *words: str, meanwhile: Path | None = None, more: list[str] | None = None
) -> list[str]:
    """What each of several processes says that start their work together; `more` is added to a file while
    they are at it."""
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", code, *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(WORKERS)
    ]
    for worker in workers:
        assert worker.stdout is not None
        assert worker.stdout.readline() == "ready\n"
    for worker in workers:
        assert worker.stdin is not None
        worker.stdin.write("go\n")
        worker.stdin.flush()
    if meanwhile is not None:
        with meanwhile.open("a") as file:
            for line in more or ():
                file.write(line)
                file.flush()
    said = [worker.communicate() for worker in workers]
    assert [(error[-800:], worker.returncode) for (_, error), worker in zip(said, workers, strict=True)] == [
        ("", 0)
    ] * WORKERS
    return [out for out, _ in said]


def session_lines(first: int, last: int) -> list[str]:
    """A session of Claude Code: a question, a call, its result and an answer, over and over."""
    lines = []
    for number in range(first, last):
        of_turn, turn = number % 4, number // 4
        call = f"toolu_{turn}"
        content: object = f"question {turn}"
        if of_turn == 1:
            content = [{"type": "tool_use", "id": call, "name": "Bash", "input": {"command": f"make {turn}"}}]
        elif of_turn == 2:
            content = [{"type": "tool_result", "tool_use_id": call, "content": f"made {turn}"}]
        elif of_turn == 3:
            content = [{"type": "text", "text": f"answer {turn}"}]
        role = "assistant" if of_turn % 2 else "user"
        message = {"role": role, "content": content, **({"id": f"msg_{number}"} if of_turn % 2 else {})}
        record = {
            "type": role,
            "uuid": f"r{number}",
            "parentUuid": f"r{number - 1}" if number else None,
            "sessionId": "5e550000-0000-7000-8000-000000000001",
            "cwd": "/project",
            "timestamp": "2026-01-05T10:00:00.000Z",
            "message": message,
        }
        lines.append(json.dumps(record) + "\n")
    return lines


def told(workspace: Workspace, outs: list[str]) -> Counter[tuple[str, str]]:
    """How often each message, run and side effect is in the one thread that all of them name."""
    (thread_id,) = {json.loads(out)["thread_id"] for out in outs}
    names = {MESSAGE: "content", RUN_SPAWNED: "run_session_id", SIDE_EFFECTS: "tool_id"}
    frames = list(streams.events(workspace, thread_id))
    assert sum(json.loads(out)["added"] for out in outs) == len(frames) - 1
    return Counter((f.type, f.data[names[f.type]]) for f in frames if f.type in names)


def expected(lines: int) -> Counter[tuple[str, str]]:
    turns = range(lines // 4)
    words = [(MESSAGE, f"{kind} {turn}") for turn in turns for kind in ("question", "answer")]
    runs = [(RUN_SPAWNED, f"5e550000-0000-7000-8000-000000000001#{turn * 4 + 1}") for turn in turns]
    return Counter([*words, *runs, *((SIDE_EFFECTS, f"toolu_{turn}") for turn in turns)])


def test_a_session_that_several_processes_import_at_once_is_told_once(
    workspace: Workspace, tmp_path: Path
) -> None:
    path = tmp_path / "session.jsonl"
    path.write_text("".join(session_lines(0, LINES)))
    outs = at_once(IMPORT, workspace.root, str(path))
    assert told(workspace, outs) == expected(LINES)
    assert checkup.verify(workspace)["ok"]


def test_a_session_that_grows_while_several_processes_import_it_is_told_once(
    workspace: Workspace, tmp_path: Path
) -> None:
    path = tmp_path / "session.jsonl"
    path.write_text("".join(session_lines(0, LINES)))
    outs = at_once(IMPORT, workspace.root, str(path), meanwhile=path, more=session_lines(LINES, LINES * 2))
    outs += at_once(IMPORT, workspace.root, str(path))
    assert told(workspace, outs) == expected(LINES * 2)


def test_checkpoints_that_several_processes_make_at_once_are_made_once(workspace: Workspace) -> None:
    thread_id = streams.create(workspace)["thread_id"]
    said = [Draft(MESSAGE, LIBRARY.stamp({"role": "user", "content": f"message {n}"})) for n in range(200)]
    frames = workspace.log.append(thread_id, said)
    outs = at_once(CHECKPOINT, workspace.root, thread_id)
    made = [frame.data for frame in workspace.log.read(thread_id, types=(CHECKPOINT_CREATED,))]
    assert [data["to_seq"] for data in made] == [frame.seq for frame in frames[9::10]]
    told = [row["checkpoint_id"] for out in outs for row in json.loads(out)["result"]]
    assert sorted(told) == sorted(data["checkpoint_id"] for data in made)
