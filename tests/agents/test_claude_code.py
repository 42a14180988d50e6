"""Branches, replies and places of Claude Code sessions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from segue.agents.claude_code import lines
from segue.agents.claude_code import reader as claude_code
from segue.agents.locate import identify
from segue.errors import NotFound
from segue.model.entry import Entry

FIXTURES = Path(__file__).parent.parent / "fixtures" / "agents" / "claude-code"


class Session:
    """Writes a session as Claude Code does."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.parents: dict[str, str | None] = {}

    def add(self, type: str, message: dict[str, Any], parent: str | None, **more: Any) -> str:
        uuid = f"{len(self.lines):08x}-0000-4000-8000-000000000000"
        self.parents[uuid] = parent
        head = {"parentUuid": parent, "isSidechain": False}
        body = {"type": type, "message": message} if type == "user" else {"message": message, "type": type}
        record = (
            head | body | {"uuid": uuid, "timestamp": "2026-01-02T03:04:05.678Z", "sessionId": "s"} | more
        )
        self.lines.append(json.dumps(record, separators=(",", ":")))
        return uuid

    def prompt(self, text: str, parent: str | None) -> str:
        return self.add("user", {"role": "user", "content": text}, parent)

    def say(self, text: str, parent: str | None, id: str = "", output: int = 1) -> str:
        usage = {"input_tokens": 2, "output_tokens": output}
        content = [{"type": "text", "text": text}]
        return self.add(
            "assistant", {"id": id or text, "model": "m", "content": content, "usage": usage}, parent
        )

    def write(self, path: Path) -> str:
        path.write_text("\n".join(self.lines) + "\n")
        return str(path)

    def write_anew(self, path: Path) -> str:
        """The same session as another program would write it."""
        path.write_text("\n".join(json.dumps(json.loads(line), sort_keys=True) for line in self.lines) + "\n")
        return str(path)


def prompts(entries: Any) -> list[str]:
    return [entry.text for entry in entries if entry.kind == "user" and entry.by == "person"]


def test_everything_is_read_on_request_sub_agents_too() -> None:
    path = str(FIXTURES / "sub-agents" / "input.jsonl")
    told = list(claude_code.read(path, branch="all"))
    assert {entry.agent_id for entry in told if entry.kind == "agent"} == {"", "0ld5tyle", "a1b2c3d"}
    assert not any("summary of the conversation" in entry.text for entry in told)
    assert [Path(file).name for file in claude_code.subagents(path)] == ["agent-a1b2c3d.jsonl"]


def test_abandoned_turns_are_read_on_request() -> None:
    path = str(FIXTURES / "rewound" / "input.jsonl")
    kept = prompts(claude_code.read(path))
    assert kept == ["kept one", "kept two", "kept three"]
    everything = prompts(claude_code.read(path, branch="all"))
    assert everything == [
        "kept one",
        "abandoned typo",
        "kept two",
        "abandoned turn",
        "abandoned deeper",
        "kept three",
    ]


def test_the_branch_of_an_abandoned_entry_is_read_by_its_id() -> None:
    path = str(FIXTURES / "rewound" / "input.jsonl")
    abandoned = next(e for e in claude_code.read(path, branch="all") if e.text == "abandoned answer")
    branch = list(claude_code.read(path, branch=abandoned.native_id))
    assert prompts(branch) == ["kept one", "kept two", "abandoned turn", "abandoned deeper"]


def test_an_id_that_is_not_in_the_file_is_not_found() -> None:
    with pytest.raises(NotFound):
        list(claude_code.read(str(FIXTURES / "rewound" / "input.jsonl"), branch="no-such-id"))


STEPS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 10)), min_size=1, max_size=25)


@settings(max_examples=60, deadline=None)
@given(steps=STEPS, padding=st.integers(0, 20_000))
def test_the_active_branch_is_the_walk_from_the_last_line(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[int, int]], padding: int
) -> None:
    session = Session()
    ends: list[str | None] = [None]
    for number, (back, target) in enumerate(steps):
        parent = ends[-1] if back else ends[target % len(ends)]
        prompt = session.prompt(f"prompt {number} " + "x" * padding, parent)
        ends.append(session.say(f"reply {number}", prompt))
    active, leaf = set(), ends[-1]
    while leaf is not None:
        active.add(leaf)
        leaf = session.parents[leaf]
    folder = tmp_path_factory.mktemp("tree")
    for path in (session.write(folder / "tree.jsonl"), session.write_anew(folder / "anew.jsonl")):
        told = [entry.native_id for entry in claude_code.read(path) if entry.kind in ("user", "agent")]
        assert told == [uuid for uuid in session.parents if uuid in active]


@settings(max_examples=40, deadline=None)
@given(pieces=st.lists(st.lists(st.integers(1, 100), min_size=1, max_size=5), min_size=1, max_size=12))
def test_usage_counts_once_per_reply_as_it_was_last_told(
    tmp_path_factory: pytest.TempPathFactory, pieces: list[list[int]]
) -> None:
    session = Session()
    parent: str | None = None
    for number, outputs in enumerate(pieces):
        for piece, output in enumerate(outputs):
            parent = session.say(f"{number}.{piece}", parent, id=f"msg_{number}", output=output)
    path = session.write(tmp_path_factory.mktemp("usage") / "usage.jsonl")
    counted = [entry.usage.output for entry in claude_code.read(path) if entry.usage]
    assert counted == [outputs[-1] for outputs in pieces]


