"""The hook program: silent when idle, exact in its reply, one voice per replay, and never in the agent's way."""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from segue import samples
from segue.agents.registry import HOSTS, host_of
from segue.handoff.headings import DOCUMENT
from segue.model.moment import Reply
from segue.service.boundary import drafts, moments, status
from segue.service.health import boundary
from segue.service.threads import streams
from segue.service.workspace import Workspace
from segue.stores.accepted import user_folder
from segue.stores.marks import Marks
from segue.surfaces.hooks.dialects import write_reply

SESSION = "5e60e000-0000-4000-8000-00000000d3a0"
RICH = "\n".join(
    f"## {name}\n\n- Ported the retry loop in uploader.py; `pytest -q` printed 4 passed [#19].\n"
    for name in DOCUMENT
)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    place = tmp_path / "project"
    place.mkdir()
    samples.unpack(str(place))
    Workspace(str(place)).establish()
    return place


def payload(project: Path, **changes: Any) -> dict[str, Any]:
    given = {"session_id": SESSION, "transcript_path": str(project / "session.jsonl"), "cwd": str(project)}
    return {**given, **changes}


def hook(project: Path, host: str, event: str, given: Any, **env: str) -> subprocess.CompletedProcess[str]:
    text = given if isinstance(given, str) else json.dumps(given)
    return subprocess.run(
        [sys.executable, "-m", "segue", "hook", host, event],
        input=text,
        capture_output=True,
        text=True,
        cwd=project,
        env={**os.environ, "XDG_CONFIG_HOME": os.path.dirname(user_folder()), **env},
        check=False,
        timeout=60,
    )


def frames(project: Path, kind: str) -> list[dict[str, Any]]:
    workspace = Workspace(str(project))
    try:
        rows = streams.list_threads(workspace)["threads"]
        return [f.data for row in rows for f in streams.events(workspace, row["thread_id"]) if f.type == kind]
    finally:
        workspace.close()


