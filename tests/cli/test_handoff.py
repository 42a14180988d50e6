"""`segue handoff` as a person and as a script use it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from segue import samples
from segue.agents.registry import READERS
from segue.errors import Refused
from segue.model import wire
from segue.surfaces.cli import launching
from segue.surfaces.cli.output import Output

Segue = Callable[..., Any]
SECRET = "Zq81LmX02pPw7vRtY4"


@pytest.fixture
def session(tmp_path: Path) -> str:
    return samples.unpack(str(tmp_path))


def handoff(segue: Segue, session: str, *more: str) -> Any:
    return segue("handoff", samples.GOAL, "--from", session, "--budget", "1500", *more)


def test_a_script_that_does_not_say_yes_gets_a_draft_and_no_commit(
    segue: Segue, session: str, tmp_path: Path
) -> None:
    ran = handoff(segue, session)
    assert ran.code == 0
    assert ran.out.startswith("This handoff was drawn from claude-code session")
    assert "not committed" in ran.err
    assert not (tmp_path / ".segue").exists()


@pytest.mark.parametrize("flags", [["--dry-run"], ["--out", "packet.md"]])
def test_dry_run_and_out_write_nothing_to_the_log(
    segue: Segue, session: str, tmp_path: Path, flags: list[str]
) -> None:
    assert handoff(segue, session, "--yes", *flags).code == 0
    assert not (tmp_path / ".segue").exists()
    if "--out" in flags:
        assert (tmp_path / "packet.md").stat().st_mode & 0o777 == 0o600


def test_a_commit_links_bundle_session_and_child(segue: Segue, session: str) -> None:
    made = handoff(segue, session, "--yes", "--json").json
    bundle = wire.decode(segue("artifact", "get", made["summary_artifact_id"]).out)
    assert bundle["summary_markdown"] == made["packet"]
    assert bundle["refs"]["threads"][0]["thread_id"] == made["from_thread_id"]
    ancestors = segue("thread", "lineage", made["thread_id"], "--json").json["ancestors"]
    assert [(row["relation"], row["seq"]) for row in ancestors] == [("handoff", made["from_seq"])]
    assert segue("verify").code == 0


def test_the_answer_as_data_has_the_shape_of_the_contract(segue: Segue, session: str) -> None:
    made = handoff(segue, session, "--json").json
    assert made["tokens"] <= made["budget"] == 1500
    assert set(made) == {
        "packet", "tokens", "budget", "agent", "session_id", "redactions", "lint", "dropped",
    }  # fmt: skip
    assert set(made["lint"]) == {"pass", "score", "findings"}


@pytest.mark.parametrize("form", ["packet", "document", "bundle", "tc", "json"])
def test_no_rendering_holds_the_secret_and_none_writes_the_log(
    segue: Segue, session: str, form: str, tmp_path: Path
) -> None:
    ran = handoff(segue, session, "--format", form, "--dry-run")
    assert ran.code == 0
    assert SECRET not in ran.out and "9090" in ran.out
    assert not (tmp_path / ".segue").exists()


def test_an_editor_changes_what_is_committed(
    segue: Segue, session: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    editor = tmp_path / "editor"
    editor.write_text(
        f"#!{sys.executable}\nimport sys\nopen(sys.argv[1], 'a').write('Mind the gap. {SECRET}\\n')\n"
    )
    editor.chmod(0o700)
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", str(editor))
    made = handoff(segue, session, "--edit", "--json").json
    text = wire.decode(segue("artifact", "get", made["summary_artifact_id"]).out)["summary_markdown"]
    assert "Mind the gap." in text


@pytest.fixture
def leaking_editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A person who types a new secret, and one that the session's .env showed, into the packet."""
    editor = tmp_path / "editor"
    editor.write_text(
        f"#!{sys.executable}\nimport sys\n"
        f"open(sys.argv[1], 'a').write('Mind the gap. DB_PASSWORD=sesame99 and tk-{SECRET}\\n')\n"
    )
    editor.chmod(0o700)
    monkeypatch.setenv("VISUAL", str(editor))


