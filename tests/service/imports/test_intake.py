"""A session in the log: once, in order, as far as it has got, and cut at its own ids."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from segue import samples
from segue.errors import BadInput
from segue.model.frame import BRANCHED, MESSAGE, RUN_ENDED, RUN_SPAWNED, SIDE_EFFECTS
from segue.service.health import checkup
from segue.service.imports import intake
from segue.service.sessions import lookup
from segue.service.threads import contexts, streams
from segue.service.workspace import Workspace


@pytest.fixture
def source(tmp_path: Path) -> lookup.Source:
    return lookup.at(samples.unpack(str(tmp_path)))


def test_messages_runs_and_side_effects_arrive_in_order(workspace: Workspace, source: lookup.Source) -> None:
    done = intake.import_session(workspace, source)
    kinds = [frame.type for frame in streams.events(workspace, done["thread_id"], after_seq=0)]
    assert kinds[:4] == [MESSAGE, RUN_SPAWNED, MESSAGE, SIDE_EFFECTS]
    assert kinds.count(RUN_SPAWNED) == kinds.count(RUN_ENDED) + 1
    failed = [
        frame.data["command"]
        for frame in streams.events(workspace, done["thread_id"])
        if frame.type == SIDE_EFFECTS and frame.data.get("exit_code")
    ]
    assert failed == ["python -m pytest tests/test_uploader.py -q"] * 2
    assert checkup.verify(workspace)["ok"]


def test_importing_twice_adds_nothing(workspace: Workspace, source: lookup.Source) -> None:
    first = intake.import_session(workspace, source)
    again = intake.import_session(workspace, source)
    assert (again["added"], again["head_seq"]) == (0, first["head_seq"])
    assert again["thread_id"] == first["thread_id"]


def test_what_another_import_tells_meanwhile_is_not_told_again(
    workspace: Workspace, source: lookup.Source
) -> None:
    inner: list[dict[str, Any]] = []

    def meanwhile(*_: object) -> None:
        if not inner:
            inner.append({})
            inner[0] = intake.import_session(workspace, source)

    outer = intake.import_session(workspace, source, progress=meanwhile)
    assert (outer["thread_id"], outer["added"]) == (inner[0]["thread_id"], 0)
    assert outer["head_seq"] == inner[0]["head_seq"] == inner[0]["added"]


def test_a_post_to_the_thread_while_its_session_is_imported_hinders_neither(
    workspace: Workspace, source: lookup.Source
) -> None:
    posted: list[str] = []

    def meanwhile(*_: object) -> None:
        if not posted:
            (thread,) = streams.list_threads(workspace)["threads"]
            posted.append(streams.post(workspace, thread["thread_id"], "by hand")["message_id"])

    done = intake.import_session(workspace, source, progress=meanwhile)
    assert posted[0] in [frame.id for frame in streams.events(workspace, done["thread_id"])]
    assert done["head_seq"] == done["added"] + 1
    assert intake.import_session(workspace, source)["added"] == 0


def test_importing_in_pieces_gives_what_importing_at_once_gives(
    workspace: Workspace, source: lookup.Source, tmp_path: Path
) -> None:
    lines = Path(source.path).read_text().splitlines(keepends=True)
    growing = tmp_path / "growing.jsonl"
    text = "".join(lines).replace("5e60e000-0000", "6e60e000-0000")
    for end in (3, 4, 11, 12, 26, len(lines)):
        growing.write_text("".join(text.splitlines(keepends=True)[:end]))
        piecewise = intake.import_session(workspace, lookup.at(str(growing)))
    whole = intake.import_session(workspace, source)

    def story(thread_id: str) -> list[tuple[str, object, object]]:
        return [
            (f.type, f.data.get("content"), f.data.get("tool_id"))
            for f in streams.events(workspace, thread_id, 0)
        ]

    assert story(piecewise["thread_id"]) == story(whole["thread_id"])


def test_a_branch_can_be_cut_at_a_message_by_the_programs_own_id(
    workspace: Workspace, source: lookup.Source
) -> None:
    done = intake.import_session(workspace, source)
    prompts = [
        f.data
        for f in streams.events(workspace, done["thread_id"])
        if f.type == MESSAGE and f.data["role"] == "user"
    ]
    made = streams.branch(workspace, done["thread_id"], from_message_id=prompts[0]["native_id"])
    ended = next(f for f in streams.events(workspace, done["thread_id"]) if f.type == RUN_ENDED)
    assert made["parent_seq"] == ended.seq


def test_a_message_may_be_named_by_a_beginning_of_its_native_id(
    workspace: Workspace, source: lookup.Source
) -> None:
    done = intake.import_session(workspace, source)
    said = [f for f in streams.events(workspace, done["thread_id"]) if f.type == MESSAGE]
    ids = [str(f.data["native_id"]) for f in said]
    unique = next(id[:n] for id in ids for n in range(4, 36) if sum(o.startswith(id[:n]) for o in ids) == 1)
    made = streams.branch(workspace, done["thread_id"], from_message_id=unique)
    (named,) = (f.id for f in said if f.data["native_id"].startswith(unique))
    assert made["parent_message_id"] == named


def test_a_beginning_of_several_native_ids_is_refused_with_them(
    workspace: Workspace, conversation: Conversation
) -> None:
    done = conversation.imported(workspace)
    with pytest.raises(BadInput, match="begins several native ids") as refused:
        streams.branch(workspace, done["thread_id"], from_message_id="0000")
    assert "00000001-0000-4000-8000-000000000000, 00000002-0000-4000" in refused.value.hint


def test_no_secret_reaches_the_log(workspace: Workspace, source: lookup.Source) -> None:
    done = intake.import_session(workspace, source)
    assert done["redactions"] > 0
    written = b"".join(frame.body for frame in streams.events(workspace, done["thread_id"]))
    assert b"Zq81LmX02pPw7vRtY4" not in written


def test_what_is_completed_repeated_or_joined_later_is_told_once(
    workspace: Workspace, tmp_path: Path
) -> None:
    path = tmp_path / "growing.jsonl"
    session = {
        "type": "session",
        "version": 3,
        "id": "pi-1",
        "timestamp": "2026-01-01T00:00:00Z",
        "cwd": "/x",
    }

    def message(native_id: str, parent: str | None, **content: object) -> str:
        row = {"type": "message", "id": native_id, "parentId": parent, "timestamp": "2026-01-01T00:00:01Z"}
        return json.dumps({**row, "message": content})

    first = message("a", None, role="user", content="one")
    second = message("b", "a", role="user", content="two")
    path.write_text(json.dumps(session) + "\n" + first)
    intake.import_session(workspace, lookup.at(str(path)))
    path.write_text(json.dumps(session) + "\n" + first + second + "\n")
    done = intake.import_session(workspace, lookup.at(str(path)))
    said = [f.data["content"] for f in streams.events(workspace, done["thread_id"]) if f.type == MESSAGE]
    assert said == ["one", "two"]


def test_a_secret_in_the_name_of_a_file_is_no_path_to_keep(workspace: Workspace, tmp_path: Path) -> None:
    secret = "gh" + "p_" + "A1b2C3d4" * 5
    text = Path(samples.unpack(str(tmp_path))).read_text().replace("/uploader.py", f"/{secret}.py")
    path = tmp_path / "named.jsonl"
    path.write_text(text)
    done = intake.import_session(workspace, lookup.at(str(path)))
    written = b"".join(frame.body for frame in streams.events(workspace, done["thread_id"]))
    assert secret.encode() not in written
    told = str(lookup.show(lookup.at(str(path))))
    assert (told.count(secret), told.count("[redacted:github-token]")) == (0, 7)


class Conversation:
    """A Claude Code session, written message by message; going back names an earlier parent."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "conversation.jsonl"

    def say(self, name: str, parent: str | None, text: str, role: str = "user") -> None:
        uuid, above = (f"{of:0>8}-0000-4000-8000-000000000000" if of else None for of in (name, parent))
        content = [{"type": "text", "text": text}]
        message = {"id": name, "role": role, "model": "m", "content": content}
        row = {"parentUuid": above, "isSidechain": False, "type": role, "message": message, "uuid": uuid}
        row |= {"timestamp": "2026-01-01T00:00:00Z", "sessionId": "conversation", "cwd": "/x"}
        with self.path.open("a") as file:
            file.write(json.dumps(row, separators=(",", ":")) + "\n")

    def imported(self, workspace: Workspace) -> dict[str, Any]:
        return intake.import_session(workspace, lookup.at(str(self.path)))


