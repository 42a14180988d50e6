"""Sessions of other programs: found, listed from a cache, shown without secrets, searched."""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import pytest

from segue import samples
from segue.errors import BadInput, NotFound
from segue.redaction.redact import Redactor
from segue.service.sessions import lookup, rows

SECRET = "tk-Zq81LmX02pPw7vRtY4"
FIXTURES = Path(__file__).parents[2] / "fixtures" / "agents"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with one session of Claude Code, of one project."""
    place = tmp_path / "project"
    place.mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name in ("XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(place)
    _record(tmp_path, place, Path(samples.unpack(str(place))).read_text())
    return place


def _record(tmp_path: Path, place: Path, text: str) -> Path:
    session_id = json.loads(text.splitlines()[0])["sessionId"]
    folder = tmp_path / "home" / ".claude" / "projects" / re.sub(r"[^A-Za-z0-9]", "-", str(place))
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{session_id}.jsonl"
    path.write_text(text)
    return path


def test_a_directory_lists_its_sessions_with_what_a_person_needs_to_choose(project: Path) -> None:
    (row,) = lookup.list_sessions(str(project))["sessions"]
    assert {key: row[key] for key in ("agent", "cwd", "branch", "turns")} == {
        "agent": "claude-code",
        "cwd": str(project),
        "branch": "retries",
        "turns": 2,
    }
    assert row["last_prompt"].startswith("Good. The archive moved")


def test_another_directory_has_none_but_all_shows_them(project: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    assert lookup.list_sessions(str(other)) == {"sessions": []}
    assert len(lookup.list_sessions(str(other), everywhere=True)["sessions"]) == 1


def test_a_directory_lists_what_was_begun_in_a_folder_inside_and_nothing_from_beside(
    project: Path, tmp_path: Path
) -> None:
    text = Path(samples.unpack(str(project / "src"))).read_text()
    inside = _record(tmp_path, project / "src", text.replace("5e60e000-0000", "6e60e000-0000"))
    _record(
        tmp_path, tmp_path / "project-two", text.replace(str(project / "src"), str(tmp_path / "project-two"))
    )
    with inside.open("a") as file:
        file.write(
            json.dumps({"type": "system", "subtype": "note", "timestamp": "2026-12-01T00:00:00Z"}) + "\n"
        )
    listed = lookup.list_sessions(str(project))["sessions"]
    assert sorted(row["cwd"] for row in listed) == [str(project), str(project / "src")]
    assert lookup.latest(str(project)).path == str(inside)


def test_only_what_changed_is_read_again(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (project / "session.jsonl").read_text()
    path = _record(tmp_path, project, text.replace("5e60e000", "6f60e000"))
    lookup.list_sessions(str(project), everywhere=True)
    read: list[str] = []
    plain = rows.rows_of
    monkeypatch.setattr(rows, "rows_of", lambda agent, path: (read.append(path), plain(agent, path))[1])
    assert len(lookup.list_sessions(str(project), everywhere=True)["sessions"]) == 2
    assert read == []
    with path.open("a") as file:
        file.write("\n")
    lookup.list_sessions(str(project), everywhere=True)
    assert read == [str(path)]
    path.unlink()
    assert len(lookup.list_sessions(str(project), everywhere=True)["sessions"]) == 1


def test_the_cache_is_private_and_may_be_garbage(project: Path, tmp_path: Path) -> None:
    first = lookup.list_sessions(str(project))
    cache = tmp_path / "home" / ".cache" / "segue" / "sessions.db"
    assert cache.stat().st_mode & 0o777 == 0o600
    cache.write_bytes(b"garbage" * 999)
    assert lookup.list_sessions(str(project)) == first


@pytest.mark.parametrize("name", ["5e60e000", "claude-code:5e60e000", "claude-code:"])
def test_a_session_is_named_by_its_beginning_or_by_its_agent(project: Path, name: str) -> None:
    assert lookup.find(name).agent == "claude-code"


def test_a_file_needs_no_flag(project: Path) -> None:
    assert lookup.at(str(project / "session.jsonl")).agent == "claude-code"


def test_what_is_not_there_is_said_with_where_it_was_looked_for(project: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(NotFound) as caught:
        lookup.latest(str(empty))
    assert "agents keep their sessions" in caught.value.hint and "--all" in caught.value.hint
    with pytest.raises(NotFound) as caught:
        lookup.latest(str(empty), "claude-code")
    assert ".claude/projects" in caught.value.hint
    with pytest.raises(NotFound):
        lookup.find("absent-session")
    with pytest.raises(BadInput):
        lookup.list_sessions(str(empty), agent="nobody")


def test_a_timeline_shows_counts_and_entries_but_no_secret(project: Path) -> None:
    found = lookup.show(lookup.at(str(project / "session.jsonl")))
    assert {k: found["counts"][k] for k in ("user", "tool_errors", "rejections", "unreadable")} == {
        "user": 2,
        "tool_errors": 3,
        "rejections": 1,
        "unreadable": 0,
    }
    assert SECRET not in str(found)
    assert found["redactions"]["total"] > 0


def test_search_finds_words_and_never_shows_a_secret(project: Path) -> None:
    (hit,) = lookup.search("tenacity decided", str(project))["hits"]
    assert (hit["line"], hit["kind"]) == (11, "agent")
    assert SECRET not in str(lookup.search("ARCHIVE_TOKEN", str(project)))
    with pytest.raises(BadInput):
        lookup.search("  ", str(project))


def test_a_path_that_cannot_be_read_costs_only_itself_and_is_said(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (project / "session.jsonl").read_text()
    deleted = _record(tmp_path, project, text.replace("5e60e000", "6f60e000"))
    folder = deleted.parent / "d.jsonl"
    folder.mkdir()
    plain = rows.rows_of

    def deleting(agent: str, path: str) -> Any:
        if path == str(deleted):
            deleted.unlink()
        return plain(agent, path)

    monkeypatch.setattr(rows, "rows_of", deleting)
    listed = lookup.list_sessions(str(project))
    assert [row["id"][:8] for row in listed["sessions"]] == ["5e60e000"]
    assert {one["path"]: one["reason"] for one in listed["skipped"]} == {
        str(folder): f"{folder} is a folder, not a file.",
        str(deleted): f"There is no file {deleted}.",
    }
    assert lookup.list_sessions(str(project))["skipped"] == [
        {"path": str(folder), "reason": f"{folder} is a folder, not a file."}
    ]
    assert lookup.find("5e60e000").session == listed["sessions"][0]["id"]
    assert lookup.latest(str(project)).session == listed["sessions"][0]["id"]
    assert len(lookup.search("tenacity decided", str(project))["hits"]) == 1


def test_a_search_goes_on_when_a_session_vanishes_meanwhile(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (project / "session.jsonl").read_text()
    deleted = _record(tmp_path, project, text.replace("5e60e000", "6f60e000"))
    lookup.list_sessions(str(project))
    plain = lookup._hits

    def deleting(row: dict[str, Any], wanted: list[str]) -> Any:
        deleted.unlink(missing_ok=True)
        return plain(row, wanted)

    monkeypatch.setattr(lookup, "_hits", deleting)
    found = lookup.search("tenacity decided", str(project))
    assert [hit["id"][:8] for hit in found["hits"]] == ["5e60e000"]
    assert found["skipped"] == [{"path": str(deleted), "reason": f"There is no file {deleted}."}]


CHATS = """
# aider chat started at 2026-01-02 10:00:00