def test_a_secret_typed_in_review_is_in_no_answer_and_the_receipt_tells_of_it(
    segue: Segue, session: str, leaking_editor: None
) -> None:
    before = handoff(segue, session, "--json").json["redactions"]
    made = handoff(segue, session, "--edit", "--json").json
    assert "sesame99" not in json.dumps(made) and SECRET not in made["packet"]
    assert "Mind the gap. DB_PASSWORD=[redacted:assignment]" in made["packet"]
    assert made["redactions"]["total"] == before["total"] + 2
    by_kind = ", ".join(f"{n} {kind}" for kind, n in sorted(made["redactions"]["by_kind"].items()))
    assert f": {by_kind}." in made["packet"]
    bundle = wire.decode(segue("artifact", "get", made["summary_artifact_id"]).out)
    assert bundle["summary_markdown"] == made["packet"]


def test_an_edit_that_cannot_be_taken_is_kept(
    segue: Segue, session: str, tmp_path: Path, leaking_editor: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    segue("change", "init")
    tc_id = segue(
        "change",
        "new",
        "Finish the tests",
        "--scope",
        "feature",
        "--summary",
        "Finish them all",
        "--motivation",
        "They fail",
        "--json",
    ).json["tc_id"]
    ran = handoff(segue, session, "--format", "tc", "--change", tc_id, "--edit")
    assert ran.code == 2
    path = Path(re.search(r"is kept in (\S+)\.", ran.err)[1])  # type: ignore[index]
    assert path.stat().st_mode & 0o077 == 0
    assert "Mind the gap." in path.read_text() and SECRET not in path.read_text()


@pytest.mark.parametrize("flags", [["--dry-run"], ["--out", "packet.md"]])
def test_a_review_without_a_commit_opens_the_editor(
    segue: Segue, session: str, tmp_path: Path, leaking_editor: None, flags: list[str]
) -> None:
    ran = handoff(segue, session, "--edit", *flags)
    text = (tmp_path / "packet.md").read_text() if "--out" in flags else ran.out
    assert "Mind the gap. DB_PASSWORD=[redacted:assignment]" in text
    assert "sesame99" not in text and SECRET not in text
    assert not (tmp_path / ".segue").exists()


def test_the_next_agent_gets_what_was_typed_in_review_without_its_secrets(
    segue: Segue, session: str, tmp_path: Path, leaking_editor: None, codex: Path
) -> None:
    assert handoff(segue, session, "--edit", "--to", "codex", "--launch").code == 0
    got = codex.read_text()
    assert "Mind the gap. DB_PASSWORD=[redacted:assignment]" in got
    assert "sesame99" not in got and SECRET not in got


def test_nobody_is_started_with_a_text_that_holds_a_secret(tmp_path: Path, codex: Path) -> None:
    with pytest.raises(Refused, match="codex was not started"):
        launching.start(Namespace(to="codex"), "DB_PASSWORD=sesame99", Output(sys.stdout, sys.stderr, False))
    assert not codex.exists()


@pytest.mark.parametrize("editor", ["false", "truncate -s 0", "/absent/editor"])
def test_an_editor_that_fails_or_empties_the_file_cancels(
    segue: Segue, session: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, editor: str
) -> None:
    monkeypatch.setenv("VISUAL", editor)
    assert handoff(segue, session, "--edit").code in (2, 4)
    assert not (tmp_path / ".segue").exists()


def test_a_target_that_is_not_installed_is_said_before_anything_happens(
    segue: Segue, session: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    ran = handoff(segue, session, "--yes", "--to", "codex", "--launch")
    assert (ran.code, "codex is not installed" in ran.err) == (1, True)
    assert not (tmp_path / ".segue").exists()


@pytest.fixture
def codex(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An agent on the PATH; the file holds its arguments and its input once it was started."""
    (tmp_path / "bin").mkdir()
    agent = tmp_path / "bin" / "codex"
    agent.write_text(
        f"#!{sys.executable}\nimport sys\nopen('got.txt', 'w').write(' '.join(sys.argv[1:]) + sys.stdin.read())\n"
    )
    agent.chmod(0o700)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    return tmp_path / "got.txt"


def test_the_target_is_started_with_the_packet_on_standard_input(
    segue: Segue, session: str, codex: Path
) -> None:
    assert handoff(segue, session, "--yes", "--to", "codex", "--launch").code == 0
    assert codex.read_text().startswith("exec -This handoff was drawn from")


@pytest.mark.parametrize(
    ("flags", "code"),
    [
        (["--launch"], 2),
        (["--launch", "--to", "windows95"], 2),
        (["--to", "windows95"], 2),
        (["--include-file", "absent.py"], 2),
        (["--include-file", "/etc/hosts"], 2),
        (["--include-file", "../.."], 2),
        (["--budget", "10"], 2),
        (["--format", "poem"], 2),
        (["--edit", "--yes"], 2),
    ],
)
def test_wrong_usage_is_refused(segue: Segue, session: str, flags: list[str], code: int) -> None:
    assert segue("handoff", "go", "--from", session, *flags).code == code


def test_no_session_says_where_it_looked(segue: Segue, tmp_path: Path) -> None:
    ran = segue("handoff", "go on")
    assert ran.code == 1
    assert f"where {len(READERS)} agents keep their sessions" in ran.err
    assert "~/.claude/projects/" in segue("handoff", "go on", "--from", "claude-code").err


def test_a_file_nobody_knows_is_read_by_the_program_that_is_named_before_it(
    segue: Segue, tmp_path: Path
) -> None:
    (tmp_path / "noise.jsonl").write_text('{"kind": "noise"}\n')
    refused = segue("handoff", "go", "--from", "noise.jsonl")
    assert (refused.code, "codex:FILE" in refused.err) == (2, True)
    assert "none of the" not in segue("handoff", "go", "--from", "codex:noise.jsonl").err


def test_a_file_to_include_is_named_as_the_packet_names_files(
    segue: Segue, session: str, tmp_path: Path
) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "delays.md").write_text("x")
    packet = handoff(segue, session, "--dry-run", "--include-file", str(tmp_path / "docs/delays.md")).out
    assert "docs/\n- delays.md" in packet


@pytest.mark.parametrize("told", ["branch", "cwd", "model"])
def test_a_token_in_what_a_session_says_of_itself_is_not_told(
    segue: Segue, tmp_path: Path, told: str
) -> None:
    token = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
    header = {"segue_session": 1, "id": "s-1", told: f"{tmp_path}/{token}"}
    lines = [header, {"kind": "user", "text": "Mend it."}, {"kind": "agent", "text": "Done.", told: token}]
    file = tmp_path / "s.jsonl"
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    for form in ("packet", "document", "tc", "bundle", "json"):
        assert token not in segue("handoff", "go", "--from", str(file), "--dry-run", "--format", form).out
    assert token not in segue("sessions", "show", str(file), "--json").out


def test_a_file_to_include_that_does_not_fit_is_told(segue: Segue, session: str, tmp_path: Path) -> None:
    names = [f"{'deep' * 40}{n}/{'name' * 40}.md" for n in range(30)]
    for name in names:
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text("x")
    flags = [word for name in names for word in ("--include-file", name)]
    ran = handoff(segue, session, "--dry-run", "--budget", "600", *flags)
    told = [name for name in names if f"{name.partition('/')[0]}/\n- {name.partition('/')[2]}" in ran.out]
    said = [name for name in names if name in ran.err]
    assert told and said
    assert sorted([*told, *said]) == sorted(names)
    assert "no room" not in handoff(segue, session, "--dry-run", *flags[:2]).err


def test_a_file_of_a_sub_agent_alone_says_whose_session_to_hand_off(segue: Segue, tmp_path: Path) -> None:
    line = {
        "type": "assistant", "isSidechain": True, "agentId": "a1", "sessionId": "5e60e000-0000-4000-8000-00000000d3a1",
        "uuid": "u1", "parentUuid": None, "cwd": str(tmp_path), "timestamp": "2026-01-01T10:00:00Z",
        "message": {"role": "assistant", "content": [{"type": "text", "text": "Three callers."}]},
    }  # fmt: skip
    (tmp_path / "agent-a1.jsonl").write_text(json.dumps(line) + "\n")
    ran = segue("handoff", "go", "--from", "agent-a1.jsonl", "--dry-run")
    assert "only what a sub-agent did" in ran.err and line["sessionId"] in ran.err


def test_the_repository_of_a_session_of_elsewhere_is_that_of_its_own_directory(
    segue: Segue, tmp_path: Path
) -> None:
    elsewhere = tmp_path.parent / f"{tmp_path.name}-elsewhere"
    elsewhere.mkdir()
    record = {"type": "user", "sessionId": "s-1", "uuid": "u-1", "cwd": str(elsewhere)}
    record |= {"timestamp": "2026-01-01T00:00:00.000Z", "message": {"role": "user", "content": "Fix it."}}
    session = tmp_path / "s-1.jsonl"
    session.write_text(json.dumps(record) + "\n")
    subprocess.run(["git", "init", "-q", "-b", "trunk", str(elsewhere)], check=True)
    assert "- trunk at no commit" in segue("handoff", "--from", f"claude-code:{session}", "--dry-run").out
    elsewhere.rename(tmp_path / "moved")
    made = segue("handoff", "--from", f"claude-code:{session}", "--dry-run").out
    assert "- the session's working directory is not here" in made
    assert str(elsewhere) not in made and f"Paths are relative to …/{elsewhere.name}." in made


def test_a_session_comes_from_standard_input(segue: Segue, session: str) -> None:
    data = Path(session).read_bytes()
    assert segue("handoff", "go", "--from", "-", stdin=data).out.startswith(
        "This handoff was drawn from claude-code"
    )


def test_the_same_session_and_goal_give_the_same_bytes_in_any_process(session: str, tmp_path: Path) -> None:
    packets = set()
    for seed, locale in (("0", "C"), ("1", "C.UTF-8"), ("2", "tr_TR.UTF-8")):
        env = {**os.environ, "PYTHONHASHSEED": seed, "LC_ALL": locale, "HOME": str(tmp_path / "home")}
        command = [
            sys.executable,
            "-m",
            "segue",
            "handoff",
            samples.GOAL,
            "--from",
            session,
            "--dry-run",
            "--no-repo",
        ]
        packets.add(subprocess.run(command, env=env, capture_output=True, check=True, cwd=tmp_path).stdout)
    assert len(packets) == 1


def test_the_demo_needs_nothing_and_asks_nothing(segue: Segue) -> None:
    ran = segue("demo", "--json")
    assert ran.code == 0
    assert SECRET not in ran.out
    assert json.loads(ran.out)["graph"][1].startswith("↓ ● handoff @")


def test_a_change_record_gets_its_block_from_the_session_as_one_revision(segue: Segue, session: str) -> None:
    segue("change", "init")
    made = segue(
        "change", "new", "--title", "Retry uploads", "--scope", "feature", "--json",
        "--summary", "Retry uploads with backoff on 5xx", "--motivation", "503s lose data",
    ).json  # fmt: skip
    change = ("--format", "tc", "--change", made["tc_id"])
    before = segue("change", "show", made["tc_id"], "--json").json
    assert handoff(segue, session, *change).code == 0
    assert segue("change", "show", made["tc_id"], "--json").json == before
    assert handoff(segue, session, *change, "--yes").code == 0
    after = segue("change", "show", made["tc_id"], "--json").json
    assert len(after["revision_history"]) == len(before["revision_history"]) + 1
    assert any("9090" in line for line in after["session_context"]["handoff"]["key_context"])
    again = handoff(segue, session, *change, "--yes")
    assert again.out.splitlines()[-2:] == [
        "The record says all of this already.", "The record is as it was.",
    ]  # fmt: skip


def test_what_would_change_in_a_record_is_shown_without_changing_it(segue: Segue, session: str) -> None:
    segue("change", "init")
    tc_id = segue("change", "new", "Retry uploads", "--next", "Add a test for 503", "--json").json["tc_id"]
    before = segue("change", "show", tc_id, "--json").json
    ran = handoff(segue, session, "--format", "tc", "--change", tc_id, "--out", "block.json")
    assert ran.out.startswith(f"{tc_id}\n  ~ progress_summary: ")
    assert "\n  + key_context: The person: " in ran.out
    assert ran.out.endswith("\nThe record is as it was.\n")
    assert json.loads(Path("block.json").read_text())["next_steps"][-1] == "Add a test for 503"
    assert segue("change", "show", tc_id, "--json").json == before


@pytest.mark.parametrize(
    ("flags", "code", "command"),
    [
        (["--change", "1"], 2, "--format tc"),
        (["--format", "tc", "--change", "9"], 1, "`segue change list`"),
        (["--format", "tc", "--change", "1", "--to", "codex", "--launch"], 2, "`segue change resume 1 --to codex --launch`"),
        (["--format", "tc", "--change", "2"], 4, "`segue change new`"),
    ],
)  # fmt: skip
def test_a_refusal_to_fill_a_record_names_the_command_that_helps(
    segue: Segue, session: str, flags: list[str], code: int, command: str
) -> None:
    segue("change", "init")
    segue("change", "new", "Retry uploads")
    segue("change", "new", "Given up long ago")
    segue("change", "update", "2", "--status", "voided", "--reason", "not needed")
    ran = handoff(segue, session, *flags)
    assert (ran.code, command in ran.err) == (code, True)


def test_a_record_needs_a_project_with_records(segue: Segue, session: str) -> None:
    ran = handoff(segue, session, "--format", "tc", "--change", "1")
    assert (ran.code, "`segue change init`" in ran.err) == (1, True)


def test_a_model_that_cannot_be_had_is_said_and_a_bad_one_leaves_the_packet(
    segue: Segue, session: str
) -> None:
    assert handoff(segue, session, "--model", "gpt-9").code == 2
    plain = handoff(segue, session, "--dry-run").out
    for model in ("command:false", "command:echo nonsense", "command:no-such-program"):
        ran = handoff(segue, session, "--model", model, "--dry-run")
        assert (ran.code, ran.out, "The mechanical packet stands." in ran.err) == (0, plain, True)


def test_a_model_that_the_settings_name_is_asked_unless_the_flag_says_none(
    segue: Segue, session: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SEGUE_MODEL", "command:echo nonsense")
    assert "mechanical packet stands" in handoff(segue, session, "--dry-run").err
    assert "mechanical packet stands" not in handoff(segue, session, "--dry-run", "--model", "").err


def test_explain_says_why_each_turn_counts(segue: Segue, session: str) -> None:
    ran = handoff(segue, session, "--explain")
    assert ran.code == 0
    assert "turn    1" in ran.out and "left out:" in ran.out
    assert re.search(r"\n +told: prompt \d+\.\d, report \d+\.\d\n", ran.out)


def test_explain_for_programs_tells_the_index_and_where_what_was_left_out_stands(
    segue: Segue, session: str
) -> None:
    told = handoff(segue, session, "--explain", "--json", "--budget", "300").json
    assert told["index"]["schema"] == "segue.index.v1"
    assert any(drop.get("evidence") for drop in told["left_out"])


def test_without_a_clipboard_nothing_is_committed(
    segue: Segue, session: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert handoff(segue, session, "--copy", "--yes").code == 5
    assert not (tmp_path / ".segue").exists()