@pytest.fixture
def conversation(tmp_path: Path) -> Conversation:
    begun = Conversation(tmp_path)
    begun.say("1", None, "build it")
    begun.say("2", "1", "built", "assistant")
    begun.say("3", "2", "use a queue")
    begun.say("4", "3", "queued", "assistant")
    return begun


def compiled(workspace: Workspace, thread_id: str) -> list[str]:
    """The messages of a thread: its parents' up to the cuts, then its own."""
    items = contexts.compile_thread(workspace, thread_id)["bundle"]["items"]
    return [item["content"] for item in items if item["type"] == "message"]


def test_a_rewind_between_two_imports_is_a_branch_where_the_two_part(
    workspace: Workspace, conversation: Conversation
) -> None:
    first = conversation.imported(workspace)
    conversation.say("5", "2", "use a stack")
    conversation.say("6", "5", "stacked", "assistant")
    second = conversation.imported(workspace)
    assert compiled(workspace, first["thread_id"]) == ["build it", "built", "use a queue", "queued"]
    assert compiled(workspace, second["thread_id"]) == ["build it", "built", "use a stack", "stacked"]
    link = next(frame for frame in streams.events(workspace, second["thread_id"]) if frame.type == BRANCHED)
    assert link.data["parent_thread_id"] == first["thread_id"]
    assert checkup.verify(workspace)["ok"]