@pytest.mark.parametrize(("leaf", "told"), [("two", False), ("not-written-yet", True), ("", True)])
def test_the_document_is_about_the_branch_that_pi_is_on(project: Path, leaf: str, told: bool) -> None:
    said = ["Work on exports", "The format is settled.", "Write it with pandas", "pandas is too slow."]
    at, names = {"timestamp": "2026-03-02T09:00:01.000Z"}, ["one", "two", "three", "four"]
    rows: list[dict[str, Any]] = [{"type": "session", "version": 3, "id": SESSION, "cwd": str(project), **at}]
    for place, text in enumerate(said):
        message = {"role": ("user", "assistant")[place % 2], "content": [{"type": "text", "text": text}]}
        parent = names[place - 1] if place else None
        rows.append({"type": "message", "id": names[place], "parentId": parent, "message": message, **at})
    (project / "session.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    ran = hook(project, "pi", "session_before_compact", payload(project, leaf=leaf))
    assert (ran.returncode, ran.stderr) == (0, "")
    document = (project / ".segue" / "transcripts" / ".handoff.md").read_text()
    assert ("pandas" in document, "The format is settled." in document) == (told, True)


def test_before_a_compaction_the_transcript_is_kept_and_a_document_derived(project: Path) -> None:
    ran = hook(project, "claude-code", "PreCompact", payload(project, trigger="auto"))
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")
    kept = project / ".segue" / "transcripts" / f"claude-code-{SESSION}.jsonl"
    assert kept.read_bytes() == (project / "session.jsonl").read_bytes()
    document = (project / ".segue" / "transcripts" / ".handoff.md").read_text()
    assert "Mechanical" in document and "## RECENT TAIL (since rich handoff)" in document
    assert "Zq81LmX02pPw7vRtY4" not in document
    assert len(frames(project, "transcript_archived")) == len(frames(project, "handoff_tail_refreshed")) == 1


def test_inside_a_model_that_segue_runs_a_hook_leaves_no_trace_of_itself(project: Path) -> None:
    folder = project / ".segue"
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
    for event in ("SessionStart", "UserPromptSubmit", "PreCompact", "Stop", "SessionEnd"):
        ran = hook(project, "claude-code", event, payload(project), SEGUE_INSIDE="1")
        assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*")} == before


def test_a_second_warning_of_a_compaction_writes_nothing_new(project: Path) -> None:
    for _ in range(3):
        hook(project, "claude-code", "PreCompact", payload(project))
    assert len(frames(project, "transcript_archived")) == len(frames(project, "handoff_tail_refreshed")) == 1


def test_the_handoff_is_replayed_once_and_a_second_resume_is_silent(project: Path) -> None:
    hook(project, "claude-code", "PreCompact", payload(project))
    first = hook(project, "claude-code", "SessionStart", payload(project, source="compact"))
    said = json.loads(first.stdout)["hookSpecificOutput"]
    assert said["hookEventName"] == "SessionStart"
    assert (
        said["additionalContext"].startswith("<segue-handoff source=") and "9090" in said["additionalContext"]
    )
    for source in ("compact", "resume"):
        assert hook(project, "claude-code", "SessionStart", payload(project, source=source)).stdout == ""
    assert len(frames(project, "handoff_replayed")) == 1


def test_the_environment_of_a_hook_lets_no_more_through_than_the_users_settings(project: Path) -> None:
    hook(project, "claude-code", "PreCompact", payload(project))
    begins = {**payload(project, source="startup"), "session_id": "5e60e000-0000-4000-8000-00000000d3a1"}
    loose = {"SEGUE_BOUNDARY_EMERGENCY_AUTO_HANDOFF": "true"}
    assert hook(project, "claude-code", "SessionStart", begins, **loose).stdout == ""
    assert frames(project, "handoff_replayed") == []


def test_the_rich_body_stays_byte_for_byte_when_the_tail_is_refreshed(project: Path) -> None:
    workspace = Workspace(str(project))
    assert drafts.write(workspace, RICH)["approval"] == "pending"
    drafts.approve(workspace)
    workspace.close()
    hook(project, "claude-code", "PreCompact", payload(project))
    text = (project / ".segue" / "transcripts" / ".handoff.md").read_text()
    assert text.startswith(RICH.rstrip("\n"))
    assert "404" in text.split("## RECENT TAIL (since rich handoff)")[1]


@pytest.mark.parametrize("source", ["clear", "startup"])
def test_clear_and_an_unapproved_document_at_startup_are_silent(project: Path, source: str) -> None:
    hook(project, "claude-code", "PreCompact", payload(project))
    assert hook(project, "claude-code", "SessionStart", payload(project, source=source)).stdout == ""


def test_an_approved_handoff_reaches_a_new_session_but_not_one_elsewhere(
    project: Path, tmp_path: Path
) -> None:
    workspace = Workspace(str(project))
    drafts.write(workspace, RICH)
    drafts.approve(workspace)
    workspace.close()
    elsewhere = payload(project, session_id="other", source="startup", cwd=str(tmp_path))
    assert hook(project, "codex", "SessionStart", elsewhere).stdout == ""
    fresh = hook(project, "codex", "SessionStart", payload(project, session_id="fresh", source="startup"))
    assert "only if you continue" in fresh.stdout


def test_of_twenty_processes_asking_for_one_replay_one_speaks(project: Path) -> None:
    hook(project, "claude-code", "PreCompact", payload(project))
    given = json.dumps(payload(project, source="compact"))
    running = [
        subprocess.Popen(
            [sys.executable, "-m", "segue", "hook", "claude-code", "SessionStart"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=project,
            text=True,
        )
        for _ in range(20)
    ]
    said = [process.communicate(given, timeout=120)[0] for process in running]
    assert sum(bool(text) for text in said) == 1
    assert len(frames(project, "handoff_replayed")) == 1


def test_a_replay_nobody_heard_is_reported_and_not_repeated(project: Path) -> None:
    hook(project, "claude-code", "PreCompact", payload(project))
    code = (
        "import os, sys, json\n"
        "from segue.surfaces.hooks import call, dialects\n"
        "dialects.write_reply = lambda *a: os._exit(9)\n"
        f"call.answer({str(project / '.segue')!r}, 'claude-code', 'SessionStart', sys.stdin.buffer.read())\n"
    )
    given = json.dumps(payload(project, source="compact"))
    killed = subprocess.run([sys.executable, "-c", code], input=given, text=True, cwd=project, check=False)
    assert killed.returncode == 9
    assert hook(project, "claude-code", "SessionStart", payload(project, source="compact")).stdout == ""
    workspace = Workspace(str(project))
    unheard = [check for check in boundary.checks(workspace) if not check["ok"]]
    workspace.close()
    assert [check["check"] for check in unheard] == ["replay"]


@pytest.mark.parametrize("way", ["ack", "fix"])
def test_a_replay_nobody_heard_is_settled_on_record(project: Path, way: str) -> None:
    hook(project, "claude-code", "PreCompact", payload(project))
    hook(project, "claude-code", "SessionStart", payload(project, source="compact"))
    for mark in (project / ".segue" / "boundary").glob("spoken-*"):
        mark.unlink()
    workspace = Workspace(str(project))
    if way == "ack":
        moments.acknowledge(workspace, "claude-code", SESSION, "pasted by hand")
    else:
        assert [c["ok"] for c in boundary.checks(workspace, fix=True) if c["check"] == "replay"] == [True]
    assert [c for c in boundary.checks(workspace) if c["check"] == "replay"] == []
    workspace.close()
    assert len(frames(project, "handoff_acknowledged")) == 1


@pytest.mark.parametrize(
    "given",
    [
        "",
        "not json",
        "[]",
        "{}",
        '{"session_id": 7}',
        '{"session_id": "x"}',
        '{"session_id": "../../x", "cwd": 5}',
    ],
)
@pytest.mark.parametrize("host", sorted(HOSTS))
def test_a_payload_that_makes_no_sense_lets_the_agent_go_on(project: Path, host: str, given: str) -> None:
    event = next(iter(host_of(host).events))
    ran = hook(project, host, event, given)
    assert (ran.returncode, ran.stdout) == (0, "")
    assert sorted(p.name for p in project.iterdir() if p.name != ".segue") == sorted(
        [".env", "README.md", "session.jsonl", "tests", "transport.py", "uploader.py"]
    )


def test_unknown_agents_events_and_no_words_at_all_are_silent(project: Path) -> None:
    for words in (["windows95", "Boot"], ["claude-code", "FutureEvent"], []):
        ran = subprocess.run(
            [sys.executable, "-m", "segue", "hook", *words],
            input="{}",
            capture_output=True,
            text=True,
            cwd=project,
        )
        assert (ran.returncode, ran.stdout) == (0, "")


def test_a_transcript_that_is_not_ours_is_refused_and_traced(project: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    hook(project, "claude-code", "PreCompact", payload(project, transcript_path=str(tmp_path / "pipe")))
    assert "not a file of yours" in (project / ".segue" / "boundary" / "failures.log").read_text()


def test_a_locked_log_is_spooled_and_taken_up_later(project: Path) -> None:
    workspace = Workspace(str(project))
    streams.ensure(workspace)
    workspace.close()
    with open(project / ".segue" / "log.lock") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        ran = hook(project, "claude-code", "PreCompact", payload(project), SEGUE_STORE_LOCK_WAIT_S="0")
    assert (ran.returncode, ran.stdout) == (0, "")
    assert len(list((project / ".segue" / "spool").iterdir())) == 1
    hook(project, "claude-code", "SessionStart", payload(project, source="compact"))
    assert list((project / ".segue" / "spool").iterdir()) == []
    assert len(frames(project, "transcript_archived")) == 1


def approved(project: Path) -> None:
    workspace = Workspace(str(project))
    drafts.write(workspace, RICH)
    drafts.approve(workspace)
    workspace.close()


def test_what_a_locked_log_held_up_at_the_start_is_said_at_the_next_prompt(project: Path) -> None:
    approved(project)
    with open(project / ".segue" / "log.lock") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        given = payload(project, source="startup")
        assert hook(project, "claude-code", "SessionStart", given, SEGUE_STORE_LOCK_WAIT_S="0").stdout == ""
    said = hook(project, "claude-code", "UserPromptSubmit", payload(project)).stdout
    assert "Ported the retry loop" in said
    assert hook(project, "claude-code", "UserPromptSubmit", payload(project)).stdout == ""


def test_a_clear_that_met_a_locked_log_stays_a_clear(project: Path) -> None:
    approved(project)
    with open(project / ".segue" / "log.lock") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        locked = {"SEGUE_STORE_LOCK_WAIT_S": "0"}
        hook(project, "claude-code", "PreCompact", payload(project, session_id="other"), **locked)
        hook(project, "claude-code", "SessionStart", payload(project, source="clear"), **locked)
    assert hook(project, "claude-code", "UserPromptSubmit", payload(project)).stdout == ""


def test_a_spooled_compaction_is_not_replayed_where_nobody_listens(project: Path) -> None:
    given = payload(project, transcript_path=str(project / "absent.jsonl"))
    approved(project)
    spooled = project / ".segue" / "spool"
    spooled.mkdir()
    told = {"host": "pi", "event": "session_compact", "kind": "after_compaction", "session_id": SESSION}
    (spooled / "1.json").write_text(json.dumps({**told, "cwd": str(project)}))
    (spooled / "2.json").write_text("no moment")
    hook(project, "pi", "session_shutdown", given)
    assert list(spooled.iterdir()) == [] and frames(project, "handoff_replayed") == []
    assert "holds no moment" in (project / ".segue" / "boundary" / "failures.log").read_text()


def test_a_full_context_asks_once_for_a_handoff(project: Path) -> None:
    text = (
        (project / "session.jsonl")
        .read_text()
        .replace('"cache_read_input_tokens": 26000', '"cache_read_input_tokens": 176000')
    )
    (project / "session.jsonl").write_text(text)
    given = payload(project)
    marks = project / ".segue" / "boundary"
    first = hook(project, "claude-code", "UserPromptSubmit", given).stdout
    assert f"segue draft write FILE --agent claude-code --session {SESSION}`" in first
    assert f"`{os.path.dirname(sys.executable)}/" in first and "88 % full" in first
    assert "`segue_draft_write` of the MCP server `segue`" in first and "your `handoff` skill" in first
    assert hook(project, "claude-code", "UserPromptSubmit", given).stdout == ""
    assert "It may be compacted soon. At the next good moment, write a handoff" in first
    (project / "session.jsonl").write_text(
        text.replace('"cache_read_input_tokens": 176000', '"cache_read_input_tokens": 190000')
    )
    due = hook(project, "claude-code", "UserPromptSubmit", given).stdout
    assert "A compaction is due: begin nothing new." in due and "may be compacted soon" not in due
    (warned,) = frames(project, "auto_compact_warning")
    assert warned["utilization_percent"] == 88
    assert (marks / f"looked-claude-code-{SESSION}").exists()


def test_gemini_announces_no_boundary_so_its_next_turn_finds_it(project: Path) -> None:
    chat = project / "chat.jsonl"
    header = '{"sessionId":"g1","projectHash":"p","startTime":"2026-01-01T00:00:00Z","lastUpdated":"2026-01-01T00:00:00Z"}\n'
    context = (
        '{"id":"0","timestamp":"2026-01-01T00:00:00Z","type":"user","content":[{"text":"<session_context>"}]}'
    )
    asked = (
        '{"id":"1","timestamp":"2026-01-01T00:00:01Z","type":"user","content":[{"text":"Always use tabs."}]}'
    )
    summed = (
        '{"id":"2","timestamp":"2026-01-01T00:00:02Z","type":"user","content":[{"text":"<state_snapshot>"}]}'
    )
    chat.write_text(header + f'{{"$set":{{"messages":[{context}]}}}}\n' + asked + "\n")
    given = payload(project, session_id="g1", transcript_path=str(chat))

    def said(event: str, **more: str) -> str:
        return hook(project, "gemini-cli", event, {**given, **more}).stdout

    assert said("SessionStart", source="startup") == said("BeforeAgent") == ""
    with chat.open("a") as file:
        file.write(header + f'{{"$set":{{"messages":[{context},{asked}]}}}}\n')
    assert said("SessionStart", source="resume") == said("BeforeAgent") == ""
    with chat.open("a") as file:
        file.write(f'{{"$set":{{"messages":[{context},{summed}]}}}}\n')
    spoken = json.loads(said("BeforeAgent"))["hookSpecificOutput"]["additionalContext"]
    assert "Always use tabs." in spoken
    with chat.open("a") as file:
        file.write(header + f'{{"$set":{{"messages":[{context},{summed}]}}}}\n')
    assert said("SessionStart", source="resume") == said("BeforeAgent") == ""


@pytest.mark.parametrize(
    ("settings", "percent"), [("{}", 86), ('{"model": {"compressionThreshold": 0.9}}', 0)]
)
def test_gemini_is_measured_against_what_it_compresses_at(
    project: Path, tmp_path: Path, settings: str, percent: int
) -> None:
    (tmp_path / ".gemini").mkdir()
    (tmp_path / ".gemini" / "settings.json").write_text(settings)
    chat = project / "chat.jsonl"
    chat.write_text(
        '{"id":"1","timestamp":"2026-01-01T00:00:01Z","type":"gemini","content":"x","tokens":{"input":430000}}\n'
    )
    given = payload(project, session_id="g1", transcript_path=str(chat))
    said = hook(project, "gemini-cli", "BeforeAgent", given, HOME=str(tmp_path)).stdout
    assert said == "" if not percent else f"{percent} % full" in said


def test_copilot_names_its_transcript_in_two_events_only_and_the_others_find_it(
    project: Path, tmp_path: Path
) -> None:
    events = tmp_path / "copilot" / "session-state" / "c1" / "events.jsonl"
    events.parent.mkdir(parents=True)
    asked = {
        "type": "user.message",
        "id": "1",
        "timestamp": "2026-01-01T00:00:00Z",
        "data": {"content": "Use tabs."},
    }
    events.write_text(json.dumps(asked) + "\n")
    given = {"sessionId": "c1", "cwd": str(project)}
    home = {"COPILOT_HOME": str(tmp_path / "copilot")}
    hook(project, "copilot-cli", "preCompact", {**given, "transcriptPath": str(events)}, **home)
    assert hook(project, "copilot-cli", "userPromptSubmitted", given, **home).stdout == ""
    with events.open("a") as file:
        file.write(
            '{"type":"session.compaction_complete","id":"2","timestamp":"2026-01-01T00:00:01Z","data":{}}\n'
        )
    spoken = json.loads(hook(project, "copilot-cli", "userPromptSubmitted", given, **home).stdout)
    assert "Use tabs." in spoken["additionalContext"]
    assert hook(project, "copilot-cli", "userPromptSubmitted", given, **home).stdout == ""


def test_a_transcript_that_cannot_be_read_does_not_silence_the_warning(project: Path) -> None:
    approved(project)
    hook(project, "pi", "session_start", payload(project, source="startup"))
    (project / "session.jsonl").write_text("no session\n")
    full = {"usage": {"tokens": 180_000, "window": 200_000}}
    assert "90 % full" in hook(project, "pi", "turn_end", payload(project, **full)).stdout
    assert "holds no session of pi" in (project / ".segue" / "boundary" / "failures.log").read_text()


def test_every_event_at_which_a_handoff_may_be_spoken_reaches_the_model() -> None:
    deaf = [
        (host, event)
        for host in HOSTS
        for event, kind in host_of(host).events.items()
        if kind in ("start", "prompt", "tool") and "said" not in str(write_reply(host, event, Reply("said")))
    ]
    assert deaf == []


ALLOWED = {
    "errno",
    "segue",
    "segue.__main__",
    "segue.errors",
    "segue.model",
    "segue.model.marks",
    "segue.stores",
    "segue.stores.accepted",
    "segue.stores.marks",
    "segue.stores.private_files",
    "segue.surfaces",
    "segue.surfaces.hooks",
    "segue.surfaces.hooks.entry",
}


@pytest.mark.parametrize("reason", ["no workspace", "looked a moment ago"])
def test_an_idle_hook_imports_next_to_nothing(project: Path, tmp_path: Path, reason: str) -> None:
    place = tmp_path if reason == "no workspace" else project
    if reason != "no workspace":
        Marks(str(project / ".segue"), "claude-code", SESSION).looked()
    code = (
        "import sys; before = set(sys.modules); sys.argv = ['segue', 'hook', 'claude-code', 'PostToolUse'];"
        "from segue.__main__ import main; main(); print(sorted(set(sys.modules) - before))"
    )
    given = json.dumps(payload(project))
    ran = subprocess.run(
        [sys.executable, "-c", code], input=given, capture_output=True, text=True, cwd=place, check=True
    )
    assert set(eval(ran.stdout)) - {"__future__"} <= ALLOWED  # noqa: S307


HEAVY = {
    "typing",
    "dataclasses",
    "pathlib",
    "logging",
    "subprocess",
    "argparse",
    "msgspec",
    "apsw",
    "sqlite3",
    "hashlib",
}


def test_a_sampling_hook_opens_no_store_and_imports_nothing_heavy(project: Path) -> None:
    hook(project, "claude-code", "UserPromptSubmit", payload(project))
    code = (
        "import sys; before = set(sys.modules); sys.argv = ['segue', 'hook', 'claude-code', 'UserPromptSubmit'];"
        "from segue.__main__ import main; main(); print(sorted(set(sys.modules) - before))"
    )
    given = json.dumps(payload(project))
    ran = subprocess.run(
        [sys.executable, "-c", code], input=given, capture_output=True, text=True, cwd=project, check=True
    )
    imported = set(eval(ran.stdout))  # noqa: S307
    assert "segue.surfaces.hooks.call" in imported
    assert imported & {*HEAVY, "segue.service.boundary.moments"} == set()
    ours = {name for name in imported if name.startswith("segue.agents.") and name.count(".") > 2}
    assert ours == {"segue.agents.claude_code.host"}


def test_what_comes_with_every_tool_is_known_without_its_host() -> None:
    from segue.surfaces.hooks.entry import FREQUENT

    kinds = {event: kind for host in HOSTS for event, kind in host_of(host).events.items()}
    frequent = {event for event in kinds if any(part in event.lower() for part in FREQUENT)}
    assert frequent == {event for event, kind in kinds.items() if kind == "tool"} | {"PreToolUse"}


def rests(project: Path, session_id: str) -> bool:
    from segue.surfaces.hooks.entry import idle

    told = json.dumps({"cwd": '"session_id":"quoted"', "session_id": session_id}).encode()
    return idle(str(project / ".segue"), "pi", "turn_end", told)


def test_a_clock_that_jumps_back_does_not_silence_a_hook(project: Path) -> None:
    looked = project / ".segue" / "boundary" / "looked-pi-s1"
    Marks(str(project / ".segue"), "pi", "s1").looked()
    assert rests(project, "s1")
    os.utime(looked, (time.time() + 9999, time.time() + 9999))
    assert not rests(project, "s1")


def test_a_look_at_one_session_does_not_keep_another_from_being_looked_at(project: Path) -> None:
    Marks(str(project / ".segue"), "pi", "s1").looked()
    assert rests(project, "s1") and not rests(project, "s2")


@pytest.mark.parametrize(("minutes", "expected"), [(1, True), (20, False)])
def test_a_compaction_that_did_not_come_is_not_expected_forever(
    project: Path, minutes: int, expected: bool
) -> None:
    marks = Marks(str(project / ".segue"), "pi", "s1")
    marks.approach(str(project / "session.jsonl"), 0)
    marks.looked()
    then = time.time() - minutes * 60
    os.utime(project / ".segue" / "boundary" / "waiting-pi-s1", (then, then))
    assert rests(project, "s1") is not expected


def test_maintenance_says_how_each_part_went(project: Path) -> None:
    from segue.model.moment import Moment
    from segue.service.boundary import maintenance

    workspace = Workspace(str(project))
    moment = Moment("claude-code", "x", "start", SESSION, str(project), str(project / "session.jsonl"))
    moments.prepare(workspace, moment)
    done = maintenance.run(workspace, moment)
    assert {part: row["status"] for part, row in done.items()} == {
        "archive": "completed",
        "backfill": "completed",
        "consolidation": "pending_policy",
    }
    proposals = project / ".segue" / "transcripts" / f"proposals-claude-code-{SESSION}.md"
    first = proposals.read_text() + "- Added by a person.\n"
    proposals.write_text(first)
    assert maintenance.run(workspace, moment)["consolidation"]["reason"].startswith("no new candidates")
    assert proposals.read_text() == first and "No new dependency" in first
    missing = maintenance.run(workspace, moment._replace(transcript_path="/absent"))
    assert {row["status"] for row in missing.values()} == {"skipped"}
    (told,) = status.status(workspace)["proposals"]
    workspace.close()
    assert told == {"path": str(proposals), "candidates": first.count("\n- ")}