@settings(max_examples=30, deadline=None)
@given(sizes=st.lists(st.integers(0, 5000), min_size=1, max_size=60), broken=st.integers(0, 59))
def test_a_place_leads_back_to_its_line(
    tmp_path_factory: pytest.TempPathFactory, sizes: list[int], broken: int
) -> None:
    session = Session()
    parent: str | None = None
    for size in sizes:
        parent = session.say("x" * size or "y", parent)
    written = list(session.parents)
    if broken < len(sizes):
        session.lines[broken] += session.lines[broken]
        written.insert(broken, written[broken])
    path = session.write(tmp_path_factory.mktemp("places") / "places.jsonl")
    raw = Path(path).read_bytes()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines, "_STRETCH", 4096)
        told = [entry for entry in claude_code.read(path) if entry.kind == "agent"]
    assert [entry.native_id for entry in told] == written
    decode = json.JSONDecoder().raw_decode
    for entry in told:
        assert decode(raw[entry.offset :].decode())[0]["uuid"] == entry.native_id
        assert raw.count(b"\n", 0, entry.offset) + 1 == entry.line


def test_two_prompts_without_a_parent_are_two_beginnings(tmp_path: Path) -> None:
    session = Session()
    session.say("reply", session.prompt("first try", None))
    session.say("reply", session.prompt("second try", None))
    assert prompts(claude_code.read(session.write(tmp_path / "two.jsonl"))) == ["second try"]


def test_replies_without_an_id_are_replies_of_their_own(tmp_path: Path) -> None:
    session = Session()
    for _ in range(2):
        content = [{"type": "text", "text": "x"}]
        session.add("assistant", {"model": "m", "content": content, "usage": {"output_tokens": 3}}, None)
    told = claude_code.read(session.write(tmp_path / "ids.jsonl"))
    assert [entry.usage.output for entry in told if entry.usage] == [3, 3]


def test_times_are_milliseconds_since_the_epoch(tmp_path: Path) -> None:
    session = Session()
    session.prompt("hello", None)
    told = [
        entry.time_ms
        for entry in claude_code.read(session.write(tmp_path / "t.jsonl"))
        if entry.kind == "user"
    ]
    assert told == [1767323045678]


def test_entries_come_while_the_rest_is_unread(tmp_path: Path) -> None:
    session = Session()
    parent: str | None = None
    for number in range(2000):
        parent = session.say(f"reply {number}", parent)
    told = claude_code.read(session.write(tmp_path / "long.jsonl"))
    first = [next(told) for _ in range(3)]
    assert [entry.kind for entry in first] == ["meta", "meta", "agent"]
    assert isinstance(first[2], Entry) and first[2].usage is not None


def test_a_queued_slash_command_is_a_command_and_told_once(tmp_path: Path) -> None:
    session = Session()
    first = session.prompt("start it", None)
    queued = {
        "type": "queue-operation",
        "operation": "enqueue",
        "content": "/mcp reconnect",
        "sessionId": "s",
    }
    session.lines.append(json.dumps(queued, separators=(",", ":")))
    tags = "<command-name>/mcp</command-name>\n<command-message>mcp</command-message>\n<command-args>reconnect</command-args>"
    session.prompt(tags, first)
    told = list(claude_code.read(session.write(tmp_path / "s.jsonl")))
    assert [(entry.via, entry.text) for entry in told if entry.kind == "user"] == [
        ("prompt", "start it"),
        ("command", "/mcp reconnect"),
    ]


def test_a_queued_prompt_that_begins_with_a_path_is_a_prompt(tmp_path: Path) -> None:
    session = Session()
    session.prompt("start it", None)
    queued = {
        "type": "queue-operation",
        "operation": "enqueue",
        "content": "/etc/hosts is wrong",
        "sessionId": "s",
    }
    session.lines.append(json.dumps(queued, separators=(",", ":")))
    told = list(claude_code.read(session.write(tmp_path / "s.jsonl")))
    assert [entry.via for entry in told if entry.kind == "user"] == ["prompt", "queued"]


def test_a_rewind_to_long_ago_is_found_where_the_replaced_prompt_had_its_parent(tmp_path: Path) -> None:
    session = Session()
    first = session.say("hello", session.prompt("one", None))
    last = first
    for number in range(40):
        last = session.say("word " * 200, session.prompt(f"abandoned {number}", last))
    session.prompt("again", first)
    for number in range(40):
        last = session.say("word " * 200, session.prompt(f"also abandoned {number}", last))
    session.prompt("and again", first)
    assert prompts(claude_code.read(session.write(tmp_path / "s.jsonl"))) == ["one", "and again"]


def test_a_first_prompt_of_any_length_hides_neither_the_agent_nor_the_session(tmp_path: Path) -> None:
    file = tmp_path / "copied.jsonl"
    pasted = {"type": "user", "message": {"role": "user", "content": "x" * 200_000}}
    line = {"parentUuid": None, **pasted, "uuid": "u1", "sessionId": "5e551011-0000-4000-8000-000000000001"}
    for before in ([], [{"type": "file-history-snapshot", "messageId": "m", "snapshot": {}}]):
        file.write_text("".join(json.dumps(one) + "\n" for one in [*before, line]))
        assert identify(str(file))[0] == "claude-code"
        assert list(claude_code.sessions(str(file))) == [line["sessionId"]]