def test_a_branch_is_imported_once_and_goes_on_in_its_own_thread(
    workspace: Workspace, conversation: Conversation
) -> None:
    conversation.imported(workspace)
    conversation.say("5", "2", "use a stack")
    second = conversation.imported(workspace)
    again = conversation.imported(workspace)
    assert (again["thread_id"], again["added"]) == (second["thread_id"], 0)
    conversation.say("6", "5", "stacked", "assistant")
    third = conversation.imported(workspace)
    assert third["thread_id"] == second["thread_id"]
    assert compiled(workspace, third["thread_id"])[-2:] == ["use a stack", "stacked"]


def test_a_second_rewind_is_a_branch_of_the_branch(workspace: Workspace, conversation: Conversation) -> None:
    conversation.imported(workspace)
    conversation.say("5", "2", "use a stack")
    conversation.say("6", "5", "stacked", "assistant")
    second = conversation.imported(workspace)
    conversation.say("7", "6", "now test it")
    conversation.imported(workspace)
    conversation.say("8", "6", "now ship it")
    third = conversation.imported(workspace)
    assert compiled(workspace, third["thread_id"])[-3:] == ["use a stack", "stacked", "now ship it"]
    link = next(frame for frame in streams.events(workspace, third["thread_id"]) if frame.type == BRANCHED)
    assert link.data["parent_thread_id"] == second["thread_id"]


def test_whoever_returns_to_the_first_branch_goes_on_in_its_thread(
    workspace: Workspace, conversation: Conversation
) -> None:
    first = conversation.imported(workspace)
    conversation.say("5", "2", "use a stack")
    conversation.imported(workspace)
    conversation.say("6", "4", "the queue it is")
    third = conversation.imported(workspace)
    assert third["thread_id"] == first["thread_id"]
    assert compiled(workspace, third["thread_id"])[-2:] == ["queued", "the queue it is"]


def test_saying_the_same_again_after_a_rewind_is_a_branch_too(
    workspace: Workspace, conversation: Conversation
) -> None:
    first = conversation.imported(workspace)
    conversation.say("5", "2", "use a queue")
    conversation.say("6", "5", "queued better", "assistant")
    second = conversation.imported(workspace)
    assert second["thread_id"] != first["thread_id"]
    assert compiled(workspace, second["thread_id"]) == ["build it", "built", "use a queue", "queued better"]


PARENT, FORK = "019cae00-0000-7000-8000-000000000009", "019caf00-0000-7000-8000-000000000001"


def rollout(folder: Path, id: str, words: list[str], first: int = 0, **head: object) -> str:
    """A Codex thread: a head, and a prompt per record, with ordinals that count through."""
    path = folder / f"rollout-2026-03-02T10-00-00-{id}.jsonl"
    rows = [("session_meta", {"id": id, "cwd": "/x", **head})]
    rows += [("event_msg", {"type": "user_message", "message": text}) for text in words]
    lines = [json.dumps({"ordinal": first + n, "type": t, "payload": p}) for n, (t, p) in enumerate(rows)]
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def test_a_linked_fork_is_a_branch_of_its_parents_thread(workspace: Workspace, tmp_path: Path) -> None:
    rollout(tmp_path, PARENT, ["one", "two", "three"])
    base = {"thread_id": PARENT, "end_ordinal_exclusive": 3}
    fork = rollout(tmp_path, FORK, ["other"], 3, forked_from_id=PARENT, history_base=base)
    done = intake.import_session(workspace, lookup.at(fork))
    assert compiled(workspace, done["thread_id"]) == ["one", "two", "other"]
    own = [f.data["content"] for f in streams.events(workspace, done["thread_id"]) if f.type == MESSAGE]
    assert own == ["other"]
    assert intake.import_session(workspace, lookup.at(fork))["added"] == 0


def test_a_fork_whose_parent_is_nowhere_is_a_thread_of_its_own(workspace: Workspace, tmp_path: Path) -> None:
    base = {"thread_id": PARENT, "end_ordinal_exclusive": 3}
    fork = rollout(tmp_path, FORK, ["other"], 3, forked_from_id=PARENT, history_base=base)
    done = intake.import_session(workspace, lookup.at(fork))
    assert compiled(workspace, done["thread_id"]) == ["other"]