#### rename the tests

Done.

# aider chat started at 2026-01-03 11:00:00

#### {prompt}

Done.
"""


def _chat(place: Path, prompt: str) -> Path:
    place.mkdir(exist_ok=True)
    path = place / ".aider.chat.history.md"
    path.write_text(CHATS.format(prompt=prompt))
    return path


def test_a_session_kept_in_its_project_opens_by_the_id_that_the_list_prints(
    project: Path, tmp_path: Path
) -> None:
    path = _chat(project, "add a test")
    listed = lookup.list_sessions(str(project), agent="aider")["sessions"]
    assert [row["last_prompt"] for row in listed] == ["add a test", "rename the tests"]
    for row in listed:
        assert lookup.find(row["id"]) == lookup.Source("aider", str(path), row["id"])
    everywhere = lookup.list_sessions(str(project), everywhere=True)["sessions"]
    assert {row["agent"] for row in everywhere} == {"aider", "claude-code"}


def test_of_two_sessions_of_one_name_the_one_of_this_directory_is_meant(
    project: Path, tmp_path: Path
) -> None:
    _chat(tmp_path / "home", "at home")
    mine = _chat(project, "here")
    assert lookup.find("2026-01-03", "aider").path == str(mine)
    assert lookup.find("2026-01-03", "aider", directory=str(tmp_path / "home")).path != str(mine)


def test_a_name_of_several_sessions_is_refused_with_their_files(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = _chat(tmp_path / "elsewhere", "elsewhere")
    monkeypatch.setenv("AIDER_CHAT_HISTORY_FILE", str(elsewhere))
    at_home = _chat(tmp_path / "home", "at home")
    with pytest.raises(BadInput) as caught:
        lookup.find("aider:2026-01-03")
    assert str(elsewhere) in caught.value.hint and str(at_home) in caught.value.hint


def test_a_name_is_never_guessed_from_almost_nothing(project: Path) -> None:
    with pytest.raises(BadInput, match="empty"):
        lookup.find("")
    with pytest.raises(BadInput, match="too short"):
        lookup.find("5e6")
    assert lookup.find("5e60").agent == "claude-code"


def _hashed(algorithm: str) -> Callable[[Path], str]:
    return lambda place: hashlib.new(algorithm, str(place).encode()).hexdigest()


def _dashed(place: Path) -> str:
    return re.sub(r"[/.]", "-", str(place).strip("/"))


@pytest.mark.parametrize(
    ("agent", "fixture", "kept", "named"),
    [
        ("cursor", "transcript/input.jsonl", "home/.cursor/projects/{}/agent-transcripts/c1.jsonl", _dashed),
        ("kimi-cli", "messages/input.jsonl", "home/.kimi/sessions/{}/k1/context.jsonl", _hashed("md5")),
        ("gemini-cli", "document/input.json", "home/.gemini/tmp/{}/chats/session-1.json", _hashed("sha256")),
        ("swe-agent", "lines/input.traj", "{}/trajectories/me/one.traj", lambda place: place.name),
    ],
    ids=lambda value: value if isinstance(value, str) and "/" not in value else "",
)
def test_a_session_that_says_no_directory_belongs_where_its_program_keeps_it(
    project: Path, tmp_path: Path, agent: str, fixture: str, kept: str, named: Callable[[Path], str]
) -> None:
    path = tmp_path / kept.format(named(project))
    path.parent.mkdir(parents=True)
    path.write_bytes((FIXTURES / agent / fixture).read_bytes())
    (row,) = lookup.list_sessions(str(project), agent)["sessions"]
    assert row["path"] == str(path) and "cwd" not in row
    assert lookup.find(row["id"], agent).path == str(path)
    assert lookup.latest(str(project), agent).path == str(path)
    other = tmp_path / "other"
    other.mkdir()
    assert lookup.list_sessions(str(other), agent) == {"sessions": []}
    with pytest.raises(NotFound):
        lookup.latest(str(other), agent)


@pytest.mark.parametrize("cwd", ["[trimmed 40 characters]", "project", "."])
def test_a_directory_that_is_no_absolute_path_is_nobodys(project: Path, tmp_path: Path, cwd: str) -> None:
    text = (project / "session.jsonl").read_text()
    _record(tmp_path, project, text.replace(json.dumps(str(project)), json.dumps(cwd)))
    assert lookup.list_sessions(str(project)) == {"sessions": []}
    with pytest.raises(NotFound):
        lookup.latest(str(project))


def _goose(tmp_path: Path, place: Path) -> apsw.Connection:
    path = tmp_path / "home" / ".local" / "share" / "goose" / "sessions" / "sessions.db"
    path.parent.mkdir(parents=True)
    db = apsw.Connection(str(path))
    db.execute(
        "CREATE TABLE sessions (id TEXT PRIMARY KEY, description TEXT, working_dir TEXT,"
        " created_at TEXT, updated_at TEXT);"
        "CREATE TABLE messages (id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, content_json TEXT,"
        " created_timestamp INTEGER)"
    )
    db.execute(
        "INSERT INTO sessions VALUES ('20260101_1', 'One', ?, '2026-01-01', '2026-01-01')", (str(place),)
    )
    return db


def test_a_locked_database_is_said_and_read_once_it_is_free(project: Path, tmp_path: Path) -> None:
    db = _goose(tmp_path, project)
    db.execute("BEGIN EXCLUSIVE")
    listed = lookup.list_sessions(str(project), "goose")
    assert listed["sessions"] == []
    assert "locked by another program" in listed["skipped"][0]["reason"]
    with pytest.raises(NotFound, match="locked by another program"):
        lookup.latest(str(project), "goose")
    db.execute("ROLLBACK")
    assert [row["id"] for row in lookup.list_sessions(str(project), "goose")["sessions"]] == ["20260101_1"]
    db.close()


def test_a_database_of_another_layout_is_passed_over_and_said(project: Path, tmp_path: Path) -> None:
    db = _goose(tmp_path, project)
    db.execute("ALTER TABLE messages RENAME COLUMN content_json TO body")
    db.close()
    listed = lookup.list_sessions(str(project), "goose")
    assert listed["sessions"] == []
    assert "another layout" in listed["skipped"][0]["reason"]


def test_what_a_database_holds_only_in_its_journal_is_seen(project: Path, tmp_path: Path) -> None:
    db = _goose(tmp_path, project)
    db.pragma("journal_mode", "wal")
    assert len(lookup.list_sessions(str(project), "goose")["sessions"]) == 1
    db.execute("INSERT INTO sessions SELECT '20260102_2', 'Two', working_dir, '', '' FROM sessions")
    assert len(lookup.list_sessions(str(project), "goose")["sessions"]) == 2
    db.close()


def test_sub_agents_do_not_rename_the_session() -> None:
    from segue.model.entry import Entry

    summary = rows.Summary(lookup.Source("claude-code", "absent.jsonl"))
    for agent_id, facts in (
        ("", {"id": "main"}),
        ("", {"id": "later", "title": "T"}),
        ("a1", {"id": "sub", "title": "S"}),
    ):
        summary.add(Entry(kind="meta", file="f", line=1, agent_id=agent_id, data=facts))
    row = summary.row(Redactor())
    assert (row["id"], row["title"]) == ("main", "T")


def test_reading_a_session_tells_how_far_it_is(project: Path) -> None:
    path = project / "session.jsonl"
    told: list[tuple[int, int, str]] = []
    lookup.show(lookup.at(str(path)), progress=lambda *told_now: told.append(told_now))
    size = path.stat().st_size
    assert {(total, what) for _, total, what in told} == {(size, str(path))}
    assert 0 < told[-1][0] < size


def test_a_file_of_several_sessions_tells_of_the_others(project: Path) -> None:
    path = str(_chat(project, "add a test"))
    assert lookup.show(lookup.at(path))["others"] == 1
    assert "others" not in lookup.show(lookup.find("2026-01-03"))
    assert "others" not in lookup.show(lookup.at(str(project / "session.jsonl")))


def test_a_branch_is_named_by_the_beginning_of_a_native_id(project: Path) -> None:
    source = lookup.at(str(project / "session.jsonl"))
    entries = lookup.show(source)["entries"]
    native_id = entries[-1].native_id
    assert lookup.show(source, native_id[:8])["entries"] == lookup.show(source, native_id)["entries"]


def test_broken_links_and_empty_files_are_called_so(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "broken.jsonl").symlink_to(project / "gone.jsonl")
    (project / "empty.jsonl").write_bytes(b"")
    with pytest.raises(NotFound, match=r"broken\.jsonl is a broken link: .*gone\.jsonl is not there"):
        lookup.find("broken.jsonl")
    for agent in (None, "claude-code"):
        with pytest.raises(BadInput, match=r"empty\.jsonl is empty"):
            lookup.find("empty.jsonl", agent)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO()))
    with pytest.raises(BadInput, match="Standard input is empty"):
        lookup.from_stdin()


@pytest.mark.parametrize("whose", ["", "claude-code:"])
def test_a_pipe_that_a_shell_opened_is_read_like_standard_input(project: Path, whose: str) -> None:
    recorded = next(project.parent.rglob("*.jsonl")).read_bytes()[:30_000]  # a pipe holds 64 KiB
    out, into = os.pipe()
    try:
        os.write(into, recorded)
        os.close(into)
        source = lookup.find(f"{whose}/dev/fd/{out}")
    finally:
        os.close(out)
    assert (source.agent, source.piped) == ("claude-code", True)
    assert Path(source.path).read_bytes() == recorded


def test_where_only_records_of_sub_agents_are_left_that_is_said(
    project: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "claude"))
    left = (
        tmp_path
        / "claude/projects"
        / re.sub(r"[^A-Za-z0-9]", "-", str(project))
        / "s-1/subagents/agent-a.jsonl"
    )
    left.parent.mkdir(parents=True)
    left.write_text("{}\n")
    with pytest.raises(NotFound) as told:
        lookup.latest(str(project), "claude-code")
    assert f"Of claude-code there is only what sub-agents did: a file, as {left}." in told.value.message


def test_every_place_that_was_looked_at_has_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(NotFound) as told:
        lookup.latest(str(tmp_path))
    assert not [part for part in told.value.hint.split(", ") if part.endswith(" in ")]


def test_what_a_fork_inherited_is_part_of_it_and_found_where_it_comes_from(
    project: Path, tmp_path: Path
) -> None:
    parent, fork = "019cae00-0000-7000-8000-000000000009", "019caf00-0000-7000-8000-000000000001"
    base = {"thread_id": parent, "end_ordinal_exclusive": 2}
    day = tmp_path / "home" / ".codex" / "sessions" / "2026" / "03" / "02"
    day.mkdir(parents=True)
    for id, text, head in ((parent, "a walrus", {}), (fork, "other", {"history_base": base})):
        rows = [
            {"type": "session_meta", "payload": {"id": id, "cwd": str(project), **head}},
            {"type": "event_msg", "payload": {"type": "user_message", "message": text}},
        ]
        name = f"rollout-2026-03-02T10-00-00-{id}.jsonl"
        (day / name).write_text("".join(json.dumps(row) + "\n" for row in rows))
    turns = {row["id"]: row["turns"] for row in lookup.list_sessions(str(project), "codex")["sessions"]}
    assert turns == {parent: 1, fork: 2}
    assert [hit["id"] for hit in lookup.search("walrus", str(project))["hits"]] == [parent]
    shown = lookup.show(lookup.find(fork))
    assert (shown["counts"]["user"], shown["counts"]["inherited"]) == (1, 1)


def test_a_session_in_a_repository_below_is_about_that_one(project: Path, tmp_path: Path) -> None:
    (source,) = [lookup.latest(str(project))]
    (tmp_path / ".git").mkdir()
    assert lookup.workplace(source, str(tmp_path)) == str(tmp_path)
    (project / ".git").mkdir()
    assert lookup.workplace(source, str(tmp_path)) == str(project)
    assert lookup.workplace(source, str(project)) == str(project)
