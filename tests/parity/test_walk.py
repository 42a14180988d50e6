"""One walk, every way to take it: the answers are the same, word for word, but for ids, times and places."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from segue.service.operations import OPERATIONS

from ..conftest import Golden
from .commands import COMMANDS, SEVERAL, WITHOUT, run_here
from .conftest import FIRST, WAYS, Ask, Told, Way, leave_session, prepared

GOLDEN = Path(__file__).parents[1] / "golden" / "parity.json"
GROUNDED = "- The retries are in `no/such/file.py` [#2]\n- 99 passed [#3]\n"
DOCUMENT = """# Handoff
## Current objective
Make the retry test in tests/test_uploader.py pass.
## Current state summary
retry_with_backoff is written in uploader.py; 4 tests pass.
## Projects and files touched recently
- uploader.py: the retry loop, ready
## Decisions made
- No new dependency, because the user refused tenacity.
## Open threads
- A 4xx answer must be raised at once; nobody tests that yet.
## Active role state
Implementing, on branch retries.
## Immediate next actions
1. Add test_4xx_is_not_retried to tests/test_uploader.py and run `python -m pytest tests/test_uploader.py -q`.
## Things the next agent would regret losing
- Never retry on a 4xx answer, and keep the signature of upload() as it is.
"""
HANDOFF = "## Current objective\nMake the retry test pass.\n"
ELSEWHERE = {
    "artifact.put": "bytes",
    "artifact.get": "bytes",
    "session.take": "bytes",
    "thread.events": "a stream",
}
"""Operations whose request or answer is not JSON alone: compared by the suites of their surfaces."""


def walk(ask: Ask) -> dict[str, Any]:
    """Every operation at least once, in an order a person might choose; errors are answers, too."""
    told: dict[str, Any] = {}

    def does(name: str, note: str = "", **values: Any) -> Any:
        try:
            answer = ask(name, values)
        except Told as fault:
            answer = {"error": list(fault.args)}
        told[f"{len(told):02} {name}{note and f' ({note})'}"] = answer
        return answer

    default = does("thread.ensure")["thread_id"]
    made = does("thread.create", title="Retry tests")["thread_id"]
    does("thread.post", thread_id=made, content="Make the retry test pass.")
    does("thread.post", "a head that moved", thread_id=made, content="late", expect=0)
    does("thread.post", "an unknown field", thread_id=made, content="x", colour="red")
    does("thread.amend", thread_id=made, title="The retry test", add_tags=["net"])
    does("thread.show", thread_id=made)
    does("thread.show", "nobody", thread_id="00000000-0000-7000-8000-000000000000")
    does("thread.list")
    branch = does("thread.branch", thread_id=made, title="Another way")
    does("thread.branch", "two cuts", thread_id=made, from_seq=1, from_message_id="x")
    does("thread.handoff", thread_id=made, summary_markdown=HANDOFF, goal="finish it")
    does("thread.reference", thread_id=default, to_thread_id=made)
    does("thread.lineage", thread_id=branch.get("thread_id", ""))
    does("thread.graph")
    does("thread.search", words="retry")
    does("thread.compile", thread_id=made, budget=400)
    does("thread.audit", thread_id=made)
    does("thread.cut-points", thread_id=made, stride=1)
    does("thread.checkpoint", thread_id=made, summary_markdown="It is about retries.")
    does("thread.checkpoints-due", thread_id=made, stride=1, dry_run=True)
    does("artifact.list")
    does("session.list")
    session = "5e60e000"
    does("session.show", session=session, limit=3)
    does("session.show", "nobody", session="nosuch")
    does("session.search", words="retry")
    does("session.import", session=session)
    does("session.import", "a path", session="../../etc/passwd")
    does("handoff.draft", goal="go on", session=session)
    does("brief", goal="go on", session=session, budget=6000)
    does("brief", "never compacted", goal="", session=session, since_compaction=True)
    does("handoff.commit", goal="go on", session=session)
    does("handoff.lint", text=HANDOFF)
    does("handoff.verify", text=HANDOFF)
    does("handoff.ground", text=GROUNDED, session=session, repair=True)
    does("handoff.current")
    does("draft.write", "too little", text=HANDOFF)
    draft = does("draft.write", text=DOCUMENT, sensitivity="team")["artifact_id"]
    does("draft.show")
    does("draft.approve", "another one", expect="0" * 64)
    does("draft.approve", expect=draft)
    does("draft.reject")
    does("handoff.current", "approved")
    does("replay", host="generic", session_id="next")
    does("replay", "again", host="generic", session_id="next")
    does("ack", host="generic", session_id="next", evidence="said so")
    does("change.init", project="parity")
    words = {"title": "Retries", "summary": "Retry on 503.", "motivation": "Uploads fail."}
    change = does("change.new", **words, author="Ada")
    tc_id = change.get("tc_id", "")
    wanted = {"add_next": ["Write the test in tests/test_uploader.py"]}
    does("change.update", tc_id=tc_id, wanted=wanted, author="Ada")
    does("change.list")
    does("change.show", tc_id=tc_id)
    does("change.lint")
    does("change.rebuild")
    does("change.resume", tc_id=tc_id, dry_run=True)
    does("change.resume", tc_id=tc_id, platform="claude-code", model="m")
    does("change.promote", tc_id=tc_id, refs=["D1"])
    does("change.link", tc_id=tc_id, commits=["0000000"])
    does("change.close", tc_id=tc_id)
    does("change.retro", past={"project": "parity", "changes": []})
    does("change.dashboard")
    does("verify")
    does("rebuild")
    does("forget", "tried", targets=[f"{made}@1"], dry_run=True)
    does("forget", targets=[f"{made}@1"], reason="parity")
    does("gc", dry_run=True)
    does("status")
    does("models")
    does("doctor")
    return told


def test_the_walk_takes_in_the_whole_table() -> None:
    source = Path(__file__).read_text(encoding="utf-8")
    taken = set(re.findall(r'does\("([a-z.-]+)"', source))
    assert taken | set(ELSEWHERE) == {operation.name for operation in OPERATIONS}


@pytest.fixture(scope="session")
def common(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The answers of the library itself, in this process."""
    with (
        pytest.MonkeyPatch.context() as environment,
        WAYS[FIRST](prepared(tmp_path_factory.mktemp("common"), environment)) as way,
    ):
        leave_session(way.root)
        return {step: _settled(answer) for step, answer in walk(way.ask).items()}