def claude_session(folder: Path, id: str, *records: tuple[str, dict[str, Any]]) -> str:
    """A Claude Code session of prompts; each record is a word and further fields of its line."""
    path = folder / f"{id}.jsonl"
    parent, lines = None, []
    for words, more in records:
        said = {"type": "user", "message": {"role": "user", "content": words}, "uuid": f"uuid-{words}"}
        lines.append({"parentUuid": parent, "isSidechain": False, **said, "sessionId": id, **more})
        parent = f"uuid-{words}"
    path.write_text("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines))
    return str(path)


def pi_session(folder: Path, id: str, *words: str, **head: str) -> str:
    path = folder / f"2026-03-02T10-00-00-000Z_{id}.jsonl"
    lines: list[dict[str, Any]] = [{"type": "session", "version": 3, "id": id, "cwd": "/x", **head}]
    parent = None
    for said in words:
        message = {"role": "user", "content": said}
        lines.append({"type": "message", "id": f"id-{said}", "parentId": parent, "message": message})
        parent = f"id-{said}"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return str(path)


def forked_with_claude_code(folder: Path) -> tuple[str, str]:
    copy = [
        (said, {"forkedFrom": {"sessionId": PARENT, "messageUuid": f"uuid-{said}"}})
        for said in ("one", "two")
    ]
    parent = claude_session(folder, PARENT, ("one", {}), ("two", {}), ("three", {}))
    return parent, claude_session(folder, FORK, *copy, ("other", {}))


def forked_with_pi(folder: Path) -> tuple[str, str]:
    parent = pi_session(folder, PARENT, "one", "two", "three")
    return parent, pi_session(folder, FORK, "one", "two", "other", parentSession=parent)


@pytest.mark.parametrize("forked", [forked_with_claude_code, forked_with_pi])
def test_what_a_fork_copied_is_left_to_the_session_it_comes_from(
    workspace: Workspace, tmp_path: Path, forked: Callable[[Path], tuple[str, str]]
) -> None:
    parent, fork = forked(tmp_path)
    shown = lookup.show(lookup.at(fork))["counts"]
    assert (shown["user"], shown["inherited"]) == (1, 2)
    done = intake.import_session(workspace, lookup.at(fork))
    assert compiled(workspace, done["thread_id"]) == ["one", "two", "other"]
    assert intake.import_session(workspace, lookup.at(parent))["added"] == 0
    own = [f.data["content"] for f in streams.events(workspace, done["thread_id"]) if f.type == MESSAGE]
    assert own == ["other"]


def test_a_parent_of_which_a_session_of_pi_has_nothing_leaves_it_its_own_words(tmp_path: Path) -> None:
    parent = pi_session(tmp_path, PARENT, "one", "two")
    later = pi_session(tmp_path, FORK, "three", parentSession=parent)
    assert lookup.show(lookup.at(later))["counts"]["inherited"] == 0


def test_a_message_keeps_the_time_at_which_it_was_said_and_an_approved_plan_its_text(
    workspace: Workspace, tmp_path: Path
) -> None:
    lines = [
        {"segue_session": 1, "id": "planned"},
        {"kind": "user", "text": "go", "time_ms": 1_772_445_600_000},
        {"kind": "plan", "text": "first this"},
        {"kind": "plan", "text": "first that", "data": {"outcome": "approved"}},
    ]
    (tmp_path / "s.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    done = intake.import_session(workspace, lookup.at(str(tmp_path / "s.jsonl")))
    told = [f.data for f in streams.events(workspace, done["thread_id"]) if f.type == MESSAGE]
    assert [(data["content"], data.get("recorded_at_ms")) for data in told] == [
        ("go", 1_772_445_600_000),
        ("first that", None),
    ]


def test_sessions_that_say_they_are_forks_of_each_other_are_imported_once(
    workspace: Workspace, tmp_path: Path
) -> None:
    for id, other in ((PARENT, FORK), (FORK, PARENT)):
        copy = {"forkedFrom": {"sessionId": other, "messageUuid": "uuid-one"}}
        file = claude_session(tmp_path, id, ("one", copy), (id, {}))
    done = intake.import_session(workspace, lookup.at(file))
    assert compiled(workspace, done["thread_id"]) == ["one", FORK]


def test_an_interruption_of_long_ago_does_not_end_a_run_of_today(
    workspace: Workspace, tmp_path: Path
) -> None:
    said = ["one", "[Request interrupted by user]", "two", "three"]
    for end in (3, 4):
        path = claude_session(tmp_path, "s1", *((words, {}) for words in said[:end]))
        done = intake.import_session(workspace, lookup.at(path))
    ended = [f.data["reason"] for f in streams.events(workspace, done["thread_id"]) if f.type == RUN_ENDED]
    assert ended == ["interrupted", "completed"]
