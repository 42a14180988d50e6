"""Whatever an operation is told, no secret of it is stored: every text of every operation is tried, one at a time."""

from __future__ import annotations

import contextlib
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from segue.errors import SegueError
from segue.handoff.headings import DOCUMENT
from segue.model.thread import Provenance
from segue.service import artifacts
from segue.service.operations import IDS, OPERATIONS, Operation, is_id, named
from segue.service.signatures import perform, signature
from segue.service.workspace import Workspace

PATH = tuple[str | int, ...]
SECRET = "gh" + "p_" + "a8Kd02mZq7Rt5Yw1Xc9Ve3Bn6Hj4Gf"
WRITES = [operation for operation in OPERATIONS if operation.writes]
HANDOFF = "\n".join(
    f"## {name}\n\n- Ported the retry loop in uploader.py; `pytest -q` printed 4 passed [#19].\n"
    for name in DOCUMENT
)
REFS = {
    "threads": [{"thread_id": "THREAD", "note": "why"}],
    "artifacts": [{"artifact_id": "ARTIFACT", "note": "why"}],
    "files": [{"path": "notes.md", "note": "why"}],
}
EFFECT = {
    "tool_id": "t",
    "tool_name": "Bash",
    "affected_paths": ["a.py"],
    "command": "make",
    "excerpt": "it ran",
}
PAST = {
    "project": "segue",
    "default_author": "Kim",
    "changes": [
        {
            "status": "tested",
            "title": "what was done",
            "description": "a change of old",
            "scope": "feature",
            "tags": ["old"],
        }
    ],
}
UPDATE = {
    "title": "what is done",
    "project": "segue",
    "summary": "a summary of some words",
    "motivation": "because it was needed",
    "detailed_design": "one seam",
    "add_breaking_changes": ["none"],
    "add_dependencies": ["none"],
    "files": [{"path": "a.py", "description": "what changed"}],
    "add_tests": [{"title": "it holds", "procedure": ["run it"], "expected_result": "it holds"}],
    "add_subs": [{"title": "first part"}],
    "add_tags": ["safety"],
    "notes": ["a note"],
    "progress": "half of it",
    "add_next": ["the other half"],
    "add_blockers": ["nobody has time"],
    "add_context": ["it is late"],
    "files_in_progress": [{"path": "b.py", "state": "partially_done"}],
    "decisions": [{"decision": "one seam", "rationale": "it is one"}],
    "maturity": {"stage": "early", "more": {"word": "said"}},
}
SAMPLES: dict[str, dict[str, Any]] = {
    "thread.create": {"title": "a title"},
    "thread.amend": {"thread_id": "THREAD", "title": "a title", "add_tags": ["one"], "remove_tags": ["two"]},
    "thread.post": {
        "thread_id": "THREAD",
        "content": "a message",
        "role": "user",
        "run": "r1",
        "run_ended": "it is done",
        "effects": [EFFECT],
    },
    "thread.branch": {"thread_id": "THREAD", "title": "a title"},
    "thread.handoff": {
        "thread_id": "THREAD",
        "title": "a title",
        "summary_markdown": "a summary",
        "goal": "a goal",
        "refs": REFS,
        "agent": "codex",
        "session_id": "s1",
    },
    "thread.reference": {"thread_id": "THREAD", "to_thread_id": "OTHER", "note": "why"},
    "thread.compile": {"thread_id": "THREAD", "run": "r1"},
    "thread.checkpoint": {"thread_id": "THREAD", "summary_markdown": "a summary"},
    "thread.checkpoints-due": {"thread_id": "THREAD"},
    "artifact.put": {"data": b"a text"},
    "draft.write": {"text": HANDOFF, "host": "codex", "session_id": "s1", "sensitivity": "private"},
    "draft.approve": {"expect": "DRAFT"},
    "draft.reject": {"reason": "not yet"},
    "replay": {"host": "codex", "session_id": "s1"},
    "ack": {"host": "codex", "session_id": "s1", "evidence": "it said so"},
    "forget": {"targets": ["OTHER"], "reason": "it was a mistake"},
    "change.init": {"project": "segue", "author": "Kim", "force": True},
    "change.new": {
        "title": "another change",
        "scope": "feature",
        "summary": "a summary of it",
        "motivation": "it was needed",
        "name": "another",
        "priority": "high",
        "author": "Kim",
        "session_id": "s1",
        "platform": "codex",
        "model": "a model",
        "thread": "THREAD",
        "more": UPDATE,
    },
    "change.retro": {"past": PAST},
    "change.update": {"tc_id": "CHANGE", "wanted": UPDATE, "author": "Kim", "reason": "more is known"},
    "change.resume": {
        "tc_id": "CHANGE",
        "platform": "codex",
        "model": "a model",
        "session_id": "s2",
        "summary": "what was done so far",
        "author": "Kim",
    },
    "change.close": {
        "tc_id": "TESTED",
        "approve_by": "Kim",
        "approval_notes": "well done",
        "summary": "all is done",
        "author": "Kim",
        "reason": "it is over",
    },
    "change.link": {
        "tc_id": "CHANGE",
        "pulls": ["https://git.test/kim/app/pull/7"],
        "releases": ["v1.2.3"],
        "ranges": ["HEAD~1..HEAD"],
        "author": "Kim",
        "reason": "it is out",
    },
}
UNTRIED = {
    "thread.ensure": "is told nothing",
    "change.rebuild": "is told nothing",
    "change.dashboard": "is told nothing",
    "rebuild": "is told nothing",
    "gc": "is told nothing",
    "doctor": "is told nothing but whether to mend",
    "session.take": "takes a session, whose entries are redacted one by one",
    "session.import": "names a session of this machine",
    "change.promote": "names points of the record",
    "handoff.commit": "needs a session of this machine; it ends in `thread.handoff`",
}


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    root = tmp_path / "project"
    root.mkdir()
    subprocess.run(["git", "init", "-q", root], check=True)
    for number in range(2):
        who = ["-c", "user.name=Kim", "-c", "user.email=kim@example.test"]
        subprocess.run(["git", "-C", root, *who, "commit", "-qm", f"{number}", "--allow-empty"], check=True)
    (root / "notes.md").write_text("notes\n")
    return Workspace(str(root))