def test_the_answers_are_these(common: dict[str, Any], golden: Golden) -> None:
    golden(GOLDEN, json.dumps(_outlined(common), indent=1, sort_keys=True) + "\n")


def test_every_way_gives_the_same_answers(way: Way, common: dict[str, Any]) -> None:
    told = {step: _settled(answer) for step, answer in walk(way.ask).items()}
    for step, answer in common.items():
        assert (step, told[step]) == (step, way.heard(step.split()[1], answer))


def _outlined(value: Any) -> Any:
    """With the headings of long texts alone: how a packet is worded is told by other golden files."""
    if isinstance(value, dict):
        return {name: _outlined(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_outlined(one) for one in value]
    if isinstance(value, str) and len(value) > 400:
        return [line for line in value.split("\n") if line.startswith("#")]
    return value


_SHIFTING = (
    (re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}"), "<id>"),
    (re.compile(r"\b[0-9a-f]{64}\b"), "<hash>"),
    (re.compile(r"\b[0-9a-f]{16}\b"), "<hash>"),
    (re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(\.\d+)?(Z|[+-]\d\d:\d\d)?"), "<time>"),
    (re.compile(r"TC-(\d+)-\d\d-\d\d-\d\d"), r"TC-\1-<day>"),
    (re.compile(r"(/[\w.-]+)+/(work|segue-test-\w+|home)\b"), r"<root>"),
    (re.compile(r"projects/[\w-]+"), "projects/<root>"),
    # Only who stands at the machine is told a command of its own.
    (re.compile(r"\n+Once you have read this and go on with it, run `[^`]*`\.\n"), "\n"),
)
_LEFT_OUT = frozenset(
    [
        "timestamp_ms",
        "created_at_ms",
        "updated_at_ms",
        "age_ms",
        "written_ms",
        "hash",
        "head_hash",
        "checks",
        "settings",
        "store",
        "models",
        "offset",
        "artifact_bytes",
        "tokens",
        "origin",
        "actor_id",
    ]
)
"""Times, and what tells of the machine, of the kind of store and of the way taken rather than of the work."""


def _settled(value: Any) -> Any:
    if isinstance(value, dict) and "artifacts" in value:
        found = value["artifacts"]
        value = {**value, "artifacts": len(found) if isinstance(found, list) else found > 0}
    if isinstance(value, dict):
        value.pop("bytes", None)
        return {_settled(name): _settled(one) for name, one in value.items() if name not in _LEFT_OUT}
    if isinstance(value, list):
        return [_settled(one) for one in value]
    if isinstance(value, str):
        for pattern, word in _SHIFTING:
            value = pattern.sub(word, value)
    return value


def test_every_operation_is_a_command_or_says_why_not() -> None:
    assert {*COMMANDS, *SEVERAL, *WITHOUT, *ELSEWHERE} == {operation.name for operation in OPERATIONS}


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["thread", "list"], 0),
        (["thread", "show", "00000000-0000-7000-8000-000000000000"], 1),
        (["thread", "post", "default"], 2),
    ],
    ids=str,
)
def test_a_command_says_the_same_in_a_process_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], code: int
) -> None:
    line = ["--json", "--workspace", str(prepared(tmp_path, monkeypatch)), *words]
    ran = subprocess.run([sys.executable, "-m", "segue", *line], capture_output=True, text=True)
    assert (ran.returncode, ran.stdout) == run_here(line) == (code, ran.stdout)
