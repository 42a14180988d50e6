"""A handoff that a model composed, or an agent wrote: over real sockets, committed, and grounded in the session."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ..conftest import Run
from ..llm import scripted
from ..llm.scripted import Act

SESSION = Path(__file__).parent.parent / "fixtures" / "agents" / "claude-code" / "session" / "input.jsonl"
STATED = {
    "kind": "state",
    "text": "`pytest -q` fails with a NameError: half_up.",
    "evidence": [{"line": 19, "quote": "NameError: half_up"}],
}
SAID = json.dumps({"statements": [STATED], "replaced": []})


def frames(segue: Run, kind: str) -> list[dict[str, Any]]:
    threads = segue("thread", "list", "--json").json["threads"]
    events = [segue("thread", "events", thread["thread_id"], "--json").out for thread in threads]
    rows = [json.loads(line) for out in events for line in out.splitlines()]
    return [row for row in rows if row["type"] == kind]


@pytest.mark.parametrize(
    ("service", "variable", "act"),
    [
        ("openai", "OPENAI", scripted.openai_says(SAID)),
        ("anthropic", "ANTHROPIC", scripted.anthropic_says(SAID)),
    ],
)
def test_a_model_of_a_service_composes_and_the_log_says_so(
    segue: Run, monkeypatch: pytest.MonkeyPatch, service: str, variable: str, act: Act
) -> None:
    with scripted.serving(act) as server:
        monkeypatch.setenv(f"{variable}_BASE_URL", server.url)
        monkeypatch.setenv(f"{variable}_API_KEY", scripted.KEY)
        ran = segue("handoff", "go on", "--from", str(SESSION), "--model", f"{service}:m", "--yes", "--json")
    assert ran.code == 0, ran.err
    made = ran.json
    assert f"- {STATED['text']} [#19]" in made["packet"]
    (composed,) = frames(segue, "handoff_composed")
    assert (composed["model"], composed["passes"], composed["shown"], composed["dropped"]) == (
        "m-2026",
        1,
        1,
        0,
    )
    kept = segue("artifact", "get", composed["artifact_id"]).out
    assert json.loads(kept)["statements"] == [STATED]
    sent = json.dumps(server.asked[0].body)
    assert "PERSON: Make the basket total round half up" in sent
    assert scripted.KEY not in ran.out + ran.err + sent


@pytest.mark.parametrize(
    "act",
    [
        scripted.wrong(401, "bad key"),
        scripted.wrong(429, "slow down"),
        scripted.wrong(500),
        scripted.answers(200, b"{half"),
        scripted.answers(200, b"", "text/html"),
        scripted.answers(302, b"", Location="http://127.0.0.1:9/"),
        scripted.openai_says(None),
        scripted.openai_says("no JSON here"),
        scripted.openai_says(SAID[:30], finish="length"),
    ],
)
def test_a_service_that_fails_leaves_the_mechanical_packet_and_is_named(
    segue: Run, monkeypatch: pytest.MonkeyPatch, act: Act
) -> None:
    plain = segue("handoff", "go on", "--from", str(SESSION), "--dry-run").out
    with scripted.serving(act) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", scripted.KEY)
        ran = segue("handoff", "go on", "--from", str(SESSION), "--dry-run", "--model", "openai:m")
    assert (ran.code, ran.out) == (0, plain)
    assert "openai:m: " in ran.err and "The mechanical packet stands." in ran.err
    assert scripted.KEY not in ran.err


def test_a_private_session_goes_to_no_service_that_only_the_environment_names(
    segue: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "https://models.invalid")
    monkeypatch.setenv("OPENAI_API_KEY", scripted.KEY)
    monkeypatch.setenv("SEGUE_MODEL", "openai:m")
    ran = segue("handoff", "go on", "--from", str(SESSION), "--dry-run")
    assert (ran.code, "models openai:m --allow" in ran.err) == (4, True)


PACKET = "`pytest -q` fails with a NameError: half_up [#19]"


def written(segue: Run, path: Path, statement: str) -> Path:
    plain = segue("handoff", "go on", "--from", str(SESSION), "--dry-run", "--no-repo").out
    path.write_text(plain.replace("\n## Files", f"\n**Mine**\n- {statement}\n\n## Files", 1))
    return path


def test_what_an_agent_writes_of_its_session_is_committed_when_the_session_shows_it(
    segue: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = written(segue, tmp_path / "packet.md", PACKET)
    monkeypatch.setenv("CLAUDECODE", "1")
    ran = segue("handoff", "commit", str(file), "--from", str(SESSION), "--json")
    assert ran.code == 0, ran.err
    assert PACKET in ran.json["packet"]
    (made,) = frames(segue, "continuity_handoff_created")
    assert (made["actor_id"], made["goal"]) == ("claude-code", "go on")


def test_what_the_session_does_not_show_is_named_by_its_line_and_not_committed(
    segue: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = written(segue, tmp_path / "packet.md", "`pytest -q` passed: 412 passed in 3.1s [#19]")
    number = file.read_text().splitlines().index("- `pytest -q` passed: 412 passed in 3.1s [#19]") + 1
    monkeypatch.setenv("CLAUDECODE", "1")
    ran = segue("handoff", "commit", str(file), "--from", str(SESSION), "--json")
    error = ran.json["error"]
    assert (ran.code, error["code"], f"line {number}: " in error["message"]) == (2, "ungrounded", True)
    assert frames(segue, "continuity_handoff_created") == []


def test_a_goal_without_quotes_is_no_file_to_commit(segue: Run) -> None:
    ran = segue("handoff", "go", "on")
    assert (ran.code, "quotes around the goal" in ran.err) == (2, True)