def leaves(value: Any, at: PATH = ()) -> Iterator[tuple[PATH, bool]]:
    """Where a text stands in a value, or the key of one, that is no id."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if not is_id(key):
                yield from leaves(inner, (*at, key))
            if "maturity" in at:
                yield (*at, key), True
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from leaves(inner, (*at, index))
    elif isinstance(value, str | bytes):
        yield at, False


def planted(value: Any, at: PATH, is_key: bool) -> Any:
    """The value with a secret in the text at a place, or in the key there."""
    if not at:
        return value + f" {SECRET}".encode() if isinstance(value, bytes) else f"{value} {SECRET}"
    first, *rest = at
    if is_key and not rest:
        return {f"{key} {SECRET}" if key == first else key: inner for key, inner in value.items()}
    made = dict(value) if isinstance(value, dict) else list(value)
    made[first] = planted(value[first], tuple(rest), is_key)
    return made


def prepared(workspace: Workspace) -> dict[str, str]:
    """What the samples name: a thread, another, an artifact, a change; and a draft and a replay where one is needed."""
    run = lambda name, **values: perform(named(name), workspace, values, Provenance())  # noqa: E731
    thread = run("thread.create", title="first")["thread_id"]
    run("thread.post", thread_id=thread, content="hello")
    other = run("thread.create", title="second")["thread_id"]
    run("change.init", project="segue", author="Kim")
    draft = run("draft.write", text=HANDOFF, host="codex", session_id="s0")["artifact_id"]
    run("draft.approve", expect=draft)
    run("replay", host="codex", session_id="s1")
    waiting = run("draft.write", text=HANDOFF, host="codex", session_id="s1")["artifact_id"]
    return {
        "DRAFT": waiting,
        "THREAD": thread,
        "OTHER": other,
        "ARTIFACT": artifacts.put(workspace, b"stored")["artifact_id"],
        "CHANGE": run("change.new", title="a change", scope="feature")["tc_id"],
        "TESTED": run("change.retro", past=PAST)["changes"][0]["tc_id"],
    }


def filled(value: Any, names: dict[str, str]) -> Any:
    if isinstance(value, dict):
        return {key: filled(inner, names) for key, inner in value.items()}
    if isinstance(value, list):
        return [filled(inner, names) for inner in value]
    return names.get(value, value) if isinstance(value, str) else value


def stored(workspace: Workspace) -> Iterator[tuple[str, bytes]]:
    """Every byte that is kept: the files of the project and of the workspace, and every frame and artifact."""
    for path in Path(workspace.root).rglob("*"):
        if path.is_file() and ".git" not in path.parts:
            yield str(path), path.read_bytes()
    for row in perform(named("thread.list"), workspace, {}, Provenance())["threads"]:
        for frame in workspace.log.read(row["thread_id"]):
            yield frame.type, frame.body
    for artifact_id, _ in workspace.artifacts.ids():
        yield artifact_id, workspace.artifacts.get(artifact_id)


@pytest.mark.parametrize(
    "operation", [row for row in WRITES if row.name in SAMPLES], ids=lambda row: row.name
)
def test_no_text_of_an_operation_stores_a_secret(workspace: Workspace, operation: Operation) -> None:
    sample = filled(SAMPLES[operation.name], prepared(workspace))
    by = Provenance(f"Kim {SECRET}", f"somewhere {SECRET}")
    for at, is_key in leaves(sample):
        with contextlib.suppress(SegueError):  # where it takes only some words
            perform(operation, workspace, planted(sample, at, is_key), by)
        assert [place for place, data in stored(workspace) if SECRET.encode() in data] == [], at


@pytest.mark.parametrize(
    "operation", [row for row in WRITES if row.name in SAMPLES], ids=lambda row: row.name
)
def test_the_sample_of_an_operation_is_taken(workspace: Workspace, operation: Operation) -> None:
    assert perform(operation, workspace, filled(SAMPLES[operation.name], prepared(workspace)), Provenance())


@pytest.mark.parametrize("operation", WRITES, ids=lambda row: row.name)
def test_every_text_of_an_operation_is_tried_or_named_as_an_id(operation: Operation) -> None:
    if operation.name in UNTRIED:
        return
    texts = {
        field.name
        for field in msgspec.structs.fields(signature(operation).request)
        if "str" in str(field.type) or "segue.model" in str(field.type)
    }
    assert {name for name in texts if not is_id(name)} <= {*SAMPLES[operation.name], *_CLOSED}


_CLOSED = {"clear", "pull_state"}
"""What takes one of a few words."""


def test_an_id_has_a_reason() -> None:
    assert all(IDS.values())
